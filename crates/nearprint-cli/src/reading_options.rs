//! How documents are read: `--read` says what they are and which part of them counts, `--limit` what they may cost.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use nearprint::extract::{Hints, Limits, is_charset, is_media_type, media_types};
use nearprint::fingerprint::Scheme;
use nearprint::records::{
    CaptureIds, Delimiter, FileSettings, ReadSettings, Selection, TableFields, TableForm,
};
use nearprint::worker::{Isolation, PoolOptions};
use nearprint::{
    Engine, EngineSettings, InputFormat, InputSettings, Settings, UnknownInputFormat,
    default_memory,
};

use crate::exit_status::Failure;
use crate::keys::{Key, Keys, Setting, is_set, parsed, value};
use crate::options::bytes;

/// Seconds by the clock for each second of the processor: machines are busy, and laptops sleep.
const CLOCK_FACTOR: u32 = 5;

/// Documents between two commits of a job, at most.
const COMMIT: u64 = 10_000;

/// How documents are read.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingOptions {
    /// Set how inputs are read; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = read_keys())]
    read: Vec<Setting>,
    /// Set what the work and each document may take; can be repeated. K, M and G are 2^10, 2^20 and 2^30
    #[arg(long, value_name = "KEY=VALUE", value_parser = limit_keys())]
    limit: Vec<Setting>,
}

/// The keys of `--read`.
fn read_keys() -> Keys {
    let any = |_: &str| Ok(());
    let format = |text: &str| {
        let parsed: Result<InputFormat, UnknownInputFormat> = text.parse();
        parsed.map(drop).map_err(|error| error.to_string())
    };
    let delimiter =
        |text: &str| text.parse::<Delimiter>().map(drop).map_err(|error| error.to_string());
    let formats = InputFormat::NAMES.join("|");
    let ids = "record|url|url-date";
    let isolated = "everything|heavy|never";
    [
        Key::new("format", &formats, FORMAT, format),
        Key::new("text", "FIELD", TEXT, any),
        Key::new("html", "FIELD", "Field with the text as HTML, instead of text", any),
        Key::new("id", "FIELD", ID, any),
        Key::new("delimiter", "CHAR", DELIMITER, delimiter),
        Key::flag("no-header", NO_HEADER),
        Key::new("ids", ids, IDS, |text| capture_ids(text).map(drop)),
        Key::flag(
            "any-status",
            "In web archives, read responses of every HTTP status, not only 200",
        ),
        Key::flag("hidden", "In directories, also read hidden files (names that begin with a dot)"),
        Key::flag("follow", "In directories, follow symbolic links"),
        Key::new("charset", "LABEL", CHARSET, charset),
        Key::new("media-type", "TYPE", MEDIA_TYPE, media_type),
        Key::new("password", "TEXT", "Password for encrypted PDF files", any),
        Key::flag("main-content", MAIN_CONTENT),
        Key::new("isolate", isolated, ISOLATE, |text| isolation(text).map(drop)),
    ]
    .into()
}

const FORMAT: &str = "Format of the inputs: auto (detected from content), files (each file is one document), or one of \
                      the containers [default: auto]";
const TEXT: &str = "Field with the text in JSON lines and tables [default: text]";
const ID: &str =
    "Field with the id in JSON lines and tables (in JSON, /a/b is a pointer) [default: id]";
const DELIMITER: &str = "Separator of the values of CSV, one character or \"tab\" [default: detected from the first \
                         line: tab, comma, semicolon or |]";
const NO_HEADER: &str =
    "The first row of CSV and TSV is a document too; columns are named by number, as in text=2";
const IDS: &str = "Ids of documents in web archives: that of the record, the address, or DATE/URL [default: record]";
const CHARSET: &str = "Charset of all text documents and of CSV and TSV, such as windows-1251; overrides detection and \
                       labels";
const MEDIA_TYPE: &str = "Media type of all documents, such as text/html; overrides detection";
const MAIN_CONTENT: &str = "Extract only the main content of HTML pages: the lines of the main element, the only \
                            article, the body of an article, or the part with nearly all of the prose, without menus, \
                            share bars, related pages, comments and the like. The record states which";
const ISOLATE: &str = "Which documents to read in a separate worker process: all; PDF, packages such as EPUB and DOCX, \
                       RTF, and everything compressed; or none, so that a document that crashes its parser ends the \
                       command [default: heavy]";

/// The keys of `--limit`: of the work, and of extraction.
fn limit_keys() -> Keys {
    let size = |text: &str| bytes(text).map(drop);
    let usual: Vec<_> = Limits::default().named().collect();
    let of_extraction = usual.into_iter().zip(Limits::BOUNDED).map(|((name, usual), what)| {
        Key::new(name, "N", format!("At most so many {what} [default: {usual}]"), size)
    });
    let of_work = [
        Key::new("memory", "BYTES", MEMORY, size),
        Key::new("worker-memory", "BYTES", WORKER_MEMORY, size),
        Key::new("worker-time", "SECONDS", WORKER_TIME, |text| seconds(text).map(drop)),
        Key::new("commit", "N", COMMITTED, |text| documents(text).map(drop)),
    ];
    of_work.into_iter().chain(of_extraction).collect()
}

const MEMORY: &str = "Memory for fingerprints, texts and the search; larger work uses a temporary file in TMPDIR. \
                      Worker processes have theirs besides [default: half of the machine's memory]";
