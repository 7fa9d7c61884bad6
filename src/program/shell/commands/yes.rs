//! `yes`: a line for ever, until nobody reads it.

use super::{CHUNK_BYTES, Lines};
use bashkit::{Command, CommandContext, CommandStatus, async_trait};

/// The command.
pub(super) struct Yes;

#[async_trait]
impl Command for Yes {
    async fn execute(&self, ctx: CommandContext<'_>) -> bashkit::Result<CommandStatus> {
        let words: Vec<&str> = ctx.args.iter().map(String::as_str).filter(|word| *word != "--").collect();
        let line = if words.is_empty() { "y\n".into() } else { format!("{}\n", words.join(" ")) };
        let chunk = line.repeat((CHUNK_BYTES / line.len()).max(1));
        let mut lines = Lines::new(&ctx);
        loop {
            if let Some(end) = lines.push(&chunk).await? {
                return Ok(end);
            }
        }
    }
}
