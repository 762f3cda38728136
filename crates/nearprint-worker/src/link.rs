//! The two streams between host and worker, as the host holds them.
//!
//! On Unix they are one pair of sockets and not two pipes: writing to a pipe whose reader has died raises
//! SIGPIPE, which ends every host that has set it to its default, as command-line programs do. Writing to a socket
//! of the standard library is an error and no signal.

use std::io::{self, IoSlice, Read, Write};
use std::process::{Child, Command};

#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::net::UnixStream};

/// The host's end.
#[derive(Debug)]
pub(crate) struct Link {
    #[cfg(unix)]
    stream: UnixStream,
    #[cfg(not(unix))]
    input: std::process::ChildStdout,
    #[cfg(not(unix))]
    output: std::process::ChildStdin,
}

impl Link {
    /// Starts `command` with the other end as its standard input and output.
    #[cfg(unix)]
    pub(crate) fn spawn(mut command: Command) -> io::Result<(Child, Self)> {
        let (stream, theirs) = UnixStream::pair()?;
        command.stdin(OwnedFd::from(theirs.try_clone()?)).stdout(OwnedFd::from(theirs));
        let child = command.spawn()?;
        // `command` goes here and its copies of the other end with it: from now on the worker's death is the end
        // of the stream.
        Ok((child, Self { stream }))
    }

    /// Starts `command` with the other end as its standard input and output.
    #[cfg(not(unix))]
    pub(crate) fn spawn(mut command: Command) -> io::Result<(Child, Self)> {
        use std::process::Stdio;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("a stream that was asked for is missing");
        let output = child.stdin.take().ok_or_else(missing)?;
        let input = child.stdout.take().ok_or_else(missing)?;
        Ok((child, Self { input, output }))
    }
}

#[cfg(unix)]
impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

#[cfg(unix)]
impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.stream.write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(not(unix))]
impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

#[cfg(not(unix))]
impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.output.write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
