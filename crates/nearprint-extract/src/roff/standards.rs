//! What macros of mdoc(7) write out: names of systems and standards, and two sentences. As mandoc and groff print
//! them.

/// The text of a macro, and how many of its arguments are a part of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StandardName {
    pub(super) text: String,
    pub(super) arguments: usize,
}

/// What a macro writes; none if it shows its arguments alone. `page` is the name of the page's program.
pub(super) fn standard_name(name: &str, arguments: &[String], page: &str) -> Option<StandardName> {
    let first = arguments.first().map(String::as_str);
    let alone = |text: &str| Some(StandardName { text: text.to_owned(), arguments: 0 });
    match name {
        "Fx" => alone("FreeBSD"),
        "Nx" => alone("NetBSD"),
        "Ox" => alone("OpenBSD"),
        "Dx" => alone("DragonFly"),
        "Bsx" => alone("BSD/OS"),
        "Ux" => alone("UNIX"),
        "Bx" => Some(berkeley(arguments)),
        "At" => {
            let version = first.and_then(release);
            let text = version.as_deref().unwrap_or("AT&T UNIX").to_owned();
            Some(StandardName { text, arguments: usize::from(version.is_some()) })
        }
        "St" => {
            let standard = standard(first?)?;
            Some(StandardName { text: standard.to_owned(), arguments: 1 })
        }
        "Ex" | "Rv" if first == Some("-std") => {
            let names: Vec<&str> = arguments[1..].iter().map(String::as_str).collect();
            let text = if name == "Ex" { exit(&names, page) } else { returned(&names) };
            Some(StandardName { text, arguments: arguments.len() })
        }
        _ => None,
    }
}

/// `Bx 4.3 reno`: "4.3BSD-Reno".
fn berkeley(arguments: &[String]) -> StandardName {
    let is_version = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    let Some(version) = arguments.first().filter(is_version) else {
        let state = match arguments.first().map(String::as_str) {
            Some("-alpha") => " (currently in alpha test)",
            Some("-beta") => " (currently in beta test)",
            Some("-devel") => " (currently under development)",
            _ => "",
        };
        return StandardName {
            text: format!("BSD{state}"),
            arguments: usize::from(!state.is_empty()),
        };
    };
    let mut text = format!("{version}BSD");
    let variant = arguments.get(1).map(String::as_str);
    let variant = match variant.map(str::to_ascii_lowercase).as_deref() {
        Some("reno") => "-Reno",
        Some("tahoe") => "-Tahoe",
        Some("lite") => "-Lite",
        Some("lite2") => "-Lite2",
        _ => "",
    };
    text.push_str(variant);
    StandardName { text, arguments: 1 + usize::from(!variant.is_empty()) }
}

/// A release of AT&T's system.
fn release(version: &str) -> Option<String> {
    if let Some(number) =
        version.strip_prefix('v').filter(|n| matches!(n.as_bytes(), [b'1'..=b'7']))
    {
        return Some(format!("Version {number} AT&T UNIX"));
    }
    Some(match version {
        "32v" => "Version 32V AT&T UNIX".to_owned(),
        "III" | "V" => format!("AT&T System {version} UNIX"),
        "V.1" | "V.2" | "V.3" | "V.4" => format!("AT&T System V Release {} UNIX", &version[2..]),
        _ => return None,
    })
}

/// What a program exits with.
fn exit(names: &[&str], page: &str) -> String {
    let own = [page];
    let names = if names.is_empty() { &own } else { names };
    let verb = if names.len() == 1 { "utility exits" } else { "utilities exit" };
    format!("The {} {verb} 0 on success, and >0 if an error occurs.", listed(names, ""))
}

/// What functions return.
fn returned(names: &[&str]) -> String {
    const FAILURE: &str = "otherwise the value -1 is returned and the global variable errno is set to indicate the error.";
    match names {
        [] => format!("Upon successful completion, the value 0 is returned; {FAILURE}"),
        names => {
            let verb = if names.len() == 1 { "function returns" } else { "functions return" };
            format!("The {} {verb} the value 0 if successful; {FAILURE}", listed(names, "()"))
        }
    }
}

/// Names in a sentence.
fn listed(names: &[&str], end: &str) -> String {
    let mut text = String::new();
    for (n, name) in names.iter().enumerate() {
        let between = match names.len() - n {
            _ if n == 0 => "",
            1 if names.len() == 2 => " and ",
            1 => ", and ",
            _ => ", ",
        };
        text.extend([between, name, end]);
    }
    text
}

/// The name of a standard.
fn standard(key: &str) -> Option<&'static str> {
    let key = key.strip_prefix('-')?;
    STANDARDS.iter().find(|(known, _)| *known == key).map(|(_, name)| *name)
}

