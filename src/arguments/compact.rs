//! Texts that need not be read to be written again.

use super::reader::{RESERVED, Reader};
use crate::protocol::limits;

/// Names of an object that are compared with one another. One with more is read.
const NAMES: usize = 16;

/// Whether a text is an object spelled just as it would be written after reading it: without white space, without an
/// escape that need not be one, without a name that comes twice. Most of what a model writes is; `false` where that is
/// hard to see.
pub(super) fn is_compact_object(text: &str) -> bool {
    let mut reader = Reader::within(text, 0, limits::JSON_DEPTH);
    reader.peek() == Some(b'{') && reader.compact(limits::JSON_DEPTH).is_some() && reader.rest().is_empty()
}

impl<'a> Reader<'a> {
    /// Takes a value with at most so many containers inside one another, if a compact one comes next.
    fn compact(&mut self, depth: usize) -> Option<()> {
        match self.peek()? {
            b'{' => self.compact_members(depth.checked_sub(1)?),
            b'[' => self.compact_items(depth.checked_sub(1)?),
            b'"' => self.compact_string().map(drop),
            b't' => self.piece("true"),
            b'f' => self.piece("false"),
            b'n' => self.piece("null"),
            _ => self.number().ok().map(drop),
        }
    }

    fn compact_members(&mut self, depth: usize) -> Option<()> {
        self.byte(b"{")?;
        if self.byte(b"}").is_some() {
            return Some(());
        }
        let mut names = [""; NAMES];
        for count in 0..NAMES {
            let name = self.compact_string()?;
            if names.get(..count)?.contains(&name) || name.starts_with(RESERVED) {
                return None;
            }
            *names.get_mut(count)? = name;
            self.byte(b":")?;
            self.compact(depth)?;
            if self.byte(b"}").is_some() {
                return Some(());
            }
            self.byte(b",")?;
        }
        None
    }

    fn compact_items(&mut self, depth: usize) -> Option<()> {
        self.byte(b"[")?;
        if self.byte(b"]").is_some() {
            return Some(());
        }
        loop {
            self.compact(depth)?;
            if self.byte(b"]").is_some() {
                return Some(());
            }
            self.byte(b",")?;
        }
    }

    /// The spelling of a string, without its quotes.
    fn compact_string(&mut self) -> Option<&'a str> {
        self.byte(b"\"")?;
        let text = self.rest();
        loop {
            self.plain()?;
            if self.byte(b"\"").is_some() {
                return text.get(..text.len() - self.rest().len() - 1);
            }
            // A control character has to be an escape, and one without a letter of its own is rare.
            self.byte(b"\\")?;
            self.byte(b"\"\\bfnrt")?;
        }
    }
}

#[cfg(test)]
#[path = "compact_tests.rs"]
mod tests;
