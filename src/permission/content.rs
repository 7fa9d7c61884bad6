//! The content key: what of a target patterns and grants look at (PM-54), and whether a pattern matches it (PM-26).

use std::borrow::Cow;

use serde::{Serialize, Serializer};
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

/// A pattern over content keys, read once for each kind of them: many rules are looked at for every call.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    text: String,
    /// What it is over paths, where it is written with `\\`.
    path: Option<String>,
    /// What it is over addresses as well, where it is not written in their normal form.
    address: Option<String>,
}

impl Pattern {
    /// The pattern that is written so.
    pub fn new(text: String) -> Self {
        let path = text.contains('\\').then(|| text.replace('\\', "/"));
        let address = match address::normal(&text) {
            Cow::Owned(address) => Some(address),
            Cow::Borrowed(_) => None,
        };
        Self { text, path, address }
    }

    /// How it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it matches a content key. `verified`: of a command it is known that it is one.
    pub(super) fn matches(&self, kind: Content, key: &str, verified: bool) -> bool {
        match kind {
            Content::Path => matches(self.path.as_ref().unwrap_or(&self.text), key),
            Content::Command => matches_command(&self.text, key, verified),
            Content::Url => {
                matches(&self.text, key) || self.address.as_ref().is_some_and(|address| matches(address, key))
            }
        }
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
