//! What an extension function answered becomes an outcome (RS-30 to RS-37, SC-34, SC-42).

use serde_json::Value;

use super::blocks::{self, Blocks};
use super::endings::{CHECK_FIRST, Stop, interrupted, timed_out, with_partial};
use super::text::{first_chars, grouped};
use crate::protocol::limits::THROWN_MESSAGE_CHARS;
use crate::protocol::{
    Code, EMPTY_TEXT, Mutant, Outcome, Part, Receipt, ReceiptError, ReceiptOutcome, Status, json_text,
};

/// The code of a failed receipt by which the host says that what the function returned is no JSON (RS-36).
const NO_JSON: &str = "invalid_result";
/// The code of a failed receipt by which the host says that the function's own validator refused the arguments; the
/// message is for the model.
const BAD_ARGUMENTS: &str = "invalid_arguments";

/// What the registration says about returned values (XT-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// Plain data.
    #[default]
    Json,
    /// The block shapes of RS-06.
    Blocks,
}

/// The first problem that a declared output schema has with a value, in words (RS-37).
pub type OutputProblem<'a> = &'a dyn Fn(&Value) -> Option<String>;

/// What is known of the call that a receipt answers.
#[derive(Clone, Copy, Default)]
pub struct ExtensionCall<'a> {
    /// The shape of returned values.
    pub returns: Returns,
    /// The check of the declared output schema, if there is one.
    pub output_problem: Option<OutputProblem<'a>>,
    /// Why it was told to stop, if it was.
    pub stop: Option<Stop<'a>>,
    /// The limit of waiting for it.
    pub timeout_ms: Option<u64>,
    /// What it had put out until then.
    pub partial: &'a str,
}

/// The outcome of an extension call.
pub fn extension(receipt: &Receipt, call: &ExtensionCall<'_>) -> Outcome {
    match (receipt.outcome, receipt.stopped) {
        (ReceiptOutcome::Ok, _) => returned(receipt.payload.as_ref(), call),
        (ReceiptOutcome::Failed, _) => with_partial(failed(receipt.error.as_ref()), call.partial),
        (ReceiptOutcome::NotSent, _) if call.stop.is_none() => unavailable(),
        (ReceiptOutcome::NotSent, _) | (ReceiptOutcome::Cancelled, true) => match call.stop {
            Some(Stop::Timeout) => with_partial(timed_out(call.timeout_ms), call.partial),
            stop => with_partial(interrupted(stop), call.partial),
        },
        (ReceiptOutcome::TimedOut, true) => with_partial(timed_out(call.timeout_ms), call.partial),
        (ReceiptOutcome::Unknown, _) if Mutant::UnknownIsFailure.is_on() => failed(None),
        (ReceiptOutcome::Unknown | ReceiptOutcome::Cancelled | ReceiptOutcome::TimedOut, _) => {
            with_partial(unknown(), call.partial)
        }
    }
}

fn unavailable() -> Outcome {
    let text = "This tool is not available now; nothing was called. Go on without it.";
    Outcome::failure(Status::Error, Code::ExtensionToolUnavailable, text)
}

fn unknown() -> Outcome {
    let text = format!("This tool gave no answer, so the outcome of the call is not known. {CHECK_FIRST}");
    Outcome::failure(Status::Unknown, Code::ExtensionCallOutcomeUnknown, text)
}

fn bad_payload() -> Outcome {
    let text = format!(
        "The answer of this tool cannot be read, so the outcome of the call is not known. {CHECK_FIRST}"
    );
    Outcome::failure(Status::Unknown, Code::EffectBadPayload, text)
}

fn invalid_result(problem: &str) -> Outcome {
    let problem = first_chars(problem, THROWN_MESSAGE_CHARS).trim_end_matches('.');
    let text = format!(
        "This tool returned data that cannot be used: {problem}. It did run; do not repeat the call only to get \
         another result."
    );
    Outcome::failure(Status::Error, Code::ToolInvalidResult, text)
}

