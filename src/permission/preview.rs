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
    Command {
        command: String,
        cwd: Option<String>,
        #[serde(skip_serializing_if = "is_not")]
        background: bool,
    },
    FileEdit {
        path: String,
        diff: String,
        #[serde(skip_serializing_if = "is_not")]
        replace_all: bool,
        /// How often it is replaced, where that is known and more than one may be.
        #[serde(skip_serializing_if = "Option::is_none")]
        occurrences: Option<usize>,
    },
    FileWrite {
        path: String,
        bytes: usize,
        first_lines: Vec<String>,
        total_lines: usize,
        truncated: bool,
        #[serde(skip_serializing_if = "is_not")]
        append: bool,
        /// What is there already, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes_before: Option<usize>,
    },
    Url {
        url: String,
    },
    Plain {
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    Choice {
        question: String,
        options: Vec<String>,
    },
}

impl Preview {
    /// The preview of a call. It is made of what the action says it is about and of the arguments: `content` is what
    /// a file is to hold, `old_string` and `new_string` a change in it, as in the tools of the workspace; `file` is what
    /// is there now, where that is known.
    pub fn new(ask: &Ask, action: &super::Action, args: &Map<String, Value>, file: Option<&[u8]>) -> Self {
        if ask.choice {
            return Preview::Choice { question: ask.text.clone(), options: ask.options.clone() };
        }
        let target = action.target.as_ref();
        let about = |name: &str| target?.get(name)?.as_str().map(str::to_owned);
        let argument = |name: &str| args.get(name)?.as_str();
        let is_set = |name: &str| args.get(name) == Some(&Value::Bool(true));
        if let Some(command) = about("command") {
            return Preview::Command {
                command,
                cwd: about("cwd").or_else(|| argument("workdir").map(str::to_owned)),
                background: is_set("background"),
            };
        }
        if let Some(path) = about("path") {
            return match (argument("old_string"), argument("new_string"), argument("content")) {
                (Some(old), Some(new), _) => {
                    let (replace_all, diff) = (is_set("replace_all"), diff(old, new));
                    let text = file.filter(|_| replace_all && !old.is_empty());
                    let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
                    let occurrences = text.map(|text| text.matches(old).count());
                    Preview::FileEdit { path, diff, replace_all, occurrences }
                }
                (_, _, Some(content)) => {
                    file_write(path, content, argument("mode") == Some("append"), file.map(<[u8]>::len))
                }
                _ => Preview::Plain { path: Some(path) },
            };
        }
        about("url").map_or(Preview::Plain { path: None }, |url| Preview::Url { url })
    }
}

fn file_write(path: String, content: &str, append: bool, bytes_before: Option<usize>) -> Preview {
    let total_lines = content.lines().count();
    let long = |line: &str| line.chars().nth(PREVIEW_LINE_CHARS).is_some();
    let truncated = total_lines > PREVIEW_LINES || content.lines().take(PREVIEW_LINES).any(long);
    let first_lines = content.lines().take(PREVIEW_LINES).map(cut).collect();
    let bytes = content.len();
    Preview::FileWrite { path, bytes, first_lines, total_lines, truncated, append, bytes_before }
}

fn is_not(flag: &bool) -> bool {
    !flag
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
