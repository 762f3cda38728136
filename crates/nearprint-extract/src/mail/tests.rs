//! Messages, a case for each rule.

use super::*;
use crate::extraction::Hints;
use crate::limits::Limits;

#[track_caller]
fn check(message: &str, expected: &str) {
    let (hints, limits) = (Hints::default(), Limits::default());
    let text = mail(message.as_bytes(), &mut Job::new(&hints, &limits)).unwrap();
    assert_eq!(text.trim_end().replace('\n', "|"), expected, "{message}");
}

#[test]
fn messages_and_mailboxes() {
    check("From: a\nSubject: One\n two\n\nBody\n", "One two|Body");
    check(
        "From a Mon\nFrom: a\nSubject: S\n\nOne\n\nFrom b Tue\nSubject: T\n\nTwo\n",
        "S|One||T|Two",
    );
    check(
        "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe_an?= =?iso-8859-1?B?TfxsbGVy?= x\n\nb",
        "Grüße anMüller x|b",
    );
}

#[test]
fn parts() {
    let parts = "Content-Type: multipart/mixed; boundary=\"x\"\n\npreamble\n--x\n\
                 Content-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/html\n\n<p>html\n\
                 --y\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
                 caf=E9 =\nnoir\n--y--\n--x\nContent-Disposition: attachment\n\nsecret\n\
                 --x\nContent-Type: image/png\n\nPNG\n--x\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n\
                 PHA+bGFz\ndA==\n--x--\nepilogue";
    check(parts, "café noir|last");
    // A message that is cut short keeps the part it was cut in.
    check(&parts[..parts.find("--y--").unwrap()], "café noir");
}

#[test]
fn saved_pages() {
    let page = "From: <Saved by a browser>\r\nSubject: Title\r\nMIME-Version: 1.0\r\n\
                Content-Type: multipart/related; type=\"text/html\"; boundary=\"x\"\r\n\r\n\
                --x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
                <title>Title</title><p class=3D\"a\">One =\r\nword\r\n\
                --x\r\nContent-Type: text/css\r\n\r\np { color: red }\r\n\
                --x\r\nContent-Type: text/html\r\n\r\n<p>a frame\r\n--x--\r\n";
    check(page, "One word");
    assert!(is_mail(page.as_bytes()));
    let word = page.replace("From: <Saved by a browser>\r\nSubject: Title\r\n", "");
    assert!(is_mail(word.as_bytes()));
    let found = crate::extract(word.as_bytes(), &Hints::default(), &Limits::default()).unwrap();
    assert_eq!(
        (found.text.trim(), found.record.media_type.as_str()),
        ("One word", "multipart/related")
    );
    // What was sent has a subject, and its root may be named.
    let sent =
        page.replace("Subject:", "To: b\r\nSubject:").replace("type=", "start=\"<b>\"; type=");
    let sent =
        sent.replacen("Content-Type: text/css", "Content-ID: <b>\r\nContent-Type: text/plain", 1);
    check(&sent, "Title|p { color: red }");
}

#[test]
fn mailboxes_end_their_lines_in_any_way() {
    let mailbox = "From a@b Mon Jan  2 08:00:00 2023\nFrom: a\n\nOne\n\nFrom here on\nTwo\n\n\
                   From c@d Tue Jan  3 08:00:00 2023\nSubject: S\n\nThree\n";
    for text in [mailbox.to_owned(), mailbox.replace('\n', "\r\n")] {
        assert!(is_mail(text.as_bytes()));
        let found = crate::extract(text.as_bytes(), &Hints::default(), &Limits::default()).unwrap();
        assert_eq!(found.text, "One\n\nFrom here on\nTwo\n\nS\nThree\n");
        assert_eq!(found.record.media_type, "application/mbox");
    }
    assert!(!is_mail(b"From here on\nSubject: x\n\nbody"));
}

#[test]
fn deep_messages_are_refused() {
    let (hints, limits) = (Hints::default(), Limits::default());
    let message = "Content-Type: message/rfc822\n\n".repeat(1000);
    let error = mail(message.as_bytes(), &mut Job::new(&hints, &limits)).unwrap_err();
    assert_eq!(error.reason(), Reason::TooDeep);
}

#[test]
fn messages_are_told_from_letters() {
    assert!(is_mail(b"From: a\nDate: b\nSubject: c\n\nbody"));
    assert!(is_mail(b"From a\nReceived: x\n by y\nDate: b\nTo: c\n\nbody"));
    assert!(!is_mail(b"From: a\nTo: b\n\nbody"));
    assert!(!is_mail(b"From: the keeper\nDate: May\nSubject: oil\nDear visitor\n\nx"));
    assert!(!is_mail(b""));
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn beginnings_of_encoded_words_take_linear_time() {
    for piece in ["=? ", "=?a?Q?x", "=?a?", "=?", "=?a?X?"] {
        for end in ["", "?="] {
            let subject = piece.repeat(1 << 20) + end;
            let message = format!("From: a\nSubject: {subject}\n\nBody\n");
            let (hints, limits) = (Hints::default(), Limits::default());
            let text = mail(message.as_bytes(), &mut Job::new(&hints, &limits)).unwrap();
            assert!(text.ends_with("Body\n"), "{piece}");
        }
    }
}

/// A message of which next to nothing is read says so.
#[test]
fn lost_text_is_warned_of() {
    let words = "word ".repeat(100);
    let warnings = |headers: &str, body: &str| {
        let message = format!("From: a\nTo: b\nDate: c\nSubject: S\n{headers}\n\n{body}\n");
        let found = crate::extract(message.as_bytes(), &Hints::default(), &Limits::default());
        found.unwrap().record.warnings.iter().map(|warning| warning.code.code()).collect::<Vec<_>>()
    };
    let mixed = "Content-Type: multipart/mixed; boundary=x";
    // The plain alternative says nothing, and frames are parts of their own.
    for (headers, body) in [
        (
            "Content-Type: multipart/alternative; boundary=x",
            format!("--x\n\nsee HTML\n--x\nContent-Type: text/html\n\n<p>{words}\n--x--"),
        ),
        (
            "Content-Type: multipart/related; boundary=x",
            format!(
                "--x\nContent-Type: text/html\n\n<p>a\n--x\nContent-Type: text/html\n\n<p>{words}\n--x--"
            ),
        ),
        ("Content-Type: multipart/mixed", words.clone()),
    ] {
        assert!(warnings(headers, &body).contains(&"little-text"), "{headers}");
    }
    // Attachments, calendars and pictures are not text.
    for part in [
        "Content-Disposition: attachment",
        "Content-Type: text/calendar",
        "Content-Type: image/png\nContent-Transfer-Encoding: base64",
    ] {
        let body = format!("--x\n\none\n--x\n{part}\n\n{words}\n--x--");
        assert_eq!(warnings(mixed, &body), [""; 0], "{part}");
    }
    assert_eq!(warnings("Content-Type: text/plain", &words), [""; 0]);
}
