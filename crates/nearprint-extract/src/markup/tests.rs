//! Light markup, a case for each form.

use super::*;
use crate::limits::Limits;
use crate::work::Work;

#[track_caller]
fn check(strip: fn(&str) -> String, text: &str, expected: &str) {
    let stripped = strip(text);
    let lines: Vec<&str> =
        stripped.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.join("|"), expected, "{text}");
}

/// Nothing here takes more work than this: all of it is linear.
fn linear<T>(text: &str, strip: impl FnOnce(&Work) -> T) -> T {
    let work = Work::new(&Limits::default());
    work.admit(text.len());
    let stripped = strip(&work);
    work.check().unwrap();
    stripped
}

fn strip_markdown(text: &str) -> String {
    linear(text, |work| markdown::strip(text, work))
}

fn strip_restructured(text: &str) -> String {
    linear(text, |work| restructured_text::strip(text, u64::MAX, work)).unwrap()
}

fn strip_info(text: &str) -> String {
    linear(text, |work| info::strip(text, work))
}

fn strip_asciidoc(text: &str) -> String {
    linear(text, |work| asciidoc::strip(text, u64::MAX, work)).unwrap()
}

#[test]
fn markdown_forms() {
    for (text, expected) in [
        ("---\ntitle: x\n---\n# One {#id}\ntext", "x|One|text"),
        (
            "see [the\npage](http://x \"t\") and [this][1].\n\n[1]: http://y",
            "see the|page and this.",
        ),
        ("![alt](x.png) a[^1]\n\n[^1]: Note", "a|: Note"),
        ("```rust\nfn [a](b)\n```\nend", "fn [a](b)|end"),
        ("un**frigging**believable *a* 2 * 3", "unfriggingbelievable a 2 * 3"),
        ("snake\\_case `a[b](c)` &amp; <b>x</b> <https://x>", "snake_case a[b](c) & x <https://x>"),
        ("<!-- a\nb -->c\nd", "d"),
        ("{% include x %}\n{: .cls}\na < b and c > d", "a < b and c > d"),
        ("~~~\nopen", "open"),
        ("a [b] (c) [d", "a [b] (c) [d"),
        // Code by its indentation, and paragraphs of items.
        (
            "Text\n\n    a<b> *c* <!-- d -->\n\n    &lt;\nno *code*",
            "Text|a<b> *c* <!-- d -->|&lt;|no code",
        ),
        ("\t*a*\n", "*a*"),
        ("text\n    *goes* on", "text|goes on"),
        ("1. one\nlazy\n\n    *two*\n\nend\n\n    *code*", "1. one|lazy|two|end|*code*"),
        ("!!! note\n\n    *two*", "!!! note|two"),
        ("```\n- x\n```\n\n    *code*", "- x|*code*"),
        // MyST and the boxes of site generators.
        (
            ":::note[A title]\nb\n:::\n:::{tab-item} Linux\n:sync: x\nc\n:::\n::: warning ::::::\nd\n::::::",
            "A title|b|Linux|c|d",
        ),
        ("{class}`~a.B` {code}`List<String>` {ref}`!x`", "B List<String> x"),
        ("-\tone\n\n\tmore **b**\n\n* * *\n\n    *c*", "-\tone|more b|* * *|*c*"),
        ("# H\n    *c*\n```\nx\n```\n    *d*", "H|*c*|x|*d*"),
        (
            "(a-label)=\n# One\nsee {ref}`the page <a>` and {py:func}`~x.y`, {not a role}.",
            "One|see the page and y, {not a role}.",
        ),
        (
            ":::{note} Mind this\nin *it*\n:::\n::: code-group\n::::tip\nb\n::::",
            "Mind this|in it|b",
        ),
        // Tags of site generators, and elements that are not text.
        (
            "{% raw %}\nkept {{ x }}\n{% endraw %}\n{%- include a.html b=\"{{ c }}\" -%}\nd {% if e %}f{% endif %} g",
            "kept {{ x }}|d f g",
        ),
        (
            "{{< figure\n  src=\"a\" >}}\nb {{< ref \"c\" >}} d\n\n{{% notice %}}\ne\n{{% /notice %}}",
            "b  d|e",
        ),
        (
            "{% highlight c %}\na *b* [c](d)\n{% endhighlight %}\n{% comment %}\ne\n{% endcomment %}\nf",
            "a *b* [c](d)|f",
        ),
        ("<style>\n\n.a { b: c }\n</style> d\n<SCRIPT src=\"x\">\ne();\n</SCRIPT>\nf", "d|f"),
        ("<script>a()</script>\nb <script>c()</script>d <style>e</style>", "b  d"),
        ("<scripted> `<style>` x\n\n    <script>", "<scripted> <style> x|<script>"),
        ("{{#include a.md}}\nb\n```{include} c.md\n```\nd", "b|d"),
        // Emphasis of code and of links.
        ("a *`x`* and **[b](c)** `d`*`e`*.", "a x and b de."),
        ("2 * `x` * [b](c)", "2 * x * b"),
    ] {
        check(strip_markdown, text, expected);
    }
}

