//! What the model reads of a call that did not end by itself (SC-07): one text each, here and nowhere else.

use super::text::span;
use super::truncate::{Bounds, Keep, truncate};
use crate::protocol::{Code, Outcome, Part, Status};

/// Said wherever something may have happened (SC-43, IV-17).
pub(super) const CHECK_FIRST: &str =
    "It may have taken effect. Check the current state before you repeat the call.";

/// Why running work was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop<'a> {
    /// The user stopped it.
    User,
    /// A call of the same group failed; the name it was called by (SC-08).
    Failure(&'a str),
    /// The limit of waiting for it passed (SC-42).
    Timeout,
    /// The run ended.
    RunEnd,
}

/// The user stopped it before it started.
pub fn cancelled_before_start() -> Outcome {
    let text = "The user stopped this call before it started; nothing was done.";
    Outcome::failure(Status::Cancelled, Code::ToolInterruptedBeforeStart, text)
}

/// It was stopped while it ran, and certainly stopped.
pub fn interrupted(stop: Option<Stop<'_>>) -> Outcome {
    let why = match stop {
        Some(Stop::User) => "by the user while it was running".to_owned(),
        Some(Stop::Failure(name)) => format!("while it was running, because the call of `{name}` failed"),
        Some(Stop::Timeout) => "at its time limit".to_owned(),
        Some(Stop::RunEnd) => "because the run ended".to_owned(),
        None => "while it was running".to_owned(),
    };
    let text =
        format!("This call was stopped {why}. It is not complete; what it did before that stays done.");
    Outcome::failure(Status::Cancelled, Code::ToolInterrupted, text)
}

/// It was told to stop and did not say that it did.
pub fn outcome_unknown() -> Outcome {
    let text = format!("This call was told to stop, but it is not known whether it did. {CHECK_FIRST}");
    Outcome::failure(Status::Unknown, Code::ToolOutcomeUnknown, text)
}

/// A call of its group failed before it started; the name that one was called by (SC-08).
pub fn skipped_after_failure(failed: &str) -> Outcome {
    let text = format!(
        "This call was not run because another call of the same reply failed: `{failed}`. See to that failure first, \
         then call again if it is still needed."
    );
    Outcome::failure(Status::Skipped, Code::ToolSkippedAfterFailure, text)
}

/// The batch ended before it started (SC-10).
pub fn skipped_batch_ended() -> Outcome {
    let text = "This call was not run because the batch ended before it. Call again in a later reply if it is still \
                needed.";
    Outcome::failure(Status::Skipped, Code::ToolSkippedBatchEnded, text)
}

/// The run ended before it started.
pub fn skipped_run_ended() -> Outcome {
    let text = "This call was not run because the run ended.";
    Outcome::failure(Status::Skipped, Code::ToolSkippedRunEnded, text)
}

/// It was stopped at its limit, and certainly stopped (SC-42).
pub fn timed_out(limit_ms: Option<u64>) -> Outcome {
    let limit = limit_ms.map(|ms| format!(" of {}", span(ms))).unwrap_or_default();
    let text = format!(
        "This call was stopped at its time limit{limit} and is not complete. Ask for less in one call, or try another \
         way."
    );
    Outcome::failure(Status::TimedOut, Code::ToolTimeout, text)
}

/// It failed twice with the same arguments, so it was not tried again (LG-02).
pub fn loop_blocked() -> Outcome {
    let text = "This call was not run: the same call has failed twice, and nothing has changed since. Change the arguments, \
                or try another way.";
    Outcome::failure(Status::Error, Code::ToolLoopBlocked, text)
}

/// The output limit was reached inside it (WR-12).
pub fn cut_off() -> Outcome {
    let text = "This call was not run: the reply reached the output limit inside it. Send it again, shorter or in \
                several parts.";
    Outcome::failure(Status::Error, Code::ModelOutputTruncated, text)
}

/// A panic in the runtime or in a program of it (SC-29).
pub fn internal_error() -> Outcome {
    let text = "This tool failed with an internal error and the call was not completed. Try another way.";
    Outcome::failure(Status::Error, Code::ToolInternalError, text)
}

/// The same outcome with the output collected until then behind its text (SC-44, RS-03).
pub fn with_partial(mut outcome: Outcome, partial: &str) -> Outcome {
    if partial.trim().is_empty() {
        return outcome;
    }
    let cut = truncate(partial, Keep::Tail, Bounds::of(Keep::Tail));
    let output = cut.map_or_else(|| partial.to_owned(), |cut| cut.text(None));
    outcome.parts.push(Part::Text { text: format!("Incomplete output until then:\n{output}") });
    outcome
}
