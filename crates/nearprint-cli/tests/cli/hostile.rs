//! Hostile documents and impossible hints, as the command meets them: one record each, and everything else is done.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};

use crate::bombs::gzip;
use crate::harness::{Run, Sandbox};

/// A PDF whose cross-reference stream inflates to `megabytes`: the parser reads these without any limit.
fn reference_bomb(megabytes: usize) -> Vec<u8> {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![0; 1 << 20];
    (0..megabytes).for_each(|_| deflated.write_all(&piece).unwrap());
    let deflated = deflated.finish().unwrap();
    let mut file = b"%PDF-1.7\n".to_vec();
    let at = file.len();
    let entries = "/Type /XRef /Size 3 /W [1 4 1] /Root 1 0 R /Filter /FlateDecode";
    write!(file, "3 0 obj\n<< {entries} /Length {} >>\nstream\n", deflated.len()).unwrap();
    file.extend(deflated);
    write!(file, "\nendstream\nendobj\nstartxref\n{at}\n%%EOF\n").unwrap();
    file
}

fn folder() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .file("in/a.txt", "Fog came in at noon.\n")
        .file("in/b.pdf", reference_bomb(400))
        .file("in/c.html.gz", gzip(b"<p>Fog came in at noon and stayed."))
        .file("in/d.rtf", r"{\rtf1 Bells rang in the harbour.\par}");
    sandbox
}

#[test]
fn a_document_that_eats_all_memory_costs_its_own_record() {
    let sandbox = folder();
    for threads in ["1", "3"] {
        for isolate in ["heavy", "everything"] {
            let run = sandbox.run([
                "fingerprint",
                "--limit=worker-memory=256M",
                &format!("--read=isolate={isolate}"),
                "--threads",
                threads,
                "in",
            ]);
            assert_eq!(run.code, Some(1), "{}", run.err);
            assert_eq!(run.ids(), ["in/a.txt", "in/c.html.gz", "in/d.rtf"]);
            let said = "in/b.pdf: no fingerprint: worker-failed: memory-limit: ";
            assert!(run.err.starts_with(said), "{}", run.err);
            assert!(run.err.contains("1 of 4 documents failed"), "{}", run.err);
        }
    }
}

#[test]
fn a_worker_that_cannot_be_had_costs_heavy_documents_only() {
    let sandbox = folder();
    let mut command = sandbox.command(["fingerprint", "-v", "in"]);
    let run: Run = command.env("NEARPRINT_WORKER", "/no/such/worker").output().unwrap().into();
    assert_eq!((run.code, run.ids()), (Some(1), vec!["in/a.txt"]));
    assert!(run.err.contains("in/d.rtf: no fingerprint: worker-unavailable: "), "{}", run.err);
    assert!(run.err.contains("/no/such/worker"), "{}", run.err);
}

#[test]
fn the_worker_by_hand_says_what_it_is_for() {
    // Its input is not a host's, so it ends at once, having greeted.
    let run = Sandbox::new().command(["worker"]).output().unwrap();
    assert!(run.stdout.starts_with(b"npworker"), "{run:?}");
    assert_eq!(Sandbox::new().run(["worker", "x"]).code, Some(2));
}

/// What holds is printed, and what is missing is not a success.
#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn the_worker_says_what_confines_it() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(["worker", "--self-test"]);
    let lines: Vec<&str> = run.out.lines().collect();
    for name in ["system-call filter (seccomp)", "Landlock", "no capabilities", "own session"] {
        assert!(lines.iter().any(|line| line.contains(name)), "{name} in {}", run.out);
    }
    let missing = lines.iter().filter(|line| line.starts_with("missing ")).count();
    assert_eq!(run.code, Some(i32::from(missing > 0)), "{}", run.out);
    assert!(
        run.out.contains("limits   4294967296 bytes of memory, 120 s of CPU time"),
        "{}",
        run.out
    );
    // Where no worker starts, nothing holds.
    let mut command = sandbox.command(["worker", "--self-test"]);
    let run: Run = command.env("NEARPRINT_WORKER", "/no/such/worker").output().unwrap().into();
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("/no/such/worker") && run.out.is_empty(), "{}", run.err);
}

#[test]
fn hints_that_nothing_knows_are_wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.file("a", "words");
    for (arguments, part) in [
        (["--read", "charset=windows-1521"], "unknown charset"),
        (["--read", "media-type=image/png"], "application/pdf"),
        (["--limit", "sheets=3"], "pages"),
        (["--limit", "pages"], "expected pages=N"),
        (["--limit", "page=3"], "a similar value exists: 'pages'"),
        (["--limit", "input-bytes=3X"], "expected a whole number"),
        (["--read", "isolate=some"], "everything"),
    ] {
        let run = sandbox.run(["extract", arguments[0], arguments[1], "a"]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.contains(part), "{}", run.err);
    }
    let run = sandbox.run(["extract", "--read", "charset=koi8-r", "--limit", "pages=1K", "a"]);
    assert_eq!(run.expect_fine().out, "words\n");
}

#[test]
fn limits_are_set_by_name() {
    let sandbox = Sandbox::new();
    sandbox.file("page.html", "<p a=1 b=2 c=3>a few words</p>");
    for (limit, reason) in [
        ("text-bytes=3", "text-limit"),
        ("attributes=2", "attribute-limit"),
        ("depth=0", "too-deep"),
    ] {
        let run = sandbox.run(["extract", "--limit", limit, "page.html"]);
        assert_eq!(run.code, Some(1), "{limit}");
        assert!(run.err.starts_with(&format!("page.html: {reason}: ")), "{}", run.err);
    }
}
