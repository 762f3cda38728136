//! Whether a text is the source of a program. Its comments are often in light markup, but the rest of it is not, and
//! what is dropped of markup would be dropped of code.
//!
//! Looked at are the lines that begin at the margin: documents have their examples of code indented or in fences, and
//! programs have prose in comments and docstrings. Where half of those lines are code, the text is. Of 7,688 sources in
//! Python, Perl, Rust, C and others 251 were taken for markup before, and 1,530 documents in markup, none of which is
//! taken for a source, are what the rule was made by.

/// Lines of code from which a text may be a source.
const LEAST_LINES: u32 = 3;

/// Bytes of a line from which on it is a program that was made short, or a paragraph.
const LONG_LINE: usize = 400;

/// Of a long line of code one byte of so many is one of these signs, at least.
const SIGNS: &[u8] = b";{}()=";
const BYTES_FOR_A_SIGN: usize = 12;

/// What comments, directives to a compiler, and ends of blocks begin with.
const BEGINNINGS: [&str; 13] = [
    "//", "/*", "*/", "}", ")", "]", "#!", "#include", "#define", "#if", "#endif", "#pragma",
    "import ",
];

/// Words that begin a line of code, where it ends with a sign of code.
const WORDS: [&str; 37] = [
    "async",
    "class",
    "const",
    "data",
    "def",
    "enum",
    "export",
    "extern",
    "fn",
    "for",
    "function",
    "if",
    "impl",
    "instance",
    "let",
    "local",
    "mod",
    "my",
    "namespace",
    "newtype",
    "our",
    "package",
    "private",
    "protected",
    "pub",
    "public",
    "require",
    "return",
    "static",
    "struct",
    "sub",
    "template",
    "type",
    "typedef",
    "use",
    "var",
    "while",
];

/// Commands of Perl's documentation, which begin a line.
const POD: [&str; 9] =
    ["=back", "=begin", "=cut", "=encoding", "=end", "=head", "=item", "=over", "=pod"];

/// Whether a text is the source of a program.
pub(super) fn is_source(head: &str) -> bool {
    let (mut code, mut all) = (0u32, 0u32);
    let (mut in_fence, mut docstring) = (false, None);
    for line in head.lines().map(str::trim_end) {
        if let Some(quotes) = docstring {
            if line.contains(quotes) {
                docstring = None;
            }
            continue;
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            in_fence = !in_fence;
        }
        if in_fence || line.is_empty() || line.starts_with([' ', '\t', '`', '~']) {
            continue;
        }
        if POD.iter().any(|command| line.starts_with(command)) {
            return true;
        }
        if let Some(quotes) = opened_docstring(line) {
            docstring = (line.matches(quotes).count() == 1).then_some(quotes);
            (code, all) = (code + 1, all + 1);
        } else if is_code(line) {
            let weight = if line.len() < LONG_LINE { 1 } else { LEAST_LINES };
            (code, all) = (code + weight, all + 1);
        } else if !line.starts_with('#') {
            // Headings of one are comments of the other.
            all += 1;
        }
    }
    code >= LEAST_LINES && code >= all.div_ceil(2)
}

/// The quotes of a docstring that begins with a line.
fn opened_docstring(line: &str) -> Option<&'static str> {
    let rest = line.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
    ["\"\"\"", "'''"]
        .into_iter()
        .find(|quotes| line.len() - rest.len() < 3 && rest.starts_with(quotes))
}

fn is_code(line: &str) -> bool {
    if line.len() >= LONG_LINE {
        let signs = line.bytes().filter(|byte| SIGNS.contains(byte)).count();
        return signs * BYTES_FOR_A_SIGN >= line.len();
    }
    let word = line.split_once(' ').map_or("", |(word, _)| word);
    line.ends_with([';', '{', '}'])
        || line.ends_with("):")
        || BEGINNINGS.iter().any(|begin| line.starts_with(begin))
        || (word == "from" && line.contains(" import "))
        || (word == "module" && line.ends_with([';', '(', 'e']))
        || (WORDS.contains(&word) && line.ends_with([':', '(', ',', '\\']))
        || (line.starts_with('@') && !line.contains(' '))
        || is_call_or_assignment(line)
}

/// Whether a line begins with a name that is called, or is given a value or a type.
fn is_call_or_assignment(line: &str) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$@%:'".contains(byte);
    let name = line.bytes().take_while(|byte| is_name(byte)).count();
    if name == 0 {
        return false;
    }
    let rest = &line[name..];
    if rest.starts_with('(') {
        return true;
    }
    // Of several words before the sign, as in a declaration, none ends a sentence.
    let before = rest.find('=').map(|at| &rest[..at]);
    let is_plain = |text: &str| {
        text.bytes().all(|byte| is_name(&byte) || b" *[]&|+-/<>,\"".contains(&byte))
            && !text.contains(". ")
    };
    rest.trim_start().starts_with(":: ") || before.is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_from_documents_that_show_some() {
        let python = "#!/usr/bin/env python\n\"\"\"See :ref:`x` and :class:`y`.\n\nMore\n~~~~\n\"\"\"\n\
                      import os\nfrom os import path\n\nclass A:\n    pass\n\nLIMIT = 3\n";
        let haskell = "module Text.Markdown where\nimport Data.List\n\n-- [a](b.html)\nf :: Int -> Int\nf x = x\n";
        let rust = "//! See [a](https://e.org).\n//! ```\n//! f();\n//! ```\n\nuse std::fmt;\n\nfn f() {\n}\n";
        let perl = "package A;\nuse strict;\n\n=head1 NAME\n\nA - [b](c.html)\n\n=cut\n";
        let short = format!("(function(){{{}}})()\n", "a(b);c={d:[e](f.g)};".repeat(40));
        for source in [python, haskell, rust, perl, &short] {
            assert!(is_source(source), "{source}");
        }
        let markdown = "# Title\n\nSee [a](b.html).\n\n```python\nimport os\nx = 1\ny = 2\nf(x)\n```\n\nMore of it.\n";
        let restructured = "Title\n=====\n\n.. code-block:: python\n\n    import os\n    x = 1\n    f(x)\n\n\
                            The value of x is 1.\n\n.. note:: See :ref:`y`.\n";
        for document in [markdown, restructured, "", "x = 1\ny = 2\n"] {
            assert!(!is_source(document), "{document}");
        }
    }
}
