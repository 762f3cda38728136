//! reStructuredText, as Docutils and Sphinx render it: directives, roles, targets, substitutions.

mod csv_table;

use std::collections::HashMap;

use self::csv_table::CsvTable;
use super::blocks::{Blocks, indent, is_rule};
use super::ends::Ends;
use super::inline;
use crate::line_search::{count_pairs, lines_with};
use crate::work::Work;

/// Bytes of the longest name of a role.
const LONGEST_ROLE: usize = 100;

/// How many things a text has that only reStructuredText has.
pub(super) fn signs(head: &str) -> u32 {
    let (mut signs, mut others) = (0, 0);
    for (_, line) in lines_with(head, ".. ") {
        if let Some(rest) = line.trim_start().strip_prefix(".. ") {
            signs += 3 * u32::from(directive(rest).is_some() || rest.starts_with(['_', '|', '[']));
        }
    }
    for (_, line) in lines_with(head, "`") {
        signs += 2 * (count_pairs(line, *b"`_") + count_pairs(line, *b":`"));
        others += count_pairs(line, *b"``") / 2;
    }
    // Old manuals quote in double backticks, too; Markdown has fences of three.
    let signs = signs + others.min(signs);
    if lines_with(head, "```").next().is_some() { signs / 4 } else { signs }
}

/// What happens to a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All of it is dropped.
    Dropped,
    /// Its content is text.
    Content,
    /// Its content is shown as it is.
    Literal,
    /// Its argument and its content are text.
    All,
}

fn kind(name: &str) -> Kind {
    match name {
        "toctree" | "contents" | "index" | "raw" | "meta" | "include" | "literalinclude"
        | "image" | "module" | "currentmodule" | "sectionauthor" | "moduleauthor"
        | "codeauthor" | "highlight" | "highlightlang" | "default-domain" | "tabularcolumns"
        | "graphviz" | "plot" | "role" | "default-role" | "sectnum" | "target-notes"
        | "automodule" | "autoclass" | "autofunction" | "automethod" | "kernel-doc"
        | "kernel-figure" | "unicode" | "testsetup" | "testcleanup" | "py:module"
        | "py:currentmodule" | "header" | "footer" | "mermaid" | "uml" | "digraph" => Kind::Dropped,
        "figure" | "only" | "container" | "class" | "cssclass" | "rst-class" | "glossary"
        | "list-table" | "centered" | "epigraph" | "compound" | "tabs" | "hlist" | "table-of" => {
            Kind::Content
        }
        "code-block" | "code" | "sourcecode" | "parsed-literal" | "doctest" | "testcode"
        | "testoutput" | "productionlist" | "ipython" | "prompt" | "literal" => Kind::Literal,
        _ => Kind::All,
    }
}

/// The name and the argument of a directive, after its two dots.
fn directive(rest: &str) -> Option<(&str, &str)> {
    let (name, argument) = rest.split_once("::")?;
    let valid = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || "-_:+.".contains(c))
        && (argument.is_empty() || argument.starts_with([' ', '\t']));
    valid.then(|| (name, argument.trim()))
}

/// The first file whose content Docutils would put in its place. Directives that stand deeper are skipped: they may
/// be shown as an example.
pub(super) fn first_include(text: &str) -> Option<&str> {
    // Whether the lines are options of a directive that reads a file which one of them names.
    let mut has_file = false;
    text.lines().find_map(|line| {
        if has_file && line.starts_with([' ', '\t']) {
            return line.trim_start().strip_prefix(":file:").map(str::trim);
        }
        let named = line.strip_prefix(".. ").and_then(directive);
        has_file = named.is_some_and(|(name, _)| matches!(name, "csv-table" | "raw"));
        match named? {
            ("include" | "literalinclude", file) => Some(file).filter(|file| !file.is_empty()),
            _ => None,
        }
    })
}

/// A part of the document whose lines stand deeper than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Dropped(usize),
    Literal(usize),
    /// The options that follow a directive's first line.
    Options(usize),
}

