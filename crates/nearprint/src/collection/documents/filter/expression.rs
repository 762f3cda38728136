//! How conditions are written, and what is wrong with a text that is none.
//!
//! ```text
//! condition = all { "or" all }
//! all       = term { "and" term }
//! term      = "not" term | "(" condition ")" | field
//! field     = word ( operator word | "in" "(" word { "," word } ")" | "exists" )
//! word      = a JSON string, or characters without blanks, quotes, commas and parentheses
//! ```
//! The name of a field ends at an operator as well. The words of the language are the same in capital letters.

use std::fmt;

use super::condition::{Node, Operand, Operator, Test};

/// The longest condition, in bytes.
const LONGEST: usize = 64 << 10;

/// Parentheses and `not` within one another.
const DEEPEST: usize = 32;

/// The text is not a condition: where it is wrong, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACondition {
    /// The character, counted from 1.
    at: usize,
    said: &'static str,
}

impl fmt::Display for NotACondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.at, self.said)
    }
}

impl std::error::Error for NotACondition {}

/// The condition that a text states.
pub(super) fn parsed(text: &str) -> Result<Node, NotACondition> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    if text.len() > LONGEST {
        return Err(reader.refused("a condition has at most 65,536 bytes"));
    }
    let node = reader.any()?;
    match reader.rest().is_empty() {
        true => Ok(node),
        false => Err(reader.refused(
            "expected and, or, or the end; a value with blanks, quotes, commas or parentheses is a JSON string",
        )),
    }
}

/// A text and how far it is read.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn refused(&self, said: &'static str) -> NotACondition {
        NotACondition { at: self.text[..self.at].chars().count() + 1, said }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Goes beyond a sign, if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// Goes beyond a word of the language, if it is next.
    fn takes_word(&mut self, word: &str) -> bool {
        let Some((found, after)) = self.rest().split_at_checked(word.len()) else { return false };
        let ends = |next: char| "()".contains(next) || next.is_whitespace();
        let ends = after.chars().next().is_none_or(ends);
        let is_next = ends && found.eq_ignore_ascii_case(word);
        if is_next {
            self.at += word.len();
            self.skip_blanks();
        }
        is_next
    }

    /// Reads something within something else.
    fn within(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Node, NotACondition>,
    ) -> Result<Node, NotACondition> {
        if self.depth == DEEPEST {
            return Err(self.refused("conditions are within one another at most 32 times"));
        }
        self.depth += 1;
        let node = read(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn any(&mut self) -> Result<Node, NotACondition> {
        let mut nodes = vec![self.all()?];
        while self.takes_word("or") {
            nodes.push(self.all()?);
        }
        Ok(alone(nodes, Node::Any))
    }

    fn all(&mut self) -> Result<Node, NotACondition> {
        let mut nodes = vec![self.term()?];
        while self.takes_word("and") {
            nodes.push(self.term()?);
        }
        Ok(alone(nodes, Node::All))
    }

    fn term(&mut self) -> Result<Node, NotACondition> {
        self.skip_blanks();
        let before = self.at;
        // A field may have the name of a word.
        if self.takes_word("not") && self.operator().is_none() {
            return self.within(|reader| reader.term().map(|node| Node::Not(Box::new(node))));
        }
        self.at = before;
        let node = if self.takes("(") {
            let node = self.within(Self::any)?;
            match self.takes(")") {
                true => node,
                false => return Err(self.refused("expected )")),
            }
        } else {
            self.field()?
        };
        self.skip_blanks();
        Ok(node)
    }

    fn field(&mut self) -> Result<Node, NotACondition> {
        let name = self.word(|next| "<>=!".contains(next))?;
        if name.is_empty() {
            return Err(self.refused("expected the name of a field"));
        }
        self.skip_blanks();
        if let Some((written, operator)) = self.operator() {
            self.at += written.len();
            self.skip_blanks();
            let value = Operand::new(self.word(|_| false)?);
            return Ok(Node::Field(name, Test::Compare(operator, value)));
        }
        if self.takes_word("exists") {
            return Ok(Node::Field(name, Test::Exists));
        }
        if !self.takes_word("in") {
            return Err(self.refused(
                "expected FIELD=VALUE, or with != < <= > >= between the two, FIELD in (VALUE, VALUE), or FIELD exists",
            ));
        }
        if !self.takes("(") {
            return Err(self.refused("after in, expected values in parentheses"));
        }
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            values.push(Operand::new(self.word(|_| false)?));
            self.skip_blanks();
            if self.takes(")") {
                return Ok(Node::Field(name, Test::In(values.into_iter().collect())));
            }
            if !self.takes(",") {
                return Err(self.refused("between values, expected a comma, and ) at their end"));
            }
        }
    }

    /// The operator that is next.
    fn operator(&self) -> Option<(&'static str, Operator)> {
        Operator::ALL.into_iter().find(|(written, _)| self.rest().starts_with(written))
    }

    /// A JSON string, or the characters up to one that is in no word.
    fn word(&mut self, ends: impl Fn(char) -> bool) -> Result<String, NotACondition> {
        if self.rest().starts_with('"') {
            let mut strings = serde_json::Deserializer::from_str(self.rest()).into_iter::<String>();
            let Some(Ok(string)) = strings.next() else {
                return Err(self.refused("this is not a whole JSON string"));
            };
            let length = strings.byte_offset();
            self.at += length;
            return Ok(string);
        }
        let is_end = |next: char| next.is_whitespace() || "(),\"".contains(next) || ends(next);
        let length = self.rest().find(is_end).unwrap_or(self.rest().len());
        let word = self.rest()[..length].to_owned();
        self.at += length;
        Ok(word)
    }
}

