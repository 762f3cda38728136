//! What a package lacks: members that the format requires or that it lists itself, and captures that its revisits refer
//! to.

use std::collections::HashSet;

use super::captures::PackageCaptures;
use super::directory::Member;
use super::manifest::{MANIFEST, StatedDigest};
use super::{PAGES, is_archive, is_index};
use crate::{ReasonCode, escape};

/// Names in a message (<=).
const NAMED: usize = 10;

impl PackageCaptures {
    /// Notes what is missing of what the format requires.
    pub(super) fn check_contents(&mut self, members: &[Member]) {
        let has = |name: &str| members.iter().any(|member| member.name == name);
        let mut missing = std::mem::take(&mut self.manifest.missing);
        if !has(PAGES) {
            missing.push(PAGES.to_owned());
        }
        if !members.iter().any(|member| is_index(&member.name)) {
            missing.push("an index in indexes/".to_owned());
        }
        let archives = || members.iter().filter(|member| is_archive(&member.name));
        let listed = &self.manifest.resources;
        let unlisted = archives().filter(|member| !listed.contains_key(&member.name));
        missing.extend(unlisted.map(|member| format!("{} in resources", member.name)));
        let unchecked = listed.iter().filter(|(_, found)| match &found.digest {
            StatedDigest::Missing | StatedDigest::Other(_) => true,
            StatedDigest::Sha256(_) | StatedDigest::Malformed => false,
        });
        let mut unchecked: Vec<_> = unchecked.map(|(name, _)| name.clone()).collect();
        unchecked.sort_unstable();
        missing.extend(unchecked.into_iter().map(|name| format!("a SHA-256 digest of {name}")));
        if !missing.is_empty() {
            let text = format!("the package lacks {}", named(&missing));
            self.problem(MANIFEST, ReasonCode::INCOMPLETE, text);
        }
        let has: HashSet<&str> = members.iter().map(|member| &*member.name).collect();
        let absent = self.manifest.resources.keys().filter(|name| !has.contains(name.as_str()));
        let mut absent: Vec<String> = absent.cloned().collect();
        absent.sort_unstable();
        if !absent.is_empty() {
            let text = format!("members that the package lists are not in it: {}", named(&absent));
            self.problem(MANIFEST, ReasonCode::DAMAGED, text);
        }
        if archives().next().is_none() {
            let text = if self.manifest.lists_packages {
                "the package lists other packages; name these instead"
            } else {
                "the package has no WARC file in archive/"
            };
            self.problem(MANIFEST, ReasonCode::DAMAGED, text);
        }
    }

    /// Notes revisits of captures that are elsewhere.
    pub(super) fn check_links(&mut self) {
        let Some(unresolved) = self.links.unresolved() else { return };
        let mut text = match unresolved.count {
            1 => "1 revisit refers to a capture that is not in the package".to_owned(),
            count => format!("{count} revisits refer to captures that are not in the package"),
        };
        if let Some(first) = unresolved.first {
            text += &format!(", the first at {}", first.escape_debug());
        }
        if !unresolved.is_sure {
            text += ", but not all of its captures were compared";
        }
        if !self.manifest.requires.is_empty() {
            text += &format!("; it requires {}", named(&self.manifest.requires));
        }
        self.problem(MANIFEST, ReasonCode::UNRESOLVED, text);
    }
}

/// Some of these names, separated by commas.
fn named(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(NAMED).map(|name| escape(name.as_bytes())).collect();
    let mut text = shown.join(", ");
    if names.len() > NAMED {
        text += &format!(" and {} more", names.len() - NAMED);
    }
    text
}
