//! JSON text, written piece by piece.

use serde::Serialize;

/// JSON text that grows. What it holds is as sound as what is put into it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonText(String);

impl JsonText {
    /// An empty text with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds what is JSON already, or a part of it.
    pub(crate) fn piece(&mut self, json: &str) -> &mut Self {
        self.0.push_str(json);
        self
    }

    /// Adds a string, spelled as the library spells it.
    pub(crate) fn string(&mut self, text: &str) -> &mut Self {
        self.0.push('"');
        let mut rest = text;
        loop {
            let run = plain(rest.as_bytes()).unwrap_or(rest.len());
            let (plain, behind) = rest.split_at_checked(run).unwrap_or((rest, ""));
            self.0.push_str(plain);
            let mut behind = behind.chars();
            let Some(special) = behind.next() else { break };
            self.escape(special);
            rest = behind.as_str();
        }
        self.0.push('"');
        self
    }

    /// Adds a value. One that is no JSON becomes null.
    pub(crate) fn value(&mut self, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.0.push_str(serde_json::to_string(value).as_deref().unwrap_or("null"));
        self
    }

    /// The text.
    pub(crate) fn end(self) -> String {
        self.0
    }

    fn escape(&mut self, special: char) {
        let short = match special {
            '"' => '"',
            '\\' => '\\',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            other => {
                let digit = |value: u32| char::from_digit(value % 16, 16).unwrap_or('0');
                self.0.push_str("\\u00");
                self.0.push(digit(u32::from(other) / 16));
                return self.0.push(digit(u32::from(other)));
            }
        };
        self.0.push('\\');
        self.0.push(short);
    }
}

/// How many bytes of a string come before one that ends it or has to be escaped: a quote, a backslash or a control
/// character. `None` if there is none.
pub(crate) fn plain(bytes: &[u8]) -> Option<usize> {
    // Eight bytes at a time, as long as none of them is special.
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            return Some(8 * at + (special.trailing_zeros() / 8) as usize);
        }
    }
    let is_special = |b: &u8| *b == b'"' || *b == b'\\' || *b < 0x20;
    Some(8 * words.len() + rest.iter().position(is_special)?)
}

/// The highest bit of the first special byte of eight, and of some behind it. A byte that is smaller than another
/// borrows into its highest bit when that is subtracted, and perhaps from the next byte; bytes beyond ASCII have the
/// bit already and are masked.
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7)
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
