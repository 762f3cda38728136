//! The corners of HTML's syntax, each as input and tokens.

use super::*;

/// Tokens in a short notation: text as it is, `<name attr=value>`, `</name>`, `{comment}`, `[doctype]`.
fn show(text: &str) -> String {
    let mut tokens = Tokenizer::new(text);
    let mut out = String::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(t) => out += t,
            Token::Start(tag) => {
                out += &format!("<{}", tag.name.to_ascii_lowercase());
                for (name, value) in tag.attributes() {
                    out += &format!(" {name}={value}");
                }
                out += if tag.is_self_closing() { "/>" } else { ">" };
                if matches!(tag.name, "script" | "title") {
                    out += &format!("({})", tokens.raw_text(tag.name));
                }
            }
            Token::End(tag) => out += &format!("</{}>", tag.name),
            Token::Comment(t) => out += &format!("{{{t}}}"),
            Token::Doctype(t) => out += &format!("[{t}]"),
        }
    }
    out
}

#[test]
fn tokens_are_the_standards() {
    for (text, expected) in [
        ("a<b>c</b>", "a<b>c</b>"),
        ("1 < 2 <3 <a", "1 < 2 <3 "),
        ("<", "<"),
        ("</", "</"),
        ("</>x</></>", "x"),
        ("</ x>y", "{ x}y"),
        ("</1>y", "{1}y"),
        ("<?php echo ?>x", "{?php echo ?}x"),
        ("<!x>y", "{x}y"),
        ("<![CDATA[x]]>y", "{[CDATA[x]]}y"),
        ("<!doctype HTML>x", "[ HTML]x"),
        ("<!-->x", "{}x"),
        ("<!--->x", "{}x"),
        ("<!--a--b-->x", "{a--b}x"),
        ("<!--a--!>x", "{a}x"),
        ("<!--a--->x", "{a-}x"),
        ("<!--a", "{a}"),
        ("<a b=c d='>' e=\">\" f>x", "<a b=c d=> e=> f=>x"),
        ("<a b = 'c'd=e>x", "<a b=c d=e>x"),
        ("<a =b>x", "<a =b=>x"),
        ("<a b=>x", "<a b=>x"),
        ("<a/b/>x", "<a b=/>x"),
        ("<br/ >x", "<br>x"),
        ("<a b=c/ >x", "<a b=c/>x"),
        ("<a b='c>x", ""),
        ("<a b", ""),
        ("<a\n\tb\x0c>x", "<a b=>x"),
        ("<title><b></title>x", "<title>(<b>)</title>x"),
        ("<title>x</titlex>y</title >z", "<title>(x</titlex>y)</title>z"),
        ("<script>a<b</script>c", "<script>(a<b)</script>c"),
        (
            "<script><!-- <script> </script> --></script>c",
            "<script>(<!-- <script> </script> -->)</script>c",
        ),
        ("<script><!-- </script>c", "<script>(<!-- )</script>c"),
        ("<script><!--><script></script>c", "<script>(<!--><script>)</script>c"),
        ("<script>a", "<script>(a)"),
    ] {
        assert_eq!(show(text), expected, "{text}");
    }
}

#[test]
fn a_million_of_anything_costs_no_stack() {
    for piece in ["</>", "<", "<!>", "<a>", "</ >", "<a b=c ", "<!--", "<script>"] {
        let text = piece.repeat(1_000_000);
        assert!(Tokenizer::new(&text).count() <= 1_000_000, "{piece}");
    }
}
