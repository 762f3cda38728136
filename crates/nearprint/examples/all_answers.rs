//! Everything that the library answers about one collection, as files of JSON lines: `cargo run --example all_answers --
//! DOCUMENTS FOLDER` writes `fingerprint`, `pairs`, `clusters` and `dedup` into the folder. `-- --prints FILE K FOLDER`
//! does `pairs` and `clusters` of a file with a fingerprint a line. The tests of the bindings compare their answers
//! with these.

use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{
    ClusterRow, DecisionRow, DocumentId, FingerprintRecord, PairRow, TableRow,
};
use nearprint::search::Linkage;
use nearprint::{
    Arrival, Deduplication, Engine, InputSettings, InputSource, PrintSet, ResultFormat,
    ResultWriter, Role, SearchChoices, Settings,
};

type Failed = Box<dyn Error>;

fn main() -> Result<(), Failed> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [prints, file, k, folder] if prints == "--prints" => {
            let k = k.to_str().ok_or("K is a number")?.parse()?;
            of_prints(Path::new(file), k, Path::new(folder))
        }
        [documents, folder] => of_documents(Path::new(documents), Path::new(folder)),
        _ => {
            Err("name documents and a folder, or --prints, a file, a distance and a folder".into())
        }
    }
}

fn of_documents(documents: &Path, folder: &Path) -> Result<(), Failed> {
    let engine = Engine::default();
    let source = || InputSource::new([documents], InputSettings::default());
    let pipeline = |scheme| engine.pipeline(Settings { scheme, ..Settings::default() });

    let mut out = results::<FingerprintRecord>(folder, "fingerprint", Scheme::SD1)?;
    pipeline(Scheme::SD1).fingerprint(&mut source(), |record| out.write(&record))?;
    out.finish()?.flush()?;

    let method = SearchChoices::default().method();
    let mut collection = engine.collection(method.collection());
    let ignored = |_: &FingerprintRecord| Ok::<_, nearprint::Error>(());
    collection.read(&pipeline(method.scheme()), &mut source(), ignored)?;
    let search = collection.search(method.search()).sorted_up_to(Some(usize::MAX));
    let mut pairs: Vec<PairRow> = Vec::new();
    collection.pairs(&search, None, |row| {
        pairs.push(row);
        Ok::<_, nearprint::Error>(())
    })?;
    write(folder, "pairs", method.scheme(), &pairs)?;
    let clusters = collection.clusters(&search, Linkage::Components)?;
    write::<ClusterRow>(folder, "clusters", method.scheme(), &clusters.rows)?;

    let deduplication = Deduplication::default();
    let mut gathered = deduplication.gather(&engine)?;
    let wanted = deduplication.wanted();
    pipeline(deduplication.scheme).read(&mut source(), &wanted, |record, made, arrival| {
        let features = made.and_then(|made| made.features);
        let Arrival { order, .. } = arrival;
        gathered.push(&record, features.as_ref(), Role::Candidate, order)
    })?;
    let search = gathered.search(deduplication.search());
    let decisions = deduplication.decide(&mut gathered, search)?;
    let mut rows: Vec<DecisionRow> = Vec::new();
    decisions.for_each(&mut gathered, |row| {
        rows.push(row);
        Ok::<_, nearprint::Error>(())
    })?;
    write(folder, "dedup", deduplication.scheme, &rows)
}

fn of_prints(file: &Path, k: u32, folder: &Path) -> Result<(), Failed> {
    let mut set = PrintSet::new(Scheme::SD1);
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        let (print, id) = line.split_once('\t').ok_or("a line is a fingerprint and an id")?;
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

fn results<R: TableRow>(folder: &Path, name: &str, scheme: Scheme) -> Result<Results, Failed> {
    let out = BufWriter::new(File::create(folder.join(name))?);
    Ok(ResultWriter::new::<R>(ResultFormat::Jsonl, scheme, out)?)
}

fn write<R: TableRow>(folder: &Path, name: &str, scheme: Scheme, rows: &[R]) -> Result<(), Failed> {
    let mut out = results::<R>(folder, name, scheme)?;
    rows.iter().try_for_each(|row| out.write(row))?;
    Ok(out.finish()?.flush()?)
}
