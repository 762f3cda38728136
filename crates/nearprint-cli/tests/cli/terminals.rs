//! What others wrote is shown, not obeyed: names of files and arguments with escape characters and with characters that
//! reorder a line.

use crate::harness::Sandbox;

/// Every message that repeats an argument or a name.
#[test]
fn messages_show_what_terminals_would_obey() {
    const EVIL: &str = "a\u{1b}[2Jb\u{202e}c\u{9b}1m\u{7}";
    let sandbox = Sandbox::new();
    sandbox.file("a.txt", "Fog came in at noon.\n").file("prints.txt", format!("sd1:x\t{EVIL}\n"));
    let glob = format!("{EVIL}[");
    for arguments in [
        &["fingerprint", EVIL][..],
        &["fingerprint", "--glob", &glob, "."],
        &["fingerprint", "--glob", &format!("!{glob}"), "."],
        &["fingerprint", &format!("--{EVIL}")],
        &[EVIL],
        &["fingerprint", "--format", EVIL, "a.txt"],
        &["fingerprint", "--scheme", EVIL, "a.txt"],
        &["fingerprint", "--read", EVIL, "a.txt"],
        &["fingerprint", "--limit", EVIL, "a.txt"],
        &["fingerprint", "--limit", &format!("{EVIL}=1"), "a.txt"],
        &["fingerprint", "--output", &format!("none/{EVIL}"), "a.txt"],
        &["prints", "pairs", EVIL],
        &["prints", "pairs", "prints.txt"],
        &["query", EVIL, "a.txt"],
        &["index", EVIL],
        &["dedup", "--write", &format!("none/{EVIL}"), "a.txt"],
    ] {
        let run = sandbox.run(arguments);
        assert_ne!(run.code, Some(0), "{run:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
        for obeyed in ['\u{1b}', '\u{202e}', '\u{9b}', '\u{7}'] {
            assert!(!run.err.contains(obeyed), "{arguments:?}: {run:?}");
        }
    }
}
