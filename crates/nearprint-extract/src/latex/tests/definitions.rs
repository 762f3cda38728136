//! Conditions, computed names, macros and environments that documents define; slides, and tables over several pages.

use super::*;

/// As TeX reads them: one branch is text, and a blank after a command ends its name.
#[test]
fn one_branch_of_a_condition_is_text() {
    for (source, expected) in [
        ("(\\iftrue a\\else b\\fi )", "(a)"),
        ("(\\iffalse a\\else\n  b\\fi\n)", "(b)"),
        ("\\ifx\\x\\y a\\else b\\fi, \\ifx\\x\\emph a\\else b\\fi", "a, b"),
        ("\\newif\\ifdraft\\ifdraft a\\else b\\fi\\drafttrue\\ifdraft c\\else d\\fi", "bc"),
        ("\\iffalse\\newif\\ifx\\y\\ifnum1<2 a\\fi\\else b\\fi c", "bc"),
        ("\\ifnum1>2 a\\else b\\fi\\ifodd3 c\\else d\\fi\\ifnum\\count1=2 e\\else f\\fi", "bce"),
        ("\\ifcase 1 a\\or b\\or c\\else d\\fi\\ifcase7 a\\or b\\else d\\fi", "bd"),
        ("\\def\\x{}\\def\\y{z}\\ifx\\x\\empty a\\else b\\fi\\ifx\\y\\empty a\\else b\\fi", "ab"),
        ("\\ifdefined\\x a\\else b\\fi\\unless\\ifdefined\\x c\\fi", "bc"),
        ("\\def\\x#1{\\ifx&#1&none\\else(#1)\\fi}\\x{}\\x{a}", "none(a)"),
        ("\\ifdim\\wd0>1.5pt a\\fi\\ifdim 2.5pt<\\x b\\else c\\fi", "ab"),
        ("\\ifpackage a\\else b\\fi", "a"),
        ("\\ifthenelse{\\isundefined{\\x}}{a}{b}\\ifthenelse{\\equal{a}{b}}{c}{d}", "ad"),
        (
            "\\makeatletter\\@ifundefined{x}{a}{b}\\@ifnextchar[{c}{d}[\\@ifstar{e}{f}*\\@ifstar{e}{f}g",
            "ac[efg",
        ),
        ("\\ifstrequal{a}{a}{b}{c}\\ifblank{ }{d}{e}\\newtoggle{t}\\iftoggle{t}{f}{g}", "bdg"),
        ("\\iftrue\\expandafter\\@firstoftwo\\else\\expandafter\\@secondoftwo\\fi{a}{b}", "a"),
        ("\\iffalse\\expandafter\\@firstoftwo\\else\\expandafter\\@secondoftwo\\fi{a}{b}", "b"),
        ("a\\fi b\\else c", "abc"),
        ("\\GAP{}, \\newcommand{\\x}{TeX\\xspace}\\x, \\x{} and \\x b", "GAP, TeX, TeX and TeX b"),
        ("\\emph\n{a}\\par\n[b]\n\nc\\relax\n\nd", "a|[b]|c|d"),
    ] {
        check(source, expected);
    }
}

#[test]
fn names_may_be_computed() {
    for (source, expected) in [
        ("a\\csname foo\\endcsname b\\csname x", "abx"),
        ("\\def\\foo#1{(#1)}\\csname foo\\endcsname{a} \\csname textbf\\endcsname{b}", "(a) b"),
        ("\\expandafter\\def\\csname a-1\\endcsname{b}c\\csname a-1\\endcsname d", "cbd"),
        ("\\def\\p{fo}\\def\\foo{a}\\csname\\p o\\endcsname\\csname\\q\\endcsname", "a"),
        ("\\@namedef{x:y}#1{<#1>}\\@nameuse{x:y}{a}", "<a>"),
        ("\\expandafter\\ifx\\csname x\\endcsname\\relax a\\else b\\fi", "b"),
    ] {
        check(source, expected);
    }
    // Docutils writes this.
    let roles = "\\providecommand*{\\DUrole}[2]{%\n  \\ifcsname DUrole#1\\endcsname%\n    \\csname DUrole#1\\endcsname{#2}%\n  \\else%\n    #2%\n  \\fi%\n}\n";
    check(
        &format!(
            "{roles}\\newcommand{{\\DUroleb}}[1]{{*#1*}}(\\DUrole{{a}}{{one}} \\DUrole{{b}}{{two}})."
        ),
        "(one *two*).",
    );
}

