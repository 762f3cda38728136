//! A file as the body of an answer: read piece by piece, each when the client has taken the one before.

use std::fs::File;
use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::task::JoinHandle;

/// Bytes of a piece.
const PIECE: usize = 256 << 10;

type Piece = io::Result<(File, Vec<u8>)>;

/// A file of a known length.
pub(crate) struct FileBody {
    file: Option<File>,
    reading: Option<JoinHandle<Piece>>,
    left: u64,
}

impl FileBody {
    /// The first `length` bytes of a file.
    pub(crate) fn new(file: File, length: u64) -> Self {
        Self { file: Some(file), reading: None, left: length }
    }
}

fn read(mut file: File, most: u64) -> Piece {
    let mut bytes = Vec::with_capacity(PIECE.min(usize::try_from(most).unwrap_or(PIECE)));
    Read::by_ref(&mut file).take(most.min(PIECE as u64)).read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if let Some(file) = self.file.take() {
            let most = self.left;
            self.reading = Some(tokio::task::spawn_blocking(move || read(file, most)));
        }
        let Some(reading) = &mut self.reading else { return Poll::Ready(None) };
        let piece = ready!(Pin::new(reading).poll(context));
        self.reading = None;
        match piece.map_err(io::Error::other).flatten() {
            Ok((_, bytes)) if bytes.is_empty() => {
                Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())))
            }
            Ok((file, bytes)) => {
                self.left -= bytes.len() as u64;
                self.file = Some(file);
                Poll::Ready(Some(Ok(Frame::data(bytes.into()))))
            }
            Err(error) => Poll::Ready(Some(Err(error))),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
