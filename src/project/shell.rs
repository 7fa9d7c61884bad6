//! What a shell command came to becomes an outcome (chapter 09, section 1).

use serde_json::{Value, json};

use super::endings::{CHECK_FIRST, Stop};
use super::text::{first_chars, span};
use super::truncate::{Bounds, Keep, truncate};
use crate::protocol::limits::THROWN_MESSAGE_CHARS;
use crate::protocol::{BoundNames, Code, Outcome, Part, Receipt, ReceiptError, ReceiptOutcome, Status};

/// What is known of the call of a program that a receipt answers.
#[derive(Clone, Copy, Debug)]
pub struct RunCall<'a> {
    /// Why it was told to stop, if it was.
    pub stop: Option<Stop<'a>>,
    /// The limit of waiting for it.
    pub timeout_ms: Option<u64>,
    /// Where the whole of its output lies if the model is shown a part of it.
    pub path: &'a str,
    /// The tools that may be named.
    pub names: &'a BoundNames,
}

/// What became of the call of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// Its outcome.
    pub outcome: Outcome,
    /// The whole of its output, if the outcome holds a part of it: the file that goes to [`RunCall::path`].
    pub whole: Option<String>,
}

/// Output of a command, as a receipt brings it.
struct Output<'a> {
    exit_code: Option<i64>,
    stdout: &'a str,
    stderr: &'a str,
    /// The streams that went over their bound.
    cut: Vec<&'static str>,
}

impl<'a> Output<'a> {
    /// The output in a payload, if it is one.
    fn of(payload: Option<&'a Value>) -> Option<Self> {
        let member = |name| payload.and_then(|payload| payload.get(name));
        let is_cut = |name| member(name).and_then(Value::as_bool).unwrap_or_default();
        let cut = [("stdoutTruncated", "stdout"), ("stderrTruncated", "stderr")];
        Some(Self {
            exit_code: member("exitCode").and_then(Value::as_i64),
            stdout: member("stdout")?.as_str()?,
            stderr: member("stderr")?.as_str()?,
            cut: cut.into_iter().filter(|(flag, _)| is_cut(flag)).map(|(_, stream)| stream).collect(),
        })
    }

    /// Both streams as one text (SH-06).
    fn joined(&self) -> String {
        let (stdout, stderr) = (self.stdout, self.stderr);
        let mut text = stdout.to_owned();
        if !stdout.is_empty() && !stderr.is_empty() {
            text.push_str(if stdout.ends_with('\n') { "stderr:\n" } else { "\nstderr:\n" });
        }
        text.push_str(stderr);
        text
    }

    /// The streams that lost something, in words.
    fn notice(&self) -> Option<String> {
        let streams = match self.cut.as_slice() {
            [] => return None,
            [one] => format!("{one} was longer and is cut after"),
            _ => "stdout and stderr were longer and are cut after".to_owned(),
        };
        Some(format!("[Output truncated: {streams} 128 KiB.]"))
    }

    /// What the model is shown of the streams: the tail, with a notice where it was cut (RS-79), and the whole if that
    /// is not all.
    fn shown(&self, path: &str) -> (String, Option<String>) {
        let joined = self.joined();
        let cut = truncate(&joined, Keep::Tail, Bounds::of(Keep::Tail)).map(|cut| cut.text(Some(path)));
        let (text, is_cut) = cut.map_or((joined.as_str().to_owned(), false), |text| (text, true));
        let mut lines = text.strip_suffix('\n').unwrap_or(&text).to_owned();
        if let Some(notice) = self.notice() {
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines.push_str(&notice);
        }
        (lines, is_cut.then_some(joined))
    }
}

/// The outcome of a shell command. Once it is answered, nothing can write through its port any more, so a command that
/// was broken off certainly stopped (SC-36, FP-03).
pub fn shell(receipt: &Receipt, command: &str, call: &RunCall<'_>) -> Projected {
    let output = Output::of(receipt.payload.as_ref());
    let error = receipt.error.as_ref();
    let outcome = match (receipt.outcome, call.stop) {
        (ReceiptOutcome::Ok, _) => match &output {
            Some(Output { exit_code: Some(code), .. }) => {
                return ended(*code, output.as_ref(), command, call);
            }
            _ => bad_payload(),
        },
        (ReceiptOutcome::Failed, _) => failed(error),
        (ReceiptOutcome::NotSent, None) => unavailable(call.names),
        (ReceiptOutcome::TimedOut, _)
        | (
            ReceiptOutcome::NotSent | ReceiptOutcome::Cancelled | ReceiptOutcome::Unknown,
            Some(Stop::Timeout),
        ) => timed_out(call.timeout_ms),
        (ReceiptOutcome::NotSent | ReceiptOutcome::Cancelled, stop) => cancelled(stop),
        (ReceiptOutcome::Unknown, _) => unknown(),
    };
    broken_off(outcome, output.as_ref(), command, call)
}

