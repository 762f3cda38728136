//! Files of prints, of lines or binary, into a set.

use std::io::BufRead;

use nearprint_fingerprint::UnlikeSchemes;
use nearprint_records::{
    ErrorRecord, InterchangeError, InterchangeForm, InterchangeReader, Place, PrintFile,
    PrintFileError, PrintFormat, PrintReader, ReasonCode, escape, little_endian_print,
};

use super::{PrintSet, Prints, with_words};
use crate::Error;
use crate::store::id_list::IdList;

/// What was met in a file of prints.
#[derive(Debug)]
#[non_exhaustive]
pub enum PrintFileEvent {
    /// So many further prints.
    Prints(u64),
    /// A line that is none, or a file that is refused as a whole.
    Error(ErrorRecord),
}

impl PrintSet {
    /// Adds the prints of a file of prints that is called `name` in messages. In the format
    /// [`Nearprint`](PrintFormat::Nearprint) it may also be binary or one for interchange, which its first bytes say.
    /// `length` is its length in bytes where it is known.
    ///
    /// Of lines that are none `tell` hears, and reading goes on. Binary files and those for interchange are taken as a
    /// whole or refused as a whole. Reading goes at some GB/s where it is binary, at 10^7 lines in some seconds where
    /// it is text.
    ///
    /// # Errors
    /// Where prints are of another scheme than the set, or its file cannot be written.
    pub fn read(
        &mut self,
        name: &str,
        mut reader: impl BufRead,
        length: Option<u64>,
        format: PrintFormat,
        mut tell: impl FnMut(PrintFileEvent),
    ) -> Result<(), Error> {
        let head = match format {
            PrintFormat::Nearprint => reader.fill_buf().unwrap_or_default(),
            _ => &[],
        };
        if let Some(form) = InterchangeForm::of_beginning(head) {
            tell(match self.read_interchange(name, reader, form)? {
                Ok(added) => PrintFileEvent::Prints(added),
                Err(error) => refused(name, matches!(error, InterchangeError::Io(_)), &error),
            });
            return Ok(());
        }
        if PrintFile::<&[u8]>::is_begun_by(head) {
            let refused = |error| refused(name, matches!(error, PrintFileError::Io(_)), &error);
            match PrintFile::open(reader, length) {
                Ok(file) => {
                    UnlikeSchemes::check(self.scheme(), file.scheme())
                        .map_err(|unlike| of_other_scheme(name, &unlike))?;
                    match self.read_binary(name, file, length.is_some())? {
                        Ok(added) => tell(PrintFileEvent::Prints(added)),
                        Err(error) => tell(refused(error)),
                    }
                }
                Err(error) => tell(refused(error)),
            }
            return Ok(());
        }
        for line in PrintReader::new(name, reader, format) {
            match line {
                Ok(record) => {
                    self.push(&record.id, &record.fingerprint).map_err(|error| match error {
                        Error::UnlikeSchemes(unlike) => of_other_scheme(name, &unlike),
                        error => error,
                    })?;
                    // Those of a print before it that had none would be mistaken for its own.
                    if self.weak_bits.len() + 1 == self.len() {
                        self.weak_bits.extend(record.weak_bits);
                    }
                    self.note_short(record.short);
                    if let Some(extractor) = record.extractor {
                        self.note_extractor(extractor);
                    }
                    tell(PrintFileEvent::Prints(1));
                }
                Err(error) => tell(PrintFileEvent::Error(error)),
            }
        }
        Ok(())
    }

