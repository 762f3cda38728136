//! Searches that are ended at any time go on in other processes, with other memory and other threads.

use std::path::Path;

use super::planted;
use crate::{
    FrequentPassage, FrequentPlace, KeptPlace, PassageError, PassageLists, PassageSearch,
    PassageSettings, PassageSink, RepeatedRun, SearchStep, SharedPassage,
};

/// What ends a search while it gives passages out.
#[derive(Debug)]
enum Stop {
    Search(PassageError),
    Sink,
}

impl From<PassageError> for Stop {
    fn from(error: PassageError) -> Self {
        Self::Search(error)
    }
}

struct FullSink;

impl PassageSink<Stop> for FullSink {
    fn shared(&mut self, _: SharedPassage) -> Result<(), Stop> {
        Err(Stop::Sink)
    }

    fn place(&mut self, _: FrequentPlace) -> Result<(), Stop> {
        Err(Stop::Sink)
    }

    fn frequent(&mut self, _: FrequentPassage) -> Result<(), Stop> {
        Err(Stop::Sink)
    }
}

/// A search of these texts in a folder, and the step that was saved there.
fn search(
    texts: &[String],
    folder: &Path,
    settings: &PassageSettings,
) -> (PassageSearch, Option<SearchStep>) {
    let mut search = PassageSearch::new(settings.clone()).unwrap();
    let step = search.save_in(folder, "these texts").unwrap();
    if step.is_none() {
        let (documents, references) = texts.split_at(texts.len() / 2);
        search.push_all(documents).unwrap();
        search.begin_references();
        search.push_all(references).unwrap();
    }
    assert_eq!(search.documents() as usize, texts.len());
    (search, step)
}

/// Texts with planted passages, of which some are at many places, and settings by which sorts are in files and are not.
fn case() -> (Vec<String>, [PassageSettings; 2]) {
    let mut texts = planted(700, 150, &mut 11);
    let notice =
        "nothing of this may be copied or sold without leave of those who wrote it in writing";
    texts.iter_mut().step_by(10).for_each(|text| *text += notice);
    let settings = |memory| PassageSettings {
        least_tokens: 10,
        most_places: 20,
        memory,
        ..PassageSettings::default()
    };
    (texts, [settings(0), settings(64 << 20)])
}

#[test]
fn a_search_that_was_ended_anywhere_goes_on() {
    let (texts, settings) = case();
    let directory = tempfile::tempdir().unwrap();
    let (whole, _) = search(&texts, &directory.path().join("whole"), &settings[1]);
    let mut wanted = PassageLists::default();
    let counts = whole.run::<PassageError>(&mut wanted).unwrap();
    assert!(counts.shared > 100 && counts.frequent > 0, "{counts:?}");
    for first in &settings {
        let mut steps = Vec::new();
        for ended in 0..200 {
            let folder = directory.path().join(format!("{}-{ended}", first.memory));
            let mut looks = 0;
            let mut watch = |_| {
                looks += 1;
                looks <= ended
            };
            let (one, _) = search(&texts, &folder, first);
            let result = one.run_watched::<Stop>(&mut watch, &mut FullSink);
            let (other, step) = search(&texts, &folder, &settings[ended % 2]);
            steps.push(step);
            let mut found = PassageLists::default();
            let again = other.run::<PassageError>(&mut found).unwrap();
            assert_eq!((again, &found), (counts, &wanted), "ended after {ended}, saved {step:?}");
            if matches!(result, Err(Stop::Sink)) {
                break;
            }
        }
        steps.dedup();
        use SearchStep::{Compared, Grouped, Read};
        assert_eq!(steps, [Some(Read), Some(Grouped), Some(Compared)]);
    }
}

#[test]
fn repeats_go_on_as_well() {
    let (texts, settings) = case();
    let directory = tempfile::tempdir().unwrap();
    let all = |search: PassageSearch| {
        let found = search.repeats(KeptPlace::None, &mut |_| true).unwrap();
        let repeats = found.iter().unwrap().map(Result::unwrap).collect::<Vec<RepeatedRun>>();
        (found.counts(), repeats)
    };
    let wanted = all(search(&texts, &directory.path().join("whole"), &settings[1]).0);
    assert!(wanted.1.len() > 100);
    let mut steps = Vec::new();
    for ended in 0..200 {
        let folder = directory.path().join(format!("ended-{ended}"));
        let mut looks = 0;
        let mut watch = |_| {
            looks += 1;
            looks <= ended
        };
        let (one, _) = search(&texts, &folder, &settings[0]);
        let is_whole = one.repeats(KeptPlace::None, &mut watch).is_ok();
        let (other, step) = search(&texts, &folder, &settings[1]);
        steps.push(step);
        assert_eq!(all(other), wanted, "ended after {ended}, saved {step:?}");
        if is_whole {
            break;
        }
    }
    assert_eq!(steps.last(), Some(&Some(SearchStep::Compared)));
    assert!(steps.contains(&Some(SearchStep::Read)));
}

#[test]
fn a_search_that_is_damaged_or_another_begins_again() {
    let (texts, settings) = case();
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("search");
    let ended = |looks: u32| {
        let mut seen = 0;
        let (one, _) = search(&texts, &folder, &settings[1]);
        let watch = &mut |_| {
            seen += 1;
            seen <= looks
        };
        let error = one.run_watched::<Stop>(watch, &mut FullSink).unwrap_err();
        assert!(matches!(error, Stop::Sink | Stop::Search(PassageError::Cancelled)), "{error:?}");
    };
    for looks in [0, 1, u32::MAX] {
        ended(looks);
        let names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.len() >= 4, "{names:?}");
        for name in names {
            ended(looks);
            let path = folder.join(&name);
            let bytes = std::fs::read(&path).unwrap();
            let mut other = bytes.clone();
            if let Some(byte) = other.get_mut(bytes.len() / 2) {
                *byte ^= 1;
            } else {
                other.push(0);
            }
            std::fs::write(&path, other).unwrap();
            let (_, step) = search(&texts, &folder, &settings[1]);
            assert_eq!(step, None, "{}", name.display());
            ended(looks);
            std::fs::remove_file(&path).unwrap();
            let (_, step) = search(&texts, &folder, &settings[1]);
            assert_eq!(step, None, "without {}", name.display());
        }
    }
    ended(u32::MAX);
    let mut other = PassageSearch::new(settings[1].clone()).unwrap();
    assert_eq!(other.save_in(&folder, "other texts").unwrap(), None);
    // It has two empty files, to which texts go.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    ended(u32::MAX);
    let mut same = PassageSearch::new(settings[1].clone()).unwrap();
    assert_eq!(same.save_in(&folder, "these texts").unwrap(), Some(SearchStep::Compared));
    assert!(matches!(same.push("one more"), Err(PassageError::SavedTexts)));
}