/// As CommonMark renders it; addresses are links in GitHub's form of it.
#[test]
fn emphasis_of_markdown() {
    for (text, expected) in [
        (
            "It _does not_, __must__ and *may*; snake_case _exit x_y",
            "It does not, must and may; snake_case _exit x_y",
        ),
        ("f(*args, **kwargs) and 3 * 4", "f(*args, **kwargs) and 3 * 4"),
        ("2*3*4 int *p = *q", "234 int *p = *q"),
        ("***a** b* *a**b* **a *b* c** _(a)_b_", "a b a**b a b c _(a)b"),
        ("_a *b_ c* *a _b* c_", "a *b c* a _b c_"),
        ("`*a*` [*l*](t_t_) <!-- _a_ --> https://x/_a_ \\*a\\* *b", "*a* l   https://x/_a_ *a* *b"),
        ("``a`*`` *`b``c`* `` d`", "a`* b``c `` d`"),
        ("- *a\n- b*\n1. _c\n2) d_\n| *e |\n| f* |", "- *a|- b*|1. _c|2) d_|| *e ||| f* |"),
        ("*один* _два_три_ **字**。", "один два_три 字。"),
    ] {
        check(strip_markdown, text, expected);
    }
}

#[test]
fn restructured_forms() {
    for (text, expected) in [
        ("Title\n=====\n\nText", "Title|Text"),
        (".. _label:\n\n.. comment\n   more\n\ntext", "text"),
        (".. note:: Mind\n   this.\n\nend", "Note|Mind|this.|end"),
        (".. code-block:: c\n   :linenos:\n\n   int *x_;\n\nend", "int *x_;|end"),
        (".. figure:: x.png\n   :alt: y\n\n   Caption\n", "Caption"),
        (".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\nend", "end"),
        ("see :ref:`label`, :ref:`the text <label>`, :class:`~a.b.C`", "see , the text, C"),
        (
            "`page\n<http://x>`_, `other`_, word_ and a_b ``lit_ *x*``",
            "page, other, word and a_b lit_ *x*",
        ),
        (".. |v| replace:: one\n\n|v| *two* re\\ ``x``", "one two rex"),
        ("a [1]_ b [CIT]_\n\n.. [1] Note", "a  b [CIT]|Note"),
        (
            ".. function:: f(a)\n\n   :param int a: A.\n   :param b: B\n   :type b: str\n   :returns: C\n   :raises X: D",
            "f(a)|a int A.|b B|str|Returns C|Raises X D",
        ),
        (":Author: Me\n:param", ":Author: Me|:param"),
        (
            ".. csv-table:: The *title*\n   :header: \"Name, short\", Use,\n      More\n   :widths: 1, 2\n\n   \"a \"\"b\"\"\", `c`_\n   \"two\n   lines\", d\n\nend",
            "The title|Name, short\tUse|More|a \"b\"\tc|two lines\td|end",
        ),
        (".. csv-table::\n   :delim: ;\n   :quote: '\n\n   'a;b';c,d", "a;b\tc,d"),
        ("Example::\n\n  `raw`_\n\nend", "Example::|`raw`_|end"),
    ] {
        check(strip_restructured, text, expected);
    }
}

