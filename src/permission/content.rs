//! The content key: what of a target patterns and grants look at (PM-54), and whether a pattern matches it (PM-26).

use std::borrow::Cow;

use serde_json::Value;

use super::{address, path};
use crate::catalog::{matches, matches_where};

/// What no `*` runs over in a command that nobody has taken apart: behind it another command may begin.
const COMMAND_ENDS: [char; 11] = ['&', ';', '|', '`', '$', '<', '>', '(', ')', '\n', '\r'];

/// What a content key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A path, in normal form.
    Path,
    /// The text of a command.
    Command,
    /// An address, in normal form.
    Url,
}

/// The content key of a target: its path if there is one, else its command, else its address; never JSON.
pub(super) fn key(target: Option<&Value>) -> Option<(Content, Cow<'_, str>)> {
    let text = |name: &str| target?.get(name)?.as_str();
    if let Some(path) = text("path") {
        return Some((Content::Path, path::normal(path)));
    }
    let command = text("command").map(|command| (Content::Command, Cow::Borrowed(command)));
    command.or_else(|| text("url").map(|url| (Content::Url, address::normal(url))))
}

/// Whether a pattern matches the text of a command. `verified`: it was taken apart and is one command.
pub fn matches_command(pattern: &str, command: &str, verified: bool) -> bool {
    if verified {
        return matches(pattern, command);
    }
    matches_where(pattern, command, |run| !run.contains(COMMAND_ENDS))
}

/// Whether a pattern matches an address in normal form.
pub(super) fn matches_address(pattern: &str, address: &str) -> bool {
    matches(pattern, address) || matches(&address::normal(pattern), address)
}

/// Whether a pattern matches a path in normal form. Patterns may be written with `\`.
pub(super) fn matches_path(pattern: &str, path: &str) -> bool {
    if pattern.contains('\\') { matches(&pattern.replace('\\', "/"), path) } else { matches(pattern, path) }
}