const STANDARDS: [(&str, &str); 50] = [
    ("ansiC", "ANSI X3.159-1989 (“ANSI C89”)"),
    ("ansiC-89", "ANSI X3.159-1989 (“ANSI C89”)"),
    ("ieee1275-94", "IEEE Std 1275-1994 (“Open Firmware”)"),
    ("ieee754", "IEEE Std 754-1985"),
    ("iso8601", "ISO 8601"),
    ("iso8802-3", "ISO 8802-3: 1989"),
    ("iso9945-1-90", "ISO/IEC 9945-1:1990 (“POSIX.1”)"),
    ("iso9945-1-96", "ISO/IEC 9945-1:1996 (“POSIX.1”)"),
    ("iso9945-2-93", "ISO/IEC 9945-2:1993 (“POSIX.2”)"),
    ("isoC", "ISO/IEC 9899:1990 (“ISO C90”)"),
    ("isoC-90", "ISO/IEC 9899:1990 (“ISO C90”)"),
    ("isoC-99", "ISO/IEC 9899:1999 (“ISO C99”)"),
    ("isoC-2011", "ISO/IEC 9899:2011 (“ISO C11”)"),
    ("isoC-2023", "ISO/IEC 9899:2024 (“ISO C23”)"),
    ("isoC-amd1", "ISO/IEC 9899/AMD1:1995 (“ISO C90, Amendment 1”)"),
    ("isoC-tcor1", "ISO/IEC 9899/TCOR1:1994 (“ISO C90, Technical Corrigendum 1”)"),
    ("isoC-tcor2", "ISO/IEC 9899/TCOR2:1995 (“ISO C90, Technical Corrigendum 2”)"),
    ("p1003.1", "IEEE Std 1003.1 (“POSIX.1”)"),
    ("p1003.1-88", "IEEE Std 1003.1-1988 (“POSIX.1”)"),
    ("p1003.1-90", "IEEE Std 1003.1-1990 (“POSIX.1”)"),
    ("p1003.1-96", "ISO/IEC 9945-1:1996 (“POSIX.1”)"),
    ("p1003.1-2001", "IEEE Std 1003.1-2001 (“POSIX.1”)"),
    ("p1003.1-2004", "IEEE Std 1003.1-2004 (“POSIX.1”)"),
    ("p1003.1-2008", "IEEE Std 1003.1-2008 (“POSIX.1”)"),
    ("p1003.1-2024", "IEEE Std 1003.1-2024 (“POSIX.1”)"),
    ("p1003.1b", "IEEE Std 1003.1b (“POSIX.1b”)"),
    ("p1003.1b-93", "IEEE Std 1003.1b-1993 (“POSIX.1b”)"),
    ("p1003.1c-95", "IEEE Std 1003.1c-1995 (“POSIX.1c”)"),
    ("p1003.1g-2000", "IEEE Std 1003.1g-2000 (“POSIX.1g”)"),
    ("p1003.1i-95", "IEEE Std 1003.1i-1995 (“POSIX.1i”)"),
    ("p1003.2", "IEEE Std 1003.2 (“POSIX.2”)"),
    ("p1003.2-92", "IEEE Std 1003.2-1992 (“POSIX.2”)"),
    ("p1003.2a-92", "IEEE Std 1003.2a-1992 (“POSIX.2”)"),
    ("p1387.2", "IEEE Std 1387.2 (“POSIX.7.2”)"),
    ("p1387.2-95", "IEEE Std 1387.2-1995 (“POSIX.7.2”)"),
    ("susv1", "Version 1 of the Single UNIX Specification (“SUSv1”)"),
    ("susv2", "Version 2 of the Single UNIX Specification (“SUSv2”)"),
    ("susv3", "Version 3 of the Single UNIX Specification (“SUSv3”)"),
    ("susv4", "Version 4 of the Single UNIX Specification (“SUSv4”)"),
    ("svid4", "System V Interface Definition, Fourth Edition (“SVID4”)"),
    ("xbd5", "X/Open Base Definitions Issue 5 (“XBD5”)"),
    ("xcu5", "X/Open Commands and Utilities Issue 5 (“XCU5”)"),
    ("xcurses4.2", "X/Open Curses Issue 4, Version 2 (“XCURSES4.2”)"),
    ("xns5", "X/Open Networking Services Issue 5 (“XNS5”)"),
    ("xns5.2", "X/Open Networking Services Issue 5.2 (“XNS5.2”)"),
    ("xpg3", "X/Open Portability Guide Issue 3 (“XPG3”)"),
    ("xpg4", "X/Open Portability Guide Issue 4 (“XPG4”)"),
    ("xpg4.2", "X/Open Portability Guide Issue 4, Version 2 (“XPG4.2”)"),
    ("xsh4.2", "X/Open System Interfaces and Headers Issue 4, Version 2 (“XSH4.2”)"),
    ("xsh5", "X/Open System Interfaces and Headers Issue 5 (“XSH5”)"),
];
