//! The one JSON reader of the project. Strict RFC 8259 in one linear pass (AR-11): numbers keep their text, member
//! order is kept, of duplicate members the last wins, `__proto__` is a member like any other.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::fault::ReadFault;
use crate::protocol::{limits, special};

/// What serde_json marks its own number and raw values with: an object with such a member would be read as one.
pub(super) const RESERVED: &str = "$serde_json::private::";

/// Members that a map makes room for with the first one; asked for at once, that costs less.
const USUAL_MEMBERS: usize = 3;

/// Bytes that a string with an escape makes room for at once, beside what stands before it.
const ESCAPED: usize = 64;

/// Words that are no JSON but that models write for a value.
const WORDS: [&str; 12] = [
    "NaN",
    "Infinity",
    "-Infinity",
    "undefined",
    "None",
    "True",
    "False",
    "NULL",
    "Null",
    "TRUE",
    "FALSE",
    "nan",
];

/// Reads one JSON text. White space around it is allowed, anything else is not.
pub fn read(text: &str) -> Result<Value, ReadFault> {
    read_within(text, limits::JSON_DEPTH)
}

/// The same for a text that holds values as deep as [`limits::JSON_DEPTH`] inside something of its own: an envelope,
/// a page of a snapshot. At most `depth` containers are inside one another.
pub fn read_within(text: &str, depth: usize) -> Result<Value, ReadFault> {
    let mut reader = Reader::within(text, depth);
    reader.next_byte();
    if reader.rest().is_empty() {
        return Err(ReadFault::Empty);
    }
    let Some(value) = reader.value() else { return Err(reader.fault) };
    match reader.next_byte() {
        _ if reader.rest().is_empty() => Ok(value),
        b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => Err(ReadFault::TwoValues),
        _ => Err(ReadFault::TextBehind),
    }
}

/// Reads a text piece by piece. A container is `begin`, then its members or items as long as it `goes_on`; what knows
/// the shape of a text reads it so, without a tree. Where something else stands there is nothing, and the reader
/// remembers why.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    deepest: usize,
    /// White space that was passed over, in bytes.
    pub(super) blanks: usize,
    fault: ReadFault,
}

impl<'a> Reader<'a> {
    /// A reader of a text with at most so many containers inside one another.
    pub(crate) fn within(text: &'a str, deepest: usize) -> Self {
        Self { text, at: 0, depth: 0, deepest, blanks: 0, fault: ReadFault::CutOff }
    }

    /// Why there is nothing.
    pub(crate) fn fault(&self) -> &ReadFault {
        &self.fault
    }

    fn fail<T>(&mut self, fault: ReadFault) -> Option<T> {
        self.fault = fault;
        None
    }

