//! What a person can see of a call before it is made (PM-32).

use serde::Serialize;
use serde_json::{Map, Value};

use super::approval::Ask;
use crate::protocol::limits::{PREVIEW_LINE_CHARS, PREVIEW_LINES};

/// A preview.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs)] // The names say it.
pub enum Preview {
    Command { command: String, cwd: Option<String> },
    FileEdit { path: String, diff: String },
    FileWrite { path: String, bytes: usize, first_lines: Vec<String>, total_lines: usize, truncated: bool },
    Url { url: String },
    Plain,
    Choice { question: String, options: Vec<String> },
}

impl Preview {
    /// The preview of a call. It is made of what the action says it is about and of the arguments: `content` is what
    /// a file is to hold, `old_string` and `new_string` a change in it, as in the tools of the workspace.
    pub fn new(ask: &Ask, action: &super::Action, args: &Map<String, Value>) -> Self {
        if ask.choice {
            return Preview::Choice { question: ask.text.clone(), options: ask.options.clone() };
        }
        let target = action.target.as_ref();
        let about = |name: &str| target?.get(name)?.as_str().map(str::to_owned);
        let argument = |name: &str| args.get(name)?.as_str();
        if let Some(command) = about("command") {
            return Preview::Command {
                command,
                cwd: about("cwd").or_else(|| argument("workdir").map(str::to_owned)),
            };
        }
        if let Some(path) = about("path") {
            return match (argument("old_string"), argument("new_string"), argument("content")) {
                (Some(old), Some(new), _) => Preview::FileEdit { path, diff: diff(old, new) },
                (_, _, Some(content)) => file_write(path, content),
                _ => Preview::Plain,
            };
        }
        about("url").map_or(Preview::Plain, |url| Preview::Url { url })
    }
}

fn file_write(path: String, content: &str) -> Preview {
    let total_lines = content.lines().count();
    let long = |line: &str| line.chars().nth(PREVIEW_LINE_CHARS).is_some();
    let truncated = total_lines > PREVIEW_LINES || content.lines().take(PREVIEW_LINES).any(long);
    let first_lines = content.lines().take(PREVIEW_LINES).map(cut).collect();
    Preview::FileWrite { path, bytes: content.len(), first_lines, total_lines, truncated }
}

/// The old lines, then the new ones.
fn diff(old: &str, new: &str) -> String {
    let mut diff = String::new();
    for (mark, text) in [('-', old), ('+', new)] {
        for line in text.lines().take(PREVIEW_LINES) {
            diff.push(mark);
            diff.push_str(&cut(line));
            diff.push('\n');
        }
        let more = text.lines().count().saturating_sub(PREVIEW_LINES);
        if more > 0 {
            diff.push_str(&format!("{mark}… {more} more lines\n"));
        }
    }
    diff
}

fn cut(line: &str) -> String {
    let mut short: String = line.chars().take(PREVIEW_LINE_CHARS).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}
