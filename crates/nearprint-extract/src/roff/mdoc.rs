//! The macros of mdoc(7), which call each other along a line.

use super::escape::{self, Strings};
use super::standards;
use crate::flow::Flow;

/// Macros that begin a line of their own.
const BLOCKS: [&str; 14] =
    ["Sh", "Ss", "Pp", "Lp", "It", "Bl", "El", "Bd", "Ed", "D1", "Dl", "Nd", "Rs", "Re"];

/// Macros whose words are not text.
const SILENT: [&str; 10] = ["Bl", "El", "Bd", "Ed", "Bf", "Ef", "Sm", "Bk", "Ek", "Db"];

/// Macros that can stand inside a line. All of them vanish; what they enclose is text.
const CALLABLE: [&str; 72] = [
    "Ac", "Ad", "An", "Ao", "Ap", "Aq", "Ar", "At", "Bc", "Bo", "Bq", "Brc", "Bro", "Brq", "Bsx",
    "Bx", "Cd", "Cm", "Dc", "Do", "Dq", "Dv", "Dx", "Ec", "Em", "En", "Eo", "Er", "Es", "Ev", "Fa",
    "Fc", "Fl", "Fn", "Fo", "Ft", "Fx", "Ic", "In", "Lb", "Li", "Lk", "Ms", "Mt", "Nm", "No", "Ns",
    "Nx", "Oc", "Oo", "Op", "Ot", "Ox", "Pa", "Pc", "Pf", "Po", "Pq", "Ql", "Qc", "Qo", "Qq", "Rv",
    "Sc", "So", "Sq", "St", "Sx", "Sy", "Ta", "Tn", "Va",
];

/// Sets one request.
pub(super) fn request(
    name: &str,
    arguments: &[String],
    page: &mut String,
    strings: &Strings,
    flow: &mut Flow,
) {
    let block = BLOCKS.contains(&name);
    let bibliographic = name.len() == 2 && name.starts_with('%');
    let known = block || bibliographic || SILENT.contains(&name) || is_callable(name);
    if !known {
        // Macros that the page defined, and requests that set nothing.
        return;
    }
    if block {
        flow.line();
    }
    if !SILENT.contains(&name) {
        line(name, arguments, page, strings, flow);
    }
    if matches!(name, "Sh" | "Ss" | "It" | "Nd") {
        flow.line();
    } else {
        flow.space();
    }
}

fn is_callable(name: &str) -> bool {
    CALLABLE.contains(&name) || matches!(name, "Xr" | "Vt" | "Xc" | "Xo" | "Ux" | "Ex" | "Hf")
}

fn line(name: &str, arguments: &[String], page: &mut String, strings: &Strings, flow: &mut Flow) {
    let mut macro_name = name;
    // Whether the next word touches the last one.
    let mut joined = false;
    let mut words = 0;
    let begin = |name: &str, flow: &mut Flow, page: &mut String, next: Option<&String>| match name {
        "Fl" => flow.text("-"),
        "Nm" => match next {
            Some(next) if !is_callable(next) => {
                if page.is_empty() {
                    page.clone_from(next);
                }
            }
            _ => flow.text(page),
        },
        _ => {}
    };
    let mut at = 0;
    let write = |name: &str, arguments: &[String], flow: &mut Flow, page: &str| {
        let wording = standards::standard_name(name, arguments, page)?;
        flow.text(&wording.text);
        Some(wording.arguments)
    };
    match write(name, arguments, flow, page) {
        Some(arguments) => at = arguments,
        None => begin(name, flow, page, arguments.first()),
    }
    joined |= name == "Fl";
    while let Some(word) = arguments.get(at) {
        at += 1;
        if is_callable(word) {
            macro_name = word;
            words = 0;
            if matches!(macro_name, "Ns" | "Ap") {
                if macro_name == "Ap" {
                    flow.text("'");
                }
                joined = true;
                continue;
            }
            if !joined {
                flow.space();
            }
            if let Some(arguments) = write(macro_name, &arguments[at..], flow, page) {
                at += arguments;
                joined = false;
                continue;
            }
            begin(macro_name, flow, page, arguments.get(at));
            joined = joined || macro_name == "Fl";
            continue;
        }
        let closing = matches!(word.as_str(), "." | "," | ";" | ":" | ")" | "]" | "?" | "!");
        let section = macro_name == "Xr" && words == 1;
        if section {
            flow.text("(");
        } else if !joined && !closing {
            flow.space();
        }
        if macro_name == "Fl" && words > 0 && !closing {
            flow.text("-");
        }
        escape::set(word, strings, flow);
        if section {
            flow.text(")");
        }
        joined = matches!(word.as_str(), "(" | "[") || macro_name == "Pf" && words == 0;
        words += 1;
    }
}
