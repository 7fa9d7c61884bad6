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
    if reader.next_byte().is_none() {
        return Err(ReadFault::Empty);
    }
    let value = reader.value()?;
    match reader.next_byte() {
        None => Ok(value),
        Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => Err(ReadFault::TwoValues),
        Some(_) => Err(ReadFault::TextBehind),
    }
}

/// Reads a text piece by piece. A container is `begin`, then its members or items as long as it `goes_on`; what knows
/// the shape of a text reads it so, without a tree.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    deepest: usize,
    /// White space that was passed over, in bytes.
    pub(super) blanks: usize,
}

impl<'a> Reader<'a> {
    /// A reader of a text with at most so many containers inside one another.
    pub(crate) fn within(text: &'a str, deepest: usize) -> Self {
        Self { text, at: 0, depth: 0, deepest, blanks: 0 }
    }

    /// The byte that comes next.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over white space: the byte that comes next then.
    pub(crate) fn next_byte(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => {
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
    pub(crate) fn value(&mut self) -> Result<Value, ReadFault> {
        match self.next_byte() {
            Some(b'"') => self.string().map(|text| Value::String(text.into_owned())),
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            // The parser of the library would respell the exponent; the text has to stay (AR-09).
            Some(b'-' | b'0'..=b'9') => {
                self.number().map(|text| Value::Number(Number::from_string_unchecked(text.to_owned())))
            }
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            _ => Err(self.misfit()),
        }
    }

    /// The same of a value that matters only if it is a string.
    pub(crate) fn text(&mut self) -> Result<Option<Cow<'a, str>>, ReadFault> {
        match self.next_byte() {
            Some(b'"') => self.string().map(Some),
            _ => self.value().map(|_| None),
        }
    }

    /// The same of a value that does not matter.
    pub(crate) fn skip(&mut self) -> Result<(), ReadFault> {
        self.text().map(drop)
    }

    /// Begins an object, if one comes next, and says whether there is a member. There is none in anything else, which
    /// is passed over.
    pub(crate) fn members(&mut self) -> Result<bool, ReadFault> {
        match self.next_byte() {
            Some(b'{') => self.begin(b'}'),
            _ => self.skip().map(|()| false),
        }
    }

    /// The same of a list and its items.
    pub(crate) fn items(&mut self) -> Result<bool, ReadFault> {
        match self.next_byte() {
            Some(b'[') => self.begin(b']'),
            _ => self.skip().map(|()| false),
        }
    }

    fn object(&mut self) -> Result<Value, ReadFault> {
        if !self.begin(b'}')? {
            return Ok(Value::Object(Map::new()));
        }
        let mut members = Map::with_capacity(USUAL_MEMBERS);
        loop {
            let name = self.name()?.into_owned();
            members.insert(name, self.value()?);
            if !self.goes_on(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Result<Value, ReadFault> {
        let mut items = Vec::new();
        let mut more = self.begin(b']')?;
        while more {
            items.push(self.value()?);
            more = self.goes_on(b']')?;
        }
        Ok(Value::Array(items))
    }

    /// Takes the mark that a container begins with, where the reader stands, and says whether anything is in it. If
    /// not, its end is taken as well.
    pub(super) fn begin(&mut self, end: u8) -> Result<bool, ReadFault> {
        self.depth += 1;
        self.at += 1;
        if self.depth > self.deepest {
            return Err(ReadFault::TooDeep);
        }
        if self.next_byte() != Some(end) {
            return Ok(true);
        }
        self.leave();
        Ok(false)
    }

    /// Behind a value: whether the container goes on behind a comma, which is taken, or ends here.
    pub(crate) fn goes_on(&mut self, end: u8) -> Result<bool, ReadFault> {
        match self.next_byte() {
            Some(b',') => {
                self.at += 1;
                match self.next_byte() {
                    Some(b'}' | b']') => Err(ReadFault::TrailingComma),
                    _ => Ok(true),
                }
            }
            Some(byte) if byte == end => {
                self.leave();
                Ok(false)
            }
            _ => Err(self.misfit()),
        }
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    /// Takes the name of a member and its colon.
    pub(crate) fn name(&mut self) -> Result<Cow<'a, str>, ReadFault> {
        match self.peek() {
            Some(b'"') => {}
            Some(c) if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' => {
                return Err(ReadFault::BareName);
            }
            _ => return Err(self.misfit()),
        }
        let name = self.string()?;
        if name.starts_with(RESERVED) {
            return Err(ReadFault::ReservedName);
        }
        self.colon()?;
        Ok(name)
    }

    /// Takes the colon behind a name.
    pub(super) fn colon(&mut self) -> Result<(), ReadFault> {
        if self.next_byte() != Some(b':') {
            return Err(self.misfit());
        }
        self.at += 1;
        Ok(())
    }

    /// Takes a string; the reader stands at its opening quote. Without escapes it is a piece of the text.
    fn string(&mut self) -> Result<Cow<'a, str>, ReadFault> {
        self.at += 1;
        let (mut content, mut start) = (String::new(), self.at);
        loop {
            let run = self.run(start)?;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    if content.is_empty() {
                        return Ok(Cow::Borrowed(run));
                    }
                    content.push_str(run);
                    return Ok(Cow::Owned(content));
                }
                Some(b'\\') => {
                    if content.is_empty() {
                        content.reserve(run.len() + ESCAPED);
                    }
                    content.push_str(run);
                    self.at += 1;
                    start = self.at;
                    match self.peek() {
                        // What stands for itself begins the next run.
                        Some(b'"' | b'\\' | b'/') => self.at += 1,
                        _ => {
                            content.push(self.escape()?);
                            start = self.at;
                        }
                    }
                }
                _ => return Err(ReadFault::ControlCharacter),
            }
        }
    }

