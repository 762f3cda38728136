//! What is said on standard error: messages, and on terminals how far the work is.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::color::{self, Paint};
use crate::remarks::Remarks;
use crate::visible;
use nearprint::records::{ErrorRecord, FingerprintRecord};
use nearprint::search::Progress;
use nearprint::{InputSource, Inputs, PassageProgress, Tally};

/// How often progress is drawn: often enough to look alive, seldom enough to cost nothing.
const BEAT: Duration = Duration::from_millis(100);

/// Work that takes so long ends with a line on how fast it was.
const LONG: Duration = Duration::from_secs(30);

/// Speaks to the person at the terminal. All of it is best effort: a closed standard error is not a reason to stop.
pub(crate) struct Talk {
    level: Level,
    progress: bool,
    state: Mutex<State>,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Only what ends the command.
    Errors,
    /// What the work came to as well.
    Summary,
    /// Also a line for each reason why documents came to nothing, and whatever else is worth knowing.
    Normal,
    /// Also a line for each document that came to nothing.
    All,
}

impl Level {
    /// The level of so many `-q`.
    pub(crate) fn quieted(times: u8) -> Self {
        match times {
            0 => Self::Normal,
            1 => Self::Summary,
            _ => Self::Errors,
        }
    }
}

struct State {
    /// What was not said yet of documents and lines that came to nothing.
    remarks: Remarks,
    begun: Instant,
    /// Bytes of the input read so far, and all there are, where that is known.
    input: Option<(Arc<AtomicU64>, u64)>,
    /// The field of rows that was named as the one with the text.
    field: Option<String>,
    /// When searching began, which is what tells how long it will take.
    searching: Option<Instant>,
    drawn: Option<Instant>,
}

impl Talk {
    /// `busy_terminal` says that results appear on the terminal while the work continues: they are progress enough.
    pub(crate) fn new(level: Level, busy_terminal: bool) -> Self {
        let is_shown = level >= Level::Normal && !busy_terminal;
        Self {
            level,
            progress: is_shown && std::io::stderr().is_terminal(),
            state: Mutex::new(State {
                remarks: Remarks::default(),
                begun: Instant::now(),
                input: None,
                field: None,
                searching: None,
                drawn: None,
            }),
        }
    }

    /// The time since the command began its work.
    pub(crate) fn elapsed(&self) -> Duration {
        self.lock().begun.elapsed()
    }

    /// Says what was read and how fast, where that took long enough to matter.
    fn read(&self, documents: u64, bytes: u64) {
        let time = self.elapsed();
        if time < LONG {
            return;
        }
        let seconds = time.as_secs_f64();
        let (megabytes, pace) = (bytes as f64 / 1e6, documents as f64 / seconds);
        let documents = counted(documents, "document");
        // Fingerprints have no bytes of documents.
        if bytes == 0 {
            self.say(format_args!("nearprint: {documents} in {seconds:.0} s: {pace:.0} a second"));
        } else {
            let rate = megabytes / seconds;
            self.say(format_args!(
                "nearprint: {documents}, {megabytes:.0} MB in {seconds:.0} s: {pace:.0} documents/s, {rate:.1} MB/s"
            ));
        }
    }

    /// Whether only the summary or less is said.
    pub(crate) fn is_quiet(&self) -> bool {
        self.level < Level::Normal
    }

    /// Says one line, unless asked to be quiet.
    pub(crate) fn say(&self, line: impl Display) {
        self.write(Level::Normal, line);
    }

    /// Says what the work came to, after what came to nothing.
    pub(crate) fn summary(&self, line: impl Display) {
        self.say_remarks();
        self.write(Level::Summary, line);
    }

    fn write(&self, level: Level, line: impl Display) {
        if self.level >= level {
            self.clear();
            let _ = writeln!(std::io::stderr(), "{}", visible::message(&line.to_string()));
        }
    }

    /// Takes note of why a document has no fingerprint.
    pub(crate) fn nothing(&self, record: &FingerprintRecord) {
        let line = self.lock().remarks.document(record, self.level == Level::All);
        line.into_iter().for_each(|line| self.say(line));
    }

    /// Takes note of why a line or a document is left out.
    pub(crate) fn error(&self, error: &ErrorRecord) {
        let line = self.lock().remarks.line(error, self.level == Level::All);
        line.into_iter().for_each(|line| self.say(line));
    }

    /// Says of each reason how many documents and lines came to nothing by it.
    fn say_remarks(&self) {
        let lines = self.lock().remarks.take_lines();
        lines.into_iter().for_each(|line| self.say(line));
    }

    /// Takes note of how much there is to read, which tells how long it will take, and of the field of rows that was
    /// named as the one with the text.
    pub(crate) fn expect(&self, inputs: &Inputs, source: &InputSource) {
        let mut state = self.lock();
        // Directories are walked for it only where somebody sees how far the work is.
        let walked = || self.progress.then(|| inputs.size()).flatten().map(|size| size.bytes());
        let total = inputs.length().or_else(walked);
        state.input = total.map(|total| (source.bytes_read(), total));
        let fields = &inputs.settings().reading.fields;
        state.field = fields.text.clone().or_else(|| fields.html.clone());
    }

