//! Commands whose names a document computes: `\csname ... \endcsname`, and what takes the next token before it is read.

use super::Document;
use super::command;
use super::reader::Reader;

impl Document<'_> {
    /// Carries out a command whose name, or that of the next one, is computed; whether it is one.
    pub(super) fn computed(&mut self, name: &str, reader: &mut Reader) -> bool {
        match name {
            "csname" => {
                if let Some(name) = reader.computed_name() {
                    self.insert_command(&name, reader);
                }
            }
            "@nameuse" | "csuse" => {
                let name = reader.argument();
                self.insert_command(&name, reader);
            }
            "@namedef" | "csdef" | "csgdef" => {
                let name = reader.argument();
                match self.plain(&name) {
                    Some(name) => self.define_as(&command::word(&name), reader),
                    None => self.define_as("", reader),
                }
            }
            // What follows the next token is carried out before it.
            "expandafter" => match reader.token_before(&["csname", "else", "fi", "or"]) {
                Some((token, "csname")) => {
                    let name = reader.computed_name().and_then(|name| self.plain(&name));
                    let name = command::word(&name.unwrap_or_default());
                    reader.insert(&format!("{token}\\{name} "));
                }
                Some((token, end)) => {
                    self.condition(end, reader);
                    let gap = if token.starts_with('\\') { " " } else { "" };
                    reader.insert(&(token + gap));
                }
                None => {}
            },
            "@gobble" => {
                reader.argument();
            }
            "NoValue" | "BooleanTrue" | "BooleanFalse" => {}
            _ => return false,
        }
        true
    }

    fn insert_command(&mut self, name: &str, reader: &mut Reader) {
        if let Some(name) = self.plain(name) {
            reader.insert(&format!("\\{} ", command::word(&name)));
        }
    }
}
