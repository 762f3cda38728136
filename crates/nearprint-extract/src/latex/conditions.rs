//! Conditions: which of their branches is text. Of two branches one is, as on paper.
//!
//! What is known here is decided: conditions that the document declares, comparisons of tokens and numbers that it
//! writes, what it defines. All others hold.

use super::Document;
use super::parameters::NO_VALUE;
use super::reader::{BranchEnd, Number, Reader, is_condition};
use super::{command, symbol};

/// Bytes of the longest name or value that macros make.
const LONGEST_PLAIN: usize = 1000;

impl Document<'_> {
    /// Carries out a command that has to do with conditions; whether it is one.
    pub(super) fn condition(&mut self, name: &str, reader: &mut Reader) -> bool {
        match name {
            "else" | "or" => {
                if let Some(outer) = reader.open_conditions.checked_sub(1) {
                    reader.open_conditions = outer;
                    reader.skip_to_fi(&self.conditions);
                }
            }
            "fi" | "repeat" => {
                reader.open_conditions = reader.open_conditions.saturating_sub(1);
            }
            "newif" => {
                let declared = reader.token();
                if let Some(own) = declared.strip_prefix("\\if") {
                    self.conditions.insert(own.to_owned(), false);
                }
            }
            "newtoggle" | "newbool" | "newboolean" | "toggletrue" | "togglefalse" | "booltrue"
            | "boolfalse" => {
                let own = reader.argument();
                self.conditions.insert(own, name.ends_with("true"));
            }
            "setboolean" | "setbool" | "settoggle" => {
                let own = reader.argument();
                let is_true = reader.argument().trim() == "true";
                self.conditions.insert(own, is_true);
            }
            "ifcase" => {
                let mut cases = self.number(reader).unwrap_or(0).max(0);
                let mut end = BranchEnd::Or;
                while cases > 0 && end == BranchEnd::Or {
                    end = reader.skip_branch(&self.conditions);
                    cases -= 1;
                }
                reader.open_conditions += usize::from(end != BranchEnd::Fi);
            }
            "unless" => {
                let condition = reader.token();
                self.test(condition.trim_start_matches('\\'), false, reader);
            }
            _ if name.starts_with("if") && is_condition(name, reader.peek(), &self.conditions) => {
                self.test(name, true, reader);
            }
            _ => return self.choose(name, reader) || self.is_setting(name),
        }
        true
    }

    /// Whether a command sets a condition that is declared: `\drafttrue`.
    fn is_setting(&mut self, name: &str) -> bool {
        let (own, value) = match (name.strip_suffix("true"), name.strip_suffix("false")) {
            (Some(own), _) => (own, true),
            (_, Some(own)) => (own, false),
            _ => return false,
        };
        self.conditions.get_mut(own).map(|known| *known = value).is_some()
    }

    /// Begins the branch of a condition of TeX that is text.
    fn test(&mut self, name: &str, wanted: bool, reader: &mut Reader) {
        let holds = match name {
            "iffalse" | "ifvmode" | "ifinner" | "ifxetex" | "ifluatex" | "ifXeTeX" | "ifLuaTeX" => {
                false
            }
            "ifmmode" => self.in_formula,
            "if" | "ifx" | "ifcat" => {
                let (first, second) = (reader.token(), reader.token());
                self.is_same(&first, &second)
            }
            "ifnum" => match (self.number(reader), reader.relation_sign(), self.number(reader)) {
                (Some(first), '<', Some(second)) => first < second,
                (Some(first), '>', Some(second)) => first > second,
                (Some(first), _, Some(second)) => first == second,
                _ => true,
            },
            "ifdim" => {
                reader.relation();
                true
            }
            "ifodd" => self.number(reader).is_none_or(|number| number % 2 != 0),
            "ifvoid" | "ifhbox" | "ifvbox" | "ifeof" => {
                reader.register();
                false
            }
            "ifdefined" => {
                let token = reader.token();
                self.is_defined(token.trim_start_matches('\\'))
            }
            "ifcsname" => {
                let name = reader.computed_name().and_then(|name| self.plain(&name));
                name.is_none_or(|name| self.is_defined(&command::word(&name)))
            }
            _ => self.conditions.get(name.get(2..).unwrap_or_default()).copied().unwrap_or(true),
        };
        let is_begun = holds == wanted || reader.skip_branch(&self.conditions) == BranchEnd::Else;
        reader.open_conditions += usize::from(is_begun);
    }

    /// Carries out a command whose branches are groups; whether it is one.
    fn choose(&mut self, name: &str, reader: &mut Reader) -> bool {
        if matches!(name, "@ifstar" | "@ifnextchar") {
            choose_by_next(name, reader);
            return true;
        }
        let Some(holds) = self.choice(name, reader) else { return false };
        let is_one_sided = name.starts_with("If") && !name.ends_with("TF") && !name.ends_with('s');
        let branches =
            [true, false].map(|side| (side, !is_one_sided || name.ends_with('T') == side));
        let mut chosen = None;
        for (side, is_there) in branches {
            if is_there {
                let text = reader.argument();
                chosen = chosen.or((side == holds).then_some(text));
            }
        }
        if let Some(text) = chosen {
            reader.insert(&text);
        }
        true
    }

    /// Whether the condition of such a command holds, whose operands come next.
    fn choice(&mut self, name: &str, reader: &mut Reader) -> Option<bool> {
        let mut operand = || reader.argument();
        Some(match name {
            "ifthenelse" => {
                let test = operand();
                self.is_met(&test)
            }
            "@ifundefined" | "ifundef" | "ifcsundef" => !self.is_defined_by(&operand()),
            "ifdef" | "ifcsdef" => self.is_defined_by(&operand()),
            "IfNoValueTF" | "IfNoValueT" | "IfNoValueF" => is_missing(&operand()),
            "IfValueTF" | "IfValueT" | "IfValueF" => !is_missing(&operand()),
            "IfBooleanTF" | "IfBooleanT" | "IfBooleanF" => operand().trim() == "\\BooleanTrue",
            "ifblank" | "ifstrempty" | "IfBlankTF" => operand().trim().is_empty(),
            "ifdefempty" => {
                let text = operand();
                self.plain(&text).is_none_or(|text| text.is_empty())
            }
            "ifstrequal" => operand().trim() == operand().trim(),
            "ifbool" | "iftoggle" => {
                self.conditions.get(operand().trim()).copied().unwrap_or(false)
            }
            "iflanguage" | "IfFileExists" | "@ifpackageloaded" | "@ifclassloaded" => {
                operand();
                true
            }
            "@firstoftwo" => true,
            "@secondoftwo" => false,
            _ => return None,
        })
    }

    /// Whether a condition of `\ifthenelse` holds.
    fn is_met(&self, test: &str) -> bool {
        let mut reader = self.reader(test);
        let mut wanted = true;
        let mut first = reader.token();
        while let "\\NOT" | "\\not" = first.as_str() {
            wanted = !wanted;
            first = reader.token();
        }
        let holds = match first.as_str() {
            "\\equal" => {
                let pair = [reader.argument(), reader.argument()];
                let [one, other] = pair.map(|text| self.plain(&text));
                one.is_none() || other.is_none() || one == other
            }
            "\\isundefined" => !self.is_defined_by(&reader.argument()),
            "\\boolean" => self.conditions.get(reader.argument().trim()).copied().unwrap_or(false),
            _ => true,
        };
        holds == wanted
    }

    /// Whether two tokens mean the same.
    fn is_same(&self, first: &str, second: &str) -> bool {
        if first == second {
            return true;
        }
        let name = |token: &str| token.strip_prefix('\\').map(str::to_owned);
        let (Some(first), Some(second)) = (name(first), name(second)) else { return false };
        match (self.macros.get(&first), self.macros.get(&second)) {
            (Some(first), Some(second)) => first.is_same(second),
            (Some(found), None) => is_empty(&second) && found.text() == Some(""),
            (None, Some(found)) => is_empty(&first) && found.text() == Some(""),
            (None, None) => !self.is_defined(&first) && !self.is_defined(&second),
        }
    }

    /// The number that comes next: its digits, or those of a macro; none if a register holds it.
    fn number(&self, reader: &mut Reader) -> Option<i64> {
        match reader.number() {
            Number::Known(number) => Some(number),
            Number::Unknown => None,
            Number::Named(name) => match name.as_str() {
                "z@" => Some(0),
                "@ne" => Some(1),
                "tw@" => Some(2),
                "m@ne" => Some(-1),
                name => self.macros.get(name)?.text()?.trim().parse().ok(),
            },
        }
    }

    /// Whether there is a command of this name, or one that is written so.
    fn is_defined_by(&self, name: &str) -> bool {
        let name = name.trim();
        match name.strip_prefix('\\') {
            Some(name) => self.is_defined(name),
            None => self.plain(name).is_none_or(|name| self.is_defined(&command::word(&name))),
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
            || self.environments.contains_key(name)
            || command::is_known(name)
            || symbol::text(name).is_some()
            || symbol::accent(name).is_some()
            || ["text", "math", "pdf", "emph", "if"].iter().any(|begin| name.starts_with(begin))
    }

    /// A text whose commands are macros that stand for text alone; none if there are others.
    pub(super) fn plain(&self, text: &str) -> Option<String> {
        let mut reader = self.reader(text);
        let mut plain = String::new();
        while let Some(c) = reader.next() {
            if c != '\\' {
                plain.push(c);
                continue;
            }
            let name = reader.command_name();
            let text = self.macros.get(&name)?.text()?;
            if text.contains('\\') || plain.len() + text.len() > LONGEST_PLAIN {
                return None;
            }
            plain.push_str(text);
        }
        Some(plain)
    }
}

/// Chooses a branch by what comes after both.
fn choose_by_next(name: &str, reader: &mut Reader) {
    let sign = if name == "@ifstar" { "*".to_owned() } else { reader.argument() };
    let branches = [reader.argument(), reader.argument()];
    let is_next = reader.peek().is_some_and(|next| sign.starts_with(next));
    if is_next && name == "@ifstar" {
        reader.next();
    }
    reader.insert(&branches[usize::from(!is_next)]);
}

/// Whether a command is one for no text.
fn is_empty(name: &str) -> bool {
    matches!(name, "empty" | "@empty")
}

/// Whether the value of a parameter is missing.
fn is_missing(value: &str) -> bool {
    value.trim() == NO_VALUE.trim()
}
