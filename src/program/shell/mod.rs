//! The shell program: bash, its commands and jq (bashkit) over the file port.
//!
//! - [`request`]: what the driver asks for;
//! - [`run`]: one command from `start` to its end, polled by the driver;
//! - [`interpreter`]: the environment, the bounds and the commands a run starts with;
//! - [`files`]: the workspace, as bashkit sees it;
//! - [`commands`]: commands of our own;
//! - [`analysis`]: what a command consists of, told without running it;
//! - [`spawn`]: other programs as commands; [`absent`]: commands that are missing on purpose.

mod absent;
mod analysis;
mod commands;
mod files;
mod interpreter;
mod request;
mod run;
mod spawn;

pub(crate) use analysis::Analysis;
pub(crate) use run::{Handle, Run};
