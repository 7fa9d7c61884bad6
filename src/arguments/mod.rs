//! Wire value to arguments: decoding, lossless repair, the schema check, and the sentence for the model.
//!
//! - Comes in: a found call (a [`Target`]): its argument position, its tool's compiled [`Schema`], its [`Rules`].
//! - Goes out: [`Checked`], which only this room makes: one object that satisfies the schema; or [`Refused`].
//! - Invariants: malformed arguments never become `{}`; a valid value passes unchanged; a repaired one validates; the
//!   verdict is the same for both wire forms and for every source of tools; all work is bounded.
//! - Refuses with `tool.invalid_arguments` only.
//! - Not here: what a tool thinks of its arguments beyond their structure (`tool`), who may call it (`permission`).
//!
//! [`read`] is also the one JSON reader for all other untrusted text.

mod check;
mod decode;
mod equality;
mod fault;
mod mend;
pub mod number;
mod passing;
mod place;
mod precision;
mod problem;
mod reader;
mod refusal;
mod repair;
mod rules;
mod schema;
mod suggest;
mod tidy;
mod walk;
mod wording;

pub use check::{Accepted, Checked, Refused, Target, accept, check, check_decoded};
pub(crate) use decode::replayed;
pub use decode::{ToolArguments, decode, is_too_deep, replay};
pub(crate) use equality::canonical_object;
pub use fault::ReadFault;
pub use precision::rounded;
pub use problem::{Problem, Report};
pub(crate) use reader::Reader;
pub use reader::{read, read_within};
pub use refusal::unreadable;
pub use rules::{Claim, Rules};
pub use schema::{NotEnforced, Schema};
pub use suggest::suggest;