/// The command came to its end.
fn ended(code: i64, output: Option<&Output<'_>>, command: &str, call: &RunCall<'_>) -> Projected {
    let (shown, whole) = output.map(|output| output.shown(call.path)).unwrap_or_default();
    let mut text = format!("exit code: {code}");
    if !shown.is_empty() {
        text.push('\n');
        text.push_str(&shown);
    }
    let is_cut = output.is_some_and(|output| !output.cut.is_empty());
    let mut outcome = Outcome::ok(text, Some(json!({"exitCode": code, "outputTruncated": is_cut})));
    if code != 0 {
        let error = Code::WorkspaceShellExit;
        let message = format!("The command ended with exit code {code}.");
        outcome.status = Status::Error;
        outcome.code = Some(error);
        outcome.structured = Some(json!({
            "exitCode": code, "outputTruncated": is_cut, "error": {"code": error, "message": message},
        }));
    }
    finish(outcome, whole, command, Some(code), call)
}

/// The command did not come to its end; what it had put out stands behind the sentence (RS-03, SC-44).
fn broken_off(
    mut outcome: Outcome,
    output: Option<&Output<'_>>,
    command: &str,
    call: &RunCall<'_>,
) -> Projected {
    let (shown, whole) = output.map(|output| output.shown(call.path)).unwrap_or_default();
    if !shown.trim().is_empty() {
        outcome.parts.push(Part::Text { text: format!("Incomplete output until then:\n{shown}") });
    }
    finish(outcome, whole, command, None, call)
}

fn finish(
    mut outcome: Outcome,
    whole: Option<String>,
    command: &str,
    code: Option<i64>,
    call: &RunCall<'_>,
) -> Projected {
    outcome.display =
        Some(json!({"kind": "shell", "title": "Run command", "command": command, "exitCode": code}));
    if whole.is_some() {
        outcome.resource_refs.push(call.path.to_owned());
    }
    Projected { outcome, whole }
}

fn bad_payload() -> Outcome {
    let text = format!(
        "The answer of the shell cannot be read, so it is not known how the command ended. {CHECK_FIRST}"
    );
    Outcome::failure(Status::Unknown, Code::EffectBadPayload, text)
}

fn failed(error: Option<&ReceiptError>) -> Outcome {
    let (code, message) = error.map_or(("", ""), |error| (error.code.as_str(), error.message.trim()));
    let message = first_chars(message, THROWN_MESSAGE_CHARS);
    let reason = match (message, message.ends_with(['.', '!', '?'])) {
        ("", _) => ".".to_owned(),
        (message, true) => format!(": {message}"),
        (message, false) => format!(": {message}."),
    };
    let text = match code {
        "refused" => format!("The shell did not run this command{reason} Write it in another way."),
        "trap" => format!(
            "The shell stopped while it ran this command{reason} What the command did to files before that stays. \
             Split the work into smaller commands, or try another way."
        ),
        _ => format!(
            "The shell failed while it ran this command{reason} What the command did to files before that stays. Try \
             another way."
        ),
    };
    Outcome::failure(Status::Error, Code::WorkspaceShellFailed, text)
}

fn unavailable(names: &BoundNames) -> Outcome {
    const FILE_TOOLS: [&str; 5] = [
        "workspace.list_files",
        "workspace.search_files",
        "workspace.read_file",
        "workspace.write_file",
        "workspace.apply_patch",
    ];
    let bound: Vec<&str> = FILE_TOOLS.into_iter().filter_map(|native| names.of(native)).collect();
    let next = match bound.as_slice() {
        [] => "Go on without it.".to_owned(),
        bound => format!("Use the file tools instead: {}.", bound.join(", ")),
    };
    let text = format!("The shell is not available now; nothing was run. {next}");
    Outcome::failure(Status::Error, Code::WorkspaceShellFailed, text)
}

fn timed_out(limit_ms: Option<u64>) -> Outcome {
    let limit = limit_ms.map(|ms| format!(" of {}", span(ms))).unwrap_or_default();
    let text = format!(
        "The command was stopped at its time limit{limit} and is not complete; what it did to files before that stays. \
         Run a narrower command, or split the work over several calls."
    );
    Outcome::failure(Status::TimedOut, Code::WorkspaceShellTimeout, text)
}

fn cancelled(stop: Option<Stop<'_>>) -> Outcome {
    let why = match stop {
        Some(Stop::User) => " by the user".to_owned(),
        Some(Stop::Failure(name)) => format!(" because the call of `{name}` failed"),
        Some(Stop::RunEnd) => " because the run ended".to_owned(),
        Some(Stop::Timeout) | None => String::new(),
    };
    let text = format!(
        "The command was stopped{why} before it was complete; what it did to files before that stays."
    );
    Outcome::failure(Status::Cancelled, Code::WorkspaceShellCancelled, text)
}

fn unknown() -> Outcome {
    let text = "The shell gave no answer, so it is not known how the command ended. Check the files it works on before \
                you repeat it.";
    Outcome::failure(Status::Unknown, Code::WorkspaceShellFailed, text)
}
