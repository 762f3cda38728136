//! Everything that the library answers about one collection, as files of JSON lines: `cargo run --example all_answers --
//! DOCUMENTS FOLDER` writes `fingerprint`, `pairs`, `clusters` and `dedup` into the folder. `-- --prints FILE K FOLDER`
//! does `pairs` and `clusters` of a file with a fingerprint a line. `-- --ask QUESTION DOCUMENTS FOLDER` asks one
//! question, such as `{"pairs":{"threshold":0.5}}`, and writes its rows as `rows`. The tests of the bindings compare
//! their answers with these.

use std::collections::HashMap;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{
    ClusterRow, DecisionRow, DocumentId, FingerprintRecord, MatchOfMany, PairRow, SharedPassageRow,
    TableRow,
};
use nearprint::{
    Clusters, Collection, CollectionSettings, Dedup, Engine, Filter, FoundPassage, InputSettings,
    InputSource, Matches, Pairs, Passages, PrintSet, ResultFormat, ResultWriter, Role, Settings,
    Subject,
};
use serde_json::Value;

type AnyError = Box<dyn Error>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [prints, file, k, folder] if prints == "--prints" => {
            let k = k.to_str().ok_or("K is a number")?.parse()?;
            of_prints(Path::new(file), k, Path::new(folder))
        }
        [ask, question, documents, folder] if ask == "--ask" => {
            let question = question.to_str().ok_or("a question is JSON")?;
            answer(question, Path::new(documents), Path::new(folder))
        }
        [documents, folder] => of_documents(Path::new(documents), Path::new(folder)),
        _ => {
            Err("name documents and a folder, or --prints, a file, a distance and a folder".into())
        }
    }
}

fn of_documents(documents: &Path, folder: &Path) -> Result<(), AnyError> {
    let engine = Engine::default();
    let source = || InputSource::new([documents], InputSettings::default());
    let pipeline = |scheme| engine.pipeline(Settings::default().scheme(scheme));

    let mut out = results::<FingerprintRecord>(folder, "fingerprint", Scheme::SD1)?;
    pipeline(Scheme::SD1).fingerprint(&mut source(), |record| out.write(&record))?;
    out.finish()?.flush()?;

    let question = Pairs::default().resolve(Subject::Documents)?;
    let mut collection = engine.collection(question.settings());
    let ignored = |_: &FingerprintRecord| Ok::<_, nearprint::Error>(());
    collection.read(&pipeline(question.scheme()), &mut source(), ignored)?;
    let search = question.search(&collection).sorted_up_to(Some(usize::MAX));
    let mut pairs: Vec<PairRow> = Vec::new();
    question.run(&collection, &search, |row| {
        pairs.push(row);
        Ok::<_, nearprint::Error>(())
    })?;
    write(folder, "pairs", question.scheme(), &pairs)?;
    let question = Clusters::default().resolve(Subject::Documents)?;
    let clusters = question.run(&collection, &question.search(&collection))?;
    write::<ClusterRow>(folder, "clusters", question.scheme(), &clusters.rows)?;

    let question = Dedup::default().resolve(Subject::Documents)?;
    write(folder, "dedup", question.print_scheme(), &decisions(&question, &engine, &mut source())?)
}

