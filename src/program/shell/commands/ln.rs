//! `ln`: there are no links (WS-13), and this says so.

use super::resolved;
use bashkit::{Builtin, BuiltinContext, ExecResult, async_trait};
use std::path::Path;

/// The command.
pub(super) struct Ln;

#[async_trait]
impl Builtin for Ln {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let mut symbolic = false;
        let mut operands = Vec::new();
        for arg in ctx.args {
            match arg.as_str() {
                "--symbolic" => symbolic = true,
                "--force" | "--no-dereference" | "--verbose" => {}
                flags if flags.len() > 1 && flags.starts_with('-') => {
                    if let Some(unknown) = flags.chars().skip(1).find(|flag| !"sfnvrT".contains(*flag)) {
                        return Ok(ExecResult::err(format!("ln: invalid option -- '{unknown}'\n"), 2));
                    }
                    symbolic |= flags.contains('s');
                }
                _ => operands.push(arg.as_str()),
            }
        }
        let (target, name) = match operands.as_slice() {
            [target] => (*target, "."),
            [target, name] => (*target, *name),
            _ => return Ok(ExecResult::err("ln: give a file and the name of the link\n", 1)),
        };
        let mut link = resolved(ctx.cwd, name);
        if ctx.fs.stat(&link).await.is_ok_and(|metadata| metadata.file_type.is_dir()) {
            link.push(Path::new(target).file_name().unwrap_or_default());
        }
        let kind = if symbolic { "symbolic" } else { "hard" };
        let problem = format!(
            "ln: failed to create {kind} link '{}': this workspace holds no links; use cp to copy the file\n",
            link.to_string_lossy()
        );
        Ok(ExecResult::err(problem, 1))
    }
}