/// Where inline markup begins and ends, as Docutils 0.20 renders it.
#[test]
fn inline_marks_of_restructured_text() {
    for (text, expected) in [
        ("a_ b__ c___ d_e (f_) g_, h_i_ @j_ _k_", "a b c___ d_e (f) g, h_i @j_ _k_"),
        ("3*size*count dma_sync_*_for (a*b*c)/8", "3*size*count dma_sync_*_for (a*b*c)/8"),
        (
            "*a* (*b*) **c**: 'd'*e* \"*\" '*f*' * g * *h i*j k*",
            "a (b) c: 'd'e \"*\" 'f' * g * h i*j k",
        ),
        ("XDP_{RX|TX|FILL}_RING |a| (|b|)_ ||c||", "XDP_{RX|TX|FILL}_RING |a| (|b|)_ ||c||"),
        ("lockdep_*pin_lock(&lock) *args, **kwargs", "lockdep_*pin_lock(&lock) *args, **kwargs"),
        ("``a``s and ``b``, c``d``", "a``s and ``b, c``d``"),
        ("H\\ :sub:`2`\\ O, :sup:`x`, `y`:sup:, x\\ :sup:`2`", "H₂O, x, y, x²"),
        ("\\*a* *b\\* c* `d\\`e` \\`f` a\\ *b*\\ c", "*a* b* c d`e `f` abc"),
        ("[1]_ [#]_ [#a]_ [*]_ [CIT]_ x[2]_ [3]_y", "[CIT] x[2]_ [3]_y"),
        ("_`target` x:ref:`a` (:ref:`b`) :pep:`8` :c:func:`f`.", "target x:ref:a () PEP 8 f."),
        ("中文*字*，*字*。``a``：`b`_", "中文*字*，字。a：b"),
    ] {
        check(strip_restructured, text, expected);
    }
}

/// Enumerators of lists are no text, those of paragraphs and titles are.
#[test]
fn items_of_restructured_text() {
    for (text, expected) in [
        ("1. One\n2. *Two*\n   more\n\n#. Three", "One|Two|more|Three"),
        ("a) One\n\n   (i) Two\n   (ii) Three\n\nb) Four", "One|Two|Three|Four"),
        ("A. Einstein was\nright.", "A. Einstein was|right."),
        ("1. Title\n========\n\n1.5 is\n\nin 1.\n2. b", "1. Title|1.5 is|in 1.|2. b"),
        (
            "* One::\n\n    `a`_\n\n  `b`_\n\n#. Two::\n\n      `c`_\n   `d`_\n\n`e`_",
            "* One::|`a`_|b|Two::|`c`_|d|e",
        ),
        ("(a. b)\n\nivy. x\n\n(1)x", "(a. b)|ivy. x|(1)x"),
    ] {
        check(strip_restructured, text, expected);
    }
}

#[test]
fn characters_of_restructured_text() {
    let text = ".. include:: <isonum.txt>\n.. |x| unicode:: 0x41 U+42 .. both\n\n|copy| |x| |none| |deg|\\ C |reg|_";
    check(strip_restructured, text, "© AB |none| °C ®");
    check(strip_restructured, "|copy|", "|copy|");
    assert_eq!(restructured_text::first_include(text), None);
}

#[test]
fn words_of_directives() {
    for (text, expected) in [
        (".. versionadded:: 3.2\n   More.", "New in version 3.2|More."),
        (".. seealso::\n\n   `A`_", "See also|A"),
        (
            ":orphan:\n:tocdepth: 2\n\n.. list-table:: Title\n   :widths: 1\n\n   * - a",
            "Title|* - a",
        ),
        (".. class:: special\n\ntext", "text"),
        (".. class:: Queue(size)\n\n   Text", "class Queue(size)|Text"),
        (
            ".. c:type:: a_t\n\n.. c:namespace:: V4L\n\n.. c:function:: int f(void)",
            "type a_t|int f(void)",
        ),
    ] {
        check(strip_restructured, text, expected);
    }
}

