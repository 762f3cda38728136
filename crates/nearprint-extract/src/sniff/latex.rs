//! What LaTeX and plain TeX are recognised by.

/// Whether a text is LaTeX: it begins with a command, and has one that only documents have.
pub(crate) fn is_latex(head: &str) -> bool {
    let mut lines =
        head.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with('%'));
    let begins = lines.next().is_some_and(|line| {
        line.strip_prefix('\\')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    begins
        && [
            "\\documentclass",
            "\\documentstyle",
            "\\begin{document}",
            "\\usepackage",
            "\\section",
            "\\chapter",
            "\\maketitle",
            // Plain TeX, and the manuals of GAP.
            "\\magnification",
            "\\nopagenumbers",
            "\\bye",
            "\\Chapter{",
            "\\Section{",
        ]
        .iter()
        .any(|mark| head.contains(mark))
        // Texinfo, which is another language.
        && !head.contains("\\input texinfo")
}
