//! Packages of web archives without the captures that are dropped, or with revisits in their place.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use nearprint_records::{
    DecisionRow, Format, PackageArchive, PackageCopy, Place, ReadSettings, RowWriter, copy_package,
    copy_without, mixed_compression,
};

use super::super::{Decisions, DedupDocuments};
use super::FileOf;
use super::writer::WriteWatch;

/// The member that has the decisions about a package's captures, as JSON lines. Validators of packages take what is
/// called `.jsonl` for a table, whose rows must all have the same fields.
const DECISIONS: &str = "nearprint/decisions.txt";

/// Records that are left out of the WARC files of a package.
#[derive(Debug, Default)]
pub(crate) struct DroppedCaptures {
    /// Their stretches, by members.
    members: HashMap<Box<str>, Vec<Range<u64>>>,
}

impl DroppedCaptures {
    /// Takes the place of one; those of a member come in their order.
    pub(crate) fn push(&mut self, place: &Place) -> io::Result<()> {
        let (Some(member), Some(start), Some(length)) = (&place.member, place.offset, place.length)
        else {
            return Ok(());
        };
        if place.wrapper.is_some() {
            return Err(mixed_compression());
        }
        self.members.entry(member.clone()).or_default().push(start..start + length);
        Ok(())
    }

    /// Writes a WARC file without them, and gives their stretches; `None` if it has none of them.
    pub(crate) fn copy(
        &mut self,
        archive: PackageArchive<'_>,
        to: &mut (dyn Write + Send),
    ) -> io::Result<Option<Vec<Range<u64>>>> {
        let Some(stretches) = self.members.remove(archive.member) else { return Ok(None) };
        copy_without(archive.path, None, stretches.iter().cloned().map(Ok), to)?;
        Ok(Some(stretches))
    }
}

impl Decisions {
    /// Whether something of a package changes.
    pub(super) fn changes_package(&self, gathered: &mut DedupDocuments, file: &FileOf) -> bool {
        file.is_package
            && (self.revisits().is_some_and(|revisits| revisits.has_package(&file.name))
                || file.documents.clone().any(|document| !self.keeps(gathered, document)))
    }

    /// Writes a package with the decisions about its captures in it.
    pub(super) fn write_package(
        &self,
        gathered: &mut DedupDocuments,
        (file, path): (&FileOf, &Path),
        (watch, reading): (&WriteWatch<'_>, &ReadSettings),
        to: &mut (dyn Write + Send),
    ) -> io::Result<PackageCopy> {
        let mut dropped = DroppedCaptures::default();
        for document in file.documents.clone() {
            if !self.keeps(gathered, document) {
                dropped.push(&gathered.log.get(document)?.place)?;
            }
        }
        let mut write_decisions = |out: &mut dyn Write| {
            let mut rows = RowWriter::of::<DecisionRow>(Format::Jsonl, out);
            for document in file.documents.clone() {
                rows.write(&self.row(gathered, document).map_err(io::Error::other)?)?;
            }
            rows.finish().map(drop)
        };
        let addition = Some((DECISIONS, &mut write_decisions as _));
        let rewrite = |archive: PackageArchive<'_>, to: &mut (dyn Write + Send)| {
            let mut to = watch.on(to);
            let written = self
                .revisits()
                .and_then(|revisits| revisits.write_member(&file.name, archive, &mut to));
            match written {
                Some(written) => written.map(|_| Some(Vec::new())),
                None => dropped.copy(archive, &mut to),
            }
        };
        copy_package(path, reading, addition, rewrite, to)
    }
}
