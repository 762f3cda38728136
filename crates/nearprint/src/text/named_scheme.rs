//! A scheme as people name it: by its id, by a declaration, or by files that hold a declaration or its table.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::ErrorKind;
use nearprint_fingerprint::{
    IdfDigest, IdfTable, IdfTableError, Scheme, StopDigest, StopWords, StopWordsError,
    UnknownScheme,
};
use nearprint_records::escape;

/// What stands before a table in a declaration, which it ends.
const TABLE: &str = ",idf=";

/// What stands before a stop list in a declaration.
const STOP: &str = ",stop=";

/// The longest file of a stop list: its words and as much of comments.
const LONGEST_STOP_LIST: u64 = 32 << 20;

/// The longest file of a declaration, in bytes.
const LONGEST_DECLARATION: u64 = 64 << 10;

/// The longest table: 2^26 entries of 12 bytes, and its head and end.
const LONGEST_TABLE: u64 = (12 << 26) + 1024;

/// The scheme of a name: an id such as `sd1`; a declaration such as `custom:words,log,lookup3,64`; or the path of a
/// file that holds one. In place of the digest of a table a declaration may name the table's file, `idf=FILE`, or both,
/// `idf=DIGEST@FILE`. Such a table is read, and known to this process from here on. In a file of a declaration, a table
/// is looked for beside that file. The same goes for a user's stop list, `stop=FILE` or `stop=DIGEST@FILE`: a text file
/// of words, in which lines that begin with `#` are comments; its path has no comma.
///
/// A file of a declaration is UTF-8; lines that begin with `#` and empty ones are passed over, and one line is left.
///
/// # Errors
/// Where there is no such scheme, a file cannot be read or is not a table, or the table has another digest or counts
/// other features.
///
/// ```
/// use nearprint::named_scheme;
///
/// assert_eq!(named_scheme("md1")?.bytes(), 256);
/// assert_eq!(named_scheme("custom:words,log,lookup3,32")?.bytes(), 4);
/// assert!(named_scheme("custom:words,log,lookup3,32,idf=no/such.idf").is_err());
/// # Ok::<(), nearprint::NamedSchemeError>(())
/// ```
pub fn named_scheme(name: &str) -> Result<Scheme, NamedSchemeError> {
    if name.starts_with("custom:") {
        return declared(name, Path::new(""));
    }
    let path = Path::new(name);
    match name.parse() {
        Ok(scheme) => Ok(scheme),
        Err(_) if path.is_file() => {
            let refused = |error| NamedSchemeError::File { path: path.to_owned(), error };
            let bytes = read(path, LONGEST_DECLARATION).map_err(refused)?;
            let text = String::from_utf8(bytes).unwrap_or_default();
            let mut lines = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'));
            match (lines.next(), lines.next()) {
                (Some(line), None) if line.starts_with("custom:") => {
                    declared(line, path.parent().unwrap_or(Path::new("")))
                }
                _ => Err(NamedSchemeError::NoDeclaration { path: path.to_owned() }),
            }
        }
        Err(error) => Err(NamedSchemeError::Unknown(error)),
    }
}

/// The schemes of a list of names separated by commas, such as `sd1,md1`. A declaration has commas of its own: it
/// stands alone.
///
/// # Errors
/// As [`named_scheme`].
pub fn named_schemes(names: &str) -> Result<Vec<Scheme>, NamedSchemeError> {
    if names.starts_with("custom:") || Path::new(names).is_file() {
        return named_scheme(names).map(|scheme| vec![scheme]);
    }
    names.split(',').map(named_scheme).collect()
}

/// Reads a table of inverse document frequencies from its file.
///
/// # Errors
/// Where the file cannot be read or is not a table.
pub fn read_idf_table(path: &Path) -> Result<IdfTable, NamedSchemeError> {
    let bytes = read(path, LONGEST_TABLE)
        .map_err(|error| NamedSchemeError::File { path: path.to_owned(), error })?;
    IdfTable::from_bytes(&bytes)
        .map_err(|error| NamedSchemeError::Table { path: path.to_owned(), error })
}

/// The scheme of a declaration, whose table, where it names a file, lies in `directory`.
fn declared(declaration: &str, directory: &Path) -> Result<Scheme, NamedSchemeError> {
    let (parts, table) = match declaration.split_once(TABLE) {
        Some((parts, table)) => (parts, Some(table)),
        None => (declaration, None),
    };
    let parts = with_stop_words(parts, directory)?;
    let table = match table {
        Some(table) if table.parse::<IdfDigest>().is_err() => table,
        Some(digest) => {
            let declaration = format!("{parts}{TABLE}{digest}");
            return declaration.parse().map_err(NamedSchemeError::Unknown);
        }
        None => return parts.parse().map_err(NamedSchemeError::Unknown),
    };
    let (wanted, file) = match table.split_once('@').map(|(digest, file)| (digest.parse(), file)) {
        Some((Ok(digest), file)) => (Some(digest), file),
        _ => (None, table),
    };
    // The parts are looked at first: the table of a misspelt scheme is not at fault.
    let scheme: Scheme = parts.parse().map_err(NamedSchemeError::Unknown)?;
    let path = directory.join(file);
    let refused = |error| NamedSchemeError::Table { path: path.clone(), error };
    let table = read_idf_table(&path)?;
    if let Some(wanted) = wanted.filter(|&wanted| wanted != table.digest()) {
        return Err(NamedSchemeError::OtherTable { path, wanted, found: table.digest() });
    }
    // What begins so is a custom scheme.
    let weighed = scheme.as_custom().map(|custom| custom.with_idf(&table)).transpose();
    let weighed = weighed.map_err(refused)?.map(|custom| custom.to_string()).unwrap_or_default();
    table.keep().map_err(refused)?;
    weighed.parse().map_err(NamedSchemeError::Unknown)
}

