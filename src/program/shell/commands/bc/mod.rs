//! `bc`: a calculator with decimals of any length.

mod evaluate;
mod functions;
mod number;
mod parse;
mod tokens;

use super::{reason, resolved};
use bashkit::{Builtin, BuiltinContext, ExecResult, async_trait};
use evaluate::{Flow, Machine};
use parse::Parser;
use std::fmt::Write;

/// The command.
pub(super) struct Bc;

#[async_trait]
impl Builtin for Bc {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> bashkit::Result<ExecResult> {
        let mut library = false;
        let mut programs = Vec::new();
        for arg in ctx.args {
            match arg.as_str() {
                "-l" | "--mathlib" => library = true,
                "-q" | "--quiet" | "-s" | "--standard" | "-w" | "--warn" | "-i" | "--interactive" => {}
                "-lq" | "-ql" => library = true,
                option if option.len() > 1 && option.starts_with('-') => {
                    return Ok(ExecResult::err(format!("bc: option '{option}' is not supported\n"), 1));
                }
                name => match ctx.fs.read_file(&resolved(ctx.cwd, name)).await {
                    Ok(bytes) => programs.push(String::from_utf8_lossy(&bytes).into_owned()),
                    Err(error) => return Ok(ExecResult::err(format!("bc: {name}: {}\n", reason(&error)), 1)),
                },
            }
        }
        programs.push(ctx.stdin_text_lossy().unwrap_or_default().into_owned());
        let (stdout, stderr) = run(&programs, library);
        let exit_code = i32::from(!stderr.is_empty());
        Ok(ExecResult { stdout: stdout.into(), stderr: stderr.into(), exit_code, ..ExecResult::default() })
    }
}

/// The output of programs that are run one after the other, and their problems.
fn run(programs: &[String], library: bool) -> (String, String) {
    let mut machine = Machine::new(library);
    let mut problems = String::new();
    'programs: for program in programs {
        let mut parser = match Parser::new(program) {
            Ok(parser) => parser,
            Err(problem) => {
                let _ = writeln!(problems, "bc: {problem}");
                continue;
            }
        };
        while let Some(statement) = parser.next_statement() {
            let flow = statement.map(|statement| machine.run(&statement));
            match flow {
                Ok(Ok(Flow::Quit)) => break 'programs,
                Ok(Ok(_)) => {}
                // The program goes on after what could not be calculated, as that of GNU does.
                Ok(Err(problem)) => {
                    let _ = writeln!(problems, "bc: {problem}");
                }
                Err(problem) => {
                    let _ = writeln!(problems, "bc: {problem}");
                    break 'programs;
                }
            }
        }
    }
    (machine.out, problems)
}

#[cfg(test)]
mod tests;
