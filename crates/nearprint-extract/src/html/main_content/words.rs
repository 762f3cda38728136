//! What the names that pages give their elements say: classes, ids and property names, which are English or nearly so
//! on pages in every language.
//!
//! A word is one signal. It takes out a block only where the block holds little of the page's prose, and never nearly
//! all of it ([`super::blocks`]).

/// What the names of an element say, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Names(u16);

impl Names {
    /// Beside the content of pages of every kind: share bars, newsletters, cookie notices, related pages, menus.
    pub(super) const SIDE: Self = Self(1);
    /// Beside the text of an article: its author, its tags, what asks for gifts.
    pub(super) const ARTICLE_SIDE: Self = Self(1 << 1);
    /// The same, but only of blocks without prose.
    pub(super) const LABEL: Self = Self(1 << 2);
    /// Remarks of readers.
    pub(super) const COMMENT: Self = Self(1 << 3);
    /// Reviews of a product.
    pub(super) const REVIEW: Self = Self(1 << 4);
    /// The caption of a picture.
    pub(super) const CAPTION: Self = Self(1 << 5);
    /// Something quoted from another site, which is content though its name is that of a share bar.
    pub(super) const EMBEDDED: Self = Self(1 << 6);
    /// The text of an article, by a name.
    pub(super) const BODY: Self = Self(1 << 7);
    /// The text of an article, by schema.org.
    pub(super) const ARTICLE_BODY: Self = Self(1 << 8);
    /// The first of two words that together name the text of an article.
    const BODY_FIRST: Self = Self(1 << 9);
    /// The second.
    const BODY_SECOND: Self = Self(1 << 10);

    const NONE: Self = Self(0);

    /// Whether any of these is among them.
    pub(super) fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }

    pub(super) const fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// Those of the value of a `class`, `id` or `itemprop`.
    pub(super) fn of(value: &str) -> Self {
        let mut all = Self::NONE;
        for token in value.split_ascii_whitespace() {
            all = all.with(Self::of_token(token));
        }
        all
    }

    fn of_token(token: &str) -> Self {
        if token == "articleBody" {
            return Self::ARTICLE_BODY.with(Self::BODY);
        }
        let mut all = Self::NONE;
        let (mut count, mut before) = (0_usize, Self::NONE);
        // Two words name the text of an article where the token begins or ends with them.
        let (mut begins, mut ends) = (false, false);
        for word in Words(token.as_bytes()) {
            let found = word_names(word);
            ends = before.any(Self::BODY_FIRST) && found.any(Self::BODY_SECOND);
            count += 1;
            begins |= ends && count == 2;
            all = all.with(found);
            before = found;
        }
        if begins || ends { all.with(Self::BODY) } else { all }
    }
}

/// The words of a name: `postMeta`, `post-meta` and `post_meta` have two.
struct Words<'a>(&'a [u8]);

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(u8::is_ascii_alphabetic)?;
        let rest = &self.0[start..];
        let small = |at: usize| rest.get(at).is_some_and(u8::is_ascii_lowercase);
        let big = |at: usize| rest.get(at).is_some_and(u8::is_ascii_uppercase);
        let mut end = 1;
        if big(0) && !small(1) {
            // Of capitals in a row, the last begins the next word if small letters follow it.
            while big(end) && !small(end + 1) {
                end += 1;
            }
        } else {
            while small(end) {
                end += 1;
            }
        }
        self.0 = &rest[end..];
        Some(&rest[..end])
    }
}

/// The lengths of the words that begin with each letter, as a set: nearly all others are ruled out by it.
static LENGTHS: [u32; 26] = {
    let mut lengths = [0; 26];
    let mut row = 0;
    while row < WORDS.len() {
        let word = WORDS[row].0.as_bytes();
        lengths[(word[0] - b'a') as usize] |= 1 << word.len();
        row += 1;
    }
    lengths
};

fn word_names(word: &[u8]) -> Names {
    let first = usize::from((word[0] | 0x20) - b'a');
    if word.len() >= 32 || LENGTHS[first] & (1 << word.len()) == 0 {
        return Names::NONE;
    }
    let order = |known: &str| known.bytes().cmp(word.iter().map(u8::to_ascii_lowercase));
    WORDS.binary_search_by(|(known, _)| order(known)).map_or(Names::NONE, |row| WORDS[row].1)
}

const S: Names = Names::SIDE;
const A: Names = Names::ARTICLE_SIDE;
const L: Names = Names::LABEL;
const C: Names = Names::COMMENT;
const B: Names = Names::BODY;
const FIRST: Names = Names::BODY_FIRST;
const SECOND: Names = Names::BODY_SECOND;

