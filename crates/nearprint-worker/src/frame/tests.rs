//! Frames are what `protocol.md` draws, come back as they were, and are refused when they are cut or lie.

use std::io::Cursor;

use super::*;
use crate::protection::Protection;

const STATE: WorkerState = WorkerState { resident: 0, is_spent: false };

fn request(document: &[u8]) -> Vec<u8> {
    let hints = Hints { charset: Some("koi8-r".to_owned()), ..Hints::default() };
    let head = request_head(&hints, &Limits::default()).unwrap();
    let mut frame = Vec::new();
    write_request(&mut frame, 7, &head, document).unwrap();
    frame
}

fn read_back(frame: &[u8]) -> Result<Option<(Request, Vec<u8>)>, ReadError> {
    let mut document = b"left over from the one before".to_vec();
    let request = read_request(&mut Cursor::new(frame), &mut document)?;
    Ok(request.map(|request| (request, document)))
}

fn outcomes() -> [Result<Extraction, ExtractError>; 3] {
    let text = "naïve text\n".to_owned();
    let found = nearprint_extract::extract(text.as_bytes(), &Hints::default(), &Limits::default());
    assert!(found.is_ok());
    let empty = found.clone().map(|found| {
        let record = ExtractionRecord { characters: 0, ..found.record };
        Extraction { text: String::new(), record }
    });
    [found, empty, Err(ExtractError::new(Reason::Damaged, "a \"quoted\"\u{0} detail"))]
}

