//! A plan's text form, read and written.
//!
//! ```text
//! plan   = width "/" k ":" node
//! node   = "*" | "(" branch { " " branch } ")"
//! branch = range { "," range } [ "~" radius ] node
//! range  = bit "-" bit            both included, the lower first, bit 0 the least significant
//! ```

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::{Branch, MAX_TABLES, Node, Plan, run_of_bits};
use crate::error::PlanError;

/// How deep a tree may be: more levels than a fingerprint has bits make no sense.
const MAX_DEPTH: usize = 128;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:", self.width, self.k)?;
        write_node(&self.root, f)
    }
}

pub(super) fn node_text(node: &Node) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_node(node, &mut text);
    text
}

/// A block as the ranges of its bits, most significant first.
pub(crate) fn block_text(mut block: u128) -> String {
    let mut text = String::new();
    while block != 0 {
        let high = 127 - block.leading_zeros();
        let length = (block << (127 - high)).leading_ones();
        let low = high + 1 - length;
        if !text.is_empty() {
            text.push(',');
        }
        let _ = write!(text, "{low}-{high}");
        block &= !run_of_bits(low, length);
    }
    text
}

fn write_node(node: &Node, f: &mut impl fmt::Write) -> fmt::Result {
    let Node::Chain(branches) = node else { return f.write_char('*') };
    for (position, branch) in branches.iter().enumerate() {
        f.write_char(if position == 0 { '(' } else { ' ' })?;
        f.write_str(&block_text(branch.block))?;
        if branch.radius > 0 {
            write!(f, "~{}", branch.radius)?;
        }
        write_node(&branch.then, f)?;
    }
    f.write_char(')')
}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let mut reader = Reader { text: text.as_bytes(), at: 0, tables: 0 };
        let width = reader.number()?;
        reader.byte(b'/', "`/`")?;
        let k = reader.number()?;
        reader.byte(b':', "`:`")?;
        let root = reader.node(0)?;
        if reader.at < reader.text.len() {
            return reader.fail("the end");
        }
        Self::checked(width, k, root)
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    tables: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, expected: &'static str) -> Result<T, PlanError> {
        Err(PlanError::Syntax { at: self.at, expected })
    }

    fn next_is(&self, byte: u8) -> bool {
        self.text.get(self.at) == Some(&byte)
    }

    fn byte(&mut self, byte: u8, expected: &'static str) -> Result<(), PlanError> {
        if !self.next_is(byte) {
            return self.fail(expected);
        }
        self.at += 1;
        Ok(())
    }

    /// A number of up to three digits, which every bit, width and distance is.
    fn number(&mut self) -> Result<u32, PlanError> {
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 3 {
            return self.fail("a number of one to three digits");
        }
        let value = self.text[self.at..self.at + digits]
            .iter()
            .fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        self.at += digits;
        Ok(value)
    }

    fn node(&mut self, depth: usize) -> Result<Node, PlanError> {
        if depth > MAX_DEPTH {
            return self.fail("a tree of at most 128 levels");
        }
        if self.next_is(b'*') {
            self.at += 1;
            self.tables += 1;
            if self.tables > MAX_TABLES {
                return Err(PlanError::TooLarge { limit: MAX_TABLES });
            }
            return Ok(Node::Compare);
        }
        self.byte(b'(', "`*` or `(`")?;
        let mut branches = vec![self.branch(depth)?];
        while self.next_is(b' ') {
            self.at += 1;
            branches.push(self.branch(depth)?);
        }
        self.byte(b')', "` ` or `)`")?;
        Ok(Node::Chain(branches))
    }

    fn branch(&mut self, depth: usize) -> Result<Branch, PlanError> {
        let mut block = self.range()?;
        while self.next_is(b',') {
            self.at += 1;
            let range = self.range()?;
            if block & range != 0 {
                return Err(PlanError::Overlap);
            }
            block |= range;
        }
        let mut radius = 0;
        if self.next_is(b'~') {
            self.at += 1;
            radius = self.number()?;
        }
        Ok(Branch { block, radius, then: self.node(depth + 1)? })
    }

    fn range(&mut self) -> Result<u128, PlanError> {
        let low = self.number()?;
        self.byte(b'-', "`-`")?;
        let high = self.number()?;
        if low > high {
            return self.fail("a range with the lower bit first");
        }
        if high > 127 {
            return Err(PlanError::BitOutOfRange { bit: high, width: 128 });
        }
        Ok(run_of_bits(low, high - low + 1))
    }
}
