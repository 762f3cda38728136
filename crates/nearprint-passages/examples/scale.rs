//! Time and memory of a search among made texts: `scale MEGABYTES MEMORY-MEGABYTES THREADS MOST-PLACES`.
//!
//! Texts are 500 words of a vocabulary of 50,000 in which the n-th word has a frequency of 1 / n, as in natural text.
//! One in five has a passage of 30 to 200 words of an earlier text; every second one ends with one of 4 notices of 80
//! words.

use std::time::Instant;

use nearprint_passages::{
    FrequentPassage, FrequentPlace, PassageError, PassageSearch, PassageSettings, PassageSink,
    SharedPassage,
};

fn main() -> Result<(), PassageError> {
    let mut arguments = std::env::args().skip(1).map_while(|argument| argument.parse().ok());
    let (megabytes, memory) = (arguments.next().unwrap_or(100), arguments.next().unwrap_or(1024));
    let threads: usize = arguments.next().unwrap_or(0);
    let most_places = arguments.next().and_then(|most| u32::try_from(most).ok()).unwrap_or(1000);
    let settings =
        PassageSettings { memory: memory << 20, most_places, ..PassageSettings::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool else { return Ok(()) };
    pool.install(|| search(megabytes, settings))
}

fn search(megabytes: usize, settings: PassageSettings) -> Result<(), PassageError> {
    let mut texts = Texts::new();
    let mut search = PassageSearch::new(settings)?;
    let (mut bytes, mut reading) = (0, 0.0);
    while bytes < megabytes << 20 {
        let batch: Vec<String> = (0..2_000).map(|_| texts.next()).collect();
        bytes += batch.iter().map(String::len).sum::<usize>();
        let start = Instant::now();
        search.push_all(&batch)?;
        reading += start.elapsed().as_secs_f64();
    }
    let start = Instant::now();
    let mut rows = Rows::default();
    let counts = search.run::<PassageError>(&mut rows)?;
    let finding = start.elapsed().as_secs_f64();
    println!("{counts:?}");
    println!("{} rows, {} places, {} bytes of passages", rows.shared, rows.places, rows.bytes);
    let speed = bytes as f64 / 1e6 / (reading + finding);
    println!("{bytes} bytes: read {reading:.1} s, found {finding:.1} s, {speed:.1} MB/s");
    Ok(())
}

#[derive(Default)]
struct Rows {
    shared: u64,
    places: u64,
    bytes: usize,
}

impl PassageSink<PassageError> for Rows {
    fn shared(&mut self, passage: SharedPassage) -> Result<(), PassageError> {
        self.shared += 1;
        self.bytes += passage.text.len();
        Ok(())
    }

    fn place(&mut self, _: FrequentPlace) -> Result<(), PassageError> {
        self.places += 1;
        Ok(())
    }

    fn frequent(&mut self, passage: FrequentPassage) -> Result<(), PassageError> {
        self.bytes += passage.text.len();
        Ok(())
    }
}

struct Texts {
    state: u64,
    words: Vec<String>,
    notices: Vec<String>,
    /// Some earlier texts, to take passages from.
    earlier: Vec<String>,
}

impl Texts {
    fn new() -> Self {
        let mut texts =
            Self { state: 3, words: Vec::new(), notices: Vec::new(), earlier: Vec::new() };
        for number in 0..50_000usize {
            let letters = (0..2 + number % 9).map(|at| b'a' + (number * 31 / (at + 1) % 26) as u8);
            let mut word: String = letters.map(char::from).collect();
            word.push_str(&format!("{number:x}"));
            texts.words.push(word);
        }
        texts.notices = (0..4).map(|_| texts.plain(80)).collect();
        texts
    }

    fn random(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) as usize % below.max(1)
    }

    fn plain(&mut self, count: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let share = self.random(1 << 20) as f64 / f64::from(1 << 20);
            let word = (self.words.len() as f64).powf(share) as usize - 1;
            text.push_str(&self.words[word.min(self.words.len() - 1)]);
            text.push(' ');
        }
        text
    }

    fn next(&mut self) -> String {
        let mut text = self.plain(500);
        if self.random(5) == 0 && !self.earlier.is_empty() {
            let (from, length) = (self.random(400), 30 + self.random(170));
            let other = self.random(self.earlier.len());
            let passage = self.earlier[other].split_inclusive(' ').skip(from).take(length);
            text.extend(passage.map(str::to_owned).collect::<Vec<_>>());
        }
        if self.random(2) == 0 {
            let notice = self.random(self.notices.len());
            text.push_str(&self.notices[notice]);
        }
        match self.earlier.len() {
            0..20_000 => self.earlier.push(text.clone()),
            length => {
                let at = self.random(length);
                self.earlier[at].clone_from(&text);
            }
        }
        text
    }
}
