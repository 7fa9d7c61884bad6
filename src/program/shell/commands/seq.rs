//! `seq`: numbers in a row, as many as are read.

use super::Lines;
use super::decimal::{Decimal, Directive};
use bashkit::{Command, CommandContext, CommandStatus, async_trait};

/// The command.
pub(super) struct Seq;

#[async_trait]
impl Command for Seq {
    async fn execute(&self, ctx: CommandContext<'_>) -> bashkit::Result<CommandStatus> {
        let row = match Row::read(ctx.args) {
            Ok(row) => row,
            Err(problem) => {
                ctx.stderr.write_all(format!("seq: {problem}\n").as_bytes()).await?;
                return Ok(CommandStatus::with_code(if problem.contains("option") { 2 } else { 1 }));
            }
        };
        let mut lines = Lines::new(&ctx);
        let mut first = true;
        for value in row.values() {
            let separator = if first { "" } else { row.separator.as_str() };
            first = false;
            if let Some(end) = lines.push(&format!("{separator}{}", row.shown(value))).await? {
                return Ok(end);
            }
        }
        let end = if first { None } else { lines.push("\n").await? };
        match end {
            Some(end) => Ok(end),
            None => lines.end().await,
        }
    }
}

#[derive(Debug)]
struct Row {
    separator: String,
    equal_width: bool,
    format: Option<Directive>,
    first: i128,
    step: i128,
    last: i128,
    /// Digits behind the point, of all three numbers.
    scale: u32,
    /// Digits behind the point that are shown.
    shown: u32,
}

impl Row {
    fn read(args: &[String]) -> Result<Row, String> {
        let (mut separator, mut equal_width, mut format) = ("\n".to_owned(), false, None);
        let mut numbers = Vec::new();
        let mut rest = args.iter().map(String::as_str);
        while let Some(arg) = rest.next() {
            let mut value = |inline: &str| match inline {
                "" => {
                    rest.next().map(str::to_owned).ok_or_else(|| format!("option '{arg}' needs an argument"))
                }
                inline => Ok(inline.to_owned()),
            };
            match arg {
                "-w" | "--equal-width" => equal_width = true,
                "--separator" => separator = value("")?,
                "--format" => format = Some(value("")?),
                "--" => numbers.extend(rest.by_ref()),
                _ if arg.starts_with("--separator=") => separator = value(after(arg, "="))?,
                _ if arg.starts_with("--format=") => format = Some(value(after(arg, "="))?),
                _ if arg.starts_with("-s") => separator = value(after(arg, "-s"))?,
                _ if arg.starts_with("-f") => format = Some(value(after(arg, "-f"))?),
                _ if Decimal::read(arg).is_none() && arg.starts_with('-') && arg.len() > 1 => {
                    return Err(format!("invalid option '{arg}'"));
                }
                _ => numbers.push(arg),
            }
        }
        let read = |text: &str| {
            Decimal::read(text).ok_or_else(|| format!("invalid floating point argument: '{text}'"))
        };
        let one = Decimal { value: 1, scale: 0 };
        let (first, step, last) = match numbers.as_slice() {
            [] => return Err("missing operand".into()),
            [last] => (one, one, read(last)?),
            [first, last] => (read(first)?, one, read(last)?),
            [first, step, last] => (read(first)?, read(step)?, read(last)?),
            [_, _, _, extra, ..] => return Err(format!("extra operand '{extra}'")),
        };
        if step.value == 0 {
            return Err("invalid Zero increment value: '0'".into());
        }
        let scale = first.scale.max(step.scale).max(last.scale);
        let format = format.map(|format| Directive::read(&format)).transpose()?;
        let shown = first.scale.max(step.scale);
        let [first, step, last] = [first, step, last].map(|number| number.scaled(scale));
        Ok(Row { separator, equal_width, format, first, step, last, scale, shown })
    }

    fn values(&self) -> impl Iterator<Item = i128> {
        let Row { first, step, last, .. } = *self;
        let inside = move |value: &i128| if step > 0 { *value <= last } else { *value >= last };
        std::iter::successors(Some(first), move |value| value.checked_add(step)).take_while(inside)
    }

    fn shown(&self, value: i128) -> String {
        let number = Decimal { value, scale: self.scale };
        if let Some(format) = &self.format {
            return format.show(number);
        }
        let text = number.show(self.shown);
        if !self.equal_width {
            return text;
        }
        let width = |value| Decimal { value, scale: self.scale }.show(self.shown).len();
        super::decimal::zero_padded(&text, width(self.first).max(width(self.last)))
    }
}

fn after<'a>(arg: &'a str, mark: &str) -> &'a str {
    arg.split_once(mark).map_or("", |(_, rest)| rest)
}
