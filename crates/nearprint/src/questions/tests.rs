//! Questions by their lists of options: each takes its values, comes back from JSON, and is resolved once and for all.

use nearprint_fingerprint::Scheme;
use nearprint_search::{Expand, Linkage};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;
use crate::{Dedup, Diff, Keep};

/// A value of an option that is not its default.
fn other_value(option: &OptionDescription) -> Value {
    match (option.name, option.kind) {
        ("measure", _) => json!("containment"),
        ("scheme", _) => json!("md1"),
        ("k", _) => json!("loose"),
        ("bands", _) => json!("32x4"),
        ("keep", _) => json!("longest"),
        ("idf", _) => json!("words.idf"),
        (_, ValueKind::Flag) => json!(true),
        (_, ValueKind::Share) => json!(0.5),
        (_, ValueKind::Whole { .. } | ValueKind::Bound) => json!(7),
        (_, ValueKind::Choice(names)) => json!(names[names.len() - 1]),
        (name, kind) => panic!("no value for {name} of {kind:?}"),
    }
}

fn check_options<Q: Options + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>() {
    let usual = Q::default();
    usual.check().unwrap();
    let mut all = Q::default();
    for option in Q::OPTIONS {
        let name = option.name;
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        assert!(
            option.sentence().ends_with(|end: char| end.is_alphanumeric() || "])".contains(end))
        );
        let mut one = Q::default();
        one.set(name, &other_value(option)).unwrap();
        assert_ne!(one, usual, "{name}");
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Q>(&text).unwrap(), one, "{text}");
        all.set(name, &other_value(option)).unwrap();
        assert!(one.set(name, &json!({})).unwrap_err().option() == name);
    }
    let text = serde_json::to_string(&all).unwrap();
    assert_eq!(serde_json::from_str::<Q>(&text).unwrap(), all);
    assert!(
        serde_json::from_str::<Q>(r#"{"nothing":1}"#).unwrap_err().to_string().contains("nothing")
    );
}

#[test]
fn every_question_comes_back_from_json() {
    check_options::<Pairs>();
    check_options::<Clusters>();
    check_options::<Matches>();
    check_options::<Dedup>();
    check_options::<Diff>();
    check_options::<Compare>();
    #[cfg(feature = "passages")]
    {
        check_options::<crate::Passages>();
        check_options::<crate::Decontaminate>();
    }
    check_options::<crate::Boilerplate>();
    check_options::<crate::Repeats>();
}

#[test]
fn what_is_named_decides_whether_texts_are_compared() {
    let usual = Pairs::default;
    let (documents, features) = (Subject::Documents, Subject::Features(Scheme::MD1));
    let prints = Subject::Fingerprints(Scheme::SL1);
    for (question, subject, compares, scheme) in [
        (usual(), documents, true, Scheme::MD1),
        (usual(), features, true, Scheme::MD1),
        (usual(), Subject::Features(Scheme::SD1), true, Scheme::SD1),
        (usual(), prints, false, Scheme::SL1),
        (usual().verify(false), documents, false, Scheme::SD1),
        (usual().scheme(Scheme::SL1), documents, false, Scheme::SL1),
        (usual().scheme(Scheme::SL1), prints, false, Scheme::SL1),
        (usual().scheme(Scheme::MD1), features, true, Scheme::MD1),
        (usual().equal(Expand::Star), documents, false, Scheme::SD1),
        (usual().k(Distance::Within(3)), documents, false, Scheme::SD1),
        (usual().k(Distance::Within(3)).verify(true), documents, true, Scheme::MD1),
        (usual().k(Distance::Within(3)).threshold(0.5), documents, true, Scheme::MD1),
        (usual().similarity(0.9), features, false, Scheme::MD1),
    ] {
        let resolved = question.resolve(subject).unwrap();
        let method = resolved.method();
        assert_eq!(method.candidates().is_some(), compares, "{question:?}");
        assert_eq!(resolved.scheme(), scheme, "{question:?}");
        assert_eq!(resolved.question().verify, Some(compares));
        assert_eq!(resolved.collection().verification.is_some(), compares, "{question:?}");
        // Once resolved it stays what it is.
        let again = resolved.question().resolve(subject).unwrap();
        assert_eq!(again.question(), resolved.question(), "{question:?}");
    }
}

