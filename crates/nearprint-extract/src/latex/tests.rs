//! LaTeX, a case for each rule.

use super::*;
use crate::Reason;
use crate::extraction::Hints;
use crate::sniff::latex::is_latex;

fn run(source: &str) -> Result<String, ExtractError> {
    let (hints, limits) = (Hints::default(), Limits::default());
    latex(source, &mut Job::new(&hints, &limits))
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let text = run(source).unwrap();
    assert_eq!(text.trim_end().replace(['\n', '\t'], "|"), expected, "{source}");
}

#[test]
fn documents() {
    check(
        "\\documentclass[a4]{article}\n\\usepackage{x}\nstray\n\\title{T\\footnote{N}}\n\\author{A}\n\
         \\begin{document}\n\\maketitle\n\\section*{One}\nText, \\textbf{bo}ld.\n\nNew.\n\\end{document}\nafter",
        "T|A|One|Text, bold.|New.|N",
    );
    check("a% comment\n  b %\n\nc\\\\d~e", "ab|c|d e");
    check("see~\\cite[p.~3]{key} and \\ref{x}\\label{y}, \\href{http://x}{text}", "see and , text");
    check("\\begin{itemize}\n\\item[Key] one\n\\item two\n\\end{itemize}", "Key one|two");
    check("\\begin{tabular}{ll}a & b \\\\ c & d\\end{tabular}", "a|b|c|d");
    check("\\begin{figure}[h]\\includegraphics[w=1]{f}\\caption{Cap}\\end{figure}", "Cap");
    check("\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}x", "x");
    check("\\begin{verbatim}\n\\a{b}\n\\end{verbatim}\\verb|\\c|", "\\a{b}|\\c");
    check("\\vspace{1cm}a\\hskip 2pt b\\kern-1pt c", "a bc");
    check("X\\kern-.1667em\\lower.5ex\\hbox{E}\\kern-.125em\\TeX", "XETeX");
    check("\\edtext{a}{\\Afootnote{note}} b", "a b|note");
    check("\\begin{tcblisting}{listing only}\n\\a{b}\n\\end{tcblisting}", "\\a{b}");
}

#[test]
fn arguments_are_words_of_their_own() {
    check("\\entry{one}{two} \\textbf{bo}ld", "one two bold");
    check(
        "\\cmd{x}\\marg{first}\\oarg{second}\\arg{third} $\\arg z$",
        "x first second third arg z",
    );
    check("\\DescribeMacro{\\fill\\marg{what}}Fills.", "\\fill what Fills.");
    check("see \\secref{sec:x} and \\fullcite{key}, \\hyperref[x]{text}", "see and , text");
    check(
        "\\newcommand{\\lexref}{\\texttt{lexref}}the \\lexref{} package, \\newref x",
        "the lexref package, x",
    );
}

#[test]
fn values_of_parameters_are_no_text() {
    check("a\\hbox to 5cm{b}\\vrule width 2pt height 1em depth0pt c", "abc");
    check("\\xkanjiskip=0pt plus 2pt minus 1fil a\\foo1cm b\\foo = 3 c", "abc");
    check("\\advance\\hsize by -5truemm a\\setbox0=\\hbox{hidden}b", "ab");
    check("\\font\\big=cmr10 scaled \\magstep1 \\font\\small cmr10 at 8pt a", "a");
    check("a \\approx 3 cm", "a 3 cm");
}

#[test]
fn conditions() {
    check("a\\iffalse b\\ifx\\x\\y c\\fi d\\else e\\fi f", "aef");
    check("\\ifnum\\x<3 a\\fi\\ifx\\x\\y b\\fi", "ab");
    check("a\\iffalse b", "a");
}

#[test]
fn names_without_a_definition_stand_for_themselves() {
    check("with \\GAP{} and \\GAP\\ 4, {\\GAP}, \\GAP alone", "with GAP and GAP 4, GAP, alone");
    check("\\upTeX, \\etex, \\eTeX", "upTeX, etex, ε-TeX");
    check(
        "\\newcommand{\\XyTeX}{X\\kern-.3em\\hbox{Y}\\TeX}\\XyTeX{} \\def\\mytex{my \\TeX}\\mytex",
        "XyTeX my TeX",
    );
    check("\\mbox{}a \\textfoo{} \\texttt{\\x}", "a");
}