/// The words that say something, in order.
static WORDS: &[(&str, Names)] = &[
    ("actions", A),
    ("ad", S),
    ("ads", S),
    ("advert", S),
    ("advertisement", S),
    ("advertising", S),
    ("alert", S),
    ("announcement", S),
    ("article", FIRST),
    ("articlebody", B),
    ("articlecontent", B),
    ("articlecopy", B),
    ("articletext", B),
    ("author", A),
    ("authors", A),
    ("avatar", A),
    ("bio", A),
    ("blog", FIRST),
    ("blogbody", B),
    ("blogcontent", B),
    ("body", SECOND),
    ("bodycopy", B),
    ("bodytext", B),
    ("breadcrumb", S),
    ("breadcrumbs", S),
    ("breaking", L),
    ("buttons", A),
    ("byline", A),
    ("bypostauthor", C),
    ("byuser", C),
    ("caption", Names::CAPTION),
    ("carousel", A),
    ("categories", L),
    ("category", L),
    ("comment", C),
    ("commentlist", C),
    ("comments", C),
    ("complementary", S),
    ("consent", S),
    ("content", SECOND),
    ("contentbody", B),
    ("cookie", S),
    ("cookies", S),
    ("copy", SECOND),
    ("copyright", S),
    ("credit", L),
    ("credits", L),
    ("cta", A),
    ("date", L),
    ("dateline", A),
    ("datetime", L),
    ("dek", A),
    ("disclaimer", S),
    ("discussion", C),
    ("disqus", C),
    ("donate", A),
    ("donation", A),
    ("dropdown", A),
    ("editor", L),
    ("embed", Names::EMBEDDED),
    ("embedded", Names::EMBEDDED),
    ("entry", FIRST),
    ("entrycontent", B),
    ("eyebrow", L),
    ("facebook", S),
    ("facets", S),
    ("filter", S),
    ("follow", A),
    ("footer", S),
    ("gdpr", S),
    ("headlines", L),
    ("keywords", L),
    ("kicker", L),
    ("latest", L),
    ("legal", S),
    ("licence", S),
    ("license", S),
    ("like", A),
    ("likes", A),
    ("linkedin", S),
    ("login", S),
    ("meta", A),
    ("metadata", A),
    ("modal", S),
    ("modified", L),
    ("more", L),
    ("news", FIRST),
    ("newsbody", B),
    ("newscontent", B),
    ("newsletter", S),
    ("newstext", B),
    ("next", L),
    ("outbrain", S),
    ("pager", S),
    ("pagination", S),
    ("paging", S),
    ("pinterest", S),
    ("popular", S),
    ("popup", S),
    ("post", FIRST),
    ("postbody", B),
    ("postcontent", B),
    ("postmeta", A),
    ("posttext", B),
    ("prev", A),
    ("previous", L),
    ("prevnext", A),
    ("promo", S),
    ("promotion", A),
    ("pubdate", L),
    ("published", L),
    ("quote", Names::EMBEDDED),
    ("reactions", S),
    ("readmore", L),
    ("recommendation", S),
    ("recommendations", S),
    ("recommended", S),
    ("related", S),
    ("replies", C),
    ("reply", C),
    ("report", S),
    ("respond", C),
    ("review", Names::REVIEW),
    ("reviews", Names::REVIEW),
    ("robots", A),
    ("share", S),
    ("sharedaddy", S),
    ("sharing", S),
    ("sidebar", S),
    ("signature", S),
    ("signin", S),
    ("signup", S),
    ("single", FIRST),
    ("singlecontent", B),
    ("skip", S),
    ("social", S),
    ("sort", S),
    ("sponsor", S),
    ("sponsored", S),
    ("sponsors", S),
    ("story", FIRST),
    ("storybody", B),
    ("storycontent", B),
    ("storytext", B),
    ("subscribe", S),
    ("subscription", S),
    ("taboola", S),
    ("tag", L),
    ("taglist", A),
    ("tags", A),
    ("taxonomy", A),
    ("teaser", A),
    ("teasers", A),
    ("text", SECOND),
    ("textbody", B),
    ("the", FIRST),
    ("thecontent", B),
    ("timestamp", L),
    ("toolbar", S),
    ("topic", L),
    ("topics", A),
    ("trending", S),
    ("tweet", Names::EMBEDDED),
    ("twitter", S),
    ("updated", L),
    ("vcard", A),
    ("views", L),
    ("vote", S),
    ("votes", S),
    ("whatsapp", S),
    ("wpd", C),
    ("wpdiscuz", C),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_are_read_by_their_words() {
        let words = |name: &str| {
            Words(name.as_bytes())
                .map(|word| String::from_utf8_lossy(word).to_ascii_lowercase())
                .collect::<Vec<_>>()
                .join(" ")
        };
        for (name, expected) in [
            ("post-meta", "post meta"),
            ("postMeta_2x", "post meta x"),
            ("HTMLBody", "html body"),
            ("BODY", "body"),
            ("wp-block__Ad", "wp block ad"),
            ("été", "t"),
            ("--", ""),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn what_names_say() {
        for (value, names) in [
            ("social-Share", Names::SIDE),
            ("commentList", Names::COMMENT),
            ("entry-content", Names::BODY),
            ("c-article-body", Names::BODY),
            ("article__text--wide", Names::BODY),
            ("x articleBody", Names::ARTICLE_BODY),
            ("tweet", Names::EMBEDDED),
        ] {
            assert!(Names::of(value).any(names), "{value}");
        }
        for value in ["", "shared", "content", "a-article-body-b", "article", "badge", "headline"] {
            let all = Names::SIDE.with(Names::COMMENT).with(Names::BODY);
            assert!(!Names::of(value).any(all), "{value}");
        }
    }
}
