//! The builtin tools, one file each: what a model is told of it, what it takes, and what it does.
//!
//! A tool computes; it never changes anything (EX-02). Its [`ToolEffect`] says what is to be done, on success and, where
//! a failure has consequences, on failure.

mod apply_patch;
mod dice;
mod dice_roll;
mod list_files;
mod members;
mod read_file;
mod schema;
mod search_files;
mod shell;
mod shell_cancel;
mod shell_status;
mod write_file;

use serde_json::{Map, Value};

pub use dice::{Formula, Roll};
pub use dice_roll::DiceSeed;
#[cfg(feature = "testing")]
pub(crate) use dice_roll::roll;

use crate::arguments::Rules;
use crate::project::{Projected, RunCall};
use crate::protocol::{BackgroundCommand, BoundNames, Outcome, Payload, Receipt, Refusal};
use crate::workspace::{FileEffect, ReadState, Roots, Tree};

/// What a tool does to the world: the trait of that name (chapter 02, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Runs no code of others and changes no state.
    Read,
    /// Changes state.
    Write,
    /// Runs code of others.
    Exec,
}

/// A builtin tool.
pub struct Spec {
    /// Its name inside, for example `workspace.read_file`; no model sees it (NM-09).
    pub native: &'static str,
    /// Its name on screens.
    pub title: &'static str,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether it may run beside others (SC-22).
    pub parallel: bool,
    /// The schema of its arguments.
    pub schema: fn() -> Value,
    /// What a model is told of it: complete usage, and the division of work with those other tools that are bound
    /// (CT-08).
    pub description: fn(&BoundNames) -> String,
    /// One call of it on a screen, as a template over the arguments.
    pub summary: &'static str,
    /// The argument that tells what a call is about, `path` or `command`: the target of its action (PM-54).
    pub about: Option<&'static str>,
    /// How its arguments are checked: the faults it claims are those it gives codes of its own.
    pub rules: Rules,
    /// Does it. The arguments have passed the check; the tool looks again at what it relies on (AR-27).
    pub run: Run,
}

/// Where a tool is done.
pub enum Run {
    /// It computes, here and now.
    Here(fn(&Context<'_>, &Map<String, Value>) -> Result<Done, Refused>),
    /// The host runs a program for it, which may use the file port.
    Outside(Outside),
}

/// A tool that the host runs a program for.
pub struct Outside {
    /// The kind of its effect, for example `shell.exec`.
    pub kind: &'static str,
    /// Limit of waiting for it, in milliseconds (SC-40).
    pub timeout_ms: u64,
    /// A failure stops the siblings it started with (SC-08).
    pub cascades: bool,
    /// The schema of its arguments where it may go on in the background (SH-50).
    pub background: Option<fn() -> Value>,
    /// The argument that screens are told when it is asked for, and what they call it (SH-10).
    pub told: &'static str,
    /// What the host is asked; a refusal, and nothing is.
    pub ask: fn(&Context<'_>, &Map<String, Value>) -> Result<Payload, Refusal>,
    /// What became of it.
    pub answer: fn(&Receipt, &Map<String, Value>, &RunCall<'_>) -> Projected,
}

impl Spec {
    /// How the host does it, if the host does it.
    pub fn outside(&self) -> Option<&Outside> {
        match &self.run {
            Run::Here(_) => None,
            Run::Outside(outside) => Some(outside),
        }
    }
}

/// What a tool sees of the run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The files.
    pub workspace: &'a Tree,
    /// The roots as this invocation has them.
    pub roots: &'a Roots,
    /// What this invocation has read.
    pub read_state: &'a ReadState,
    /// The tools that may be named.
    pub names: &'a BoundNames,
    /// Chance.
    pub dice: DiceSeed<'a>,
    /// The time, in milliseconds since the Unix epoch.
    pub now: u64,
    /// When waiting for the call ends.
    pub deadline: Option<u64>,
    /// The commands of the shell in the background.
    pub commands: &'a [BackgroundCommand<'a>],
    /// A call that takes too long goes on in the background.
    pub moves: bool,
    /// Whether what a file holds may be shown by a call that does not name it (PM-27).
    pub shows: &'a dyn Fn(&str) -> bool,
}

/// A tool succeeded.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What it answers.
    pub outcome: Outcome,
    /// What is to be done.
    pub effect: ToolEffect,
}

/// A tool refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Why, for the model.
    pub refusal: Refusal,
    /// What is to be done nevertheless.
    pub effect: ToolEffect,
}

impl From<Refusal> for Refused {
    /// A refusal without consequences.
    fn from(refusal: Refusal) -> Self {
        Self { refusal, effect: ToolEffect::None }
    }
}

/// What a tool wants done. The session does it, by [`workspace::apply`](crate::workspace::apply) for files.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolEffect {
    /// Nothing.
    None,
    /// Something with a file.
    File(Box<FileEffect>),
    /// The command in the background with this id is to stop.
    Stop(String),
}

impl From<FileEffect> for ToolEffect {
    fn from(effect: FileEffect) -> Self {
        Self::File(Box::new(effect))
    }
}

/// All builtin tools in the order of the registry (CT-03). New ones are put where that order says, never elsewhere:
/// the order is part of what providers cache.
pub static TOOLS: &[Spec] = &[
    dice_roll::SPEC,
    list_files::SPEC,
    search_files::SPEC,
    read_file::SPEC,
    write_file::SPEC,
    apply_patch::SPEC,
    shell::SPEC,
    shell_status::SPEC,
    shell_cancel::SPEC,
];

/// The builtin tool of this native name.
pub fn find(native: &str) -> Option<&'static Spec> {
    TOOLS.iter().find(|spec| spec.native == native)
}

#[cfg(test)]
mod tests;
