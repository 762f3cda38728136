//! The elements of HTML as far as text is concerned: what separates words, what holds no text of the
//! document, what closes what.

/// What an element does to the text in it and around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Part of a word: no separation.
    Inline,
    /// Inline, but never part of the text around it (`rt` beside its base, `script`).
    Dropped,
    /// Like [`Role::Dropped`], and its content is not markup.
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
    ($($kind:ident $role:ident: $($name:literal)*;)*) => {
        /// What an element is, as far as it matters here. Several names may be of one kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Kind { $($kind,)* }

        impl Kind {
            /// How many there are.
            pub(crate) const COUNT: usize = [$(stringify!($kind)),*].len();
        }

        /// The names that are known, in lower case.
        const ROWS: &[(&str, Kind, Role)] = &[$($(($name, Kind::$kind, Role::$role),)*)*];
    };
}

elements! {
    Unknown Block: ;
    Inline Inline: "a" "abbr" "acronym" "b" "bdi" "bdo" "big" "blink" "cite" "code" "data" "del"
        "dfn" "em" "font" "i" "ins" "kbd" "label" "mark" "nobr" "q" "s" "samp"
        "small" "span" "strike" "strong" "sub" "sup" "time" "tt" "u" "var" "output"
        "mi" "mn" "mo" "ms" "mtext" "mrow" "msup" "msub" "msubsup" "mfrac" "msqrt" "mroot"
        "mover" "munder" "munderover" "mstyle" "mpadded" "menclose" "mfenced" "semantics";
    Math Inline: "math";
    RubyBase Inline: "ruby" "rb";
    Ruby Dropped: "rt" "rp" "rtc";
    Dropped Dropped: "annotation" "annotation-xml" "audio" "video" "canvas"
        "datalist" "progress" "meter" "dialog" "menu" "applet" "map";
    Button Dropped: "button";
    Select Dropped: "select";
    Template Dropped: "template";
    Svg Dropped: "svg";
    Raw DroppedRaw: "script" "style" "title" "textarea" "noscript" "iframe" "noembed" "noframes";
    Void Void: "area" "base" "basefont" "bgsound" "col" "embed" "frame" "img" "input" "keygen"
        "link" "meta" "param" "source" "track" "wbr" "mspace";
    Break Break: "br" "hr";
    Plaintext Plaintext: "plaintext";
    Pre Preformatted: "pre" "listing" "xmp";
    Heading Block: "h1" "h2" "h3" "h4" "h5" "h6";
    P Block: "p";
    List Block: "ul" "ol" "dir";
    Li Block: "li";
    Dl Block: "dl";
    Dt Block: "dt" "dd";
    Table Block: "table";
    TableGroup Block: "thead" "tbody" "tfoot";
    ColumnGroup Block: "colgroup";
    Tr Block: "tr";
    Cell Cell: "td" "th";
    Caption Block: "caption";
    Article Block: "article" "main";
    Block Block: "html" "body" "head" "div" "section" "blockquote" "address" "figure" "figcaption"
        "details" "summary" "hgroup" "center" "fieldset" "legend" "search" "object" "optgroup"
        "option" "frameset" "image";
    Foreign Block: "foreignobject" "desc";
    Nav Landmark: "nav";
    Header OuterLandmark: "header";
    Footer OuterLandmark: "footer";
    Aside OuterLandmark: "aside";
    Form Form: "form";
}

/// The longest name that is looked up, so that its letters fit into one number; longer ones are unknown.
const LONGEST: usize = 16;

/// Slots of the table by which names are found: a power of two, more than twice as many as there are names.
const SLOTS: usize = 512;
const _: () = assert!(ROWS.len() < 255 && ROWS.len() * 2 < SLOTS);

/// In each slot the letters of a name and the number of its element; none if the number is 0. Names whose
/// hashes are equal stand in the slots that follow, so what is found is always compared with the whole name.
static SLOT_OF: [(u128, u8); SLOTS] = {
    let mut slots = [(0, 0); SLOTS];
    let mut row = 0;
    while row < ROWS.len() {
        let letters = letters(ROWS[row].0.as_bytes());
        let mut slot = hash(letters);
        while slots[slot].1 != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = (letters, row as u8 + 1);
        row += 1;
    }
    slots
};

/// The letters of a name in lower case: another number for each name that has no zero byte at its beginning.
const fn letters(name: &[u8]) -> u128 {
    assert!(name.len() <= LONGEST);
    let (mut letters, mut at) = (0, 0);
    while at < name.len() {
        letters = (letters << 8) | name[at].to_ascii_lowercase() as u128;
        at += 1;
    }
    letters
}