#[test]
fn environments_may_be_defined() {
    for (source, expected) in [
        ("\\newenvironment{x}[1]{Begin #1:}{end.}\\begin{x}{one}two\\end{x}", "Begin one:two|end."),
        (
            "\\newenvironment{x}[2][d]{(#1#2)}{}\\begin{x}{a}b\\end{x}\\begin{x}[e]{f}\\end{x}",
            "(da)b|(ef)",
        ),
        (
            "\\renewenvironment*{abstract}{\\section*{Summary}}{}\\begin{abstract}a\\end{abstract}",
            "Summary|a",
        ),
        (
            "\\newenvironment{x}{\\begin{y}}{\\end{y}}\\newenvironment{y}{a}{b}\\begin{x}c\\end{x}",
            "ac|b",
        ),
        ("\\newenvironment{x}{a}{b}\\newenvironment{y}{\\x}{\\endx}\\begin{y}c\\end{y}", "ac|b"),
        (
            "\\newenvironment{x}[1]%\n  {% it begins\n (#1)}%\n  {.}\\begin{x}{a} b\\end{x}c",
            "(a) b|.|c",
        ),
        ("\\newenvironment{x}{\\comment}{\\endcomment}\\begin{x}a\\end{x}b", "b"),
        (
            "\\newenvironment{x}{\\begin{tikzpicture}[a=1]}{\\end{tikzpicture}}\\begin{x}a\\end{x}b",
            "b",
        ),
        ("\\newenvironment{x}{\\begin{x}}{\\end{x}}\\begin{x}a\\end{x}", "a"),
        (
            "\\NewDocumentEnvironment{x}{m o}{#1:}{by #1\\IfValueT{#2}{, #2}}\\begin{x}{A}[B]c\\end{x}",
            "A:c|by A, B",
        ),
        (
            "\\newtheorem{t}[c]{Theorem}[section]\\begin{t}[Main]a\\end{t}\\begin{t}b\\end{t}",
            "Theorem Main a|Theorem b",
        ),
        ("\\excludecomment{x}\\begin{x}a\\end{x}b", "b"),
    ] {
        check(source, expected);
    }
    let twice = "\\newenvironment{a}{\\begin{b}}{}\\newenvironment{b}{\\begin{a}}{}\\begin{a}";
    assert_eq!(run(twice).unwrap_err().reason(), Reason::ExpansionLimit);
    // What the last parts hold is bounded.
    let long = "x".repeat(1 << 16);
    let many = "\\begin{a}{b}".repeat(1 << 10);
    let text = format!("\\NewDocumentEnvironment{{a}}{{m}}{{}}{{#1{long}}}{many}");
    assert_eq!(run(&text).unwrap_err().reason(), Reason::ExpansionLimit);
}

#[test]
fn document_commands_have_parameters_of_many_kinds() {
    for (source, expected) in [
        ("\\NewDocumentCommand{\\x}{m O{d} m}{#1#2#3}\\x{a}{b} \\x{a}[c]{b}", "adb acb"),
        ("\\NewDocumentCommand\\x{o}{\\IfNoValueTF{#1}{none}{(#1)}}\\x, \\x[a]", "none, (a)"),
        ("\\NewDocumentCommand\\x{s m}{\\IfBooleanTF#1{star }{}#2}\\x{a} \\x*{b}", "a star b"),
        ("\\DeclareDocumentCommand{\\x}{d() D<>{y} t+ g}{#1#2#4}\\x(a)<b>+{c} \\x z", "abc yz"),
        ("\\NewDocumentCommand{\\x}{ >{\\Trim} +m !o e{^_} v}{#1#3#4#5}\\x{a}^{c}_{b}|d|", "acbd"),
        ("\\newcommand{\\x}{a}\\ProvideDocumentCommand{\\x}{m}{b}\\x", "a"),
    ] {
        check(source, expected);
    }
}