    /// Goes on to what ends a string or begins an escape: the text from `start` to there.
    pub(super) fn run(&mut self, start: usize) -> Result<&'a str, ReadFault> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at += special(rest).ok_or(ReadFault::CutOff)?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// What an escape stands for that does not stand for itself; the reader stands behind the backslash.
    fn escape(&mut self) -> Result<char, ReadFault> {
        let letter = self.rest().chars().next().ok_or(ReadFault::CutOff)?;
        self.at += letter.len_utf8();
        Ok(match letter {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            other => return Err(ReadFault::Escape(other)),
        })
    }

    fn unicode(&mut self) -> Result<char, ReadFault> {
        let first = self.unit()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        if first >= 0xDC00 {
            return Err(ReadFault::LoneSurrogate);
        }
        let rest = self.rest();
        if rest.is_empty() || rest == "\\" {
            return Err(ReadFault::CutOff);
        }
        if !rest.starts_with("\\u") {
            return Err(ReadFault::LoneSurrogate);
        }
        self.at += 2;
        let second = self.unit()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(ReadFault::LoneSurrogate);
        }
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(ReadFault::LoneSurrogate)
    }

    /// The four hexadecimal digits of a `\u` escape.
    fn unit(&mut self) -> Result<u32, ReadFault> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().ok_or(ReadFault::CutOff)?;
            let digit = char::from(digit).to_digit(16).ok_or(ReadFault::Escape('u'))?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    /// The text of a number.
    pub(super) fn number(&mut self) -> Result<&'a str, ReadFault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            None => return Err(ReadFault::CutOff),
            _ => {
                self.at = start;
                return Err(self.misfit());
            }
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(ReadFault::NumberForm);
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        Ok(text)
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), ReadFault> {
        match self.peek() {
            Some(b'0'..=b'9') => {}
            None => return Err(ReadFault::CutOff),
            Some(_) => return Err(ReadFault::NumberForm),
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, word: &'static str, value: Value) -> Result<Value, ReadFault> {
        match self.piece(word) {
            Some(()) => Ok(value),
            None => Err(self.misfit()),
        }
    }

    /// Names what stands where nothing JSON knows begins.
    fn misfit(&self) -> ReadFault {
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
