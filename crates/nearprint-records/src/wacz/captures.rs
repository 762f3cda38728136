//! The captures in a package: those of each of its WARC files, and what is wrong with the package.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use super::directory::{Member, members};
use super::is_archive;
use super::manifest::{
    MANIFEST, MANIFEST_DIGEST, Manifest, Resource, StatedDigest, read_description, stated_digest,
};
use super::member_reader::{MemberDigests, MemberReader, OpenPackage, Sums, whole};
use crate::archive::{Archive, CaptureLinks};
use crate::expansion::{Compression, Damage, Expansion, Raw};
use crate::{
    Container, Document, ErrorRecord, InputFile, Place, ReadSettings, ReasonCode, RecordCounter,
    Source, escape,
};

/// The captures of a package, or why there are none.
pub(crate) fn captures(
    file: InputFile,
    settings: &ReadSettings,
    counts: &RecordCounter,
) -> Box<dyn Source> {
    let place = file.place().clone();
    let captures = file
        .into_file(settings)
        .map_err(Damage::from)
        .and_then(|(place, file, read)| PackageCaptures::open(place, file, read, settings, counts));
    match captures {
        Ok(captures) => Box::new(captures),
        Err(Damage { reason, detail }) => {
            let error = ErrorRecord { id: None, place, reason, detail: detail.into() };
            Box::new(std::iter::once(Err(error)))
        }
    }
}

/// The captures of a package.
pub(super) struct PackageCaptures {
    place: Place,
    package: OpenPackage,
    settings: ReadSettings,
    counts: RecordCounter,
    pub(super) manifest: Manifest,
    /// Members that were not read yet.
    members: VecDeque<Member>,
    archive: Option<OpenArchive>,
    pub(super) links: CaptureLinks,
    /// What is wrong and not yet reported.
    problems: VecDeque<ErrorRecord>,
    has_ended: bool,
}

/// A WARC file of the package while it is read.
struct OpenArchive {
    archive: Archive,
    member: Member,
    sums: Arc<Mutex<Sums>>,
}

impl PackageCaptures {
    fn open(
        place: Place,
        file: File,
        read: Arc<AtomicU64>,
        settings: &ReadSettings,
        counts: &RecordCounter,
    ) -> Result<Self, Damage> {
        let package = OpenPackage::new(file, settings, read)?;
        let members = members(&package.file, package.length)?;
        let mut captures = Self {
            place,
            package,
            settings: settings.clone(),
            counts: counts.clone(),
            manifest: Manifest::default(),
            members: VecDeque::new(),
            archive: None,
            links: CaptureLinks::default(),
            problems: VecDeque::new(),
            has_ended: false,
        };
        captures.take_manifest(&members);
        captures.check_contents(&members);
        captures.members = members.into();
        Ok(captures)
    }

    /// Notes what is wrong with a member.
    pub(super) fn problem(
        &mut self,
        member: &str,
        reason: ReasonCode,
        detail: impl Into<Box<str>>,
    ) {
        let member = Some(escape(member.as_bytes()).into());
        let place = Place { member, ..self.place.clone() };
        self.problems.push_back(ErrorRecord { id: None, place, reason, detail: detail.into() });
    }

    /// Reads what the package says of itself.
    fn take_manifest(&mut self, members: &[Member]) {
        let find = |name: &str| members.iter().find(|member| member.name == name);
        let Some(member) = find(MANIFEST) else {
            self.manifest.missing.push(MANIFEST.to_owned());
            return;
        };
        let bytes = match read_description(&self.package, member) {
            Ok(bytes) => bytes,
            Err(Damage { reason, detail }) => return self.problem(MANIFEST, reason, detail),
        };
        match Manifest::parse(&bytes) {
            Ok(manifest) => self.manifest = manifest,
            Err(error) => {
                let text = format!("the description of the package cannot be read: {error}");
                self.problem(MANIFEST, ReasonCode::DAMAGED, text);
            }
        }
        let Some(member) = find(MANIFEST_DIGEST) else { return };
        match read_description(&self.package, member) {
            Ok(bytes) => {
                let digest = stated_digest(&bytes).map(|(digest, _)| digest).unwrap_or_default();
                self.manifest
                    .resources
                    .insert(MANIFEST.to_owned(), Resource { digest, bytes: None });
            }
            Err(Damage { reason, detail }) => self.problem(MANIFEST_DIGEST, reason, detail),
        }
    }