/// The parts of a declaration, with the digest of a stop list where they name its file in `directory`.
fn with_stop_words<'p>(parts: &'p str, directory: &Path) -> Result<Cow<'p, str>, NamedSchemeError> {
    let Some((before, rest)) = parts.split_once(STOP) else { return Ok(parts.into()) };
    let (named, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    let (wanted, file) = match named.split_once('@').map(|(digest, file)| (digest.parse(), file)) {
        Some((Ok(digest), file)) => (Some(digest), file),
        _ => (None, named),
    };
    let path = directory.join(file);
    // What neither looks like a path nor is one is refused as a list.
    let is_path = wanted.is_some() || file.contains(['/', '\\', '.']) || path.is_file();
    let is_list = file.len() == 2 || file.parse::<StopDigest>().is_ok();
    if !is_path || is_list && wanted.is_none() {
        return Ok(parts.into());
    }
    // The other parts are looked at first: they say what its words are.
    let scheme: Scheme = format!("{before}{after}").parse().map_err(NamedSchemeError::Unknown)?;
    let bytes = read(&path, LONGEST_STOP_LIST)
        .map_err(|error| NamedSchemeError::File { path: path.clone(), error })?;
    let refused = |error| NamedSchemeError::StopList { path: path.clone(), error };
    // What begins so is a custom scheme.
    let Some(custom) = scheme.as_custom() else { return Ok(parts.into()) };
    let words = StopWords::of(custom, &String::from_utf8_lossy(&bytes)).map_err(refused)?;
    if let Some(wanted) = wanted.filter(|&wanted| wanted != words.digest()) {
        return Err(NamedSchemeError::OtherStopList { path, wanted, found: words.digest() });
    }
    let digest = words.keep().map_err(refused)?;
    Ok(format!("{before}{STOP}{digest}{after}").into())
}

fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::other(format!("it has more than {longest} bytes")));
    }
    Ok(bytes)
}

/// Why a name is not a scheme.
#[derive(Debug)]
#[non_exhaustive]
pub enum NamedSchemeError {
    /// No id or declaration, and no file.
    Unknown(UnknownScheme),
    /// A file that cannot be read.
    File {
        /// It.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that holds no declaration, or more than one.
    NoDeclaration {
        /// It.
        path: PathBuf,
    },
    /// A file that is not a table, or one of other features.
    Table {
        /// It.
        path: PathBuf,
        /// What is wrong.
        error: IdfTableError,
    },
    /// A file that is not a stop list.
    StopList {
        /// It.
        path: PathBuf,
        /// What is wrong.
        error: StopWordsError,
    },
    /// A stop list of another digest than is named.
    OtherStopList {
        /// Its file.
        path: PathBuf,
        /// The digest named.
        wanted: StopDigest,
        /// Its own.
        found: StopDigest,
    },
    /// A table of another digest than is named.
    OtherTable {
        /// Its file.
        path: PathBuf,
        /// The digest named.
        wanted: IdfDigest,
        /// Its own.
        found: IdfDigest,
    },
}

impl fmt::Display for NamedSchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| escape(path.as_os_str().as_encoded_bytes());
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::File { path, error } => write!(f, "cannot read {}: {error}", name(path)),
            Self::NoDeclaration { path } => write!(
                f,
                "{} is not a declaration of a scheme, which is one line \
                    custom:FEATURES,WEIGHT,HASH,BITS (docs/SCHEMES.md) and comments that begin \
                    with #",
                name(path)
            ),
            Self::Table { path, error } => write!(f, "{}: {error}", name(path)),
            Self::StopList { path, error } => write!(f, "{}: {error}", name(path)),
            Self::OtherStopList { path, wanted, found } => write!(
                f,
                "{} is the stop list with digest {found}, but the scheme names {wanted}; give the \
                    file of that list, or omit the digest to use this one, which makes a \
                    different scheme",
                name(path)
            ),
            Self::OtherTable { path, wanted, found } => write!(
                f,
                "{} is the table with digest {found}, but the scheme names {wanted}; give the \
                    file of that table, or omit the digest to use this one, which makes a \
                    different scheme",
                name(path)
            ),
        }
    }
}

