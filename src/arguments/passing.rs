//! Texts that are gone through without making a tree of them.

use std::borrow::Cow;

use super::reader::{RESERVED, Reader};
use crate::protocol::limits;

/// Names of an object that are compared with one another. One with more is read.
const NAMES: usize = 16;

/// How a text may be spelled.
#[derive(Clone, Copy, PartialEq)]
enum Spelling {
    /// In any way that is JSON.
    Any,
    /// As it would be written after reading it: without white space, without an escape that need not be one, without
    /// a name that comes twice.
    Compact,
}

/// Whether a text is an object spelled just as it would be written after reading it. Most of what a model writes is;
/// `false` where that is hard to see.
pub(super) fn is_compact_object(text: &str) -> bool {
    let mut reader = Reader::within(text, limits::JSON_DEPTH);
    reader.peek() == Some(b'{') && reader.pass(Spelling::Compact).is_some() && reader.rest().is_empty()
}

impl<'a> Reader<'a> {
    /// Passes over a value, if a sound one comes next. `None` as well where that is hard to see.
    pub(crate) fn skip(&mut self) -> Option<()> {
        self.verbatim().map(drop)
    }

    /// The text of a value, if a sound one comes next. `None` as well where that is hard to see.
    pub(crate) fn verbatim(&mut self) -> Option<&'a str> {
        self.space();
        let text = self.rest();
        self.pass(Spelling::Any)?;
        text.get(..text.len() - self.rest().len())
    }

    /// Goes on in an object whose opening brace is taken: takes the name of its next member and the colon, or nothing
    /// and its closing brace. What was passed over before is sound; of another text it may find too much.
    pub(crate) fn next_name(&mut self) -> Option<Option<Cow<'a, str>>> {
        if self.ends_with(b'}') {
            return Some(None);
        }
        let mut ahead = *self;
        let name = match ahead.word() {
            Some(word) => {
                *self = ahead;
                Cow::Borrowed(word)
            }
            None => Cow::Owned(self.any()?.as_str()?.to_owned()),
        };
        self.mark(b':')?;
        Some(Some(name))
    }

    /// The same in a list: whether there is another item.
    pub(crate) fn next_item(&mut self) -> bool {
        !self.ends_with(b']')
    }

    fn ends_with(&mut self, close: u8) -> bool {
        self.mark(close).is_some() || self.mark(b',').is_none() && self.peek().is_none()
    }

    /// Passes over a value that comes next without white space.
    fn pass(&mut self, spelling: Spelling) -> Option<()> {
        match self.peek()? {
            b'{' => self.nested_pass(spelling, Self::pass_members),
            b'[' => self.nested_pass(spelling, Self::pass_items),
            b'"' => self.pass_string(spelling).map(drop),
            b't' => self.piece("true"),
            b'f' => self.piece("false"),
            b'n' => self.piece("null"),
            _ => self.number().ok().map(drop),
        }
    }

    fn nested_pass(&mut self, spelling: Spelling, pass: fn(&mut Self, Spelling) -> Option<()>) -> Option<()> {
        self.enter().ok()?;
        self.gap(spelling);
        pass(self, spelling)?;
        self.leave();
        Some(())
    }

    fn pass_members(&mut self, spelling: Spelling) -> Option<()> {
        if self.byte(b"}").is_some() {
            return Some(());
        }
        let mut names = [""; NAMES];
        for count in 0.. {
            // An escape may spell anything, also a name that is reserved.
            let name = self.pass_string(Spelling::Compact)?;
            if name.starts_with(RESERVED) {
                return None;
            }
            if spelling == Spelling::Compact {
                if names.get(..count)?.contains(&name) {
                    return None;
                }
                *names.get_mut(count)? = name;
            }
            self.gap(spelling);
            self.byte(b":")?;
            self.gap(spelling);
            self.pass(spelling)?;
            if self.pass_end(b"}", spelling)? {
                return Some(());
            }
        }
        None
    }

    fn pass_items(&mut self, spelling: Spelling) -> Option<()> {
        if self.byte(b"]").is_some() {
            return Some(());
        }
        loop {
            self.pass(spelling)?;
            if self.pass_end(b"]", spelling)? {
                return Some(());
            }
        }
    }

    /// Behind a value: whether the container ends here, or goes on behind a comma.
    fn pass_end(&mut self, close: &[u8], spelling: Spelling) -> Option<bool> {
        self.gap(spelling);
        if self.byte(close).is_some() {
            return Some(true);
        }
        self.byte(b",")?;
        self.gap(spelling);
        Some(false)
    }

    /// The spelling of a string, without its quotes.
    fn pass_string(&mut self, spelling: Spelling) -> Option<&'a str> {
        self.byte(b"\"")?;
        let text = self.rest();
        loop {
            self.plain()?;
            if self.byte(b"\"").is_some() {
                return text.get(..text.len() - self.rest().len() - 1);
            }
            self.byte(b"\\")?;
            match spelling {
                Spelling::Any => self.escape().ok().map(drop)?,
                // A control character has to be an escape, and one without a letter of its own is rare.
                Spelling::Compact => self.byte(b"\"\\bfnrt")?,
            }
        }
    }

    fn gap(&mut self, spelling: Spelling) {
        if spelling == Spelling::Any {
            self.space();
        }
    }
}

#[cfg(test)]
#[path = "passing_tests.rs"]
mod tests;
