//! What a page says of itself: an article, a discussion, a product. By schema.org's types (JSON-LD and microdata) and
//! by `og:type`, which are the same in every language.

use super::super::tokenizer::Tag;

/// What a page is, as far as it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    Article,
    /// A thread of a forum: what readers say is the content.
    Discussion,
    Product,
    /// All that do not say: lists, services, documentation, and articles of old.
    Other,
}

/// The types that a page names, as they are met.
#[derive(Debug, Default)]
pub(super) struct PageTypes {
    is_discussion: bool,
    is_product: bool,
    is_article: bool,
    /// The first `og:type`.
    open_graph: Option<OpenGraphType>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenGraphType {
    Article,
    Product,
    Forum,
    Other,
}

impl PageTypes {
    /// A type of schema.org, by name or by address.
    pub(super) fn add(&mut self, name: &str) {
        let name = name.rsplit(['/', '#']).next().unwrap_or(name).trim_end();
        self.is_discussion |= matches!(name, "DiscussionForumPosting" | "QAPage");
        self.is_product |= name == "Product";
        self.is_article |= name.ends_with("Article") || name.ends_with("BlogPosting");
    }

    /// A `meta` element.
    pub(super) fn meta(&mut self, tag: Tag<'_>) {
        if self.open_graph.is_some() || !tag.attributes().any(|(_, value)| value == "og:type") {
            return;
        }
        let content = tag.attributes().find(|(name, _)| name.eq_ignore_ascii_case("content"));
        let Some((_, content)) = content else { return };
        let content = content.trim();
        let begins = |with: &str| {
            content.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with))
        };
        self.open_graph = Some(if content.eq_ignore_ascii_case("article") {
            OpenGraphType::Article
        } else if content.eq_ignore_ascii_case("forum") {
            OpenGraphType::Forum
        } else if begins("product") {
            OpenGraphType::Product
        } else {
            OpenGraphType::Other
        });
    }

    /// The types in structured data (JSON-LD): the strings that follow a name `"@type"`.
    pub(super) fn structured(&mut self, json: &str) {
        let mut pieces = json.split("\"@type\"");
        pieces.next();
        for piece in pieces {
            let Some(value) = piece.trim_start().strip_prefix(':') else { continue };
            let value = value.trim_start();
            let (list, ends) = match value.strip_prefix('[') {
                Some(list) => (list, ']'),
                None => (value, ','),
            };
            let list = list.split(ends).next().unwrap_or("");
            // Every second piece is within quotation marks; a single type is the first.
            let strings = list.split('"').skip(1).step_by(2);
            let most = if ends == ']' { usize::MAX } else { 1 };
            strings.take(most).for_each(|name| self.add(name));
        }
    }

    pub(super) fn kind(&self) -> PageKind {
        let is_article = self.open_graph == Some(OpenGraphType::Article);
        if self.is_discussion || self.open_graph == Some(OpenGraphType::Forum) {
            PageKind::Discussion
        } else if self.open_graph == Some(OpenGraphType::Product)
            || (self.is_product && !is_article)
        {
            PageKind::Product
        } else if is_article || self.is_article {
            PageKind::Article
        } else {
            PageKind::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_structured_data_are_found() {
        for (json, kind) in [
            (r#"{"@type":"NewsArticle"}"#, PageKind::Article),
            (
                r#"{"@graph":[{"@type" : "WebPage"},{"@type":["Thing", "BlogPosting"]}]}"#,
                PageKind::Article,
            ),
            (r#"{"@type":"https://schema.org/QAPage"}"#, PageKind::Discussion),
            (r#"{"@type":"Product","name":"NewsArticle"}"#, PageKind::Product),
            (r#"{"@type":"Offer","name":"Product"}"#, PageKind::Other),
            (r#"{"@type":"#, PageKind::Other),
            (r#"{"@type":["#, PageKind::Other),
            ("", PageKind::Other),
        ] {
            let mut types = PageTypes::default();
            types.structured(json);
            assert_eq!(types.kind(), kind, "{json}");
        }
    }
}