/// Answers a question, an object with its name and in it its options, about documents. Of matches, each document is a
/// query.
fn answer(question: &str, documents: &Path, folder: &Path) -> Result<(), AnyError> {
    let asked: HashMap<String, Value> = serde_json::from_str(question)?;
    let (name, options) = asked.into_iter().next().ok_or("no question")?;
    let engine = Engine::default();
    let source = || InputSource::new([documents], InputSettings::default());
    let pipeline = |scheme| engine.pipeline(Settings::default().scheme(scheme));
    let read = |settings: CollectionSettings| -> Result<Collection, AnyError> {
        let mut collection = engine.collection(settings);
        let ignored = |_: &FingerprintRecord| Ok::<_, nearprint::Error>(());
        collection.read(&pipeline(settings.scheme), &mut source(), ignored)?;
        Ok(collection)
    };
    match &*name {
        "pairs" => {
            let question: Pairs = serde_json::from_value(options)?;
            let question = question.resolve(Subject::Documents)?;
            let collection = read(question.settings())?;
            let search = question.search(&collection).sorted_up_to(Some(usize::MAX));
            let mut out = results::<PairRow>(folder, "rows", question.scheme())?;
            let mut rows: Vec<PairRow> = Vec::new();
            question.run(&collection, &search, |row| {
                rows.push(row);
                Ok::<_, nearprint::Error>(())
            })?;
            rows.iter().try_for_each(|row| out.write(row))?;
            Ok(out.finish()?.flush()?)
        }
        "clusters" => {
            let question: Clusters = serde_json::from_value(options)?;
            let question = question.resolve(Subject::Documents)?;
            let collection = read(question.collection())?;
            let found = question.run(&collection, &question.search(&collection))?;
            write::<ClusterRow>(folder, "rows", question.scheme(), &found.rows)
        }
        "matches" => {
            let question: Matches = serde_json::from_value(options)?;
            let question = question.resolve(Subject::Documents)?;
            let (collection, queries) = (read(question.settings())?, read(question.settings())?);
            let mut rows: Vec<MatchOfMany> = Vec::new();
            question.run(
                &collection,
                &queries,
                &question.search(&collection),
                Filter::all(),
                |_, row| {
                    rows.push(MatchOfMany(row));
                    Ok::<_, nearprint::Error>(())
                },
            )?;
            write(folder, "rows", question.scheme(), &rows)
        }
        "dedup" => {
            let question: Dedup = serde_json::from_value(options)?;
            let question = question.resolve(Subject::Documents)?;
            write(
                folder,
                "rows",
                question.print_scheme(),
                &decisions(&question, &engine, &mut source())?,
            )
        }
        "passages" => {
            let question: Passages = serde_json::from_value(options)?;
            let mut gathered = question.resolve()?.gather(&engine)?;
            let ignored = |_| Ok::<_, nearprint::Error>(());
            gathered.read(&pipeline(Scheme::SD1), &mut source(), ignored)?;
            let mut rows: Vec<SharedPassageRow> = Vec::new();
            gathered.run(
                |_| true,
                |found| {
                    if let FoundPassage::Passage(row) = found {
                        rows.push(row);
                    }
                    Ok::<_, nearprint::Error>(())
                },
            )?;
            write(folder, "rows", Scheme::SD1, &rows)
        }
        name => Err(format!("{name} is not asked here").into()),
    }
}

/// The decisions about the documents of a source.
fn decisions(
    question: &Dedup,
    engine: &Engine,
    source: &mut InputSource,
) -> Result<Vec<DecisionRow>, AnyError> {
    let mut gathered = question.gather(engine)?;
    let scheme = question.print_scheme();
    let pipeline = engine.pipeline(Settings::default().scheme(scheme));
    pipeline.read(source, &question.wanted(), |record, made, arrival| {
        let features = made.and_then(|made| made.features);
        gathered.push(&record, features.as_ref(), Role::Candidate, arrival)
    })?;
    let search = gathered.search(question.search());
    let decisions = question.decide(&mut gathered, search)?;
    let mut rows: Vec<DecisionRow> = Vec::new();
    decisions.for_each(&mut gathered, |row| {
        rows.push(row);
        Ok::<_, nearprint::Error>(())
    })?;
    Ok(rows)
}

fn of_prints(file: &Path, k: u32, folder: &Path) -> Result<(), AnyError> {
    let mut set = PrintSet::new(Scheme::SD1);
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        let mut cells = line.split('\t');
        let [Some(print), Some(id)] = [cells.next(), cells.next()] else {
            return Err("a line is a fingerprint, an id, and perhaps a mark".into());
        };
        set.push(&DocumentId::new(id)?, &print.parse::<Fingerprint>()?)?;
    }
    let engine = Engine::default();
    let search = engine.search(k).sorted_up_to(Some(usize::MAX));
    let mut pairs: Vec<PairRow> = Vec::new();
    search.pairs(&set, |row| {
        pairs.push(row);
        Ok::<_, nearprint::Error>(())
    })?;
    write(folder, "pairs", Scheme::SD1, &pairs)?;
    write::<ClusterRow>(folder, "clusters", Scheme::SD1, &search.clusters(&set)?)
}

type Results = ResultWriter<BufWriter<File>>;

fn results<R: TableRow>(folder: &Path, name: &str, scheme: Scheme) -> Result<Results, AnyError> {
    let out = BufWriter::new(File::create(folder.join(name))?);
    Ok(ResultWriter::new::<R>(ResultFormat::Jsonl, scheme, out)?)
}

fn write<R: TableRow>(
    folder: &Path,
    name: &str,
    scheme: Scheme,
    rows: &[R],
) -> Result<(), AnyError> {
    let mut out = results::<R>(folder, name, scheme)?;
    rows.iter().try_for_each(|row| out.write(row))?;
    Ok(out.finish()?.flush()?)
}
