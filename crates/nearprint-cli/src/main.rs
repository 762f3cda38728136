//! The `nearprint` command.
fn main() {}
