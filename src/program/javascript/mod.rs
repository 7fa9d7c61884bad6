//! The JavaScript program: ES modules and CommonJS of the workspace on boa_engine, over the file port.
//!
//! - [`request`] and [`command_line`]: what the driver asks for, and what the command line means;
//! - [`run`]: one program from `start` to its end, polled by the driver; [`jobs`]: what it still has to do;
//! - [`entry`], [`modules`], [`commonjs`], [`resolve`], [`nesting`]: from a name to code that runs;
//! - [`engine`], [`hooks`], [`process`]: the engine, and the state around it;
//! - [`console`], [`inspect`], [`table`], [`errors`]: what scripts print;
//! - [`libraries`] and [`natives`]: the modules of Node, written in JavaScript in `lib/`, and what they are made of;
//! - [`strings`], [`elements`], [`regexp`], [`collate`]: parts of the language that the engine has slow or not at all.

mod bytes;
mod collate;
mod command_line;
mod commonjs;
mod console;
mod digest;
mod elements;
mod engine;
mod entry;
mod errors;
mod files;
mod hooks;
mod inspect;
mod jobs;
mod kinds;
mod libraries;
mod modules;
mod native;
mod natives;
mod nesting;
mod process;
mod regexp;
mod request;
mod resolve;
mod run;
mod strings;
mod table;

pub(crate) use process::{Alarm, Outside};
pub(crate) use run::{Handle, Run};

#[cfg(test)]
mod tests;
