//! When output is colored, and how.

use std::io::IsTerminal;
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// When to use color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

impl ColorChoice {
    /// Makes this the choice of the process.
    pub(crate) fn choose(self) {
        let _ = CHOICE.set(self);
    }
}

/// Whether results are colored, which appear on a terminal or not.
pub(crate) fn on_stdout(is_terminal: bool) -> bool {
    is_wanted(is_terminal)
}

/// Whether standard error is colored.
pub(crate) fn on_stderr() -> bool {
    is_wanted(std::io::stderr().is_terminal())
}

fn is_wanted(is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    match CHOICE.get().copied().unwrap_or(ColorChoice::Auto) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            is_terminal
                && set("NO_COLOR").is_none()
                && set("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// What a color says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Heading,
    Good,
    Bad,
    Changed,
    Error,
}

impl Paint {
    /// The color of a word that a row begins with: a decision, or a difference.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word {
            "keep" | "new" => Some(Self::Good),
            "drop" | "gone" => Some(Self::Bad),
            "changed-little" | "changed-much" | "moved" | "same-words" => Some(Self::Changed),
            _ => None,
        }
    }

    fn style(self) -> Style {
        let color = |color: AnsiColor| color.on_default();
        match self {
            Self::Heading => Style::new().bold(),
            Self::Good => color(AnsiColor::Green),
            Self::Bad => color(AnsiColor::Red),
            Self::Changed => color(AnsiColor::Yellow),
            Self::Error => color(AnsiColor::Red).bold(),
        }
    }
}

/// The text in a color.
pub(crate) fn paint(paint: Paint, text: &str) -> String {
    let style = paint.style();
    format!("{style}{text}{style:#}")
}
