//! Mail whose parts are nested, encoded and ended in all ways, also wrong ones.

use super::documents::check_as;
use super::pieces::Program;

/// A program in bytes: each writes a line of a head, opens a part, ends one, or writes a content in its encoding.
pub fn mime(data: &[u8]) {
    let mut program = Program::new(data);
    let mut mail = b"From: a@example.org\r\nSubject: a letter\r\nMIME-Version: 1.0\r\n".to_vec();
    let mut open = 0_u32;
    while let Some(step) = program.next() {
        match step % 12 {
            0..2 => {
                open += 1;
                let kind = program.one_of(&[
                    "mixed",
                    "alternative",
                    "related",
                    "digest",
                    "signed",
                    "report",
                ]);
                let boundary = format!("b{}", program.one_of(&[open, open, 1, 0]));
                let line = format!(
                    "Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n--{boundary}\r\n"
                );
                mail.extend(line.bytes());
            }
            2 => mail.extend(format!("\r\n--b{open}\r\n").bytes()),
            3 => {
                mail.extend(format!("\r\n--b{open}--\r\n").bytes());
                open = open.saturating_sub(1);
            }
            4..7 => leaf(&mut program, &mut mail),
            7 => mail.extend(b"Content-Type: message/rfc822\r\n\r\nSubject: inside\r\n"),
            8 => head(&mut program, &mut mail),
            9 => {
                mail.extend(program.one_of(&[
                    &b"\r\n"[..],
                    b"\n",
                    b"\r\n\r\n",
                    b"> quoted \r\n",
                    b"-- \r\n",
                ]));
            }
            10 => mail.extend(b"\nFrom a@example.org Thu Jan  1 00:00:00 1970\nSubject: next\n\n"),
            _ => mail.extend(program.raw()),
        }
    }
    check_as(&mail, "message/rfc822");
    check_as(&mail, "application/mbox");
}

fn head(program: &mut Program<'_>, mail: &mut Vec<u8>) {
    let name = program.one_of(&["Subject", "Content-Type", "Content-Disposition", "X"]);
    mail.extend(format!("{name}: ").bytes());
    mail.extend(program.one_of(&[
        &b"=?utf-8?q?=C3=A9_?="[..],
        b"=?utf-8?b?w6k=?= ",
        b"=?koi8-r?q?",
        b"text/html; charset=",
        b"text/plain; format=flowed; delsp=yes; name*0*=utf-8''",
        b"attachment; filename=\"x",
        b"(((",
    ]));
    mail.extend(program.raw());
    mail.extend(b"\r\n");
}

/// A part that is text, its content encoded as it says, or not.
fn leaf(program: &mut Program<'_>, mail: &mut Vec<u8>) {
    let kind = program.one_of(&["plain", "html", "plain; format=flowed", "xml", "x-unknown"]);
    let charset =
        program.one_of(&["utf-8", "iso-2022-jp", "utf-16", "windows-1251", "utf-7", "nosuch"]);
    let encoding = program.one_of(&["7bit", "base64", "quoted-printable", "x-uuencode", "binary"]);
    mail.extend(format!("Content-Type: text/{kind}; charset={charset}\r\n").bytes());
    mail.extend(format!("Content-Transfer-Encoding: {encoding}\r\n\r\n").bytes());
    let raw = program.raw();
    match encoding {
        "base64" => mail.extend(base64(raw)),
        "quoted-printable" => {
            mail.extend(raw.iter().flat_map(|byte| format!("={byte:02X}").into_bytes()));
        }
        _ => mail.extend(raw),
    }
    mail.extend(b"\r\n");
}

fn base64(raw: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        [18, 12, 6, 0].map(|shift| LETTERS[(bits >> shift & 63) as usize])
    };
    raw.chunks(3).flat_map(group).collect()
}
