//! `nearprint serve token`: who may use a server, by verbs of its own.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use nearprint::records::Format;
use nearprint_server::{NewToken, Right, Secret, Token, TokenError, Tokens};

use crate::exit_status::{ExitStatus, Failure};
use crate::keys::{Keys, Setting};
use crate::output::Output;
use crate::server_options::{token_keys, token_limits};
use crate::table::table;
use crate::talk::{Level, Talk};

/// Make, list, rotate and revoke the tokens of a server
///
/// From the first token on, every request to the server needs one. A running server knows of changes at once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint serve token create collections --name admin --right admin
  nearprint serve token create collections --name crawler --right write --collection 'crawl-*'
  nearprint serve token list collections
  nearprint serve token rotate collections 1f3a9c2e --overlap 1h
  nearprint serve token revoke collections 1f3a9c2e")]
pub(super) struct TokenArgs {
    #[command(subcommand)]
    verb: TokenVerb,
}

#[derive(Debug, Subcommand)]
enum TokenVerb {
    Create(CreateArgs),
    List(ListArgs),
    Rotate(RotateArgs),
    Revoke(RevokeArgs),
}

impl TokenArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            TokenVerb::Create(args) => args.run(),
            TokenVerb::List(args) => args.run(),
            TokenVerb::Rotate(args) => args.run(),
            TokenVerb::Revoke(args) => args.run(),
        }
    }
}

/// Make a token, and print it on standard output; it is kept nowhere
#[derive(Debug, Args)]
struct CreateArgs {
    /// The directory of the server; created if it does not exist
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    /// What the token is for
    #[arg(long, value_name = "TEXT")]
    name: String,
    /// What it allows: read, write (and read), admin (everything) or metrics; can be repeated
    #[arg(long, value_name = "RIGHT", required = true)]
    right: Vec<Right>,
    /// The collections that it is for, as names in which * stands for any characters; can be repeated [default: all]
    #[arg(long, value_name = "PATTERN")]
    collection: Vec<String>,
    /// How long it is valid, such as 90d, 12h or 30m [default: until it is revoked]
    #[arg(long, value_name = "TIME", value_parser = time)]
    expires: Option<Duration>,
    /// Set what it may take, in place of what the server says; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = limit_keys())]
    limit: Vec<Setting>,
}

fn limit_keys() -> Keys {
    token_keys("as the server says").into_iter().collect()
}

impl CreateArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let limits = token_limits(&self.limit);
        let Self { directory, name, right, collection, expires, .. } = self;
        let (rights, collections, lifetime) = (right, collection, expires);
        let new = NewToken { name, rights, collections, lifetime, limits };
        let (token, secret) = Tokens::of(&directory).create(&new).map_err(failure)?;
        print(&token, &secret)
    }
}

/// List the tokens of a server, without the tokens themselves
#[derive(Debug, Args)]
struct ListArgs {
    /// The directory of the server
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
}

impl ListArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let tokens = Tokens::of(&self.directory).list().map_err(failure)?;
        let mut lines = vec![Token::COLUMNS.map(str::to_uppercase).to_vec()];
        lines.extend(tokens.iter().map(|token| token.columns().to_vec()));
        let mut out = Output::open(None, Format::Text)?;
        out.text(table(&lines, &[]).as_bytes())?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// Make a token with the rights of another, which ends
#[derive(Debug, Args)]
struct RotateArgs {
    /// The directory of the server
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    /// The id of the token that ends
    #[arg(value_name = "ID")]
    id: String,
    /// How long it stays valid, such as 1h, so that its users can change over
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = time)]
    overlap: Duration,
}

impl RotateArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let rotated = Tokens::of(&self.directory).rotate(&self.id, self.overlap);
        let (token, secret) = rotated.map_err(failure)?;
        print(&token, &secret)
    }
}

/// Remove a token: requests with it are refused from now on
#[derive(Debug, Args)]
struct RevokeArgs {
    /// The directory of the server
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    /// The id of the token
    #[arg(value_name = "ID")]
    id: String,
}

impl RevokeArgs {
    fn run(self) -> Result<ExitStatus, Failure> {
        let token = Tokens::of(&self.directory).revoke(&self.id).map_err(failure)?;
        let said = format!("nearprint: token {} ({}) is revoked", token.id, token.name);
        Talk::new(Level::Normal, false).say(said);
        Ok(ExitStatus::Whole)
    }
}

/// Prints a new token, and says what it is.
fn print(token: &Token, secret: &Secret) -> Result<ExitStatus, Failure> {
    let mut out = Output::open(None, Format::Text)?;
    out.text(format!("{}\n", secret.expose()).as_bytes())?;
    out.finish()?;
    let [id, rights, collections, _, expires, name] = token.columns();
    Talk::new(Level::Normal, false).say(format_args!(
        "nearprint: token {id} ({name}): {rights}; collections: {collections}; expires: {expires}. Keep it: it is not \
         shown again"
    ));
    Ok(ExitStatus::Whole)
}

fn failure(error: TokenError) -> Failure {
    match error {
        TokenError::File { .. } => Failure::work(error),
        error => Failure::Usage(error.to_string()),
    }
}

/// A time as a number with s, m, h or d.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "a time is a whole number with s, m, h or d, such as 90d".to_owned();
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    // Beyond a thousand years, sums of times would not fit.
    let seconds = number.checked_mul(seconds).filter(|&seconds| seconds <= 1000 * 366 * 86_400);
    seconds.map(Duration::from_secs).ok_or_else(|| "a time is at most 1,000 years".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("0s", 0), ("30m", 1800), ("12h", 43_200), ("90d", 7_776_000)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "d", "90", "1.5h", "-1d", "1w", "1é", "99999999999999999d", "400000d"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
