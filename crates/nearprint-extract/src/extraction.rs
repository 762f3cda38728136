//! What an extraction is: the text and the record of how it was obtained.
//!
//! These values cross process boundaries (a worker sends them) and are printed by the command, so they
//! are plain data: no borrowed text, no handles.

/// What the caller already knows about a document, and which part of it is wanted; all optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hints {
    /// A charset label that came with the document, as in HTTP (`charset=` value); WHATWG labels are understood.
    /// Such labels are wrong now and then, so it loses to a byte order mark and to bytes that contradict it.
    pub charset: Option<String>,
    /// The charset of the document, whatever its bytes look like and whatever they or [`Self::charset`] say. The parts
    /// of packages and mail have labels of their own and are not affected.
    #[cfg_attr(feature = "serde", serde(default))]
    pub explicit_charset: Option<String>,
    /// A media type that overrules sniffing, e.g. `text/html`.
    pub media_type: Option<String>,
    /// The media type that the name of the document's file suggests
    /// ([`media_type_of_name`](crate::media_type_of_name)). It decides only where the content of a text is silent.
    #[cfg_attr(feature = "serde", serde(default))]
    pub named_type: Option<String>,
    /// The password of an encrypted document.
    pub password: Option<String>,
    /// Of HTML pages, only the main content ([`MainContent`]), where it can be told. Other media, and pages inside
    /// other documents, are not affected.
    #[cfg_attr(feature = "serde", serde(default))]
    pub main_content: bool,
    /// Of HTML pages with almost no words of their own, the menus, banners and notices, too: better than nothing for
    /// who reads the text, and no evidence for who compares it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub furniture: bool,
}

/// How the main content of a page was told, where [`Hints::main_content`] asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MainContent {
    /// It is the page's one `main` element.
    MainElement,
    /// It is the page's one article.
    ArticleElement,
    /// It is the smallest element with nearly all of the prose.
    DensestElement,
    /// It is the one element that is named as the body of an article.
    BodyElement,
    /// No element was trusted to be it: the text is that of the page without blocks that are named, or look, as if
    /// they are not content.
    RemainingBlocks,
    /// No element was trusted to be it: the text is that of the whole page, as without the setting.
    WholePage,
}

impl MainContent {
    /// Every way, in the order of their declaration.
    pub const ALL: [Self; 6] = [
        Self::MainElement,
        Self::ArticleElement,
        Self::DensestElement,
        Self::BodyElement,
        Self::RemainingBlocks,
        Self::WholePage,
    ];

    /// The code as written in records.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::MainElement => "main-element",
            Self::ArticleElement => "article-element",
            Self::DensestElement => "densest-element",
            Self::BodyElement => "body-element",
            Self::RemainingBlocks => "remaining-blocks",
            Self::WholePage => "whole-page",
        }
    }
}

/// The outcome of a successful extraction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extraction {
    /// The document's text in reading order; blocks are separated by newlines.
    pub text: String,
    /// How the text was obtained.
    pub record: ExtractionRecord,
}

/// How a text was obtained: everything but the text itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtractionRecord {
    /// The media type found (or forced by a hint), e.g. `application/pdf`.
    pub media_type: String,
    /// Compression layers that were undone, outermost first, e.g. `["gzip"]`.
    pub wrappers: Vec<String>,
    /// The charset the bytes were decoded from (WHATWG name), where there is one.
    pub charset: Option<String>,
    /// How the charset was found: `explicit`, `bom`, `hint`, `declaration`, `utf-8-valid`, `detected`.
    pub charset_source: Option<String>,
    /// Name of the extractor, e.g. `html`.
    pub extractor: String,
    /// Version of the extractor: changes whenever its output may change.
    pub extractor_version: u32,
    /// Number of pages, for paged media.
    pub pages: Option<u32>,
    /// Length of the text in Unicode code points.
    pub characters: u64,
    /// How the main content was told; none if it was not asked for, or the medium is not HTML.
    #[cfg_attr(feature = "serde", serde(default))]
    pub main_content: Option<MainContent>,
    /// SHA-256 of the bytes that were left when outer compression was undone; none if there was none to undo.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub unwrapped_sha256: Option<[u8; 32]>,
    /// Of an HTML page with almost no words of its own, SHA-256 of all its text, that of menus, banners and notices
    /// too: pages are identical only where this is the same.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub page_sha256: Option<[u8; 32]>,
    /// Everything worth knowing about the quality of the text.
    pub warnings: Vec<Warning>,
}

impl ExtractionRecord {
    /// Whether the text does not follow the standard's extraction profile ([16.5] of `spec/PROFILE.md`): a rule for
    /// main content or a fallback made it, or the document is damaged.
    #[must_use]
    pub fn is_outside_profile(&self) -> bool {
        let is_part = self.main_content.is_some_and(|found| found != MainContent::WholePage);
        is_part || self.warnings.iter().any(|warning| warning.code.is_outside_profile())
    }
}

