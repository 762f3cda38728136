//! The command as a server: the same answers as the command's own, the guide's recipes, and kills at any moment.

mod answers;
mod kills;
mod operation;
mod process;
mod recipes;