#[test]
fn the_fixed_parts_are_as_drawn() {
    let mut hello = Vec::new();
    Hello::write(&mut hello).unwrap();
    assert_eq!(hello[..12], *b"npworker\x02\0\0\0");
    assert_eq!(hello[12..16], (RELEASE.len() as u32).to_le_bytes());
    assert_eq!(&hello[16..], RELEASE.as_bytes());

    let mut settings = Vec::new();
    Settings { memory: 0x0807_0605_0403_0201, cpu_seconds: 0x0c0b_0a09 }
        .write(&mut settings)
        .unwrap();
    assert_eq!(settings, (1..=12).collect::<Vec<u8>>());

    let frame = request(b"document");
    let head = br#"{"hints":{"charset":"koi8-r","explicit_charset":null,"media_type":null,"named_type":null,"password":null,"main_content":false,"furniture":false},"limits":{"#;
    assert_eq!(frame[..16], *b"\x07\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0");
    assert_eq!(frame[16..20], ((frame.len() - 20 - 8) as u32).to_le_bytes());
    assert!(frame[20..].starts_with(head), "{}", frame.escape_ascii());
    assert!(frame.ends_with(b"}}document"));

    let mut answer = Vec::new();
    write_answer(&mut answer, 7, WorkerState { resident: 9, is_spent: true }, &outcomes()[2])
        .unwrap();
    assert_eq!(answer[..24], *b"\x07\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(answer[24..28], ((answer.len() - 36) as u32).to_le_bytes());
    assert_eq!(answer[28..32], *b"\x01\0\0\0");
    assert_eq!(answer[32..36], *b"\x01\0\0\0");
    assert!(answer[36..].starts_with(br#"{"reason":"damaged","detail":"#));
}

#[test]
fn greetings_come_back() {
    let mut frame = Vec::new();
    Hello::write(&mut frame).unwrap();
    let hello = Hello::read(&mut Cursor::new(&frame)).unwrap();
    assert!(hello.is_ours());
    assert_eq!(hello, Hello { version: VERSION, release: RELEASE.to_owned() });
    let settings = Settings { memory: u64::MAX - 1, cpu_seconds: 3 };
    let mut frame = Vec::new();
    settings.write(&mut frame).unwrap();
    assert_eq!(Settings::read(&mut Cursor::new(&frame)).unwrap(), settings);
    let mut frame = Vec::new();
    let mut held = Protections::default();
    held.set(Protection::NotDumpable, true);
    held.set(Protection::Landlock, false);
    let ready = Ready { resident: 5 << 40, held };
    write_ready(&mut frame, ready).unwrap();
    assert_eq!(read_ready(&mut Cursor::new(&frame)).unwrap(), ready);
}

#[test]
fn requests_come_back() {
    for document in [&b""[..], b"x", &[0xff; 100_000]] {
        let (read, bytes) = read_back(&request(document)).unwrap().expect("a request");
        assert_eq!(read.serial, 7);
        assert_eq!(read.head.hints.charset.as_deref(), Some("koi8-r"));
        assert_eq!(read.head.limits, Limits::default());
        assert_eq!(bytes, document);
    }
    assert!(read_back(b"").unwrap().is_none(), "the end between two requests is no fault");
}

#[test]
fn answers_come_back() {
    for outcome in outcomes() {
        let mut frame = Vec::new();
        let state = WorkerState { resident: 4096, is_spent: false };
        write_answer(&mut frame, 3, state, &outcome).unwrap();
        let answer = read_answer(&mut Cursor::new(&frame), 3, 12, &Limits::default()).unwrap();
        assert_eq!((answer.outcome, answer.worker), (outcome, state));
    }
}

#[test]
fn a_frame_cut_anywhere_is_refused() {
    let frame = request(b"document");
    for end in 1..frame.len() {
        assert!(read_back(&frame[..end]).is_err(), "request cut at {end}");
    }
    for outcome in outcomes() {
        let mut frame = Vec::new();
        write_answer(&mut frame, 3, STATE, &outcome).unwrap();
        for end in 0..frame.len() {
            let cut = read_answer(&mut Cursor::new(&frame[..end]), 3, 12, &Limits::default());
            assert!(cut.is_err(), "answer cut at {end}");
        }
    }
}

#[test]
fn lengths_beyond_their_bounds_are_refused_before_they_are_allocated() {
    let foreign = |outcome: Result<(), ReadError>, what: &str| match outcome {
        Err(ReadError::Foreign(said)) => assert!(said.contains("where at most"), "{what}: {said}"),
        outcome => panic!("{what}: {outcome:?}"),
    };
    let mut frame = request(b"");
    frame[8..16].copy_from_slice(&((1_u64 << 30) + 1).to_le_bytes());
    foreign(read_back(&frame).map(drop), "document");
    let mut frame = request(b"");
    frame[16..20].copy_from_slice(&(HEAD_MAX + 1).to_le_bytes());
    foreign(read_back(&frame).map(drop), "head of a request");
    let limits = Limits { max_text_bytes: 1_000, ..Limits::default() };
    let found = outcomes()[0].clone().unwrap();
    let text = |length: u64| {
        let record = ExtractionRecord { characters: length, ..found.record.clone() };
        Ok(Extraction { text: "x".repeat(length as usize), record })
    };
    for (length, fits) in [(1_000 + TEXT_SLACK, true), (1_001 + TEXT_SLACK, false)] {
        let mut frame = Vec::new();
        write_answer(&mut frame, 1, STATE, &text(length)).unwrap();
        let read = read_answer(&mut Cursor::new(&frame), 1, 12, &limits).map(drop);
        if fits {
            read.expect("a text within its bound");
        } else {
            foreign(read, "text");
        }
    }
}

/// Takes two bytes at a time, as a stream that is nearly full does.
struct Narrow(Vec<u8>);

impl Write for Narrow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(2);
        self.0.extend(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn writing_goes_on_where_it_was_interrupted() {
    for (front, body) in [("front", "body"), ("front", ""), ("", "body"), ("odd", "s")] {
        let mut out = Narrow(Vec::new());
        write_both(&mut out, front.as_bytes(), body.as_bytes()).unwrap();
        assert_eq!(out.0, [front, body].concat().into_bytes());
    }
}
