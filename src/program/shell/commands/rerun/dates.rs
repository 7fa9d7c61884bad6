//! `date` and `touch`, with the dates that people write.

use super::{Rerun, run};
use crate::program::port::Port;
use crate::program::shell::commands::calendar::Moment;
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

/// A moment as the commands of the interpreter read it: after `@` they take whole seconds only.
fn plain(seconds: i64, nanoseconds: u32) -> String {
    if nanoseconds == 0 {
        return format!("@{seconds}");
    }
    let Moment { year, month, day, hour, minute, second, .. } = Moment::at(seconds, nanoseconds);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanoseconds:09} UTC")
}

/// The arguments with every date as seconds since the epoch. A date that is not understood stays for the command to
/// refuse.
fn dated(args: &[String], now: f64) -> Vec<String> {
    let epoch =
        |text: &str| date_text::read(text, now).map(|(seconds, nanoseconds)| plain(seconds, nanoseconds));
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