    fn read_interchange(
        &mut self,
        name: &str,
        reader: impl BufRead,
        form: InterchangeForm,
    ) -> Result<Result<u64, InterchangeError>, Error> {
        let mut rows = match InterchangeReader::open(reader, form) {
            Ok(rows) => rows,
            Err(error) => return Ok(Err(error)),
        };
        UnlikeSchemes::check(self.scheme(), rows.scheme())
            .map_err(|unlike| of_other_scheme(name, &unlike))?;
        let before = self.len();
        let (mut ids, mut short) = (IdList::default(), Vec::new());
        loop {
            let row = match rows.next_row() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    self.prints.truncate(before);
                    return Ok(Err(error));
                }
            };
            self.push_print(&row.fingerprint)?;
            match row.id {
                Some(id) => ids.push(&escape(&id)),
                None => ids.count(name),
            }
            short.push(row.short);
        }
        let added = ids.len();
        self.ids.append(ids);
        for (at, short) in short.into_iter().enumerate() {
            self.short.note(before + at, short);
        }
        Ok(Ok(added as u64))
    }

    fn read_binary(
        &mut self,
        name: &str,
        file: PrintFile<impl BufRead>,
        count_is_true: bool,
    ) -> Result<Result<u64, PrintFileError>, Error> {
        let (scheme, before) = (self.scheme, self.len());
        if count_is_true {
            let count = usize::try_from(file.count()).unwrap_or(0);
            with_words!(&mut self.prints, words => words.reserve_exact(count), else ());
        }
        let (prints, mut kept) = (&mut self.prints, Ok(()));
        let end = file.read(|piece| match &mut *prints {
            Prints::Words(words) => {
                words.extend(piece.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
            }
            Prints::Narrow(words) => {
                words.extend(piece.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
            }
            Prints::Wide(words) => {
                let chunks = piece.as_chunks::<16>().0;
                words.extend(chunks.iter().map(|word| u128::from_le_bytes(*word)));
            }
            Prints::Sketches(sketches) => {
                let taken = |bytes| little_endian_print(scheme, bytes)?.as_sketch().copied();
                let mut taken = piece.chunks(scheme.bytes()).filter_map(taken);
                if kept.is_ok() {
                    kept = taken.try_for_each(|sketch| sketches.push(sketch));
                }
            }
        });
        kept?;
        let end = match end {
            Ok(end) => end,
            Err(error) => {
                self.prints.truncate(before);
                return Ok(Err(error));
            }
        };
        let added = self.prints.len() - before;
        match end.ids {
            Some(ids) => self.ids.extend(ids),
            None => self.ids.number(name, added),
        }
        if let Some(marks) = end.short {
            (0..added).for_each(|at| self.short.note(before + at, marks.get(at)));
        }
        Ok(Ok(added as u64))
    }
}

impl Prints {
    fn len(&self) -> usize {
        match self {
            Self::Sketches(sketches) => sketches.len(),
            words => with_words!(words, words => words.len(), else 0),
        }
    }

    fn truncate(&mut self, length: usize) {
        match self {
            Self::Sketches(sketches) => sketches.truncate(length),
            words => with_words!(words, words => words.truncate(length), else ()),
        }
    }
}

/// A file that is refused as a whole.
fn refused(name: &str, is_unreadable: bool, error: &dyn std::error::Error) -> PrintFileEvent {
    let reason = if is_unreadable { ReasonCode::UNREADABLE } else { ReasonCode::BAD_FILE };
    let place = Place { file: name.into(), ..Place::default() };
    let detail = error.to_string().into();
    PrintFileEvent::Error(ErrorRecord { id: None, place, reason, detail })
}

fn of_other_scheme(file: &str, unlike: &UnlikeSchemes) -> Error {
    let (wanted, found) = (unlike.left(), unlike.right());
    Error::PrintsOfOtherScheme { file: file.to_owned(), found, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Fingerprint, Scheme};
    use nearprint_records::{
        DocumentId, InterchangeHeader, InterchangeRow, InterchangeWriter, PrintFileWriter,
    };

    fn binary(scheme: Scheme, prints: &[Fingerprint], with_ids: bool) -> Vec<u8> {
        let mut writer = PrintFileWriter::new(scheme, with_ids);
        for (number, print) in prints.iter().enumerate() {
            let short = Some(number == 1);
            writer.push(&DocumentId::new(format!("id {number}")).unwrap(), print, short).unwrap();
        }
        let mut bytes = Vec::new();
        writer.finish(&mut bytes).unwrap();
        bytes
    }

    fn read(set: &mut PrintSet, bytes: &[u8]) -> Result<Vec<String>, Error> {
        let mut errors = Vec::new();
        let length = Some(bytes.len() as u64);
        set.read("f", bytes, length, PrintFormat::Nearprint, |met| {
            if let PrintFileEvent::Error(error) = met {
                errors.push(format!("{}: {}: {}", error.place, error.reason, error.detail));
            }
        })?;
        Ok(errors)
    }

    #[test]
    fn binary_and_text_files_follow_one_another_in_a_set() {
        let sd1 = |word| Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        let prints = [sd1(5), sd1(9), sd1(5)];
        let mut set = PrintSet::new(Scheme::SD1);
        let text = format!("{}\tline\n{}\n", prints[0], prints[1]);
        for bytes in
            [binary(Scheme::SD1, &prints, true), text.into(), binary(Scheme::SD1, &prints, false)]
        {
            assert_eq!(read(&mut set, &bytes).unwrap(), [""; 0]);
        }
        let all: Vec<_> = (0..set.len()).map(|at| set.id(at).into_owned()).collect();
        assert_eq!(all, ["id 0", "id 1", "id 2", "line", "f:2", "f:1", "f:2", "f:3"]);
        let words: Vec<_> = (0..set.len()).map(|at| set.fingerprint(at).unwrap()).collect();
        assert_eq!(words[..3], prints);
        assert_eq!(words[5..], prints);
        let short: Vec<_> = (0..set.len()).map(|at| set.short(at)).collect();
        let binary = [false, true, false].map(Some);
        assert_eq!((&short[..3], &short[3..5]), (&binary[..], &[Some(false), None][..]));
        assert_eq!(short[5..], binary);
    }

    #[test]
    fn files_for_interchange_are_taken_as_a_whole() {
        let sd1 = |word| Fingerprint::from_u64(Scheme::SD1, word).unwrap();
        for form in [InterchangeForm::Lines, InterchangeForm::JsonLines] {
            let mut header = InterchangeHeader::of(Scheme::SD1);
            let mut bytes = Vec::new();
            for has_ids in [true, false] {
                if !has_ids {
                    header.push(InterchangeHeader::IDS, "none").unwrap();
                }
                bytes.clear();
                let mut writer = InterchangeWriter::new(&mut bytes, form, header.clone()).unwrap();
                for (word, short, id) in [(5, true, &b"a\xFFb"[..]), (9, false, b"second")] {
                    let id = has_ids.then(|| id.into());
                    writer.write(&InterchangeRow { fingerprint: sd1(word), short, id }).unwrap();
                }
                writer.finish().unwrap();
                let mut set = PrintSet::new(Scheme::SD1);
                let line = format!("{}\tline\n", sd1(1));
                assert_eq!(read(&mut set, line.as_bytes()).unwrap(), [""; 0]);
                // What is not whole adds nothing.
                let cut = &bytes[..bytes.len() - 2];
                let errors = read(&mut set, cut).unwrap();
                assert!(
                    errors[0].contains("bad-file") && errors[0].contains("truncated"),
                    "{errors:?}"
                );
                assert_eq!(set.len(), 1);
                assert_eq!(read(&mut set, &bytes).unwrap(), [""; 0]);
                assert_eq!(read(&mut set, line.as_bytes()).unwrap(), [""; 0]);
                let ids: Vec<_> = (0..set.len()).map(|at| set.id(at).into_owned()).collect();
                let [one, other] = if has_ids { ["a\\xffb", "second"] } else { ["f:1", "f:2"] };
                assert_eq!(ids, ["line", one, other, "line"]);
                let short: Vec<_> = (0..set.len()).map(|at| set.short(at)).collect();
                assert_eq!(short, [false, true, false, false].map(Some));
                assert_eq!(set.fingerprint(2).unwrap(), sd1(9));
                let refused = read(&mut PrintSet::new(Scheme::MD1), &bytes);
                assert!(matches!(refused, Err(Error::PrintsOfOtherScheme { .. })));
            }
        }
    }

    #[test]
    fn a_damaged_file_adds_nothing_and_another_scheme_is_an_error() {
        let sketch = Fingerprint::from_sketch(Scheme::MD1, [7; 128]).unwrap();
        let mut set = PrintSet::new(Scheme::MD1);
        let good = binary(Scheme::MD1, &[sketch.clone(), sketch.clone()], false);
        let mut damaged = good.clone();
        damaged[100] ^= 1;
        assert_eq!(read(&mut set, &good).unwrap(), [""; 0]);
        let errors = read(&mut set, &damaged).unwrap();
        assert!(errors[0].starts_with("f: bad-file: its checksum"), "{errors:?}");
        assert_eq!((set.len(), &*set.id(1), set.fingerprint(1).unwrap()), (2, "f:2", sketch));
        assert!(matches!(
            read(&mut PrintSet::new(Scheme::SD1), &good),
            Err(Error::PrintsOfOtherScheme { .. })
        ));
    }
}
