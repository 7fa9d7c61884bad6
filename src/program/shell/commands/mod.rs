//! Commands of our own, where those of the interpreter are missing, refuse what scripts take for granted, or answer
//! wrongly. Each is one file and a row of the tables here.

mod bc;
mod calendar;
mod date_text;
mod decimal;
mod expr;
mod ln;
mod ls;
mod mv;
mod rerun;
mod rm;
mod seq;
mod stat;
mod yes;

use crate::program::port::Port;
use bashkit::{BashBuilder, CommandContext, CommandOutput, CommandStatus, Error, normalize_path};
use std::future::poll_fn;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::task::Poll;

/// Adds our commands to an interpreter.
pub(super) fn install(builder: BashBuilder, port: &'static dyn Port) -> BashBuilder {
    builder
        .builtin("bc", Box::new(bc::Bc))
        .builtin("expr", Box::new(expr::Expr))
        .builtin("ln", Box::new(ln::Ln))
        .builtin("ls", Box::new(ls::Ls(port)))
        .builtin("mv", Box::new(mv::Mv))
        .builtin("rm", Box::new(rm::Rm))
        .builtin("stat", Box::new(stat::Stat))
        .command("seq", seq::Seq)
        .command("yes", yes::Yes)
        .builtin_registry(rerun::registry(port))
}

/// A path as an argument gives it, absolute and without `.` and `..`.
fn resolved(cwd: &Path, path: &str) -> PathBuf {
    normalize_path(&cwd.join(path))
}

/// Why a file operation failed, in the words of the system.
fn reason(error: &Error) -> String {
    match error {
        Error::Io(error) if error.kind() == ErrorKind::NotFound => "No such file or directory".into(),
        Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// Bytes that are written at once.
const CHUNK_BYTES: usize = 4 * 1024;
/// Chunks after which the driver gets a turn.
const CHUNKS: usize = 16;

/// Endless output: buffered, stopped when its reader is gone, and never in the way of the driver for long.
struct Lines {
    name: String,
    stdout: CommandOutput,
    stderr: CommandOutput,
    buffer: String,
    chunks: usize,
}

impl Lines {
    fn new(ctx: &CommandContext<'_>) -> Lines {
        let (stdout, stderr) = (ctx.stdout.clone(), ctx.stderr.clone());
        Lines { name: ctx.name.into(), stdout, stderr, buffer: String::new(), chunks: 0 }
    }

    /// Adds a text; the status is there when nothing more can be written.
    async fn push(&mut self, text: &str) -> bashkit::Result<Option<CommandStatus>> {
        self.buffer.push_str(text);
        if self.buffer.len() < CHUNK_BYTES { Ok(None) } else { self.flush().await }
    }

    /// Writes what is left.
    async fn end(mut self) -> bashkit::Result<CommandStatus> {
        Ok(self.flush().await?.unwrap_or_default())
    }

    async fn flush(&mut self) -> bashkit::Result<Option<CommandStatus>> {
        let buffer = std::mem::take(&mut self.buffer);
        match self.stdout.write_all(buffer.as_bytes()).await {
            Ok(()) => {}
            // As a process ends that the system sends SIGPIPE.
            Err(Error::Io(error)) if error.kind() == ErrorKind::BrokenPipe => {
                return Ok(Some(CommandStatus::with_code(141)));
            }
            Err(Error::Io(error)) => {
                let message = format!("{}: write error: {error}\n", self.name);
                self.stderr.write_all(message.as_bytes()).await?;
                return Ok(Some(CommandStatus::with_code(1)));
            }
            Err(other) => return Err(other),
        }
        self.chunks += 1;
        if self.chunks.is_multiple_of(CHUNKS) {
            turn().await;
        }
        Ok(None)
    }
}

/// Gives the driver a turn.
async fn turn() {
    let mut taken = false;
    poll_fn(|context| {
        if taken {
            return Poll::Ready(());
        }
        taken = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
