//! Commands that run a command of the interpreter with other arguments.

mod dates;
mod jq;
mod patch;
mod plain;

use super::turn;
use crate::program::port::Port;
use bashkit::{
    Builtin, BuiltinContext, BuiltinRegistry, ExecResult, ExecutionPlan, StreamData, SubCommand, async_trait,
};
use std::sync::Arc;

/// The commands that stand in front of commands of the interpreter.
pub(super) fn registry(port: &'static dyn Port) -> BuiltinRegistry {
    let registry = BuiltinRegistry::new();
    registry.insert("awk", Arc::new(Again(plain::Other { name: "awk", first: None })));
    registry.insert("chmod", Arc::new(Again(plain::Chmod)));
    registry.insert("cp", Arc::new(Again(plain::Cp)));
    registry.insert("date", Arc::new(Again(dates::Dated { name: "date", port })));
    registry.insert("jq", Arc::new(Again(jq::Jq(port))));
    registry.insert("more", Arc::new(Again(plain::Other { name: "cat", first: None })));
    registry.insert("patch", Arc::new(Again(patch::Patch)));
    registry.insert("touch", Arc::new(Again(dates::Dated { name: "touch", port })));
    registry.insert("zcat", Arc::new(Again(plain::Other { name: "gunzip", first: Some("-c") })));
    registry
}

/// A command that is another one in the end.
#[async_trait]
trait Rerun: Send + Sync {
    /// What is run instead.
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan;
}

struct Again<R>(R);

#[async_trait]
impl<R: Rerun> Builtin for Again<R> {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
        // What was written before arrives, whatever becomes of this command: some of these crash or never end. The
        // shell and its two streams of output take turns in going first, so three turns are enough.
        for _ in 0..3 {
            turn().await;
        }
        Ok(Some(self.0.plan(ctx).await))
    }
}

/// Runs a command of the interpreter. One in `/bin` is the interpreter's own, also where one of ours has its name.
fn run(name: &str, args: Vec<String>, stdin: Option<StreamData>) -> ExecutionPlan {
    let command = SubCommand { name: format!("/bin/{name}"), args, stdin, assignments: Vec::new() };
    ExecutionPlan::Batch { commands: vec![command] }
}

/// Runs nothing and says why; the status is 1.
fn refuse(problem: String) -> ExecutionPlan {
    let stderr_prefix = format!("{problem}\n");
    ExecutionPlan::BatchWithStatus { commands: Vec::new(), stderr_prefix, force_error_exit: true }
}
