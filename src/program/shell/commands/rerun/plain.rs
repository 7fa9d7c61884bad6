//! Commands whose arguments are looked at: other names, flags that mean nothing here, and what would be ignored in
//! silence.

use super::{Rerun, refuse, run};
use crate::program::shell::commands::resolved;
use bashkit::{BuiltinContext, ExecutionPlan, async_trait};

/// A command under another name.
pub(super) struct Other {
    pub name: &'static str,
    /// An argument in front of those that were given.
    pub first: Option<&'static str>,
}

#[async_trait]
impl Rerun for Other {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        let args = self.first.into_iter().map(String::from).chain(ctx.args.iter().cloned());
        run(self.name, args.collect(), ctx.stdin.cloned())
    }
}

/// `chmod`: modes last as long as the call, for each file that is named; `-R` reaches no further.
pub(super) struct Chmod;

#[async_trait]
impl Rerun for Chmod {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        let flags = [
            "-R",
            "-f",
            "-v",
            "-c",
            "-Rf",
            "-Rv",
            "--recursive",
            "--verbose",
            "--silent",
            "--quiet",
            "--changes",
        ];
        let args = ctx.args.iter().filter(|arg| !flags.contains(&arg.as_str()));
        run("chmod", args.cloned().collect(), ctx.stdin.cloned())
    }
}

/// `cp`, with the directory in front as well (`-t`).
pub(super) struct Cp;

#[async_trait]
impl Rerun for Cp {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        let (mut args, mut directory) = (Vec::new(), None);
        let mut rest = ctx.args.iter();
        while let Some(arg) = rest.next() {
            match arg.as_str() {
                "-t" | "--target-directory" => directory = rest.next().cloned(),
                "--parents" => {
                    return refuse(
                        "cp: option '--parents' is not supported; make the directories first".into(),
                    );
                }
                _ if arg.starts_with("--target-directory=") => {
                    directory = arg.strip_prefix("--target-directory=").map(str::to_owned);
                }
                _ => args.push(arg.clone()),
            }
        }
        if let Some(directory) = directory {
            let there = ctx.fs.stat(&resolved(ctx.cwd, &directory)).await;
            if !there.is_ok_and(|metadata| metadata.file_type.is_dir()) {
                return refuse(format!("cp: target directory '{directory}': No such file or directory"));
            }
            args.push(directory);
        }
        run("cp", args, ctx.stdin.cloned())
    }
}
