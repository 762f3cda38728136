//! XML with a document type of its own: declarations of entities and attributes, and a text that uses them.

use std::io::Write;

use super::documents::check_as;
use super::pieces::Program;

/// A program in bytes: each writes a declaration, until one ends the document type; then each writes a piece of the
/// text.
pub fn dtd(data: &[u8]) {
    let mut program = Program::new(data);
    let mut page = b"<?xml version='1.0'?><!DOCTYPE a [".to_vec();
    while let Some(step) = program.next() {
        if step % 12 == 11 {
            break;
        }
        declare(step % 12, &mut program, &mut page);
    }
    page.extend(b"]><a>");
    while let Some(step) = program.next() {
        write(step % 8, &mut program, &mut page);
    }
    page.extend(b"</a>");
    check_as(&page, "application/xml");
    check_as(&page, "application/xhtml+xml");
}

fn put(page: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("memory takes it");
}

fn declare(step: u8, program: &mut Program<'_>, page: &mut Vec<u8>) {
    let number = program.number();
    match step {
        0..3 => {
            put(page, format_args!("<!ENTITY e{number} \""));
            value(program, page);
            page.extend(b"\">");
        }
        3 => {
            put(page, format_args!("<!ENTITY % p{number} '"));
            value(program, page);
            page.extend(b"'>");
        }
        4 => put(page, format_args!("%p{number};")),
        5 => {
            put(page, format_args!("<!ATTLIST a x{number} CDATA \""));
            value(program, page);
            page.extend(b"\">");
        }
        6 => put(page, format_args!("<!ELEMENT b{number} (#PCDATA|a)*>")),
        7 => put(page, format_args!("<!ENTITY e{number} SYSTEM 'file:///x' NDATA n>")),
        8 => {
            page.extend(program.one_of(&[&b"<![INCLUDE["[..], b"<![IGNORE[", b"<![%p1;[", b"]]>"]));
        }
        9 => {
            page.extend(program.one_of(&[
                &b"<!--"[..],
                b"-->",
                b"<?x",
                b"?>",
                b"<!",
                b"<!DOCTYPE",
            ]));
        }
        _ => page.extend(program.raw()),
    }
}

/// What an entity stands for.
fn value(program: &mut Program<'_>, page: &mut Vec<u8>) {
    for _ in 0..program.next().unwrap_or(0) % 12 {
        let kind = program.next().unwrap_or(0) % 8;
        let number = program.number();
        match kind {
            0..3 => put(page, format_args!("&e{number};")),
            3 => put(page, format_args!("%p{number};")),
            4 => put(page, format_args!("&#{number};")),
            5 => page.extend(program.one_of(&[
                &b"<b>"[..],
                b"</b>",
                b"<a>",
                b"</a>",
                b"&lt;a>",
                b"&amp;",
            ])),
            6 => page.extend(b"words of a text "),
            _ => page.extend(program.raw()),
        }
    }
}

fn write(step: u8, program: &mut Program<'_>, page: &mut Vec<u8>) {
    let number = program.number();
    match step {
        0..2 => put(page, format_args!("&e{number};")),
        2 => put(page, format_args!("<b{number} x='&e{number};'>")),
        3 => put(page, format_args!("</b{number}>")),
        4 => put(page, format_args!("&#x{number:x};")),
        5 => page.extend(program.one_of(&[
            &b"<![CDATA["[..],
            b"]]>",
            b"<!--",
            b"-->",
            b"</a>",
            b"<a/>",
        ])),
        6 => page.extend(b"more words "),
        _ => page.extend(program.raw()),
    }
}