    /// The byte that comes next; zero, which JSON has nowhere, at the end.
    pub(super) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Passes over white space: the byte that comes next then.
    pub(crate) fn next_byte(&mut self) -> u8 {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\t' | b'\r' => {
                    self.at += 1;
                    self.blanks += 1;
                }
                other => return other,
            }
        }
    }

    /// What is not taken yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Takes this piece of text, without white space before it, if it comes next.
    pub(crate) fn piece(&mut self, piece: &str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        rest.starts_with(piece.as_bytes()).then(|| self.at += piece.len())
    }

    /// Takes a value, and white space before it.
    pub(crate) fn value(&mut self) -> Option<Value> {
        let (word, value) = match self.next_byte() {
            b'"' => return Some(Value::String(self.string()?.into_owned())),
            b'{' => return self.object(),
            b'[' => return self.array(),
            // The parser of the library would respell the exponent; the text has to stay (AR-09).
            b'-' | b'0'..=b'9' => {
                return Some(Value::Number(Number::from_string_unchecked(self.number()?.to_owned())));
            }
            b't' => ("true", Value::Bool(true)),
            b'f' => ("false", Value::Bool(false)),
            _ => ("null", Value::Null),
        };
        match self.piece(word) {
            Some(()) => Some(value),
            None => self.misfit(),
        }
    }

    /// The same of a value that matters only if it is a string: that one, or nothing in it.
    pub(crate) fn text(&mut self) -> Option<Option<Cow<'a, str>>> {
        match self.next_byte() {
            b'"' => self.string().map(Some),
            _ => self.value().map(|_| None),
        }
    }

    /// The same of a value that does not matter.
    pub(crate) fn skip(&mut self) -> Option<()> {
        self.text().map(drop)
    }

    /// Begins an object, if one comes next, and says whether there is a member. There is none in anything else, which
    /// is passed over.
    pub(crate) fn members(&mut self) -> Option<bool> {
        match self.next_byte() {
            b'{' => self.begin(b'}'),
            _ => self.skip().map(|()| false),
        }
    }

    /// The same of a list and its items.
    pub(crate) fn items(&mut self) -> Option<bool> {
        match self.next_byte() {
            b'[' => self.begin(b']'),
            _ => self.skip().map(|()| false),
        }
    }

    fn object(&mut self) -> Option<Value> {
        if !self.begin(b'}')? {
            return Some(Value::Object(Map::new()));
        }
        let mut members = Map::with_capacity(USUAL_MEMBERS);
        loop {
            let name = self.name()?.into_owned();
            members.insert(name, self.value()?);
            if !self.goes_on(b'}')? {
                return Some(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Option<Value> {
        let mut items = Vec::new();
        let mut more = self.begin(b']')?;
        while more {
            items.push(self.value()?);
            more = self.goes_on(b']')?;
        }
        Some(Value::Array(items))
    }

    /// Takes the mark that a container begins with, where the reader stands, and says whether anything is in it. If
    /// not, its end is taken as well.
    pub(super) fn begin(&mut self, end: u8) -> Option<bool> {
        self.depth += 1;
        self.at += 1;
        if self.depth > self.deepest {
            return self.fail(ReadFault::TooDeep);
        }
        if self.next_byte() != end {
            return Some(true);
        }
        self.leave();
        Some(false)
    }

    /// Behind a value: whether the container goes on behind a comma, which is taken, or ends here.
    pub(crate) fn goes_on(&mut self, end: u8) -> Option<bool> {
        let next = self.next_byte();
        if next == end {
            self.leave();
            return Some(false);
        }
        if next != b',' {
            return self.misfit();
        }
        self.at += 1;
        match self.next_byte() {
            b'}' | b']' => self.fail(ReadFault::TrailingComma),
            _ => Some(true),
        }
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    /// Takes the name of a member and its colon.
    pub(crate) fn name(&mut self) -> Option<Cow<'a, str>> {
        match self.peek() {
            b'"' => {}
            c if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' => {
                return self.fail(ReadFault::BareName);
            }
            _ => return self.misfit(),
        }
        let name = self.string()?;
        if name.starts_with(RESERVED) {
            return self.fail(ReadFault::ReservedName);
        }
        self.colon()?;
        Some(name)
    }

    /// Takes the colon behind a name.
    pub(super) fn colon(&mut self) -> Option<()> {
        if self.next_byte() != b':' {
            return self.misfit();
        }
        self.at += 1;
        Some(())
    }

    /// Takes a string; the reader stands at its opening quote. Without escapes it is a piece of the text.
    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.at += 1;
        let (mut content, mut start) = (String::new(), self.at);
        loop {
            let run = self.run(start)?;
            let mark = self.peek();
            self.at += 1;
            if mark == b'"' && content.is_empty() {
                return Some(Cow::Borrowed(run));
            }
            if content.is_empty() {
                content.reserve(run.len() + ESCAPED);
            }
            content.push_str(run);
            match mark {
                b'"' => return Some(Cow::Owned(content)),
                b'\\' => {}
                _ => return self.fail(ReadFault::ControlCharacter),
            }
            start = self.at;
            match self.peek() {
                // What stands for itself begins the next run.
                b'"' | b'\\' | b'/' => self.at += 1,
                _ => {
                    content.push(self.escape()?);
                    start = self.at;
                }
            }
        }
    }

    /// Goes on to what ends a string or begins an escape: the text from `start` to there.
    pub(super) fn run(&mut self, start: usize) -> Option<&'a str> {
        let rest = self.text.as_bytes().get(self.at..)?;
        match special(rest) {
            Some(length) => self.at += length,
            None => return self.fail(ReadFault::CutOff),
        }
        self.text.get(start..self.at)
    }

    /// What an escape stands for that does not stand for itself; the reader stands behind the backslash.
    fn escape(&mut self) -> Option<char> {
        let Some(letter) = self.rest().chars().next() else {
            return self.fail(ReadFault::CutOff);
        };
        self.at += letter.len_utf8();
        Some(match letter {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            other => return self.fail(ReadFault::Escape(other)),
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.unit()?;
        if let Some(c) = char::from_u32(first) {
            return Some(c);
        }
        let rest = self.rest();
        if first < 0xDC00 && (rest.is_empty() || rest == "\\") {
            return self.fail(ReadFault::CutOff);
        }
        if first < 0xDC00 && self.piece("\\u").is_some() {
            let second = self.unit()?;
            if (0xDC00..0xE000).contains(&second) {
                return char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
        }
        self.fail(ReadFault::LoneSurrogate)
    }

    /// The four hexadecimal digits of a `\u` escape.
    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = char::from(self.peek()).to_digit(16) else {
                let cut = self.rest().is_empty();
                return self.fail(if cut { ReadFault::CutOff } else { ReadFault::Escape('u') });
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Some(unit)
    }

    /// The text of a number.
    pub(super) fn number(&mut self) -> Option<&'a str> {
        let start = self.at;
        if self.peek() == b'-' {
            self.at += 1;
        }
        match self.peek() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits()?,
            _ => {
                if !self.rest().is_empty() {
                    self.at = start;
                }
                return self.misfit();
            }
        }
        if self.peek().is_ascii_digit() {
            return self.fail(ReadFault::NumberForm);
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        self.text.get(start..self.at)
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at > start {
            return Some(());
        }
        let cut = self.rest().is_empty();
        self.fail(if cut { ReadFault::CutOff } else { ReadFault::NumberForm })
    }

    /// Something stands where nothing JSON knows begins.
    fn misfit<T>(&mut self) -> Option<T> {
        self.fault = self.misfitting();
        None
    }

    fn misfitting(&self) -> ReadFault {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else {
            return ReadFault::CutOff;
        };
        if let Some(word) = WORDS.iter().find(|word| rest.starts_with(**word)) {
            return ReadFault::Word(word);
        }
        // Cut inside a literal: what is left of the text is the beginning of one.
        if self.depth > 0 && ["true", "false", "null"].iter().any(|word| word.starts_with(rest)) {
            return ReadFault::CutOff;
        }
        match c {
            '\'' => ReadFault::SingleQuotes,
            '/' if rest.starts_with("//") || rest.starts_with("/*") => ReadFault::Comment,
            '+' | '.' | '-' => ReadFault::NumberForm,
            '\u{feff}' => ReadFault::ByteOrderMark,
            other => ReadFault::Unexpected(other),
        }
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
