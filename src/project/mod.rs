//! What a tool did becomes a record, and the record becomes what the model sees.
//!
//! *Comes in*: a receipt or an [`Outcome`](crate::protocol::Outcome), and the facts of its call.
//! *Goes out*: [`Stored`], the one truth of a call from which events, requests and files are made; and the texts of
//! those files.
//! *Invariants*: exactly one terminal status, `ok` exactly for `ok` and `backgrounded` (IV-76); a text is never blank
//! and always says when it is not the whole (IV-26, IV-71); kept and omitted add up to the total (IV-72).
//! *Not here*: who writes the files, which images were good, and how a request is shaped.

mod audit;
mod background;
mod blocks;
mod endings;
mod extension;
mod files;
mod images;
mod long;
mod record;
mod shell;
mod text;
mod truncate;

pub use audit::{Arguments, arguments_file, result_file};
pub use background::{adopted, backgrounded, command_backgrounded, delivery};
pub use endings::{
    Stop, cancelled_before_start, cut_off, internal_error, interrupted, loop_blocked, outcome_unknown,
    skipped_after_failure, skipped_batch_ended, skipped_run_ended, timed_out, with_partial,
};
pub use extension::{ExtensionCall, OutputProblem, Returns, extension};
pub use files::CallFiles;
pub use images::image_kind;
pub use long::{
    BatchResult, Budget, Externalised, Limit, LongResult, Origin, batch_result, externalise, inline_limit,
    over_batch_limit,
};
pub use record::{CallFacts, Stored, store};
pub use shell::{Projected, RunCall, shell};
pub use text::first_chars;
pub use truncate::{Bounds, Cut, Keep, truncate};

#[cfg(test)]
mod tests;
