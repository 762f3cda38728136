//! The bytes of a member of a package, with their digests.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use sha2::{Digest, Sha256};

use super::directory::Member;
use crate::expansion::{Damage, RATIO_FLOOR};
use crate::positioned_io::read_at;
use crate::{ReadSettings, ReasonCode, Sha256Digest};

/// A package that is open.
#[derive(Debug, Clone)]
pub(super) struct OpenPackage {
    pub(super) file: Arc<File>,
    /// Bytes of it.
    pub(super) length: u64,
    /// Expanded bytes for each byte of the package (<=), examined beyond [`RATIO_FLOOR`].
    pub(super) max_ratio: u64,
    /// Bytes that its members were expanded to so far, all together.
    pub(super) expanded: Arc<AtomicU64>,
    /// Where bytes that are read are counted.
    pub(super) read: Arc<AtomicU64>,
}

impl OpenPackage {
    /// A package that is expanded as far as settings allow; what is read of it is counted in `read`.
    pub(super) fn new(
        file: File,
        settings: &ReadSettings,
        read: Arc<AtomicU64>,
    ) -> io::Result<Self> {
        Ok(Self {
            length: file.metadata()?.len(),
            file: Arc::new(file),
            max_ratio: settings.max_ratio,
            expanded: Arc::default(),
            read,
        })
    }
}

/// A member while it is read.
pub(super) struct MemberReader {
    body: Body,
    package: OpenPackage,
    is_packed: bool,
    sums: Arc<Mutex<Sums>>,
}

enum Body {
    Stored(Stretch),
    Deflated(DeflateDecoder<BufReader<Stretch>>),
}

/// Bytes of a file from a place on.
struct Stretch {
    package: OpenPackage,
    at: u64,
    left: u64,
}

/// Digests of what was read of a member.
#[derive(Debug, Default)]
pub(super) struct Sums {
    length: u64,
    crc: Crc,
    sha256: Sha256,
    is_whole: bool,
}

/// The digests of a member that was read to its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MemberDigests {
    pub(super) length: u64,
    pub(super) crc: u32,
    pub(super) sha256: Sha256Digest,
}

impl MemberReader {
    /// Begins to read a member.
    pub(super) fn open(package: &OpenPackage, member: &Member) -> Result<Self, Damage> {
        if member.is_encrypted {
            return Err(Damage::new("the member is encrypted"));
        }
        let at = member.start(&package.file)?;
        let stretch = Stretch { package: package.clone(), at, left: member.packed };
        let body = match member.method {
            0 if member.size != member.packed => {
                return Err(Damage::new("the member is stored, but has two lengths"));
            }
            0 => Body::Stored(stretch),
            8 => Body::Deflated(DeflateDecoder::new(BufReader::new(stretch))),
            method => {
                let text =
                    format!("the member is compressed by method {method}; packages use 0 and 8");
                return Err(Damage::new(text));
            }
        };
        let is_packed = matches!(body, Body::Deflated(_));
        Ok(Self { body, package: package.clone(), is_packed, sums: Arc::default() })
    }

    /// The digests, which whoever hands the reader on has later.
    pub(super) fn sums(&self) -> Arc<Mutex<Sums>> {
        Arc::clone(&self.sums)
    }

    /// Reads to the end, for the digests.
    pub(super) fn digests(mut self) -> Result<MemberDigests, Damage> {
        let mut buffer = vec![0; 1 << 16];
        while self.read(&mut buffer)? > 0 {}
        whole(&self.sums).ok_or_else(|| Damage::new("the member is truncated"))
    }
}

/// The digests of a member, if it was read to its end.
pub(super) fn whole(sums: &Mutex<Sums>) -> Option<MemberDigests> {
    let sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
    sums.is_whole.then(|| MemberDigests {
        length: sums.length,
        crc: sums.crc.sum(),
        sha256: Sha256Digest(sums.sha256.clone().finalize().into()),
    })
}

impl Read for MemberReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.body {
            Body::Stored(stretch) => stretch.read(out)?,
            Body::Deflated(decoder) => decoder
                .read(out)
                .map_err(|error| Damage::new(format!("the member is damaged: {error}")))?,
        };
        if self.is_packed {
            let package = &self.package;
            let expanded = package.expanded.fetch_add(read as u64, Ordering::Relaxed) + read as u64;
            let most = RATIO_FLOOR.max(package.length.saturating_mul(package.max_ratio));
            if expanded > most {
                let detail = format!(
                    "the members of the package expand to more than {} times its length (max_ratio)",
                    package.max_ratio
                );
                return Err(Damage { reason: ReasonCode::EXPANSION_LIMIT, detail }.into());
            }
        }
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.length += read as u64;
        sums.crc.update(&out[..read]);
        sums.sha256.update(&out[..read]);
        sums.is_whole |= read == 0 && !out.is_empty();
        Ok(read)
    }
}

impl Read for Stretch {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let room = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if room == 0 {
            return Ok(0);
        }
        let read = read_at(&self.package.file, &mut out[..room], self.at)?;
        if read == 0 {
            return Err(Damage::new("the package is truncated").into());
        }
        self.package.read.fetch_add(read as u64, Ordering::Relaxed);
        (self.at, self.left) = (self.at + read as u64, self.left - read as u64);
        Ok(read)
    }
}