#[test]
fn letters_and_signs() {
    check(
        "caf\\'e na\\\"{\\i}ve \\c{c}a \\ss\\ \\o re \\v{S}",
        "cafe\u{301} nai\u{308}ve c\u{327}a ß øre S\u{30C}",
    );
    check("$x_1^2 + \\alpha$ 50\\% \\LaTeX{} \\& \\TeX", "x12 + α 50% LaTeX & TeX");
    check(
        "\\documentclass{a}\\usepackage[ngerman]{babel}\\begin{document}f\"ur Stra\"se \"`Wort\"'",
        "für Straße \"`Wort\"'".replace('ü', "u\u{308}").as_str(),
    );
}

#[test]
fn macros() {
    check(
        "\\newcommand{\\pkg}[1]{\\textsf{#1}-x}\\pkg{name} \\def\\two#1#2{#2#1}\\two ab",
        "name-x ba",
    );
    check("\\newcommand\\Unix{Unix}\\Unix{} \\newcommand{\\o}{x}\\o", "Unix x");
    check("\\newcommand{\\x}[2][d]{#1#2}\\x{a}\\x[b]{c}", "dabc");
    // A parameter after the name of a command is not part of the name.
    check("\\newcommand{\\key}[1]{{\\ttfamily#1}}\\key{Enter}", "Enter");
    // The name of a command may begin that of another.
    check("\\newcommand{\\al}{\\alpha}\\al", "α");
    check("\\def\\x#1!{#1}\\x y", "y");
    // Two signs are one of a definition inside; the sign itself has a backslash.
    check("\\newcommand{\\x}[1]{\\newcommand{\\y}[1]{#1##1\\#}}\\x{a}\\y{b}", "ab#");
    check("\\newcommand{\\x}{a}\\providecommand{\\x}{b}\\providecommand{\\y}{c}\\x\\y", "ac");
    check(
        "\\DefineVerbatimEnvironment{V}{Verbatim}{x=1}\\begin{V}\\a\\end{V}\\MakeShortVerb{\\|}|\\b|",
        "\\a|\\b",
    );
    // A macro that calls itself is not followed; one that explodes is refused.
    check("\\def\\a{x\\a}b\\a", "b");
    assert_eq!(run("\\def\\x{\\y}\\def\\y{\\x}\\x").unwrap_err().reason(), Reason::ExpansionLimit);
    let mut bomb = String::from("\\def\\aa{xxxxxxxxxxxxxxxx}");
    for n in 1..20 {
        let (a, b) = (char::from(b'a' + n), char::from(b'a' + n - 1));
        bomb += &format!("\\def\\a{a}{{{}}}", format!("\\a{b}").repeat(10));
    }
    assert_eq!(run(&(bomb + "\\at")).unwrap_err().reason(), Reason::ExpansionLimit);
}

#[test]
fn arguments_of_a_macro_are_words_of_their_own() {
    for source in [
        "\\def\\key#1#2{\\leavevmode\\hbox to \\hsize{\\vtop{\\hsize=.75\\hsize\\relax#1}\\kbd{#2}\\hfil}}\\key{Mode}{C-c ~}",
        "\\newcommand{\\key}[2]{\\textbf{#1}\\texttt{#2}}\\key{Mode}{C-c}",
        "\\newcommand{\\key}[2]{\\textbf{#1}\\texttt{#2}}\\let\\other=\\key\\other{Mode}{C-c}",
    ] {
        check(source, "Mode C-c");
    }
    check("\\newcommand{\\name}[2]{#1\\textit{#2}}\\name{Fog}{bank}", "Fogbank");
}

#[test]
fn verbatim_text_ends_at_any_sign() {
    check("\\verb@\\a{b}@ \\verb*+c d+ \\verb|@|", "\\a{b} c d @");
}

/// What tells of LaTeX is not LaTeX.
#[test]
fn texts_that_name_the_beginning_of_a_document_have_none() {
    check(
        "\\input manmac\nIt begins with |\\begin{document}|, and\nends. \\bye",
        "It begins with |||, and ends.",
    );
    check(
        "\\magnification=1200\nOne\n\\begintt\n\\begin{document}\n\\endtt\nTwo\n\\bye\n",
        "One|Two",
    );
    check("\\documentclass{x}\nstray \\begin{document}\n\\begin{document}x\\end{document}", "x");
}

