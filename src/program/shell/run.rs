//! One command, from `start` to its end. The driver polls; the run never blocks longer than the command it is in.

use super::interpreter;
use super::request::Request;
use super::spawn::{Ended, Waiting};
use crate::program::port::Port;
use crate::program::random;
use crate::protocol::limits::SHELL_DEADLINE_MS;
use bashkit::{Error, ExecOptions, ExecResult, LimitExceeded};
use serde::Serialize;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// How a command ended, as the driver reads it.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct End {
    /// The exit status.
    pub exit_code: i32,
    /// The bound that ended the command: `time`, `cancel`, or the sentence that stands on stderr as well (SH-43).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// What the interpreter would not begin; nothing of the command has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The working directory at its end, for a prompt that goes on there; absent if the command was broken off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

impl End {
    fn exit(exit_code: i32) -> End {
        End { exit_code, limit: None, refused: None, cwd: None }
    }

    fn limit(exit_code: i32, limit: impl Into<String>) -> End {
        End { limit: Some(limit.into()), ..End::exit(exit_code) }
    }
}

/// What may be called at any time, even from inside a call of the port: it touches nothing of the run itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handle {
    waiting: Waiting,
    cancelled: Arc<AtomicBool>,
}

impl Handle {
    /// The end of a spawned program.
    pub(crate) fn complete(&self, id: u32, exit: i32, stdout: Vec<u8>, stderr: Vec<u8>) {
        self.waiting.complete(id, Ended { exit, stdout, stderr });
    }

    /// Ends the command at the next poll.
    pub(crate) fn cancel(&self, port: &'static dyn Port) {
        self.cancelled.store(true, Ordering::Relaxed);
        port.wake();
    }
}

struct Waken(&'static dyn Port);

impl Wake for Waken {
    fn wake(self: Arc<Self>) {
        self.0.wake();
    }
}

type Work = Pin<Box<dyn Future<Output = End>>>;

/// A command that was started.
pub(crate) struct Run {
    work: Option<Work>,
    waker: Waker,
    cancelled: Arc<AtomicBool>,
    end: Option<End>,
}

impl Run {
    /// Starts a command; nothing of it runs before the first poll.
    ///
    /// # Errors
    /// The request is not the JSON of [`Request`].
    pub(crate) fn start(
        request: &str,
        stdin: Vec<u8>,
        port: &'static dyn Port,
        handle: &Handle,
    ) -> Result<Run, serde_json::Error> {
        let request: Request = serde_json::from_str(request)?;
        random::seed(&request.seed);
        let work = Box::pin(work(request, stdin, port, handle.waiting.clone()));
        let waker = Waker::from(Arc::new(Waken(port)));
        Ok(Run { work: Some(work), waker, cancelled: handle.cancelled.clone(), end: None })
    }

    /// Goes on with the command; true when it has ended.
    pub(crate) fn poll(&mut self) -> bool {
        let Some(work) = &mut self.work else { return true };
        if self.cancelled.load(Ordering::Relaxed) {
            self.end = Some(End::limit(130, "cancel"));
        } else if let Poll::Ready(end) = work.as_mut().poll(&mut Context::from_waker(&self.waker)) {
            self.end = Some(end);
        } else {
            return false;
        }
        self.work = None;
        true
    }

    /// How the command ended; `None` while it runs.
    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
}

async fn work(request: Request, stdin: Vec<u8>, port: &'static dyn Port, waiting: Waiting) -> End {
    let deadline_ms = request.deadline_ms.unwrap_or_else(|| port.now() + SHELL_DEADLINE_MS as f64);
    let mut bash = interpreter::build(&request, port, &waiting, deadline_ms);
    // $RANDOM is seeded by assigning to it (SH-42).
    if let Err(error) = bash.exec(&format!("RANDOM={}", random::number())).await {
        return ended_by(error, &request.command, port);
    }
    let mut execution = bash
        .execute(&request.command)
        .stdout_fn(move |bytes| {
            port.stdout(&bytes);
            ready(Ok(()))
        })
        .stderr_fn(move |bytes| {
            port.stderr(&bytes);
            ready(Ok(()))
        });
    if !stdin.is_empty() {
        execution = execution.options(ExecOptions::new().stdin(stdin));
    }
    match execution.await {
        Ok(result) => {
            let cwd = bash.shell_state_view().cwd;
            End { cwd: cwd.to_str().map(str::to_owned), ..ended(&result) }
        }
        Err(error) => ended_by(error, &request.command, port),
    }
}

fn ended(result: &ExecResult) -> End {
    if result.stdout_truncated || result.stderr_truncated {
        return End::limit(result.exit_code, "output");
    }
    End::exit(result.exit_code)
}

/// What the interpreter could not go on with: a status, and a sentence on stderr that says why (SH-43).
fn ended_by(error: Error, command: &str, port: &dyn Port) -> End {
    let (end, sentence) = match &error {
        Error::Cancelled => return End::limit(130, "cancel"),
        Error::ResourceLimit(LimitExceeded::Timeout(_)) => return End::limit(124, "time"),
        Error::ResourceLimit(limit) => (End::limit(126, limit.to_string()), limit.to_string()),
        Error::Parse { message, .. } if is_bound(message) => (End::limit(126, message), message.clone()),
        Error::Parse { .. } => {
            port.stderr(error.syntax_report("bash", command).unwrap_or_default().as_bytes());
            return End::exit(2);
        }
        Error::Execution(reason) => match reason.strip_prefix("budget validation failed: ") {
            Some(refused) => (End { refused: Some(refused.into()), ..End::exit(126) }, refused.to_owned()),
            None if is_bound(reason) => (End::limit(126, reason), reason.clone()),
            None => (End::exit(1), reason.clone()),
        },
        other => (End::exit(1), other.to_string()),
    };
    port.stderr(format!("bash: {sentence}\n").as_bytes());
    end
}

/// Bounds that the interpreter reports as another kind of error.
fn is_bound(message: &str) -> bool {
    ["nesting too deep", "fuel exhausted", "depth exceeded", "limit exceeded"]
        .iter()
        .any(|sign| message.contains(sign))
}