#[test]
fn what_does_not_go_together_is_refused_by_the_name_of_the_option() {
    let pairs = Pairs::default;
    let prints = Subject::Fingerprints(Scheme::SD1);
    for (question, subject, option) in [
        (pairs().verify(true), prints, "verify"),
        (pairs().threshold(0.5), prints, "threshold"),
        (pairs().passages(3), prints, "passages"),
        (pairs().least_words(3_u64), prints, "least_words"),
        (pairs().threshold(0.5).verify(false), Subject::Documents, "threshold"),
        (pairs().equal(Expand::Star).verify(true), Subject::Documents, "equal"),
        (pairs().k(Distance::Close).similarity(0.9), Subject::Documents, "similarity"),
        (pairs().k(Distance::Within(64)), Subject::Documents, "k"),
        (pairs().k(Distance::Within(129)), Subject::Fingerprints(Scheme::MD1), "k"),
        (pairs().bands("42x3".parse::<nearprint_search::Bands>().unwrap()), prints, "bands"),
        (pairs().recall(0.9), prints, "recall"),
        (
            pairs().recall(0.9).bands("42x3".parse::<nearprint_search::Bands>().unwrap()),
            Subject::Documents,
            "recall",
        ),
        (pairs().scheme(Scheme::MD1), prints, "scheme"),
        (pairs().idf("words.idf".to_owned()), Subject::Documents, "idf"),
        (pairs().threshold(f64::NAN), Subject::Documents, "threshold"),
        (
            pairs().measure(SimilarityMeasure::Texts("edit".parse().unwrap())),
            Subject::Features(Scheme::MD1),
            "measure",
        ),
    ] {
        let error = question.resolve(subject).unwrap_err();
        assert_eq!(error.option(), option, "{error}");
    }
    let star = Clusters::default().linkage(Linkage::Star);
    assert_eq!(star.resolve(prints).unwrap_err().option(), "linkage");
    assert!(Clusters::default().resolve(prints).is_ok());
    let tuned = star.verify(false).resolve(Subject::Documents).unwrap_err();
    assert_eq!((tuned.option(), tuned.remedy()), ("linkage", Some("verify")));
    assert_eq!(Dedup::default().resolve(prints).unwrap_err().option(), "threshold");
    assert_eq!(Compare::default().threshold(2.0).resolve().unwrap_err().option(), "threshold");
}

#[test]
fn defaults_that_follow_are_stated_and_named_by_a_digest() {
    let usual = Pairs::default().resolve(Subject::Documents).unwrap();
    assert_eq!(
        usual.to_json(),
        r#"{"pairs":{"measure":"jaccard","verify":true,"threshold":0.3,"evidence":true,"scheme":"md1","k":111,"bands":"64x2","whole_buckets":false,"least_words":0,"max_pairs":100000000}}"#
    );
    let spelled = Pairs::default().threshold(0.3).measure(SimilarityMeasure::default());
    assert_eq!(spelled.resolve(Subject::Documents).unwrap().digest(), usual.digest());
    let other = Pairs::default().threshold(0.4).resolve(Subject::Documents).unwrap();
    assert_ne!(other.digest(), usual.digest());
    assert_eq!(usual.digest().len(), 16);
    let dedup = Dedup::default().keep(Keep::Longest).resolve(Subject::Documents).unwrap();
    assert_eq!(
        dedup.to_json(),
        r#"{"dedup":{"threshold":0.7,"policy":"careful","keep":"longest","chains":false,"least_words":5,"only":"all","scheme":"md1"}}"#
    );
}

#[test]
fn numbers_are_read_as_people_write_them() {
    for (kind, text, value) in [
        (ValueKind::Share, ".9", json!(0.9)),
        (ValueKind::Share, "1", json!(1)),
        (ValueKind::Share, "NaN", json!("NaN")),
        (ValueKind::Bound, "none", json!("none")),
        (ValueKind::Bound, "7", json!(7)),
        (ValueKind::Flag, "true", json!(true)),
    ] {
        assert_eq!(kind.parse(text), value, "{text}");
    }
}