    /// Draws how many fingerprints are read, and says why a line or a file has none.
    pub(crate) fn read_print(&self, tally: &Tally, error: Option<&ErrorRecord>) {
        if let Some(error) = error {
            self.error(error);
        }
        self.draw(|_| format!("reading: {}", counted(tally.fingerprints, "fingerprint")));
    }

    /// Draws how far reading is.
    pub(crate) fn progress(&self, tally: &Tally) {
        if !self.progress {
            return;
        }
        let input = self.lock().input.clone();
        self.draw(|elapsed| {
            let (percent, left) = input.map_or_else(Default::default, |(read, total)| {
                let read = read.load(Ordering::Relaxed).min(total);
                let left = time_left(Duration::from_secs_f64(elapsed), read, total);
                (format!("{} %, ", read * 100 / total.max(1)), left)
            });
            let megabytes = tally.bytes as f64 / 1e6;
            let (pace, rate) = (tally.documents as f64 / elapsed, megabytes / elapsed);
            let documents = counted(tally.documents, "document");
            let failed = if tally.failed == 0 {
                String::new()
            } else {
                format!(", {} failed", tally.failed)
            };
            format!("reading: {percent}{documents}, {megabytes:.1} MB, {pace:.0} documents/s, {rate:.1} MB/s{failed}{left}")
        });
    }

    /// Draws how far a search is, and how long it may still take.
    pub(crate) fn searching(&self, progress: Progress) {
        if !self.progress {
            return;
        }
        let begun = *self.lock().searching.get_or_insert_with(Instant::now);
        self.draw(|_| {
            let percent = progress.done * 100 / progress.total.max(1);
            let left = time_left(begun.elapsed(), progress.done, progress.total);
            format!("searching: {percent} %, {}{left}", counted(progress.pairs, "pair"))
        });
    }

    /// Draws how far a search for passages is.
    pub(crate) fn finding(&self, progress: PassageProgress) {
        if !self.progress {
            return;
        }
        self.draw(|_| {
            let percent = progress.done * 100 / progress.total.max(1);
            format!("searching: {percent} %, {}", counted(progress.passages, "passage"))
        });
    }

    /// Draws how many bytes of an output were written.
    pub(crate) fn writing(&self, bytes: u64) {
        if self.progress {
            self.draw(|_| format!("writing: {:.1} MB", bytes as f64 / 1e6));
        }
    }

    /// Draws a line made from the seconds since the beginning, where it is time to.
    fn draw(&self, line: impl FnOnce(f64) -> String) {
        if !self.progress {
            return;
        }
        let mut state = self.lock();
        let now = Instant::now();
        if state.drawn.unwrap_or(state.begun) + BEAT > now {
            return;
        }
        state.drawn = Some(now);
        let line = line(now.duration_since(state.begun).as_secs_f64());
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the line of progress away.
    pub(crate) fn clear(&self) {
        if self.lock().drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// Says how many failed, where some did.
    pub(crate) fn conclude(&self, tally: &Tally) {
        self.clear();
        self.say_remarks();
        self.read(tally.documents, tally.bytes);
        let field = self.lock().field.take().filter(|_| tally.fingerprints > 0 && tally.rows == 0);
        if let Some(field) = field {
            self.say(format_args!(
                "nearprint: no input contains the field \"{}\", so none was read as a table; \
                    force it with --read format=jsonl, csv or tsv",
                field.escape_debug()
            ));
        }
        if tally.failed > 0 {
            self.summary(format_args!(
                "nearprint: {} of {} failed",
                tally.failed,
                counted(tally.documents, "document")
            ));
        }
    }
}

/// However the work ends, what came to nothing is said.
impl Drop for Talk {
    fn drop(&mut self) {
        self.say_remarks();
    }
}

/// What is left by what is done, where enough is done to say.
fn time_left(elapsed: Duration, done: u64, total: u64) -> String {
    if done == 0 || done >= total || done.saturating_mul(50) < total {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (total - done) as f64 / done as f64;
    match seconds.ceil() {
        seconds if seconds < 100.0 => format!(", about {seconds:.0} s left"),
        seconds if seconds < 6000.0 => format!(", about {:.0} min left", seconds / 60.0),
        seconds => format!(", about {:.1} h left", seconds / 3600.0),
    }
}

/// `1 bit`, `2 bits`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Megabytes (10^6 bytes) where there is one, else bytes.
pub(crate) fn sized(bytes: u64) -> String {
    if bytes < 1_000_000 { counted(bytes, "byte") } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

/// What ends the command, said even where it was asked to be quiet.
pub(crate) fn last_words(text: &str) {
    let name = if color::on_stderr() {
        color::paint(Paint::Error, "nearprint:")
    } else {
        "nearprint:".to_owned()
    };
    let _ = writeln!(std::io::stderr(), "{name} {}", visible::message(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_follows_from_time_spent() {
        let left = |seconds, done| time_left(Duration::from_secs(seconds), done, 100);
        assert_eq!(left(10, 50), ", about 10 s left");
        assert_eq!(left(100, 10), ", about 15 min left");
        assert_eq!(left(3600, 10), ", about 9.0 h left");
        for (seconds, done) in [(10, 0), (10, 1), (10, 100)] {
            assert_eq!(left(seconds, done), "");
        }
    }
}
