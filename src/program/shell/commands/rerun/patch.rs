//! `patch FILE DIFF` and `patch -i DIFF`: the command of the interpreter reads its standard input only.

use super::{Rerun, refuse, run};
use crate::program::shell::commands::resolved;
use bashkit::{BuiltinContext, ExecutionPlan, StreamData, async_trait};

/// The command.
pub(super) struct Patch;

#[async_trait]
impl Rerun for Patch {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        let mut args = Vec::new();
        let mut diff = None;
        let mut operands = 0;
        let mut rest = ctx.args.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "-i" | "--input" => diff = rest.next().cloned(),
                _ if arg.starts_with("--input=") => diff = arg.strip_prefix("--input=").map(str::to_owned),
                "-p" | "-d" | "-o" => {
                    args.push(arg.clone());
                    args.extend(rest.next().cloned());
                }
                _ if arg.starts_with('-') => args.push(arg.clone()),
                _ => {
                    operands += 1;
                    if operands == 2 {
                        diff = Some(arg.clone());
                    } else {
                        args.push(arg.clone());
                    }
                }
            }
        }
        let Some(diff) = diff.filter(|diff| diff != "-") else {
            return run("patch", args, ctx.stdin.cloned());
        };
        match ctx.fs.read_file(&resolved(ctx.cwd, &diff)).await {
            Ok(content) => run("patch", args, Some(StreamData::from(content))),
            Err(_) => refuse(format!("patch: **** Can't open patch file {diff} : No such file or directory")),
        }
    }
}
