//! What the model reads of work that goes on behind it (SC-45, SC-46, SH-50): the placeholder of its call, and the
//! message that brings its result.

use super::endings::{CHECK_FIRST, Stop, interrupted};
use super::extension::{ExtensionCall, extension};
use crate::protocol::{BoundNames, Code, Outcome, Part, Receipt, ReceiptOutcome, Record, Status};

/// The result of a call whose work goes on (SC-45).
pub fn backgrounded(id: &str) -> Outcome {
    placeholder(format!(
        "This call is still running as `{id}`. Its result will be delivered later in a separate message; do not repeat \
         the call."
    ))
}

/// The same for a command of the shell, with the tools that look after it (SH-50).
pub fn command_backgrounded(id: &str, names: &BoundNames) -> Outcome {
    let mut text = format!(
        "The command is running in the background as `{id}`. Its result will be delivered later in a separate message; \
         do not run it again."
    );
    if let Some(status) = names.of("workspace.shell_status") {
        text.push_str(&format!(" To see what it has put out so far, use {status}."));
    }
    if let Some(cancel) = names.of("workspace.shell_cancel") {
        text.push_str(&format!(" To stop it, use {cancel}."));
    }
    placeholder(text)
}

fn placeholder(text: String) -> Outcome {
    Outcome { status: Status::Backgrounded, ..Outcome::ok(text, None) }
}

/// What work of the host's own comes to (SC-47); without a receipt it was told to stop and never answered.
pub fn adopted(receipt: Option<&Receipt>, stop: Option<Stop<'_>>) -> Outcome {
    let outcome = match receipt {
        Some(Receipt { outcome: ReceiptOutcome::NotSent, .. }) => interrupted(stop),
        Some(receipt) => extension(receipt, &ExtensionCall { stop, ..ExtensionCall::default() }),
        None => unknown(),
    };
    match (outcome.status, receipt.and_then(|receipt| receipt.error.as_ref())) {
        (Status::Unknown, _) => unknown(),
        (Status::Error, None) => {
            Outcome::failure(Status::Error, Code::ExtensionToolError, "It gave no reason.")
        }
        (Status::Cancelled | Status::TimedOut, _) => {
            let text = "It is not complete; what it did before that stays done.";
            Outcome::failure(Status::Cancelled, Code::ToolInterrupted, text)
        }
        _ => outcome,
    }
}

fn unknown() -> Outcome {
    let text = format!("Nothing more will be heard of it. {CHECK_FIRST}");
    Outcome::failure(Status::Unknown, Code::ToolOutcomeUnknown, text)
}

/// The message that delivers the result of a call that went on: id, name, how it ended, and the text (SC-46). Images
/// are named by the files they are kept in.
pub fn delivery(id: &str, record: &Record) -> String {
    let ended = match record.status {
        Status::Ok | Status::Backgrounded => "has finished",
        Status::Error | Status::Denied | Status::Skipped => "has failed",
        Status::Cancelled => "was stopped",
        Status::TimedOut => "was stopped at its limit",
        Status::Unknown => "has ended, and its outcome is not known",
    };
    let part = |part: &Part| match part {
        Part::Text { text } => Some(text.clone()),
        Part::Image { image } => record.images.get(*image).map(|image| format!("[Image: {}]", image.path)),
    };
    let name = &record.name;
    let head = match record.tool_id {
        Some(_) => format!("The call of `{name}` that went on in the background as `{id}` {ended}:"),
        None => format!("The work `{name}` of this app, which went on in the background as `{id}`, {ended}:"),
    };
    let texts: Vec<String> = [head].into_iter().chain(record.parts.iter().filter_map(part)).collect();
    texts.join("\n\n")
}