#[test]
fn parameters_may_have_delimiters() {
    for (source, expected) in [
        ("\\def\\x#1.#2;{(#2 #1)}\\x ab.cd; e", "(cd ab) e"),
        ("\\def\\x[#1]#2{#2#1}\\x[a]b \\x c", "ba c"),
        ("\\def\\x#1 #2\\end{#2#1}\\x a\nb\\end c", "bac"),
        ("\\def\\x#1,{(#1)}\\x {a,b},{c}, \\def\\y{\\x d}\\y, e", "(a,b)c, (d) e"),
        ("\\def\\x#1%\n;{#1}\\x a;b", "ab"),
        // Not in this paragraph, and far away.
        ("\\def\\x#1;{(#1)}\\x a\n\nb; c", "a|b; c"),
        ("\\def\\x#1\\e{(#1)}\\x a\\em b\\e", "(ab)"),
    ] {
        check(source, expected);
    }
    let far = format!("\\def\\x#1;{{(#1)}}\\x {};", "a ".repeat(1000));
    assert!(!run(&far).unwrap().contains('('));
}

#[test]
fn slides_have_overlays() {
    for (source, expected) in [
        ("\\begin{frame}<1->[t]{Title}{Sub}\nText\\end{frame}", "Title|Sub|Text"),
        ("\\begin{frame}\\frametitle<1>{T}\\framesubtitle{S}a\\end{frame}", "T|S|a"),
        (
            "\\frametitle{T}\\item<1-> a\\item[b]<2-|alert@3> c\\only<2>{d} \\alert<beamer:2>{e}",
            "T|a|b cd e",
        ),
        (
            "\\frametitle{T}\\onslide<3->\\uncover<+->{a}\\textbf<1,3>{b} $\\alert<2>{x}\\alpha<y>$",
            "T|ab xα<y>",
        ),
        ("\\frametitle{T}\\ldots <not> \\note<1>{hidden}\\note[item]{hidden}", "T|…<not>"),
        (
            "\\frametitle{T}\\begin{block}<1->{Block}a\\end{block}\\begin{onlyenv}<2>b\\end{onlyenv}",
            "T|Block|a|b",
        ),
        ("\\frametitle{T}\\alt<2>{a}{b}\\newcommand<>{\\x}[1]{\\only#2{#1}}\\x<3>{c}", "T|a bc"),
        // Not in other documents.
        ("$\\alpha<3, b>1$ \\item<1-> a", "α<3, b>1|<1-> a"),
    ] {
        check(source, expected);
    }
    check(
        "\\documentclass{beamer}\\title[T]{Long}\\subtitle{Sub}\\institute{I}\\setbeamertemplate{footline}[x]{y}\\begin{document}\\frame{\\titlepage}\\end{document}",
        "Long|Sub|I",
    );
}

#[test]
fn heads_of_tables_over_pages_are_text_once() {
    let table =
        |parts: &str| format!("\\begin{{longtable}}{{ll}}{parts}a & b\\\\\\end{{longtable}}c");
    for (parts, expected) in [
        ("\\caption{C}\\\\ A & B\\\\\\endhead ", "C|A|B|a|b|c"),
        (
            "\\caption{C\\footnote{n}}\\\\ A & B\\\\\\endfirsthead\n\\caption[]{C (more)\\footnote{m}}\\\\ A & B\\\\\\endhead\n\
             Next page\\\\\\endfoot The & end\\\\\\endlastfoot\n",
            "C|A|B|a|b|The|end|c|n",
        ),
        ("A\\\\\\endhead F\\\\\\endfoot ", "A|a|b|F|c"),
    ] {
        check(&table(parts), expected);
    }
    check("\\documentclass{x}\\begin{longtable}{l}stray text\\begin{document}a\\endhead b", "a|b");
}

#[test]
fn contents_of_cells_and_initials_are_text_once() {
    check(
        "\\begin{tabular}{ll}\\multicolumn{2}{c}{A} & \\multirow[t]{2}{*}{B}\\\\ \\multirow{2}{3cm}[1pt]{C}\\end{tabular}",
        "A|B|C",
    );
    check("\\lettrine[lines=2]{T}{he} light \\lettrine{O}nce", "The light Once");
}
