//! Other programs as commands of the shell: `js`, `node`, `deno` and what the host registered (SH-30, SH-57). The
//! driver runs each in an instance of its own and answers with its output.

use crate::program::port::Port;
use bashkit::{Builtin, BuiltinContext, ExecResult, async_trait};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// The end of a spawned program.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit status.
    pub exit: i32,
    /// All it wrote.
    pub stdout: Vec<u8>,
    /// All it wrote as errors.
    pub stderr: Vec<u8>,
}

/// The programs that a run waits for. A clone is the same list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting(Arc<Mutex<Open>>);

#[derive(Debug, Default)]
struct Open {
    last: u32,
    answers: BTreeMap<u32, oneshot::Sender<Ended>>,
}

impl Waiting {
    /// Hands over the end of a program; one that nobody waits for any more is dropped.
    pub(crate) fn complete(&self, id: u32, ended: Ended) {
        let answer = self.open(|open| open.answers.remove(&id));
        if let Some(answer) = answer {
            let _ = answer.send(ended);
        }
    }

    fn begin(&self) -> (Ticket, oneshot::Receiver<Ended>) {
        let (sender, receiver) = oneshot::channel();
        let id = self.open(|open| {
            open.last = open.last.wrapping_add(1);
            open.answers.insert(open.last, sender);
            open.last
        });
        (Ticket { id, waiting: self.clone() }, receiver)
    }

    fn open<T>(&self, change: impl FnOnce(&mut Open) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// Takes the program off the list when its command is dropped, by a cancel or a deadline.
struct Ticket {
    id: u32,
    waiting: Waiting,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.waiting.open(|open| open.answers.remove(&self.id));
    }
}

/// One program as a command.
pub(crate) struct Program {
    /// Its name, which is also `argv[0]`.
    pub name: String,
    /// Where it is started.
    pub port: &'static dyn Port,
    /// Where its end arrives.
    pub waiting: Waiting,
    /// The seed of the shell call.
    pub seed: String,
    /// The deadline that it shares.
    pub deadline_ms: f64,
}

#[async_trait]
impl Builtin for Program {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let (ticket, end) = self.waiting.begin();
        let argv: Vec<&str> =
            std::iter::once(self.name.as_str()).chain(ctx.args.iter().map(String::as_str)).collect();
        let request = json!({
            "argv": argv,
            "cwd": ctx.cwd.to_string_lossy(),
            "env": ctx.env.iter().collect::<BTreeMap<_, _>>(),
            "now": self.port.now(),
            "seed": format!("{}/{}", self.seed, ticket.id),
            "deadlineMs": self.deadline_ms,
        });
        if let Err(error) =
            self.port.spawn(ticket.id, &request.to_string(), ctx.stdin_bytes().unwrap_or_default())
        {
            return Ok(ExecResult::err(format!("bash: {}: {error}\n", self.name), 126));
        }
        let Ok(ended) = end.await else {
            return Ok(ExecResult::err(format!("bash: {}: the program was stopped\n", self.name), 134));
        };
        Ok(ExecResult {
            stdout: ended.stdout.into(),
            stderr: ended.stderr.into(),
            exit_code: ended.exit,
            ..ExecResult::default()
        })
    }
}
