//! A connection that measures how long the server takes, not how long this program does: an answer has come when the
//! system received it, however late it is read among those of thousands of other connections.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncWriteExt, Interest};
use tokio::net::TcpStream;

/// A connection to the server.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer of the server.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Seconds to wait, if the answer asks for that.
    pub(crate) retry: u64,
    /// From when the request was sent to when the system had received the last bytes of the answer.
    pub(crate) took: Duration,
}

/// The most bytes that are read at once.
const READ_BYTES: usize = 4096;

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        arrival::ask(&stream).expect("a socket");
        Self { stream, buffer: Vec::new() }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Answer {
        let sent = SystemTime::now();
        self.stream.write_all(bytes).await.expect("the server reads");
        self.buffer.clear();
        loop {
            let arrived = self.read().await.expect("the server answers");
            let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(&self.buffer[..end]).expect("a head");
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().expect("a number");
            if self.buffer.len() >= end + 4 + length {
                let retry = head.lines().find_map(|line| line.strip_prefix("retry-after: "));
                let retry = retry.map_or(0, |seconds| seconds.parse().expect("a number"));
                let status = head[9..12].parse().expect("a status");
                // The clock of the day may be set back meanwhile.
                let took = arrived.duration_since(sent).unwrap_or_default();
                return Answer { status, retry, took };
            }
        }
    }

    /// Reads what has arrived; returns when the last of it did.
    async fn read(&mut self) -> io::Result<SystemTime> {
        let mut bytes = [0; READ_BYTES];
        let stream = &self.stream;
        let (read, arrived) =
            stream.async_io(Interest::READABLE, || arrival::read(stream, &mut bytes)).await?;
        assert!(read > 0, "it hung up");
        self.buffer.extend_from_slice(&bytes[..read]);
        Ok(arrived)
    }

    /// The body of the last answer, and what is before it.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.buffer).into_owned()
    }
}

#[cfg(target_os = "linux")]
mod arrival {
    use std::io::{self, IoSliceMut};
    use std::os::fd::AsRawFd;
    use std::time::{Duration, SystemTime};

    use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
    use nix::sys::time::TimeSpec;
    use tokio::net::TcpStream;

    /// Asks the system to note when bytes arrive.
    pub(super) fn ask(stream: &TcpStream) -> io::Result<()> {
        Ok(setsockopt(stream, sockopt::ReceiveTimestampns, &true)?)
    }

    /// Reads bytes; returns how many, and when the last of them arrived.
    pub(super) fn read(stream: &TcpStream, bytes: &mut [u8]) -> io::Result<(usize, SystemTime)> {
        let mut control = nix::cmsg_space!(TimeSpec);
        let mut parts = [IoSliceMut::new(bytes)];
        let flags = MsgFlags::MSG_DONTWAIT;
        let read = recvmsg::<()>(stream.as_raw_fd(), &mut parts, Some(&mut control), flags)?;
        let arrived = read.cmsgs()?.find_map(|message| match message {
            ControlMessageOwned::ScmTimestampns(time) => Some(Duration::from(time)),
            _ => None,
        });
        let arrived = arrived.map_or_else(SystemTime::now, |time| SystemTime::UNIX_EPOCH + time);
        Ok((read.bytes, arrived))
    }
}

#[cfg(not(target_os = "linux"))]
mod arrival {
    use std::io;
    use std::time::SystemTime;

    use tokio::net::TcpStream;

    /// Other systems do not say when bytes arrived: when they are read has to do.
    pub(super) fn ask(_: &TcpStream) -> io::Result<()> {
        Ok(())
    }

    /// Reads bytes; returns how many, and when.
    pub(super) fn read(stream: &TcpStream, bytes: &mut [u8]) -> io::Result<(usize, SystemTime)> {
        Ok((stream.try_read(bytes)?, SystemTime::now()))
    }
}
