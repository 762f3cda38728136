//! `key=value` arguments, and what they say of sets and joins.

use std::collections::BTreeMap;
use std::str::FromStr;

use nearprint_search::{Join, PlanChoice, SimdLevel};

use crate::sets::{self, Kind, Word};

pub struct Options(BTreeMap<String, String>);

impl Options {
    pub fn of(arguments: impl Iterator<Item = String>) -> Self {
        let options = arguments.map(|argument| {
            let (key, value) = argument.split_once('=').expect("key=value");
            (key.to_owned(), value.to_owned())
        });
        Self(options.collect())
    }

    pub fn get<T: FromStr>(&self, key: &str, default: T) -> T {
        match self.0.get(key) {
            None => default,
            Some(text) => text.parse().unwrap_or_else(|_| panic!("{key}={text} cannot be read")),
        }
    }

    pub fn text(&self, key: &str, default: &str) -> String {
        self.0.get(key).cloned().unwrap_or_else(|| default.to_owned())
    }

    /// The set named: a file of prints, or one made of a seed.
    pub fn set<W: Word>(&self) -> Vec<W> {
        if let Some(path) = self.0.get("file") {
            return sets::read(path, self.get("n", usize::MAX));
        }
        self.kind().set(self.get("seed", 1), self.get("n", 1_000_000))
    }

    pub fn kind(&self) -> Kind {
        Kind::named(&self.text("kind", "uniform")).expect("kind is uniform, skewed or weak")
    }

    pub fn join(&self) -> Join {
        let plan: PlanChoice = self.text("plan", "auto").parse().expect("a plan");
        let join = Join::within(self.get("k", 3)).plan(plan);
        let join = join.simd(self.get("simd", SimdLevel::detect()));
        match self.0.get("memory") {
            Some(_) => join.memory(self.get("memory", 0)),
            None => join,
        }
    }
}
