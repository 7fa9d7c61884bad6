//! Commands that run a command of the interpreter with other arguments.

use super::{date_text, resolved};
use crate::program::port::Port;
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, StreamData, SubCommand, async_trait};

/// Runs a command of the interpreter under another name.
pub(super) struct Other {
    pub name: &'static str,
    /// An argument in front of those that were given.
    pub first: Option<&'static str>,
}

#[async_trait]
impl Builtin for Other {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
        let args = self.first.into_iter().map(String::from).chain(ctx.args.iter().cloned()).collect();
        Ok(Some(plan(self.name, args, ctx.stdin.cloned())))
    }
}

/// A command in `/bin` is the interpreter's own, also where one of ours has its name.
fn plan(name: &str, args: Vec<String>, stdin: Option<StreamData>) -> ExecutionPlan {
    let command = SubCommand { name: format!("/bin/{name}"), args, stdin, assignments: Vec::new() };
    ExecutionPlan::Batch { commands: vec![command] }
}

/// `date`, with the dates that people write.
pub(super) struct Date(pub &'static dyn Port);

#[async_trait]
impl Builtin for Date {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
        Ok(Some(plan("date", dated(ctx.args, self.0.now()), ctx.stdin.cloned())))
    }
}

/// `touch`, with the dates that people write.
pub(super) struct Touch(pub &'static dyn Port);

#[async_trait]
impl Builtin for Touch {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
        Ok(Some(plan("touch", dated(ctx.args, self.0.now()), ctx.stdin.cloned())))
    }
}

/// The arguments with every date as seconds since the epoch. A date that is not understood stays for the command to
/// refuse.
fn dated(args: &[String], now: f64) -> Vec<String> {
    let epoch = |text: &str| {
        let (seconds, nanoseconds) = date_text::read(text, now)?;
        Some(if nanoseconds == 0 { format!("@{seconds}") } else { format!("@{seconds}.{nanoseconds:09}") })
    };
    let mut out = Vec::with_capacity(args.len());
    let mut after_flag = false;
    for arg in args {
        let inline =
            arg.strip_prefix("--date=").or_else(|| arg.strip_prefix("-d").filter(|text| !text.is_empty()));
        out.push(match inline {
            _ if after_flag => epoch(arg).unwrap_or_else(|| arg.clone()),
            Some(text) => epoch(text).map_or_else(|| arg.clone(), |epoch| format!("--date={epoch}")),
            None => arg.clone(),
        });
        after_flag = !after_flag && (arg == "--date" || is_date_flag(arg));
    }
    out
}

/// `-d`, `-ud`
fn is_date_flag(arg: &str) -> bool {
    arg.len() <= 3 && arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('d')
}

/// `jq`, with a clock: its library would ask the system, which a module does not have.
pub(super) struct Jq(pub &'static dyn Port);

#[async_trait]
impl Builtin for Jq {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
        let mut args = ctx.args.to_vec();
        let clock = format!("def now: {:.3}; ", self.0.now() / 1000.0);
        match jq_program(&args) {
            Some(JqProgram::Argument(at)) => {
                if let Some(program) = args.get_mut(at).filter(|program| program.contains("now")) {
                    program.insert_str(0, &clock);
                }
            }
            Some(JqProgram::File { flag, file }) => {
                let program = match args.get(file) {
                    Some(name) => ctx.fs.read_file(&resolved(ctx.cwd, name)).await.ok(),
                    None => None,
                };
                if let Some(program) = program.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                    && program.contains("now")
                {
                    args.remove(file);
                    if let Some(flags) = args.get_mut(flag) {
                        // Other flags may stand in the same argument.
                        *flags = if flags.starts_with("--") { "-M".into() } else { flags.replace('f', "M") };
                    }
                    args.insert(flag + 1, format!("{clock}{program}"));
                }
            }
            None => {}
        }
        Ok(Some(plan("jq", args, ctx.stdin.cloned())))
    }
}

#[derive(Debug, PartialEq)]
enum JqProgram {
    /// The place of the program.
    Argument(usize),
    /// The places of the flag and of the file's name.
    File { flag: usize, file: usize },
}

/// Where the program of a call of jq stands: the first argument that is no option nor belongs to one.
fn jq_program(args: &[String]) -> Option<JqProgram> {
    let mut at = 0;
    let mut program = None;
    while let Some(arg) = args.get(at) {
        let values = match arg.as_str() {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" => 2,
            "--indent" | "-L" => 1,
            "--from-file" => return Some(JqProgram::File { flag: at, file: at + 1 }),
            "--" => return program.or(Some(JqProgram::Argument(at + 1))),
            long if long.starts_with("--") => 0,
            flags if flags.len() > 1 && flags.starts_with('-') => {
                if flags.contains('f') {
                    return Some(JqProgram::File { flag: at, file: at + 1 });
                }
                0
            }
            _ => {
                program = program.or(Some(JqProgram::Argument(at)));
                0
            }
        };
        at += 1 + values;
    }
    program
}

/// `patch FILE DIFF` and `patch -i DIFF`: the command of the interpreter reads its standard input only.
pub(super) struct Patch;

#[async_trait]
impl Builtin for Patch {
    async fn execute(&self, _: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        Ok(ExecResult::default())
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> bashkit::Result<Option<ExecutionPlan>> {
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
                    if operands == 2 { diff = Some(arg.clone()) } else { args.push(arg.clone()) }
                }
            }
        }
        let Some(diff) = diff.filter(|diff| diff != "-") else {
            return Ok(Some(plan("patch", args, ctx.stdin.cloned())));
        };
        let stdin = match ctx.fs.read_file(&resolved(ctx.cwd, &diff)).await {
            Ok(content) => StreamData::from(content),
            Err(_) => {
                let echo = format!("patch: **** Can't open patch file {diff} : No such file or directory\n");
                return Ok(Some(ExecutionPlan::BatchWithStatus {
                    commands: Vec::new(),
                    stderr_prefix: echo,
                    force_error_exit: true,
                }));
            }
        };
        Ok(Some(plan("patch", args, Some(stdin))))
    }
}

#[cfg(test)]
mod tests;