/// Of a table in another file, and of that alone.
#[test]
fn files_of_restructured_text_are_known() {
    for (text, file) in [
        (".. csv-table:: T\n   :header: a\n   :file: b.csv\n", Some("b.csv")),
        (".. raw:: html\n\n   x\n.. include:: c.rst\n", Some("c.rst")),
        (".. figure:: x\n   :file: b.csv\n\n.. csv-table:: T\n\n:file: y\n", None),
    ] {
        assert_eq!(restructured_text::first_include(text), file, "{text}");
    }
}

#[test]
fn asciidoc_forms() {
    for (text, expected) in [
        ("= Title\n:name: Near\n\n== Part\n{name}print {nosuch}x", "Title|Part|Nearprint x"),
        ("NAME\n----\ngit-x - does\n\n----\nraw {x}\n----\n", "NAME|git-x - does|raw {x}"),
        ("[verse]\n'x' linkgit:git-y[1], link:a.html[the\ntext]", "'x' git-y(1), the|text"),
        ("[[a]]\n// c\n////\nd\n////\n.Title\ninclude::x[]\ntext", "Title|text"),
        ("<<id,shown>> <<id>>https://x[y^] image:a[b]z footnote:[n]", "shown y z  n"),
        ("(((a,b)))c [x]#d#", "c d#"),
        ("a:b c::d {", "a:b c::d {"),
        ("web{nosuch}browse $$<a@b.org> <<c>>$$ 5$ or $$6", "web browse <a@b.org> <<c>> 5$ or $$6"),
        // Whom a quotation is from.
        (
            "[quote, An Author, \"A Book, 2\"]\n____\nWords.\n\nMore.\n____\nend",
            "Words.|More.|An Author, A Book, 2|end",
        ),
        ("[verse#id,Poet]\n.Title\nOne line\nand two\n\nend", "Title|One line|and two|Poet|end"),
        ("[quote, attribution=\"B\", citetitle=C, role=d]\nWords.", "Words.|B, C"),
        ("[quote]\nWords.\n\nend", "Words.|end"),
        ("_A whole line._\n\nNot _one_ but _two\nwords_.", "A whole line.|Not one but two|words."),
        ("un__like__ly, ___, _ a _, _b", "unlikely, ___, _ a _, _b"),
        ("snake_case _exit `_a_`\n\nx/_y_/ \\_c_", "snake_case _exit `_a_`|x/_y_/ \\_c_"),
    ] {
        check(strip_asciidoc, text, expected);
    }
}

#[test]
fn info_forms() {
    let text = "This is x.info.\nSTART-INFO-DIR-ENTRY\n* x: (x).\n\n\u{1f}\nFile: x.info,  Node: Top\n\nTitle\n*****\n\n\
                * Menu:\n\n* One::  First\n* Two::\n\n\u{1f}\nFile: x.info,  Node: One,  Up: Top\n\n\
                Text (*note Two::), see *note the\nlabel: (y)Node. End, *noteworthy.\n\u{1f}\nTag Table:\nNode: Top\u{7f}1\n";
    assert_eq!(sniff(text), Some(Media::Info));
    check(strip_info, text, "Title|*****|Text (see Two), see the|label. End, *noteworthy.");
}

#[test]
fn kinds_are_told_by_their_signs() {
    for (text, kind) in [
        ("# A\n\nSee [b](c.md) and [d](e/).", Some(Media::Markdown)),
        ("---\ntitle: x\n---\n\n```sh\nls\n```\n", Some(Media::Markdown)),
        ("A\n=\n\n.. note:: x\n\n:ref:`y`", Some(Media::Restructured)),
        ("= A\n:toc:\n\n[source,c]\n----\nx\n----", Some(Media::Asciidoc)),
        ("= A\n:toc:\n\nText.\n", Some(Media::Asciidoc)),
        ("// c\n:icons: font\n= A\n\nText.\n", Some(Media::Asciidoc)),
        ("= A\nB <b@example.org>\n\nText.\n\n== Part\n\nMore.", Some(Media::Asciidoc)),
        ("= A =\n\nText.\n\n== Part ==\n", None),
        ("= 1 + 1\n= 2\n", None),
        (":a: b\n\nText.\n", None),
        ("A(1)\n====\n\n[verse]\nsee linkgit:b[1]", Some(Media::Asciidoc)),
        ("**Bold** and **bold**, f[0](x) and g[1](y)\n[1]: http://x.org\n# a\n# b\n", None),
        ("# set x\nx = 1\n# and y\n", None),
        ("A plain text, with [brackets] and (others).\n\n- item\n- item\n", None),
        ("Usage: foo [-x]\n\n  -x::  odd\n", None),
    ] {
        assert_eq!(sniff(text), kind, "{text}");
    }
}