const WORKER_MEMORY: &str = "Memory for a document in a worker process; a document that needs more is an error. Beyond \
                             512M, only one process at a time has as much [default: 4G]";
const WORKER_TIME: &str = "CPU time for a document in a worker process; more is an error, as is five times as long by \
                           the clock [default: 120]";
const COMMITTED: &str =
    "With --job, documents after which progress is saved; it also is after 8 MiB [default: 10000]";

fn seconds(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number of seconds".to_owned())
}

fn documents(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or("expected a number of documents from 1".to_owned())
}

fn capture_ids(text: &str) -> Result<CaptureIds, String> {
    match text {
        "record" => Ok(CaptureIds::Record),
        "url" => Ok(CaptureIds::Url),
        "url-date" => Ok(CaptureIds::DateAndUrl),
        _ => Err("expected record, url or url-date".to_owned()),
    }
}

fn isolation(text: &str) -> Result<Isolation, String> {
    match text {
        "everything" => Ok(Isolation::Everything),
        "heavy" => Ok(Isolation::Heavy),
        "never" => Ok(Isolation::Never),
        _ => Err("expected everything, heavy or never".to_owned()),
    }
}

/// A charset that extraction knows: a misspelt one would be skipped in silence.
fn charset(label: &str) -> Result<(), String> {
    if is_charset(label) {
        return Ok(());
    }
    Err("unknown charset; use a label of the Encoding Standard, or utf-32".to_owned())
}

/// A media type that extraction reads.
fn media_type(name: &str) -> Result<(), String> {
    if is_media_type(name) {
        return Ok(());
    }
    let known: Vec<&str> = media_types().collect();
    Err(format!(
        "unsupported media type; supported: {}, and all that end in +xml",
        known.join(", ")
    ))
}

impl ReadingOptions {
    /// Those of a verb that reads no documents, with what the work may take.
    pub(crate) fn of_limits(limit: Vec<Setting>) -> Self {
        Self { limit, ..Self::default() }
    }

    /// What is made of documents.
    pub(crate) fn settings(&self, scheme: Scheme) -> Settings {
        let text = |key| value(&self.read, key).map(str::to_owned);
        let hints = Hints {
            // Of each file, by its name.
            named_type: None,
            charset: None,
            explicit_charset: text("charset"),
            media_type: text("media-type"),
            password: text("password"),
            main_content: is_set(&self.read, "main-content"),
            furniture: false,
        };
        Settings::default().scheme(scheme).hints(hints).limits(self.limits())
    }

    /// The engine that does the work, with so many threads.
    pub(crate) fn engine(&self, threads: Option<NonZeroUsize>) -> Engine {
        let workers = crate::worker::workers();
        let time = parsed(&self.limit, "worker-time", seconds).unwrap_or(workers.cpu_seconds);
        let memory = parsed(&self.limit, "worker-memory", bytes);
        let workers = PoolOptions {
            workers: threads.unwrap_or(workers.workers),
            memory_bytes: memory.unwrap_or(workers.memory_bytes),
            cpu_seconds: time,
            wall: CLOCK_FACTOR * Duration::from_secs(time.max(1).into()),
            ..workers
        };
        let isolation = parsed(&self.read, "isolate", isolation).unwrap_or(Isolation::Heavy);
        let settings = EngineSettings::default().threads(threads).memory(self.memory());
        Engine::new(settings.isolation(isolation).workers(workers))
    }

    /// The memory of the work, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        parsed(&self.limit, "memory", bytes).unwrap_or_else(default_memory)
    }

    /// Documents after which a job is saved.
    pub(crate) fn commit(&self) -> u64 {
        parsed(&self.limit, "commit", documents).unwrap_or(COMMIT)
    }

    /// What a document may cost.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for name in Limits::NAMES {
            if let Some(value) = parsed(&self.limit, name, bytes) {
                // The names are its own.
                let _ = limits.set(name, value);
            }
        }
        limits
    }

    /// How inputs are read of which this selection is taken.
    pub(crate) fn inputs(&self, selection: Selection) -> Result<InputSettings, Failure> {
        let text = |key| value(&self.read, key).map(str::to_owned);
        let (text, html) = (text("text"), text("html"));
        if text.is_some() && html.is_some() {
            let text = "--read text and --read html name the same field; use one of them";
            return Err(Failure::Usage(text.to_owned()));
        }
        let limits = self.limits();
        let max_bytes = limits.max_input_bytes;
        let selection = selection.hidden(is_set(&self.read, "hidden"));
        let follow_links = is_set(&self.read, "follow");
        let format = parsed(&self.read, "format", str::parse);
        let id = value(&self.read, "id").map(str::to_owned);
        let reading = ReadSettings {
            fields: TableFields { id, text, html, order: None },
            form: TableForm {
                delimiter: parsed(&self.read, "delimiter", str::parse),
                no_header: is_set(&self.read, "no-header"),
                charset: value(&self.read, "charset").map(str::to_owned),
            },
            ids: parsed(&self.read, "ids", capture_ids).unwrap_or_default(),
            any_status: is_set(&self.read, "any-status"),
            revisits: false,
            max_bytes,
            max_ratio: limits.max_expansion_ratio,
            max_work_per_byte: limits.max_work_per_byte,
        };
        let files = FileSettings { selection, follow_links, max_bytes };
        let settings = InputSettings::default().files(files).reading(reading);
        Ok(settings.format(format.unwrap_or_default()))
    }
}
