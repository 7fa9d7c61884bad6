//! Plain data that may cross a door, and nothing else: calls, results, effects, receipts, events, commands, codes
//! and limits. Everything here is serialised as JSON with camelCase members.

mod background;
mod call;
mod code;
mod command;
pub mod digest;
mod effect;
mod event;
mod facts;
mod failure;
// A program module needs only some of it.
#[cfg_attr(not(feature = "core"), allow(dead_code))]
mod fields;
mod input;
#[cfg(feature = "core")]
mod json;
pub mod limits;
#[cfg(feature = "core")]
mod mutant;
mod names;
// A program module needs only some of it.
#[cfg_attr(not(feature = "core"), allow(dead_code))]
pub(crate) mod order;
mod outcome;
mod output;
mod port;
mod record;
mod sorted;
mod tree;
mod typed;
mod writer;

pub use background::{BackgroundCommand, MovedBy, StoppedBy};
pub use call::{Call, Wire};
pub use code::{Code, Kind};
pub use command::{Capabilities, Command, Image, Message, Scenario, StartRun, Watch};
pub use effect::{AbortReason, CallContext, Class, Effect, Payload};
pub use event::{Event, EventId, JournalEvent, Level, LiveEvent};
#[cfg(feature = "core")]
pub(crate) use facts::facts;
pub use facts::{Facts, FactsWriter};
pub use failure::{Diagnostic, Fault, Refusal};
pub(crate) use fields::Fields;
pub use input::{Discarded, Input, Progress, Receipt, ReceiptError, ReceiptOutcome};
#[cfg(feature = "core")]
pub(crate) use json::JsonText;
#[cfg(all(feature = "core", feature = "testing"))]
pub use mutant::Mutant;
#[cfg(all(feature = "core", not(feature = "testing")))]
pub(crate) use mutant::Mutant;
pub use names::BoundNames;
pub use outcome::{EMPTY_TEXT, ExtraMessage, Note, Outcome, Part, Status};
pub use output::{Output, Reply};
pub use port::{PortEntry, PortError, PortKind, PortOp, PortReply, PortStat};
pub use record::{FileChange, FileOperation, Meta, Record, StoredImage};
pub use sorted::{SortedMap, SortedSet};
pub use tree::from_tree;
#[cfg(feature = "core")]
pub(crate) use tree::misfit;
#[cfg(feature = "core")]
pub(crate) use writer::special;
pub use writer::{Unwritable, json_text, write_json, write_quoted};
