//! Wire value to arguments: decoding, lossless repair, the schema check, and the sentence for the model.

mod check;
mod decode;
mod equality;
mod fault;
mod mend;
pub mod number;
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

pub use check::{Accepted, Checked, Refused, Target, accept, check};
pub use decode::{ToolArguments, decode, replay};
pub use fault::ReadFault;
pub use precision::rounded;
pub use problem::{Problem, Report};
pub use reader::read;
pub use refusal::unreadable;
pub use rules::{Claim, Rules};
pub use schema::{NotEnforced, Schema};
pub use suggest::suggest;
