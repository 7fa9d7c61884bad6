//! Texts that are gone through without making a tree of them.

use super::reader::{RESERVED, Reader};
use crate::protocol::limits;

/// Names of an object that are compared with one another. One with more is read.
const NAMES: usize = 16;

/// Whether a text is an object spelled just as it would be written after reading it: without white space, without an
/// escape that need not be one, without a name that comes twice. Most of what a model writes is; `false` where that is
/// hard to see.
pub(super) fn is_compact_object(text: &str) -> bool {
    let mut reader = Reader::within(text, limits::JSON_DEPTH);
    reader.peek() == b'{' && reader.pass().is_some() && reader.rest().is_empty() && reader.blanks == 0
}

impl<'a> Reader<'a> {
    /// Passes over a value.
    fn pass(&mut self) -> Option<()> {
        match self.peek() {
            b'{' => self.pass_members(),
            b'[' => self.pass_items(),
            b'"' => self.pass_string().map(drop),
            b't' => self.piece("true"),
            b'f' => self.piece("false"),
            b'n' => self.piece("null"),
            _ => self.number().map(drop),
        }
    }

    fn pass_members(&mut self) -> Option<()> {
        let mut more = self.begin(b'}')?;
        let mut names = [""; NAMES];
        let mut count = 0;
        while more {
            let name = self.pass_string()?;
            // The spelling of a name is its only one.
            if name.starts_with(RESERVED) || names.get(..count)?.contains(&name) {
                return None;
            }
            *names.get_mut(count)? = name;
            count += 1;
            self.colon()?;
            self.pass()?;
            more = self.goes_on(b'}')?;
        }
        Some(())
    }

    fn pass_items(&mut self) -> Option<()> {
        let mut more = self.begin(b']')?;
        while more {
            self.pass()?;
            more = self.goes_on(b']')?;
        }
        Some(())
    }

    /// The spelling of a string, without its quotes.
    fn pass_string(&mut self) -> Option<&'a str> {
        self.piece("\"")?;
        let start = self.at;
        loop {
            let spelling = self.run(start)?;
            let end = self.peek();
            self.at += 1;
            match end {
                b'"' => return Some(spelling),
                b'\\' => {}
                _ => return None,
            }
            // A control character has to be an escape, and one without a letter of its own is rare.
            match self.peek() {
                b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
#[path = "passing_tests.rs"]
mod tests;