/// One observation about the quality of an extraction. Codes are a closed list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Warning {
    /// The kind of observation.
    pub code: WarningCode,
    /// What was seen, for a person to read.
    pub detail: String,
}

/// The kinds of observations an extraction can record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WarningCode {
    /// Bytes invalid in the charset were replaced by U+FFFD.
    InvalidBytes,
    /// A declared charset was overruled by the bytes themselves.
    CharsetOverruled,
    /// Markup was damaged and the parser recovered.
    Recovered,
    /// Glyphs of a PDF have no Unicode mapping and were left out.
    GlyphsWithoutUnicode,
    /// Glyphs of a PDF have no Unicode mapping, and their names or codes tell what they are.
    GlyphsGuessed,
    /// Pages of a PDF are images without a layer of text.
    ImageOnly,
    /// A page or part of the document could not be read.
    PartUnreadable,
    /// Navigation was kept, because without it the page has almost no text.
    FurnitureKept,
    /// The page has almost no words of its own; its navigation was left out all the same.
    FewOwnWords,
    /// The page has almost no text until a script shows what is hidden, which was read.
    HiddenKept,
    /// The page has almost no text but what is for those without scripts, which was read.
    NoscriptKept,
    /// The page has almost no text but in its structured data, which was read.
    StructuredDataKept,
    /// References to entities that nothing here defines stand as their names; those to other files are left out.
    EntitiesUnknown,
    /// Parts of the document are in other files, which it names. They are not read.
    IncludesMissing,
    /// Pages of a PDF go back and forth between two columns of prose; whether they are to be read so is not told.
    OrderDoubtful,
    /// Fonts of a PDF claim to be Latin and draw other letters, most likely; the text has what they claim.
    LettersDoubtful,
    /// Less than a tenth of the letters that the document has outside its markup became text.
    LittleText,
    /// Translations of the document, which it holds as well, were left out.
    TranslationsOmitted,
    /// The document is in a vocabulary that the standard's extraction profile leaves open: xml2rfc or Linuxdoc.
    OutsideProfile,
}

impl WarningCode {
    /// Every code, in the order of their declaration.
    pub const ALL: [Self; 19] = [
        Self::InvalidBytes,
        Self::CharsetOverruled,
        Self::Recovered,
        Self::GlyphsWithoutUnicode,
        Self::GlyphsGuessed,
        Self::ImageOnly,
        Self::PartUnreadable,
        Self::FurnitureKept,
        Self::FewOwnWords,
        Self::HiddenKept,
        Self::NoscriptKept,
        Self::StructuredDataKept,
        Self::EntitiesUnknown,
        Self::IncludesMissing,
        Self::OrderDoubtful,
        Self::LettersDoubtful,
        Self::LittleText,
        Self::TranslationsOmitted,
        Self::OutsideProfile,
    ];

    /// Whether a text with this observation does not follow the extraction profile.
    fn is_outside_profile(self) -> bool {
        matches!(
            self,
            Self::Recovered
                | Self::PartUnreadable
                | Self::FurnitureKept
                | Self::HiddenKept
                | Self::NoscriptKept
                | Self::StructuredDataKept
                | Self::EntitiesUnknown
                | Self::IncludesMissing
                | Self::TranslationsOmitted
                | Self::OutsideProfile
        )
    }

    /// The code as written in records.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidBytes => "invalid-bytes",
            Self::CharsetOverruled => "charset-overruled",
            Self::Recovered => "recovered",
            Self::GlyphsWithoutUnicode => "glyphs-without-unicode",
            Self::GlyphsGuessed => "glyphs-guessed",
            Self::ImageOnly => "image-only",
            Self::PartUnreadable => "part-unreadable",
            Self::FurnitureKept => "furniture-kept",
            Self::FewOwnWords => "few-own-words",
            Self::HiddenKept => "hidden-kept",
            Self::NoscriptKept => "noscript-kept",
            Self::StructuredDataKept => "structured-data-kept",
            Self::EntitiesUnknown => "entities-unknown",
            Self::IncludesMissing => "includes-missing",
            Self::OrderDoubtful => "order-doubtful",
            Self::LettersDoubtful => "letters-doubtful",
            Self::LittleText => "little-text",
            Self::TranslationsOmitted => "translations-omitted",
            Self::OutsideProfile => "outside-profile",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code that is added to an enumeration and not to its list fails here.
    #[test]
    fn lists_are_whole() {
        for (index, code) in WarningCode::ALL.iter().enumerate() {
            assert_eq!((*code as usize, serde_json::json!(code)), (index, code.code().into()));
        }
        assert_eq!(WarningCode::OutsideProfile as usize + 1, WarningCode::ALL.len());
        for (index, way) in MainContent::ALL.iter().enumerate() {
            assert_eq!((*way as usize, serde_json::json!(way)), (index, way.code().into()));
        }
        assert_eq!(MainContent::WholePage as usize + 1, MainContent::ALL.len());
    }
}
