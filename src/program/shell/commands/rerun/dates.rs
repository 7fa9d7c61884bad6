//! `date` and `touch`, with the dates that people write.

use super::{Rerun, run};
use crate::program::port::Port;
use crate::program::shell::commands::date_text;
use bashkit::{BuiltinContext, ExecutionPlan, async_trait};

/// A command that takes a date after `-d`; the port is its clock.
pub(super) struct Dated {
    pub name: &'static str,
    pub port: &'static dyn Port,
}

#[async_trait]
impl Rerun for Dated {
    async fn plan(&self, ctx: &BuiltinContext<'_>) -> ExecutionPlan {
        run(self.name, dated(ctx.args, self.port.now()), ctx.stdin.cloned())
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

#[cfg(test)]
mod tests;