    /// Begins the next member; false if there is none.
    fn go_on_with_members(&mut self) -> bool {
        let Some(member) = self.members.pop_front() else { return false };
        if is_archive(&member.name) {
            match self.archive(&member) {
                Ok((archive, sums)) => self.archive = Some(OpenArchive { archive, member, sums }),
                Err(Damage { reason, detail }) => self.problem(&member.name, reason, detail),
            }
        } else if self.manifest.resources.contains_key(&member.name) {
            self.check_digests(&member, None);
        }
        true
    }

    /// A member as a WARC file.
    fn archive(&mut self, member: &Member) -> Result<(Archive, Arc<Mutex<Sums>>), Damage> {
        let reader = MemberReader::open(&self.package, member)?;
        let sums = reader.sums();
        let mut raw = Raw::new(Box::new(reader));
        let mut settings = self.settings.clone();
        let longest = settings.longest_expanded(self.package.length);
        if raw.peek(8).is_ok_and(|head| Compression::sniff(head).is_some()) {
            settings.max_bytes = longest;
        }
        let stream = Expansion::new(raw, settings.max_ratio).with_work(settings.max_work_per_byte);
        let place =
            Place { member: Some(escape(member.name.as_bytes()).into()), ..self.place.clone() };
        let archive = Archive::new(place, stream, Container::Warc, settings, self.counts.clone());
        let links = std::mem::take(&mut self.links);
        Ok((archive.with_bodies_of(longest).noting_links(links), sums))
    }

    /// Leaves a WARC file that was read.
    fn leave(&mut self, open: OpenArchive) {
        let OpenArchive { mut archive, member, sums } = open;
        self.links = archive.take_links().unwrap_or_default();
        // It reads on in its own buffer, which is dropped with it.
        drop(archive);
        self.check_digests(&member, whole(&sums));
    }

    /// Compares the digests of a member with those stated, reading it if it was not read to its end.
    fn check_digests(&mut self, member: &Member, found: Option<MemberDigests>) {
        let found = match found {
            Some(found) => Ok(found),
            None => MemberReader::open(&self.package, member).and_then(MemberReader::digests),
        };
        let found = match found {
            Ok(found) => found,
            Err(Damage { reason, detail }) => return self.problem(&member.name, reason, detail),
        };
        let stated = self.manifest.resources.get(&member.name).cloned().unwrap_or_default();
        let wrong = if found.crc != member.crc || found.length != member.size {
            "the member does not match the checksum and length in the directory of the package"
        } else if matches!(&stated.digest, StatedDigest::Sha256(digest) if *digest != found.sha256)
        {
            "the member does not have the SHA-256 digest that the package states"
        } else if stated.digest == StatedDigest::Malformed {
            "the digest that the package states is not one"
        } else if stated.bytes.is_some_and(|bytes| bytes != found.length) {
            "the member does not have the length that the package states"
        } else {
            return;
        };
        self.problem(&member.name, ReasonCode::DAMAGED, wrong);
    }
}

impl Source for PackageCaptures {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        loop {
            if let Some(problem) = self.problems.pop_front() {
                return Some(Err(problem));
            }
            if let Some(mut open) = self.archive.take() {
                if let Some(found) = open.archive.next_document() {
                    self.archive = Some(open);
                    return Some(found);
                }
                self.leave(open);
            } else if !self.go_on_with_members() {
                if self.has_ended {
                    return None;
                }
                self.has_ended = true;
                self.check_links();
            }
        }
    }
}
