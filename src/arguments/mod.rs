//! Wire value to arguments: decoding, lossless repair, the schema check, and the sentence for the model.

mod check;
mod decode;
pub mod number;
mod precision;
mod problem;
mod reader;
mod refusal;
mod rules;
mod schema;
mod suggest;

pub use check::{Accepted, Checked, Refused, Target, accept, check};
pub use decode::{ToolArguments, decode, replay};
pub use precision::rounded;
pub use problem::{Problem, Report};
pub use reader::{ReadFault, read};
pub use refusal::unreadable;
pub use rules::{Claim, Rules};
pub use schema::{NotEnforced, Schema};
pub use suggest::suggest;
