//! What the model reads of work that goes on behind it (SC-45, SC-46, SH-50): the placeholder of its call, and the
//! message that brings its result.

use crate::protocol::{BoundNames, Outcome, Part, Record, Status};

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
    let head = format!("The call of `{}` that went on in the background as `{id}` {ended}:", record.name);
    let texts: Vec<String> = [head].into_iter().chain(record.parts.iter().filter_map(part)).collect();
    texts.join("\n\n")
}