#[test]
fn spanish_accents() {
    check(
        "\\usepackage[activeacute,spanish]{babel}\n\\begin{document}can'on 'I ni'no d's",
        "cano\u{301}n I\u{301} nin\u{303}o d's",
    );
    check("can'on", "can'on");
}

#[test]
fn names_of_commands_end_with_their_macro() {
    check("\\newcommand{\\tfm}{TFM\\xspace}\\tfm files", "TFM files");
    check("\\def\\a{x\\par}\\a b", "x|b");
}

#[test]
fn commands_that_are_shown() {
    check("\\string\\foo, \\cs{foo} \\cmd\\foo\\DescribeMacro{\\foo} x", "\\foo, foo \\foo\\foo x");
    check("\\char92 foo \\char`\\% \\char\"5F\\char'137", "\\foo % __");
    check(
        "\\documentclass{x}\\usepackage{shortvrb}\\MakeShortVerb{\\|}\\begin{document}|\\a|\\footnote{|\\b|}",
        "\\a|\\b",
    );
    check("\\documentclass[12pt]{ltxdoc}\\begin{document}|\\a|", "\\a");
}

#[test]
fn lengths_are_no_text() {
    check("a\\hskip 1em plus 2pt minus .5ex b\\hskip 0pt plus 1fil c", "a b c");
    check("\\unknown{2em}{ 0.5 cm}{text 3cm}x", "text 3cmx");
}

#[test]
fn functions_stand_apart() {
    check("$\\sin\\theta\\cos x$, $2\\log n$", "sin θ cos x, 2 log n");
}

#[test]
fn underscores_of_names_stay() {
    check("\\dd{GL_VIEWPORT} $ab_cd$ $$ab_cd$$ my_name", "GL_VIEWPORT abcd abcd my_name");
    check("\\(ab_cd\\) \\[ab_cd\\] a_b x_1", "abcd|abcd|ab x1");
    check("\\begin{align*}ab_cd\\end{align*} ab_cd", "abcd|ab_cd");
    // A sign that begins a formula and is alone ends with its paragraph.
    check("$ab_cd\n\nab_cd", "abcd|ab_cd");
}

#[test]
fn environments_that_show_their_content_may_be_defined() {
    check(
        "\\newenvironment{code}{\\small\\verbatim}{\\endverbatim}\\begin{code}\n\\a{b}\n\\end{code}",
        "\\a{b}",
    );
}

#[test]
fn damage_ends() {
    check("a{b", "ab");
    check("\\section{x", "x");
    check("a\\", "a");
    check("\\textbf", "");
    check("\\begin{verbatim}x", "x");
    check("\\item[x", "x");
    run(&"{".repeat(100_000)).unwrap();
    let error = run(&"\\section{".repeat(10_000)).unwrap_err();
    assert_eq!(error.reason(), Reason::ExpansionLimit);
}

#[test]
fn latex_is_told_from_texts() {
    assert!(is_latex("% c\n\n\\documentclass{x}"));
    assert!(is_latex("\\input x\n\\begin{document}"));
    assert!(!is_latex("About \\documentclass"));
    assert!(!is_latex("\\server\\share"));
}

#[test]
fn plain_tex_is_recognised() {
    assert!(is_latex("% note\n\\magnification\\magstep1\nText"));
    assert!(is_latex("\\hyphenation{a-b}\n\\Chapter{Groups}\nText"));
    assert!(!is_latex("\\input texinfo.tex  @c\n\\bye"));
    assert!(!is_latex("Text\n\\bye"));
}

/// Sizes at which work that grows with the square of them does not end.
#[test]
fn groups_inside_groups_take_linear_time() {
    for source in ["\\textbf{\\emph{", "\\a{", "\\textbf{ 1", "{", "\\hspace{\\x{"] {
        run(&source.repeat(1 << 18)).unwrap();
    }
    for source in ["\\footnote{", "\\footnote{a ", "\\section{", "\\'{", "\\item[{"] {
        let error = run(&source.repeat(1 << 18)).unwrap_err();
        assert_eq!(error.reason(), Reason::ExpansionLimit, "{source}");
    }
    let nested = "a\\footnote{b\\footnote{c\\footnote{d}}}e";
    check(nested, "ae|b|c|d");
}

mod definitions;
