//! A directory of its own for each test, and the command run in it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A new directory that is removed at the end.
pub(crate) struct Sandbox(tempfile::TempDir);

/// What a run of the command came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    /// `None` where a signal ended it.
    pub(crate) code: Option<i32>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("the system gives a directory"))
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with the directories it needs.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    /// Names in the directory, hidden ones too, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nearprint"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.command(arguments).output().expect("the command was built").into()
    }

    /// Runs the command with something on its standard input.
    pub(crate) fn run_with<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        input: &[u8],
    ) -> Run {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // The command may stop reading before the end; that is its business.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap().into()
        })
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            out: String::from_utf8(output.stdout).expect("everything written is UTF-8"),
            err: String::from_utf8(output.stderr).expect("everything said is UTF-8"),
            code: output.status.code(),
        }
    }
}

impl Run {
    /// The columns of its output, line by line.
    pub(crate) fn rows(&self) -> Vec<Vec<&str>> {
        self.out.lines().map(|line| line.split('\t').collect()).collect()
    }

    /// The last column of its output; the ids of fingerprints, which the mark of short ones may follow.
    pub(crate) fn ids(&self) -> Vec<&str> {
        let ids = self.out.lines().map(|line| line.strip_suffix("\tshort").unwrap_or(line));
        ids.map(|line| line.rsplit('\t').next().unwrap_or(line)).collect()
    }

    #[track_caller]
    pub(crate) fn expect_fine(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        self
    }
}