const fn hash(letters: u128) -> usize {
    let folded = (letters ^ (letters >> 64)) as u64;
    (folded.wrapping_mul(MULTIPLIER) >> 55) as usize
}

/// Chosen so that few names have one hash.
const MULTIPLIER: u64 = 0x2B90_952E_CA41_7BBD;

/// An element by its name. Two names are one element only if they are equal but for the case of ASCII letters;
/// all names that are not in the table are one, [`Element::UNKNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) kind: Kind,
    pub(crate) role: Role,
    /// 0 if unknown, otherwise one more than its row.
    number: u8,
}

impl Element {
    /// Numbers are less than this.
    pub(crate) const COUNT: usize = ROWS.len() + 1;

    /// What nobody knows separates words.
    pub(crate) const UNKNOWN: Self = Self { kind: Kind::Unknown, role: Role::Block, number: 0 };

    /// The element of this name, in any case.
    pub(crate) fn named(name: &str) -> Self {
        if name.len() > LONGEST || name.starts_with('\0') {
            return Self::UNKNOWN;
        }
        let letters = letters(name.as_bytes());
        let mut slot = hash(letters);
        loop {
            let (known, number) = SLOT_OF[slot];
            let Some(row) = usize::from(number).checked_sub(1) else { return Self::UNKNOWN };
            if known == letters {
                let (_, kind, role) = ROWS[row];
                return Self { kind, role, number };
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Another number for each name that is known; 0 for all others.
    pub(crate) fn number(self) -> usize {
        usize::from(self.number)
    }

    fn has(self, property: u8) -> bool {
        PROPERTIES[self.number()] & property != 0
    }

    /// Whether end tags of inline elements do not close it: the standard's special elements, and `dialog`,
    /// whose end tag works as theirs do.
    pub(crate) fn is_special(self) -> bool {
        self.has(SPECIAL)
    }

    /// Whether end tags of the elements around it do not reach through it.
    pub(crate) fn is_wall(self) -> bool {
        self.has(WALL)
    }

    /// Whether its start ends an open paragraph.
    pub(crate) fn closes_paragraph(self) -> bool {
        self.has(CLOSES_PARAGRAPH)
    }

    /// Whether it begins a drawing or formula, in which the rules of HTML do not hold.
    pub(crate) fn begins_foreign(self) -> bool {
        matches!(self.kind, Kind::Svg | Kind::Math)
    }

    /// Whether its start ends a drawing or formula that was left open.
    pub(crate) fn ends_foreign(self) -> bool {
        self.has(ENDS_FOREIGN)
    }
}

const SPECIAL: u8 = 1;
const WALL: u8 = 2;
const CLOSES_PARAGRAPH: u8 = 4;
const ENDS_FOREIGN: u8 = 8;

/// The properties of each element, by its number (HTML standard, 13.2.4.2, 13.2.6.4.7 and 13.2.6.5).
static PROPERTIES: [u8; Element::COUNT] = {
    let mut properties = [0; Element::COUNT];
    let mut row = 0;
    while row < ROWS.len() {
        let name = ROWS[row].0;
        if lists(
            "address applet area article aside base basefont bgsound blockquote body br button caption \
             center col colgroup dd details dialog dir div dl dt embed fieldset figcaption figure footer form \
             frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link \
             listing main menu meta nav noembed noframes noscript object ol p param plaintext pre \
             script search section select source style summary table tbody td template textarea tfoot th \
             thead title tr track ul wbr xmp mi mo mn ms mtext annotation-xml foreignobject desc",
            name,
        ) {
            properties[row + 1] |= SPECIAL;
        }
        if lists(
            "applet caption html table td th object template annotation-xml foreignobject desc",
            name,
        ) {
            properties[row + 1] |= WALL;
        }
        if lists(
            "address article aside blockquote center details dialog dir div dl fieldset figcaption figure \
             footer header hgroup main menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing \
             form li dd dt plaintext table hr xmp",
            name,
        ) {
            properties[row + 1] |= CLOSES_PARAGRAPH;
        }
        if lists(
            "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
             listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
            name,
        ) {
            properties[row + 1] |= ENDS_FOREIGN;
        }
        row += 1;
    }
    properties
};

/// Whether `name` is one of the words of `list`.
const fn lists(list: &str, name: &str) -> bool {
    let (list, name) = (list.as_bytes(), name.as_bytes());
    let mut start = 0;
    while start < list.len() {
        let mut end = start;
        let mut equal = true;
        while end < list.len() && list[end] != b' ' {
            equal = equal && end - start < name.len() && list[end] == name[end - start];
            end += 1;
        }
        if equal && end - start == name.len() {
            return true;
        }
        start = end + 1;
    }
    false
}

#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}