/// The function threw (RS-31). The record keeps the message as it was thrown.
fn failed(error: Option<&ReceiptError>) -> Outcome {
    let thrown = error.map(|error| error.message.as_str()).unwrap_or_default();
    if error.is_some_and(|error| error.code == NO_JSON) {
        return invalid_result(if thrown.trim().is_empty() { "it is no JSON value" } else { thrown });
    }
    if error.is_some_and(|error| error.code == BAD_ARGUMENTS) && !thrown.trim().is_empty() {
        return Outcome::failure(Status::Error, Code::ToolInvalidArguments, thrown);
    }
    if thrown.trim().is_empty() {
        let text = "This tool failed and gave no reason.";
        return Outcome::failure(Status::Error, Code::ExtensionToolError, text);
    }
    let mut outcome = Outcome::failure(Status::Error, Code::ExtensionToolError, thrown);
    let shown = first_chars(thrown, THROWN_MESSAGE_CHARS);
    if shown.len() < thrown.len() {
        let (limit, total) = (grouped(THROWN_MESSAGE_CHARS), grouped(thrown.chars().count()));
        let notice = format!("[First {limit} of {total} characters of the message.]");
        outcome.parts = vec![Part::Text { text: format!("{shown}\n{notice}") }];
    }
    outcome
}

/// The function returned. A payload that is not `{value?, images?: [digest]}` leaves the outcome unknown (EF-07).
fn returned(payload: Option<&Value>, call: &ExtensionCall<'_>) -> Outcome {
    let Some(payload) = payload.and_then(Value::as_object) else { return bad_payload() };
    let Some(attached) = digests(payload.get("images")) else { return bad_payload() };
    let value = payload.get("value");
    match call.returns {
        Returns::Json => plain(value.cloned().unwrap_or_default(), attached, call),
        Returns::Blocks => match blocks::read(value.unwrap_or(&Value::Null), attached) {
            Ok(blocks) => from_blocks(blocks, call),
            Err(problem) => invalid_result(&problem),
        },
    }
}

fn digests(images: Option<&Value>) -> Option<Vec<String>> {
    match images {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(images) => images.as_array()?.iter().map(|image| image.as_str().map(str::to_owned)).collect(),
    }
}

/// Plain data: a string is the text itself, anything else is shown as compact JSON (RS-30). Images come after the
/// text, in the order in which they were attached (IM-47).
fn plain(value: Value, attached: Vec<String>, call: &ExtensionCall<'_>) -> Outcome {
    if let Some(problem) = call.output_problem.and_then(|problem| problem(&value)) {
        return Outcome { structured: Some(value), ..invalid_result(&problem) };
    }
    let text = match &value {
        Value::String(text) => text.clone(),
        other => json_text(other).unwrap_or_default(),
    };
    let parts =
        [Part::Text { text }].into_iter().chain((0..attached.len()).map(|image| Part::Image { image }));
    shown(Outcome { parts: parts.collect(), images: attached, ..Outcome::ok("", Some(value)) })
}

fn from_blocks(blocks: Blocks, call: &ExtensionCall<'_>) -> Outcome {
    if blocks.failed {
        let text = Outcome { parts: blocks.parts, ..Outcome::ok("", None) }.text();
        let outcome = failed(Some(&ReceiptError { message: text, ..ReceiptError::default() }));
        return Outcome { display: blocks.display, ..outcome };
    }
    let structured = blocks.structured.clone().unwrap_or_default();
    if let Some(problem) = call.output_problem.and_then(|problem| problem(&structured)) {
        return Outcome { structured: blocks.structured, ..invalid_result(&problem) };
    }
    let mut parts = blocks.parts;
    if let (true, Some(display)) = (Mutant::DisplayShown.is_on(), &blocks.display) {
        parts.push(Part::Text { text: display.to_string() });
    }
    shown(Outcome {
        parts,
        images: blocks.images,
        display: blocks.display,
        extra_messages: blocks.extra_messages,
        terminate: blocks.terminate,
        ..Outcome::ok("", blocks.structured)
    })
}

/// Blank texts go; a success that then shows nothing says so (SC-14).
fn shown(mut outcome: Outcome) -> Outcome {
    outcome.parts.retain(|part| !matches!(part, Part::Text { text } if text.trim().is_empty()));
    if outcome.parts.is_empty() && !Mutant::EmptyText.is_on() {
        outcome.parts.push(Part::Text { text: EMPTY_TEXT.into() });
    }
    outcome
}
