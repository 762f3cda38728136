//! Packages in a build without the feature `office`: known by the bytes of zip, and refused, whatever is in them.

#[cfg(feature = "markup")]
#[path = "package/flat.rs"]
mod flat;
#[cfg(feature = "markup")]
#[path = "package/roles.rs"]
mod roles;

#[cfg(feature = "markup")]
pub(crate) use self::flat::vocabulary as flat_vocabulary;

use crate::error::{ExtractError, not_compiled};
use crate::job::Job;
use crate::media::Media;
use crate::sniff::Signature;

/// Any of the media that are packages, as what is in a zip file is not looked at.
pub(crate) fn sniff(_: &[u8]) -> Signature {
    Signature::Media(Media::Epub)
}

/// Refuses a package.
pub(crate) fn refused(_: &[u8], _: &mut Job<'_>) -> Result<String, ExtractError> {
    Err(not_compiled("zip files: EPUB, OpenDocument and Office Open XML", "office"))
}

pub(crate) use refused as docx;
pub(crate) use refused as epub;
pub(crate) use refused as opendocument;
pub(crate) use refused as pptx;
pub(crate) use refused as xlsx;
