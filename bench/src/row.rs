//! One object of JSON a measurement.

use std::fmt::{Display, Write};

#[derive(Default)]
pub struct Row(String);

impl Row {
    /// A number, or anything JSON writes as its `Display` does.
    pub fn with(mut self, key: &str, value: impl Display) -> Self {
        let comma = if self.0.is_empty() { "" } else { ", " };
        write!(self.0, "{comma}\"{key}\": {value}").expect("a string takes all");
        self
    }

    pub fn seconds(self, key: &str, value: f64) -> Self {
        self.with(key, format_args!("{value:.6}"))
    }

    /// Writes it as a line.
    pub fn print(self) {
        println!("{{{}}}", self.0);
    }
}
