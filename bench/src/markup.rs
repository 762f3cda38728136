//! HTML and XML in memory to text, by this project and by conforming readers that others wrote.
//!
//! The others have less to do: they read the tokens of a page, or the events of a document, and put all text
//! together, without a search for the charset, without leaving anything out, without white space of its own. What
//! they take is what reading costs.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer as Html5ever, TokenizerOpts,
};
use html5gum::Tokenizer as Html5gum;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use lol_html::{HtmlRewriter, Settings, doc_text};
use nearprint_extract::{Hints, Limits, extract};
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::cpu;
use crate::options::Options;
use crate::row::Row;

/// What takes a document to its text; `None` where it gives none.
type Engine = fn(&[u8], &str) -> Option<String>;

fn engine(name: &str) -> Engine {
    match name {
        "nearprint" => nearprint,
        "html5ever" => html5ever,
        "html5gum" => html5gum,
        "lol_html" => lol_html,
        "quick-xml" => quick_xml,
        name => panic!("unknown engine {name}"),
    }
}

/// Megabytes a second of one core by `engine`, of the files that `list` names, one a line, as `media`.
pub fn speed(options: &Options) {
    let list = options.text("list", "");
    let paths = fs::read_to_string(&list).unwrap_or_else(|error| panic!("{list}: {error}"));
    let read = |path: &str| fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let documents: Vec<Vec<u8>> = paths.lines().map(read).collect();
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let (run, media) = (engine(&options.text("engine", "nearprint")), options.text("media", ""));
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let (mut text, mut refused) = (0, 0);
        for document in &documents {
            match run(document, &media) {
                Some(found) => text += black_box(found).len(),
                None => refused += 1,
            }
        }
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        // By the clock of the processor, which a busy machine does not stretch.
        let taken = if cpu > 0.0 { cpu } else { seconds };
        Row::default()
            .with("n", documents.len())
            .with("bytes", bytes)
            .with("text_bytes", text)
            .with("refused", refused)
            .seconds("seconds", seconds)
            .seconds("cpu", cpu)
            .seconds("mb_s", bytes as f64 / 1e6 / taken)
            .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
            .print();
    }
}

fn nearprint(document: &[u8], media: &str) -> Option<String> {
    let media_type = (!media.is_empty()).then(|| media.to_owned());
    let hints = Hints { media_type, ..Hints::default() };
    extract(document, &hints, &Limits::default()).ok().map(|found| found.text)
}

/// Text of tokens, and whether it is the content of a script or style.
#[derive(Default)]
struct Sink(RefCell<(String, bool)>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let (text, raw) = &mut *self.0.borrow_mut();
        match token {
            Token::CharacterTokens(part) if !*raw => text.push_str(&part),
            Token::TagToken(tag) => {
                *raw = tag.kind == html5ever::tokenizer::StartTag
                    && matches!(&*tag.name, "script" | "style");
                text.push(' ');
                if *raw {
                    return TokenSinkResult::RawData(
                        html5ever::tokenizer::states::RawKind::Rawtext,
                    );
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn html5ever(document: &[u8], _: &str) -> Option<String> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(str::from_utf8(document).ok()?));
    let tokenizer = Html5ever::new(Sink::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    Some(tokenizer.sink.0.into_inner().0)
}

fn html5gum(document: &[u8], _: &str) -> Option<String> {
    let document = str::from_utf8(document).ok()?;
    let (mut text, mut raw) = (Vec::new(), false);
    let read = |event: CallbackEvent<'_>, _| -> Option<Infallible> {
        match event {
            CallbackEvent::String { value } if !raw => text.extend_from_slice(value),
            CallbackEvent::OpenStartTag { name } => {
                raw = matches!(name, b"script" | b"style");
                text.push(b' ');
            }
            CallbackEvent::EndTag { .. } => {
                raw = false;
                text.push(b' ');
            }
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::<_, Infallible>::new(read);
    emitter.naively_switch_states(true);
    let Ok(()) = Html5gum::new_with_emitter(document, emitter).finish();
    String::from_utf8(text).ok()
}

fn lol_html(document: &[u8], _: &str) -> Option<String> {
    let mut text = String::new();
    let take = doc_text!(|part| {
        if !matches!(part.text_type(), lol_html::html_content::TextType::ScriptData) {
            text.push_str(part.as_str());
        }
        Ok(())
    });
    let settings = Settings::new().append_document_content_handler(take).with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(document).ok()?;
    rewriter.end().ok()?;
    Some(text)
}

fn quick_xml(document: &[u8], _: &str) -> Option<String> {
    let mut reader = Reader::from_str(str::from_utf8(document).ok()?);
    reader.config_mut().check_end_names = false;
    let mut text = String::new();
    loop {
        match reader.read_event().ok()? {
            Event::Text(part) => text.push_str(&part),
            Event::CData(part) => text.push_str(&part),
            Event::GeneralRef(name) => text.push_str(&name),
            Event::Start(_) | Event::End(_) | Event::Empty(_) => text.push(' '),
            Event::Eof => return Some(text),
            _ => {}
        }
    }
}