/// One node as it is, several in one.
fn alone(mut nodes: Vec<Node>, join: fn(Vec<Node>) -> Node) -> Node {
    match (nodes.len(), nodes.pop()) {
        (1, Some(node)) => node,
        (_, last) => {
            nodes.extend(last);
            join(nodes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, operator: Operator, value: &str) -> Node {
        Node::Field(name.to_owned(), Test::Compare(operator, Operand::new(value.to_owned())))
    }

    fn equal(name: &str, value: &str) -> Node {
        field(name, Operator::Equal, value)
    }

    #[test]
    fn and_binds_before_or_and_not_before_both() {
        let [a, b, c] = ["a", "b", "c"].map(|name| equal(name, "1"));
        let not = |node: &Node| Node::Not(Box::new(node.clone()));
        for (text, node) in [
            ("a=1", a.clone()),
            ("  a = 1  ", a.clone()),
            ("((a=1))", a.clone()),
            (
                "a=1 or b=1 and c=1",
                Node::Any(vec![a.clone(), Node::All(vec![b.clone(), c.clone()])]),
            ),
            (
                "(a=1 OR b=1)AND c=1",
                Node::All(vec![Node::Any(vec![a.clone(), b.clone()]), c.clone()]),
            ),
            ("not a=1 and b=1", Node::All(vec![not(&a), b.clone()])),
            ("not(a=1)", not(&a)),
            ("not not a=1", not(&not(&a))),
            ("(not a exists)", not(&Node::Field("a".to_owned(), Test::Exists))),
        ] {
            assert_eq!(parsed(text).unwrap_or_else(|error| panic!("{text}: {error}")), node);
        }
    }

    #[test]
    fn names_and_values_with_blanks_are_strings() {
        for (text, node) in [
            (r#""my field" = "a \"b\" (c), é\n""#, equal("my field", "a \"b\" (c), é\n")),
            ("url=http://e.org/?q=a<b", equal("url", "http://e.org/?q=a<b")),
            ("host=", equal("host", "")),
            (r#"host="""#, equal("host", "")),
            ("not=1", equal("not", "1")),
            ("not = 1", equal("not", "1")),
            ("android=1", equal("android", "1")),
            ("order>=2", field("order", Operator::AtLeast, "2")),
        ] {
            assert_eq!(parsed(text).unwrap_or_else(|error| panic!("{text}: {error}")), node);
        }
    }

    #[test]
    fn what_is_no_condition_is_refused_where_it_is_wrong() {
        for (text, at) in [
            ("", 1),
            ("crawl", 6),
            ("=2026", 1),
            ("<", 1),
            ("!x", 1),
            ("a!b", 2),
            ("é=1 b=2", 5),
            ("title=Fog came", 11),
            ("a=1 and", 8),
            ("(a=1", 5),
            ("a=1)", 4),
            ("a in 1", 6),
            ("a in (1 2)", 9),
            ("a in (1", 8),
            ("a=\"b", 3),
            ("a=b,c", 4),
            ("a exists b", 10),
            ("not", 4),
        ] {
            let refused = parsed(text).expect_err(text);
            assert_eq!(refused.at, at, "{text}: {refused}");
        }
        assert!(parsed(&format!("{}a=1{}", "(".repeat(32), ")".repeat(32))).is_ok());
        assert!(parsed(&format!("{}a=1", "(".repeat(100_000 / 2))).is_err());
        assert!(parsed(&"not ".repeat(33)).is_err());
        assert!(parsed(&format!("a={}", "x".repeat(LONGEST))).is_err());
        let long = format!("a in ({}x)", "x,".repeat(30_000));
        assert!(parsed(&long).is_ok());
    }
}