pub(super) fn strip(text: &str, work: &Work) -> String {
    work.count(2 * text.len());
    let substitutions = substitutions(text);
    let mut blocks =
        Blocks::new(|paragraph: &str| strip_inline(&Ends::new(paragraph, work), &substitutions));
    let mut inside = None;
    let mut options_after = None;
    let mut table: Option<CsvTable> = None;
    for line in text.lines() {
        let blank = line.trim().is_empty();
        let depth = indent(line);
        if let Some(open) = table.take_if(|open| !blank && depth <= open.depth) {
            set_table(&open, &mut blocks);
        }
        if let Some(open) = &mut table {
            open.line(line);
            continue;
        }
        if let Some(Inside::Dropped(outer) | Inside::Literal(outer)) = inside {
            if blank || depth > outer {
                let option = options_after.is_some() && line.trim_start().starts_with(':');
                options_after = options_after.filter(|()| option);
                if matches!(inside, Some(Inside::Literal(_))) && !option {
                    blocks.raw(line);
                }
                continue;
            }
            inside = None;
        }
        if let Some(Inside::Options(outer)) = inside {
            if depth > outer && line.trim_start().starts_with(':') {
                continue;
            }
            inside = None;
        }
        let trimmed = line.trim_start();
        if let Some(rest) =
            trimmed.strip_prefix("..").filter(|r| r.is_empty() || r.starts_with(' '))
        {
            blocks.end();
            if let Some(("csv-table", title)) = directive(rest.trim_start()) {
                blocks.text(title);
                blocks.end();
                table = Some(CsvTable::new(depth));
                continue;
            }
            options_after = Some(());
            inside = Some(explicit(rest.trim_start(), depth, &mut blocks));
            continue;
        }
        if is_rule(trimmed) || trimmed.trim_end() == "::" {
            blocks.end();
        } else if let Some(shown) = field(trimmed) {
            blocks.end();
            blocks.text(&shown);
        } else {
            blocks.text(line);
        }
        if trimmed.trim_end().ends_with("::") && !blank {
            blocks.end();
            options_after = None;
            inside = Some(Inside::Literal(depth));
        }
    }
    if let Some(open) = table {
        set_table(&open, &mut blocks);
    }
    blocks.finish()
}

fn set_table<F: Fn(&str) -> String>(table: &CsvTable, blocks: &mut Blocks<F>) {
    for row in table.rows() {
        blocks.text(&row);
        blocks.end();
    }
}

/// A field that says something of a parameter or a result, as renderings write it: the name before its type,
/// and words for what it is.
fn field(line: &str) -> Option<String> {
    let (head, rest) = line.strip_prefix(':')?.split_once(':')?;
    if !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let (kind, words) = head.trim().split_once(' ').unwrap_or((head, ""));
    let words = words.trim();
    let shown = match kind {
        "param" | "parameter" | "arg" | "argument" | "key" | "keyword" | "kwarg" | "var"
        | "ivar" | "cvar" => match words.rsplit_once(' ') {
            Some((of_type, name)) => format!("{name} {of_type}"),
            None if words.is_empty() => return None,
            None => words.to_owned(),
        },
        "raise" | "raises" | "except" | "exception" => format!("Raises {words}"),
        "return" | "returns" => "Returns".to_owned(),
        "rtype" => "Return type".to_owned(),
        "type" | "vartype" => String::new(),
        _ => return None,
    };
    Some(format!("{shown}{rest}"))
}

/// Deals with what follows two dots, and says what its block is.
fn explicit<F: Fn(&str) -> String>(rest: &str, depth: usize, blocks: &mut Blocks<F>) -> Inside {
    if let Some((name, argument)) = directive(rest) {
        return match kind(name) {
            Kind::Dropped => Inside::Dropped(depth),
            Kind::Content => Inside::Options(depth),
            Kind::Literal => Inside::Literal(depth),
            Kind::All => {
                blocks.text(argument);
                blocks.end();
                Inside::Options(depth)
            }
        };
    }
    // Footnotes and citations are text; targets, substitutions and comments are not.
    if rest.starts_with('[')
        && let Some((_, note)) = rest.split_once(']')
    {
        blocks.text(note);
        return Inside::Options(depth);
    }
    Inside::Dropped(depth)
}

/// `.. |name| replace:: text`
fn substitutions(text: &str) -> HashMap<&str, &str> {
    let mut found = HashMap::new();
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix(".. |")
            && let Some((name, rest)) = rest.split_once('|')
            && let Some(value) = rest.trim_start().strip_prefix("replace::")
        {
            found.insert(name, value.trim());
        }
    }
    found
}

