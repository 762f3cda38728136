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
