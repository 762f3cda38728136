//! Long sequences of all operations, on documents with captures, metadata and features, against a model that answers
//! by brute force. The index is opened again, merged, compacted, rebuilt and moved to snapshots in between.

mod support;

use nearprint::fingerprint::Scheme;
use nearprint_index::DiskIndex;
use support::load::{Load, Model, Random};

#[test]
fn an_index_answers_as_a_model_does() {
    support::SCHEMES.into_iter().for_each(check);
}

fn check(scheme: Scheme) {
    let settings = support::small().features(true).texts(true);
    let directory = support::directory();
    let mut path = directory.path().join("index");
    let index = DiskIndex::create(&path, scheme, settings.clone()).expect("a new index");
    let load = Load::of(&index);
    let (mut index, mut model) = (Some(index), Model::default());
    let mut random = Random(18);
    for number in 0..support::operations() {
        let operation = load.operation(number);
        operation.on_model(&mut model);
        operation.on_index(index.as_ref().expect("it is open"));
        match random.below(120) {
            0..=5 => {
                index = None;
            }
            6..=8 => index.as_ref().expect("it is open").merge_segments().expect("an index"),
            9 => {
                index = None;
                DiskIndex::compact(&path, settings.clone()).expect("an index");
            }
            10 => {
                index = None;
                DiskIndex::rebuild(&path, settings.clone()).expect("an index");
            }
            11 => {
                let to = directory.path().join(format!("moved-{number}"));
                let open = index.take().expect("it is open");
                open.snapshot(&to).expect("a snapshot");
                drop(open);
                std::fs::remove_dir_all(&path).expect("an index");
                path = to;
            }
            12 => {
                index = None;
                let reader = DiskIndex::open_read_only(&path, settings.clone());
                model.compare(&reader.expect("an index"), number);
                let verified = DiskIndex::verify(&path, settings.clone()).expect("an index");
                assert!(verified.problems.is_empty(), "{number}: {:?}", verified.problems);
            }
            _ => {}
        }
        let index = index
            .get_or_insert_with(|| DiskIndex::open(&path, settings.clone()).expect("an index"));
        model.compare(index, number);
        if number % 50 == 49 {
            assert!(model.is_content_of(index), "after operation {number}");
        }
    }
    assert!(model.is_content_of(&index.expect("it is open")));
}
