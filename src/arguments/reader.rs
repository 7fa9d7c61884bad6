//! The one JSON reader of the project. Strict RFC 8259 in one linear pass (AR-11): numbers keep their text, member
//! order is kept, of duplicate members the last wins, `__proto__` is a member like any other.

use serde_json::{Map, Number, Value};

use super::fault::ReadFault;
use crate::protocol::{limits, special};

/// What serde_json marks its own number and raw values with: an object with such a member would be read as one.
pub(super) const RESERVED: &str = "$serde_json::private::";

/// Members that a map makes room for with the first one; asked for at once, that costs less.
const USUAL_MEMBERS: usize = 3;

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
    reader.space();
    if reader.peek().is_none() {
        return Err(ReadFault::Empty);
    }
    let value = reader.value()?;
    reader.space();
    match reader.peek() {
        None => Ok(value),
        Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => Err(ReadFault::TwoValues),
        Some(_) => Err(ReadFault::TextBehind),
    }
}

/// Reads a text piece by piece. What looks for a certain shape asks for its pieces, and reads the text as a whole where
/// one is missing.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    deepest: usize,
}

impl<'a> Reader<'a> {
    /// A reader of a text with at most so many containers inside one another.
    pub(crate) fn within(text: &'a str, deepest: usize) -> Self {
        Self { text, at: 0, depth: 0, deepest }
    }

    /// Takes the mark that begins a container, if it comes next and may.
    pub(crate) fn open(&mut self, mark: u8) -> Option<()> {
        self.space();
        if self.peek() == Some(mark) { self.enter().ok() } else { None }
    }

    /// Takes the mark that ends a container, if it comes next.
    pub(crate) fn close(&mut self, mark: u8) -> Option<()> {
        self.mark(mark)?;
        self.leave();
        Some(())
    }

    /// Takes a mark like `[` or `:`, and white space before it, if it comes next.
    pub(crate) fn mark(&mut self, mark: u8) -> Option<()> {
        self.space();
        self.byte(&[mark])
    }

    /// Takes the next byte, if it is one of these.
    pub(super) fn byte(&mut self, of: &[u8]) -> Option<()> {
        self.peek().filter(|byte| of.contains(byte)).map(|_| self.at += 1)
    }

    /// Takes a string without escapes, if one comes next.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.mark(b'"')?;
        let word = self.rest().get(..special(self.rest().as_bytes())?)?;
        self.at += word.len();
        // A backslash and a control character end it as well.
        (self.peek() == Some(b'"')).then(|| self.at += 1).map(|()| word)
    }

    /// Takes this piece of text, without white space before it, if it comes next.
    pub(super) fn piece(&mut self, piece: &str) -> Option<()> {
        self.rest().starts_with(piece).then(|| self.at += piece.len())
    }

    /// Takes what comes before a character that ends a string or begins an escape, if there is one.
    pub(super) fn plain(&mut self) -> Option<()> {
        self.at += special(self.rest().as_bytes())?;
        Some(())
    }

    /// Takes the name of a member and its colon, if this one comes next.
    pub(crate) fn member(&mut self, name: &str) -> Option<()> {
        if self.word()? == name { self.mark(b':') } else { None }
    }

    /// Takes a value, if a sound one comes next.
    pub(crate) fn any(&mut self) -> Option<Value> {
        self.space();
        self.value().ok()
    }

    /// Whether nothing but white space is left.
    pub(crate) fn is_done(&mut self) -> bool {
        self.space();
        self.peek().is_none()
    }

    /// The byte that comes next.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// What is not taken yet.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Value, ReadFault> {
        match self.peek() {
            Some(b'"') => self.string().map(Value::String),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
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

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, ReadFault>) -> Result<Value, ReadFault> {
        self.enter()?;
        self.space();
        let value = read(self)?;
        self.leave();
        Ok(value)
    }

    /// Takes the mark that a container begins with.
    pub(super) fn enter(&mut self) -> Result<(), ReadFault> {
        self.depth += 1;
        self.at += 1;
        if self.depth > self.deepest { Err(ReadFault::TooDeep) } else { Ok(()) }
    }

    /// Behind a container.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn object(&mut self) -> Result<Value, ReadFault> {
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(Map::new()));
        }
        let mut members = Map::with_capacity(USUAL_MEMBERS);
        loop {
            let name = self.name()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.misfit());
            }
            self.at += 1;
            self.space();
            let value = self.value()?;
            members.insert(name, value);
            if self.ends(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Result<Value, ReadFault> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            if self.ends(b']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    /// Behind a value: whether the container ends here, or goes on behind a comma.
    fn ends(&mut self, close: u8) -> Result<bool, ReadFault> {
        self.space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.space();
                if matches!(self.peek(), Some(b'}' | b']')) {
                    return Err(ReadFault::TrailingComma);
                }
                Ok(false)
            }
            Some(c) if c == close => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.misfit()),
        }
    }

    fn name(&mut self) -> Result<String, ReadFault> {
        match self.peek() {
            Some(b'"') => {}
            Some(c) if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' => {
                return Err(ReadFault::BareName);
            }
            _ => return Err(self.misfit()),
        }
        let name = self.string()?;
        if name.starts_with(RESERVED) { Err(ReadFault::ReservedName) } else { Ok(name) }
    }

    /// A string; the reader stands at its opening quote.
    pub(super) fn string(&mut self) -> Result<String, ReadFault> {
        self.at += 1;
        let mut content = String::new();
        loop {
            let start = self.at;
            self.at += special(self.rest().as_bytes()).ok_or(ReadFault::CutOff)?;
            let run = self.text.get(start..self.at).unwrap_or_default();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    if content.is_empty() {
                        return Ok(run.to_owned());
                    }
                    content.push_str(run);
                    return Ok(content);
                }
                Some(b'\\') => {
                    content.push_str(run);
                    self.at += 1;
                    content.push(self.escape()?);
                }
                _ => return Err(ReadFault::ControlCharacter),
            }
        }
    }

    /// What an escape stands for; the reader stands behind the backslash.
    pub(super) fn escape(&mut self) -> Result<char, ReadFault> {
        let letter = self.rest().chars().next().ok_or(ReadFault::CutOff)?;
        self.at += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
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
