//! The text of a page by the tree that browsers build of it: what is kept of a tree is decided as in
//! [`super::page`], where its elements end is html5ever's work.

use html5ever::driver::ParseOpts;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::element::{Element, Kind, Role};
use super::page::FORM_TEXT;
use super::visibility::{self, Mark};
use crate::flow::Flow;

/// The text of a page without its furniture, by html5ever's tree.
pub(super) fn text(page: &str) -> String {
    let dom = html5ever::parse_document(RcDom::default(), ParseOpts::default()).one(page);
    let mut walk = Walk {
        flow: Flow::new(),
        articles: 0,
        preformatted: 0,
        dropped: 0,
        form_has_content: false,
    };
    walk.node(&dom.document);
    walk.flow.finish()
}

struct Walk {
    flow: Flow,
    articles: usize,
    preformatted: usize,
    dropped: usize,
    form_has_content: bool,
}

impl Walk {
    fn node(&mut self, node: &Handle) {
        match &node.data {
            NodeData::Text { contents } if self.dropped == 0 => {
                let text = contents.borrow().replace('\u{AD}', "");
                if self.preformatted > 0 {
                    self.flow.preformatted(&text);
                } else {
                    self.flow.text(&text);
                }
            }
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let pairs = attributes.iter().map(|a| (&*a.name.local, &*a.value));
                self.element(
                    Element::named(&name.local),
                    visibility::marks(pairs).without_scripts(),
                    node,
                );
            }
            _ => self.children(node),
        }
    }

    fn children(&mut self, node: &Handle) {
        for child in node.children.borrow().iter() {
            self.node(child);
        }
    }

    fn element(&mut self, element: Element, mark: Mark, node: &Handle) {
        let Element { kind, role, .. } = element;
        self.separate(element);
        if matches!(kind, Kind::Article | Kind::Heading) || mark == Mark::Title {
            self.form_has_content = true;
        }
        let in_article = self.articles > 0;
        let form =
            role == Role::Form || (kind == Kind::Block && mark == Mark::Margin && !in_article);
        let dropped = match role {
            Role::Dropped | Role::DroppedRaw | Role::Landmark => true,
            Role::OuterLandmark => mark != Mark::Note && !in_article,
            _ => mark == Mark::Furniture && role != Role::Inline && !form,
        } || mark == Mark::Hidden;
        let preformatted = matches!(role, Role::Preformatted | Role::Plaintext);
        let outer = (form && !dropped)
            .then(|| (self.flow.len(), std::mem::replace(&mut self.form_has_content, false)));
        self.articles += usize::from(kind == Kind::Article);
        self.preformatted += usize::from(preformatted);
        self.dropped += usize::from(dropped);
        self.children(node);
        self.articles -= usize::from(kind == Kind::Article);
        self.preformatted -= usize::from(preformatted);
        self.dropped -= usize::from(dropped);
        if let Some((start, outer)) = outer {
            if !self.form_has_content && self.flow.since(start).len() < FORM_TEXT {
                self.flow.truncate(start);
            }
            self.form_has_content |= outer;
        }
        self.separate(element);
    }

    fn separate(&mut self, Element { kind, role, .. }: Element) {
        if self.dropped > 0 {
            return;
        }
        match role {
            Role::Inline | Role::Void | Role::DroppedRaw => {}
            Role::Dropped if kind == Kind::Ruby => {}
            Role::Dropped => self.flow.space(),
            Role::Cell => self.flow.cell(),
            _ => self.flow.line(),
        }
    }
}
