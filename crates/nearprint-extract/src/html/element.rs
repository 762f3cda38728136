//! The elements of HTML as far as text is concerned: what separates words, what holds no text of the
//! document, what closes what.

/// What an element does to the text in it and around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Part of a word: no separation.
    Inline,
    /// Inline, but never part of the text around it (`rt` beside its base, `script`).
    Dropped,
    /// Like [`Role::Dropped`], and its content is no markup.
    DroppedRaw,
    /// Stands on lines of its own.
    Block,
    /// A block whose line breaks count.
    Preformatted,
    /// A cell of a table.
    Cell,
    /// Ends the line; has no content.
    Break,
    /// Has no content and separates nothing.
    Void,
    /// Ends the document's markup: the rest is text.
    Plaintext,
    /// A landmark that is never part of the text (`nav`).
    Landmark,
    /// A landmark that belongs to the text inside an article (`header`, `footer`, `aside`).
    OuterLandmark,
    /// A form: kept only if it wraps the text of the page.
    Form,
}

macro_rules! elements {
    ($($kind:ident $role:ident: $($name:literal)+;)*) => {
        /// An element, as far as it matters here.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind { $($kind,)* }

        impl Kind {
            /// How many there are.
            pub(crate) const COUNT: usize = [$(stringify!($kind)),*].len();
        }

        fn look_up(name: &[u8]) -> (Kind, Role) {
            match name {
                $($($name => (Kind::$kind, Role::$role),)+)*
                // By the pitfall of the trade: what nobody knows separates words.
                _ => (Kind::Unknown, Role::Block),
            }
        }
    };
}

elements! {
    Unknown Block: b"unknown";
    Inline Inline: b"a" b"abbr" b"acronym" b"b" b"bdi" b"bdo" b"big" b"blink" b"cite" b"code" b"data" b"del"
        b"dfn" b"em" b"font" b"i" b"ins" b"kbd" b"label" b"mark" b"nobr" b"q" b"s" b"samp"
        b"small" b"span" b"strike" b"strong" b"sub" b"sup" b"time" b"tt" b"u" b"var" b"output"
        b"math" b"mi" b"mn" b"mo" b"ms" b"mtext" b"mrow" b"msup" b"msub" b"msubsup" b"mfrac" b"msqrt" b"mroot"
        b"mover" b"munder" b"munderover" b"mstyle" b"mpadded" b"menclose" b"mfenced" b"semantics";
    RubyBase Inline: b"ruby" b"rb";
    Ruby Dropped: b"rt" b"rp" b"rtc";
    Dropped Dropped: b"template" b"svg" b"annotation" b"annotation-xml" b"audio" b"video" b"canvas" b"button"
        b"datalist" b"select" b"progress" b"meter" b"dialog" b"menu" b"applet" b"map";
    Raw DroppedRaw: b"script" b"style" b"title" b"textarea" b"noscript" b"iframe" b"noembed" b"noframes";
    Void Void: b"area" b"base" b"basefont" b"bgsound" b"col" b"embed" b"frame" b"img" b"input" b"keygen"
        b"link" b"meta" b"param" b"source" b"track" b"wbr" b"mspace";
    Break Break: b"br" b"hr";
    Plaintext Plaintext: b"plaintext";
    Pre Preformatted: b"pre" b"listing" b"xmp";
    Heading Block: b"h1" b"h2" b"h3" b"h4" b"h5" b"h6";
    P Block: b"p";
    List Block: b"ul" b"ol" b"dir";
    Li Block: b"li";
    Dl Block: b"dl";
    Dt Block: b"dt" b"dd";
    Table Block: b"table";
    TableGroup Block: b"thead" b"tbody" b"tfoot" b"colgroup";
    Tr Block: b"tr";
    Cell Cell: b"td" b"th";
    Caption Block: b"caption";
    Article Block: b"article" b"main";
    Block Block: b"html" b"body" b"head" b"div" b"section" b"blockquote" b"address" b"figure" b"figcaption"
        b"details" b"summary" b"hgroup" b"center" b"fieldset" b"legend" b"search" b"object" b"optgroup"
        b"option" b"frameset" b"image";
    Nav Landmark: b"nav";
    Header OuterLandmark: b"header";
    Footer OuterLandmark: b"footer";
    Aside OuterLandmark: b"aside";
    Form Form: b"form";
}

/// The longest name that is looked up; longer ones are unknown.
const LONGEST: usize = 16;

/// What an element's name, in any case, stands for.
pub(crate) fn of(name: &str) -> (Kind, Role) {
    let mut lower = [0; LONGEST];
    let Some(slot) = lower.get_mut(..name.len()) else { return (Kind::Unknown, Role::Block) };
    for (to, from) in slot.iter_mut().zip(name.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    look_up(slot)
}

/// Whether the start of `kind` ends an open paragraph.
pub(crate) fn closes_paragraph(role: Role) -> bool {
    matches!(
        role,
        Role::Block | Role::Preformatted | Role::Landmark | Role::OuterLandmark | Role::Form
    )
}