fn strip_inline(ends: &Ends<'_>, substitutions: &HashMap<&str, &str>) -> String {
    let text = ends.text();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '`', '|', '_', ':', '[']) {
        let start = text.len() - rest.len();
        out.push_str(&inline::without_stars(text, start..start + at));
        rest = &rest[at..];
        let length = special(rest, ends, substitutions, &mut out);
        rest = &rest[length..];
    }
    out.push_str(&inline::without_stars(text, text.len() - rest.len()..text.len()));
    out
}

fn special<'a>(
    rest: &'a str,
    ends: &Ends<'a>,
    substitutions: &HashMap<&str, &str>,
    out: &mut String,
) -> usize {
    let after = &rest[1..];
    match rest.as_bytes()[0] {
        // An escaped blank is nothing.
        b'\\' => match after.chars().next() {
            Some(c) => {
                if !c.is_whitespace() {
                    out.push(c);
                }
                return 1 + c.len_utf8();
            }
            None => return 1,
        },
        b'`' => {
            if let Some(literal) = after.strip_prefix('`')
                && let Some(code) = ends.up_to(literal, "``")
            {
                out.push_str(code);
                return code.len() + 4;
            }
            if let Some(phrase) = ends.up_to(after, "`") {
                out.push_str(&shown(phrase));
                let end = phrase.len() + 2;
                return end + reference_marks(&rest[end..]);
            }
            out.push('`');
        }
        b':' => {
            if let Some(length) = role(rest, ends, out) {
                return length;
            }
            out.push(':');
        }
        b'|' => {
            if let Some(name) = ends.up_to(after, "|").filter(|name| !name.contains('\n'))
                && !name.is_empty()
                && !name.starts_with(' ')
                && !name.ends_with(' ')
            {
                out.push_str(substitutions.get(name).copied().unwrap_or(name));
                let end = name.len() + 2;
                return end + reference_marks(&rest[end..]);
            }
            out.push('|');
        }
        b'[' => {
            // References to numbered footnotes; those to citations show their labels.
            let footnote = |label: &&str| {
                label.starts_with('#') || *label == "*" || label.bytes().all(|b| b.is_ascii_digit())
            };
            if let Some(label) = ends.up_to(after, "]_").filter(footnote) {
                return label.len() + 3;
            }
            out.push('[');
        }
        _ => {
            let marks = reference_marks(rest);
            if marks == 0 {
                out.push('_');
            } else {
                return marks;
            }
        }
    }
    1
}

/// The underscores that make what is before them a reference.
fn reference_marks(rest: &str) -> usize {
    // Three say as much as a line of them, which is asked about at each of its bytes.
    let marks = rest.bytes().take(3).take_while(|b| *b == b'_').count();
    let ends = !rest[marks..].starts_with(|c: char| c.is_alphanumeric());
    if ends && marks <= 2 { marks } else { 0 }
}

/// `:role:` and its text in backticks.
fn role<'a>(rest: &'a str, ends: &Ends<'a>, out: &mut String) -> Option<usize> {
    let after = &rest[1..];
    let name = ends.up_to(after, ":`").filter(|name| name.len() <= LONGEST_ROLE)?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "-_:+.".contains(c)) {
        return None;
    }
    let phrase = ends.up_to(&after[name.len() + 2..], "`")?;
    let titled = phrase.trim_end().ends_with('>') && phrase.contains('<');
    // What these show is the title of their target, which is elsewhere.
    if titled || !matches!(name, "ref" | "doc" | "numref" | "eq" | "cite" | "std:ref" | "std:doc") {
        out.push_str(&shown(phrase));
    }
    Some(name.len() + phrase.len() + 4)
}

/// What is seen of `text <target>`, `~module.name` and `!name`.
fn shown(phrase: &str) -> String {
    let text = match phrase.rfind('<') {
        Some(at) if phrase.trim_end().ends_with('>') && at > 0 => phrase[..at].trim_end(),
        _ => phrase,
    };
    match text.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path).to_owned(),
        None => text.trim_start_matches('!').to_owned(),
    }
}