#[test]
fn open_brackets_take_linear_time() {
    for piece in [
        "[", "![", "`", "``", "<<", "[[", "{", ":`", "x:y[", "|a", "*", "<a ", "_", " _a", "__a",
        "$$", "a{b}c",
    ] {
        let text = piece.repeat(20_000);
        for strip in [strip_markdown, strip_restructured, strip_asciidoc] {
            assert!(strip(&text).len() <= 2 * text.len() + 1);
        }
    }
}

/// Every underscore of a long line may end a reference.
#[test]
fn a_line_of_underscores_takes_linear_time() {
    let line = "_".repeat(8 << 20);
    for text in [format!("a{line}"), format!("{line}a_a_")] {
        assert!(strip_restructured(&text).len() > line.len() - 9);
    }
    for piece in
        ["a_", "a_b ", "a_:", "@a_ ", "\\a_ ", "*a ", " *a", "**a ", "``a ", "|a ", "`a:b ", "(:a"]
    {
        let text = piece.repeat((1 << 20) / piece.len());
        assert!(strip_restructured(&text).len() > text.len() / 4);
    }
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn a_line_of_targets_takes_linear_time() {
    for text in ["](", "[](", "](/ ", "![](", "](.", "[a]("] {
        let text = text.repeat(1 << 19);
        markdown::signs(&text);
        assert!(!strip_markdown(&text[..3 << 16]).is_empty());
    }
    assert_eq!(markdown::signs("[a](b/c) [d](e) f](g.h) [i](j.k"), 6);
    assert_eq!(markdown::signs("a](b/c) [d](e)"), 0);
}

#[test]
fn macros_without_arguments_take_linear_time() {
    for text in ["link:", "http://", "a:b", "link:a"] {
        let text = text.repeat(1 << 20);
        let stripped = strip_asciidoc(&text);
        assert_eq!(stripped.trim_end().len(), text.len());
    }
}

/// Each of the inner ones would be read twice for each that it is in.
#[test]
fn macros_inside_macros_take_linear_time() {
    for name in ["own", "link"] {
        let (starts, ends) = (format!("{name}:x[").repeat(200), "]".repeat(200));
        let text = format!("{starts}word{ends} ").repeat(200);
        assert!(strip_asciidoc(&text).contains("word"));
    }
}

#[test]
fn exploding_attributes_are_refused() {
    let text = |times: usize| {
        let level = |name: &str, inner: &str| format!(":{name}: {}\n", inner.repeat(times));
        let levels = ["x", "{a}", "{b}", "{c}"].iter().zip(["a", "b", "c", "d"]);
        let levels: String = levels.map(|(inner, name)| level(name, inner)).collect();
        format!("= Title\n{levels}\n== One\n\n{{d}} end\n")
    };
    let limits = crate::limits::Limits::default();
    let hints = crate::extraction::Hints::default();
    let run = |text: &str| asciidoc(text, &mut Job::new(&hints, &limits));
    assert!(run(&text(3)).unwrap().contains(&"x".repeat(81)));
    assert_eq!(run(&text(5_000)).unwrap_err().reason(), Reason::ExpansionLimit);
}

/// A long text that stands for a short name.
#[test]
fn substitutions_expand_within_the_limit() {
    let text = |times: usize| {
        format!(".. |a| replace:: {}\n\n{}", "x ".repeat(1000), "|a| ".repeat(times))
    };
    let limits = crate::limits::Limits::default();
    let hints = crate::extraction::Hints::default();
    let run = |text: &str| restructured(text, &mut Job::new(&hints, &limits));
    assert_eq!(run(&text(4000)).unwrap().matches('x').count(), 4_000_000);
    assert_eq!(run(&text(5000)).unwrap_err().reason(), Reason::ExpansionLimit);
}