impl std::error::Error for NamedSchemeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unknown(error) => Some(error),
            Self::File { error, .. } => Some(error),
            Self::Table { error, .. } => Some(error),
            Self::StopList { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl NamedSchemeError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::File { .. } => ErrorKind::Io,
            _ => ErrorKind::InvalidInput,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_declarations_are_read_from_files() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let write = |name: &str, content: &[u8]| std::fs::write(path(name), content).unwrap();
        let words = "custom:words,tf,murmur3,64".parse().unwrap();
        let table = IdfTable::new(words, 9, 2, vec![(1, 3), (7, 9)]).unwrap();
        let digest = table.digest();
        write("a.idf", &table.to_bytes());
        write("other.idf", &IdfTable::new(words, 9, 2, Vec::new()).unwrap().to_bytes());
        write("cut.idf", &table.to_bytes()[..50]);
        let file = path("a.idf").display().to_string();
        let at = |name: &str| path(name).display().to_string();
        // The digest alone names nothing yet.
        let alone = format!("custom:words,tf,murmur3,64,idf={digest}");
        let error = named_scheme(&alone).unwrap_err().to_string();
        assert!(error.contains(&format!("idf={digest}@FILE")), "{error}");
        let wrong = format!("custom:words,tf,murmur3,64,idf={digest}@{}", at("other.idf"));
        assert!(matches!(named_scheme(&wrong), Err(NamedSchemeError::OtherTable { .. })));
        let cut = format!("custom:words,tf,murmur3,64,idf={}", at("cut.idf"));
        assert!(matches!(named_scheme(&cut), Err(NamedSchemeError::Table { .. })));
        let other = format!("custom:words,tf,lookup3,64,idf={file}");
        let error = named_scheme(&other).unwrap_err().to_string();
        assert!(error.contains("words,murmur3") && error.contains("words,lookup3"), "{error}");
        let scheme = named_scheme(&format!("custom:words,tf,murmur3,64,idf={file}")).unwrap();
        assert_eq!(scheme.name(), alone);
        assert_eq!(named_scheme(&alone).unwrap(), scheme);
        let both = format!("custom:words,tf,murmur3,64,idf={digest}@{file}");
        assert_eq!(named_scheme(&both).unwrap(), scheme);

        let several = named_schemes("sd1,MD1").unwrap();
        assert_eq!(several, [Scheme::SD1, Scheme::MD1]);
        assert_eq!(named_schemes(&both).unwrap(), [scheme]);
        for refused in ["", "sd1,", "sd1,sd2", "sd1, md1"] {
            assert!(named_schemes(refused).is_err(), "{refused:?}");
        }

        write("stop.txt", b"# Of all reports.\nat\nin\n");
        write("none.txt", b"1 2 3\n");
        let listed =
            named_scheme(&format!("custom:words,tf,murmur3,64,stop={},min=2", at("stop.txt")));
        let listed = listed.unwrap();
        let digest = StopWords::of(words, "in at").unwrap().digest();
        assert_eq!(listed.name(), format!("custom:words,tf,murmur3,64,stop={digest},min=2"));
        assert_eq!(named_scheme(listed.name()).unwrap(), listed);
        let both = format!("custom:words,tf,murmur3,64,stop={digest}@{},min=2", at("stop.txt"));
        assert_eq!(named_scheme(&both).unwrap(), listed);
        let other = format!("custom:words,tf,murmur3,64,stop={digest}@{}", at("declared"));
        assert!(matches!(named_scheme(&other), Err(NamedSchemeError::File { .. })));
        let none = format!("custom:words,tf,murmur3,64,stop={}", at("none.txt"));
        assert!(matches!(named_scheme(&none), Err(NamedSchemeError::StopList { .. })));
        write("more.txt", b"at\nin\non\n");
        let unlike = format!("custom:words,tf,murmur3,64,stop={digest}@{}", at("more.txt"));
        assert!(matches!(named_scheme(&unlike), Err(NamedSchemeError::OtherStopList { .. })));
        for unknown in ["xx", "english", "custom"] {
            let unknown = format!("custom:words,tf,murmur3,64,stop={unknown}");
            assert!(matches!(named_scheme(&unknown), Err(NamedSchemeError::Unknown(_))));
        }

        write("declared", b"# Of all reports.\n\ncustom:words,tf,murmur3,64,idf=a.idf\n");
        assert_eq!(named_scheme(&at("declared")).unwrap(), scheme);
        for (name, content) in [
            ("two", "custom:words,tf,lookup3,64\ncustom:words,tf,lookup3,32\n"),
            ("none", "# nothing\n"),
            ("id", "sd1\n"),
        ] {
            write(name, content.as_bytes());
            let refused = named_scheme(&at(name));
            assert!(matches!(refused, Err(NamedSchemeError::NoDeclaration { .. })), "{name}");
        }
        write("misspelt", b"custom:word,tf,lookup3,64\n");
        assert!(matches!(named_scheme(&at("misspelt")), Err(NamedSchemeError::Unknown(_))));
        assert!(matches!(named_scheme(&at("absent")), Err(NamedSchemeError::Unknown(_))));
    }
}
