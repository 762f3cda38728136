//! reStructuredText, as Docutils and Sphinx render it: directives, roles, targets, substitutions.

mod csv_table;
mod directives;
mod items;
mod marks;
mod phrases;
mod substitutions;

use self::csv_table::CsvTable;
use self::directives::{Kind, directive, kind};
use self::substitutions::Substitutions;
use super::blocks::{Blocks, indent, is_rule};
use crate::line_search::{count_pairs, lines_with};
use crate::work::Work;

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
            // Those in angle brackets come with Docutils.
            ("include" | "literalinclude", file) => {
                Some(file).filter(|file| !file.is_empty() && !file.starts_with('<'))
            }
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

/// The text; none if its substitutions expand to more bytes than `limit`.
pub(super) fn strip(text: &str, limit: u64, work: &Work) -> Option<String> {
    work.count(2 * text.len());
    let substitutions = Substitutions::of(text, limit);
    let mut blocks = Blocks::new(|paragraph: &str| phrases::strip(paragraph, &substitutions, work));
    let mut inside = None;
    let mut options_after = None;
    let mut table: Option<CsvTable> = None;
    // How deep the list stands whose item is under way.
    let mut list = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
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
            list = list.filter(|outer| blank || depth >= *outer);
            let begins = list == Some(depth) || blocks.last_line().is_empty();
            match items::item(line, lines.peek().copied()).filter(|_| begins) {
                Some(item) => {
                    list = Some(depth);
                    blocks.end();
                    blocks.text(item);
                }
                None => blocks.text(line),
            }
        }
        if trimmed.trim_end().ends_with("::") && !blank {
            blocks.end();
            options_after = None;
            inside = Some(Inside::Literal(depth + items::mark(trimmed)));
        }
    }
    if let Some(open) = table {
        set_table(&open, &mut blocks);
    }
    let stripped = blocks.finish();
    substitutions.are_within_limit().then_some(stripped)
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
        // What Sphinx is to do with the page.
        "orphan" | "tocdepth" | "nocomments" | "nosearch" => return Some(String::new()),
        _ => return None,
    };
    Some(format!("{shown}{rest}"))
}

/// Deals with what follows two dots, and says what its block is.
fn explicit<F: Fn(&str) -> String>(rest: &str, depth: usize, blocks: &mut Blocks<F>) -> Inside {
    if let Some((name, argument)) = directive(rest) {
        match kind(name, argument) {
            Kind::Dropped => return Inside::Dropped(depth),
            Kind::Literal => return Inside::Literal(depth),
            Kind::Content => return Inside::Options(depth),
            Kind::All => blocks.text(argument),
            Kind::Worded(words) => blocks.text(&format!("{words} {argument}")),
            Kind::Titled(title) => {
                blocks.text(title);
                blocks.end();
                blocks.text(argument);
            }
        }
        blocks.end();
        return Inside::Options(depth);
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
