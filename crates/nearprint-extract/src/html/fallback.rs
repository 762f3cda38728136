//! The text of pages that have almost none without scripts: what scripts would show, what those without scripts see,
//! and what structured data says, in this order. The first that adds as much as a page with few words may have is
//! taken, with a warning that names it. All of these are the page's own words: menus stay out.

use super::page::Page;
use super::tokenizer::Tokenizer;
use super::{
    Furniture, PageParts, PageText, SCANTY_BYTES, SCANTY_WORDS, Scripts, Syntax, structured_data,
    words,
};
use crate::error::ExtractError;
use crate::extraction::WarningCode;
use crate::job::Job;

/// Reads a page again of which `found` is almost nothing; `None` if there is not more.
pub(super) fn read<'a>(
    text: &'a str,
    syntax: Syntax,
    wanted: PageParts,
    found: &PageText<'a>,
    job: &mut Job<'_>,
) -> Result<Option<PageText<'a>>, ExtractError> {
    let again = [
        (
            found.unread.is_veiled,
            Scripts::Done,
            WarningCode::HiddenKept,
            "the page has almost no text until a script shows what is hidden; that was read",
        ),
        (
            found.unread.has_noscript,
            Scripts::Absent,
            WarningCode::NoscriptKept,
            "the page has almost no text but in noscript, which was read",
        ),
    ];
    for (is_there, scripts, code, detail) in again {
        if !is_there {
            continue;
        }
        let page = Page::new(syntax, Furniture::Dropped, wanted).with_scripts(scripts);
        let more = page.read(&mut Tokenizer::new(text), job)?;
        if is_much_more(&more.text, &found.text) {
            job.warn(code, detail);
            return Ok(Some(more));
        }
    }
    let Some(body) = structured_data::text(&found.unread.structured, job)? else { return Ok(None) };
    // Bodies of articles may have markup and references.
    let page = Page::new(Syntax::Html, Furniture::Dropped, PageParts::Text);
    let body = page.read(&mut Tokenizer::new(&body), job)?.text;
    if !is_much_more(&body, "") {
        return Ok(None);
    }
    job.warn(
        WarningCode::StructuredDataKept,
        "the page has almost no text but in its structured data (JSON-LD), which was read",
    );
    let text = [found.text.as_str(), &body].concat();
    job.limits.check_text(text.len())?;
    Ok(Some(PageText { text, outline: None, unread: super::Unread::default() }))
}

/// Whether a text has as much beyond another as a page needs, so that a notice about scripts is not enough.
fn is_much_more(text: &str, than: &str) -> bool {
    let wanted = words(than).count() + SCANTY_WORDS;
    words(text).take(wanted).count() == wanted || text.len() >= than.len() + SCANTY_BYTES
}

#[cfg(test)]
mod tests {
    use crate::extraction::{Hints, MainContent, WarningCode};
    use crate::html::html;
    use crate::job::Job;
    use crate::limits::Limits;

    /// The text of a page and the codes of its warnings.
    fn read(page: &str, main_content: bool) -> (String, Vec<WarningCode>, Option<MainContent>) {
        let (hints, limits) = (Hints { main_content, ..Hints::default() }, Limits::default());
        let mut job = Job::new(&hints, &limits);
        let text = html(page, &mut job).unwrap();
        (text, job.warnings.iter().map(|warning| warning.code).collect(), job.main_content)
    }

    fn prose() -> String {
        "the lamp is lit an hour before dusk by the keeper. ".repeat(4)
    }

    #[test]
    fn pages_that_scripts_fill_are_read_by_what_they_have_without_scripts() {
        let prose = prose();
        let data =
            |json: &str| format!("<h1>Lamp</h1><script type='application/ld+json'>{json}</script>");
        let menu = "<nav>menu menu menu</nav>";
        for (page, code) in [
            (
                format!("<h1>Lamp</h1><noscript>{menu}<p>{prose}</noscript>"),
                WarningCode::NoscriptKept,
            ),
            (
                format!("<h1>Lamp</h1><div hidden id='S:1f'>{menu}<p>{prose}</div>"),
                WarningCode::HiddenKept,
            ),
            (
                format!("<body style='margin:0; visibility: hidden'><h1>Lamp</h1>{menu}<p>{prose}"),
                WarningCode::HiddenKept,
            ),
            (
                data(&format!(r#"{{"@type":"NewsArticle","articleBody":"<p>{prose}\u003Cp>"}}"#)),
                WarningCode::StructuredDataKept,
            ),
            (
                data(&format!(r#"{{"@type":"Product","description":"{prose}"}}"#)),
                WarningCode::StructuredDataKept,
            ),
        ] {
            let (text, codes, _) = read(&page, false);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&text), words(&format!("Lamp {prose}")), "{page}");
            assert_eq!(codes, [code], "{page}");
        }
    }

    #[test]
    fn main_content_is_chosen_of_what_was_read_then() {
        let page = format!("<noscript><p>aside</p><article><p>{}</article></noscript>", prose());
        let (text, codes, chosen) = read(&page, true);
        assert!(text.starts_with("the lamp"), "{text}");
        assert_eq!(
            (codes, chosen),
            (vec![WarningCode::NoscriptKept], Some(MainContent::ArticleElement))
        );
    }

    #[test]
    fn what_stays_hidden_and_notices_are_not_read() {
        let prose = prose();
        let other = prose.replace("lamp", "storm");
        for page in [
            format!("<h1>Lamp</h1><p style='display:none; visibility:hidden'>{other}"),
            format!("<h1>Lamp</h1><p hidden>{other}"),
            format!("<h1>Lamp</h1><div hidden id='S:x'>{other}"),
            format!("<h1>Lamp</h1><div role=menu style='visibility:hidden'>{other}</div>"),
            format!("<h1>Lamp</h1><b style='visibility:hidden'>{other}</b>"),
            "<h1>Lamp</h1><noscript>Enable storm to run this application, please.</noscript>"
                .into(),
            format!("<h1>Lamp</h1><template><noscript>{other}</noscript></template>"),
            format!(
                "<h1>Lamp</h1><script type='text/json'>{{\"articleBody\":\"{other}\"}}</script>"
            ),
            format!("<h1>Lamp</h1><p>{prose}</p><noscript>{other}</noscript>"),
            format!("<h1>Lamp</h1><p>{prose}</p><div hidden id='S:0'>{other}</div>"),
        ] {
            let (text, codes, _) = read(&page, false);
            assert!(text.contains("Lamp") && !text.contains("storm"), "{page}: {text}");
            let kept = [
                WarningCode::HiddenKept,
                WarningCode::NoscriptKept,
                WarningCode::StructuredDataKept,
            ];
            assert!(!codes.iter().any(|code| kept.contains(code)), "{page}: {codes:?}");
        }
    }
}
