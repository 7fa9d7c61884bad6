//! The one JSON writer of the project: compact, byte for byte what serde_json writes, in a third of its time. A call
//! makes some 2,000 bytes of JSON in twenty small texts; here a text without escapes is one look and one copy, names of
//! members are taken as they are, and nothing on the way can fail halfway.

use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde::ser::{self, SerializeStruct, Serializer};

/// What serde_json marks numbers and raw values with: structs with one member of the same name, its value the JSON text.
const NUMBER: &str = "$serde_json::private::Number";
const RAW: &str = "$serde_json::private::RawValue";

/// Bytes that most texts fit into: growing costs more than writing.
const USUAL_BYTES: usize = 1024;

/// A value that is no JSON: a map whose keys are no texts. Nothing of the runtime's own is.
#[derive(Debug)]
pub struct Unwritable(String);

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Puts a value as JSON behind a text. What cannot be written leaves the text as it was.
pub fn write_json(text: &mut String, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
    let length = text.len();
    value.serialize(Writer { text, is_raw: false }).inspect_err(|_| text.truncate(length))
}

/// A value as JSON text.
pub fn json_text(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritable> {
    let mut text = String::with_capacity(USUAL_BYTES);
    write_json(&mut text, value)?;
    Ok(text)
}

/// Puts a text in quotes behind another.
pub fn write_quoted(text: &mut String, content: &str) {
    text.reserve(content.len() + 2);
    text.push('"');
    let mut rest = content;
    while let Some(at) = special(rest.as_bytes()) {
        let (plain, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.push_str(plain);
        let mut chars = from.chars();
        match chars.next() {
            Some('"') => text.push_str("\\\""),
            Some('\\') => text.push_str("\\\\"),
            Some('\n') => text.push_str("\\n"),
            Some('\r') => text.push_str("\\r"),
            Some('\t') => text.push_str("\\t"),
            Some('\u{8}') => text.push_str("\\b"),
            Some('\u{c}') => text.push_str("\\f"),
            // Writing to a text does not fail.
            Some(control) => drop(write!(text, "\\u{:04x}", u32::from(control))),
            None => {}
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    text.push('"');
}

/// Where the first byte stands that a JSON string cannot hold as it is: a quote, a backslash, a control character.
pub fn special(bytes: &[u8]) -> Option<usize> {
    // Eight bytes at a time, as long as none of them is special.
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(8 * at + (marks.trailing_zeros() / 8) as usize);
        }
    }
    let is_special = |b: &u8| *b == b'"' || *b == b'\\' || *b < 0x20;
    Some(8 * words.len() + rest.iter().position(is_special)?)
}

/// The highest bit of the first special byte of eight, and of some behind it. A byte that is smaller than another
/// borrows into its highest bit when that is subtracted, and perhaps from the next byte; bytes beyond ASCII have the
/// bit already and are masked.
fn marks(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7)
}

/// Puts a whole number behind a text.
pub fn write_number(text: &mut String, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        // A remainder of ten fits.
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
        count += 1;
        if number == 0 {
            break;
        }
    }
    let written = digits.get(digits.len() - count..).and_then(|digits| std::str::from_utf8(digits).ok());
    text.push_str(written.unwrap_or_default());
}

/// Hands a text that is JSON already to a serializer of JSON, which passes it on as it is.
pub fn serialize_raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut raw = serializer.serialize_struct(RAW, 1)?;
    raw.serialize_field(RAW, json)?;
    raw.end()
}

struct Writer<'a> {
    text: &'a mut String,
    /// Texts are JSON already.
    is_raw: bool,
}

/// The members of a container that is open.
struct Members<'a> {
    text: &'a mut String,
    is_first: bool,
    /// What ends it.
    close: &'static str,
    /// It stands for its only member: a number or a raw value.
    is_raw: bool,
}

impl<'a> Writer<'a> {
    fn open(self, begin: &str, close: &'static str) -> Members<'a> {
        self.text.push_str(begin);
        Members { text: self.text, is_first: true, close, is_raw: false }
    }

    /// Opens a variant that has something in it: `{"Name":` and what it holds.
    fn variant(self, name: &str, begin: &str, close: &'static str) -> Members<'a> {
        self.text.push('{');
        write_quoted(self.text, name);
        self.text.push(':');
        self.open(begin, close)
    }
}

impl<'a> Members<'a> {
    fn comma(&mut self) {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
    }

    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
        self.comma();
        value.serialize(Writer { text: self.text, is_raw: false })
    }

    fn member(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
        if !self.is_raw {
            self.comma();
            // Names of members are plain words.
            self.text.push('"');
            self.text.push_str(name);
            self.text.push_str("\":");
        }
        value.serialize(Writer { text: self.text, is_raw: self.is_raw })
    }

    fn end(self) -> Result<(), Unwritable> {
        self.text.push_str(self.close);
        Ok(())
    }
}

type Written = Result<(), Unwritable>;

/// Numbers that are written like a wider one.
macro_rules! widened {
    ($($method:ident($number:ty) $wider:ident)*) => {$(
        fn $method(self, value: $number) -> Written {
            self.$wider(value.into())
        }
    )*};
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Members<'a>;
    type SerializeTuple = Members<'a>;
    type SerializeTupleStruct = Members<'a>;
    type SerializeTupleVariant = Members<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    widened! {
        serialize_i8(i8) serialize_i64
        serialize_i16(i16) serialize_i64
        serialize_i32(i32) serialize_i64
        serialize_u8(u8) serialize_u64
        serialize_u16(u16) serialize_u64
        serialize_u32(u32) serialize_u64
        serialize_f32(f32) serialize_f64
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.text.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i64(self, value: i64) -> Written {
        if value < 0 {
            self.text.push('-');
        }
        write_number(self.text, value.unsigned_abs());
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Written {
        write_number(self.text, value);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Written {
        // Rare, and shortest digits are an art of their own.
        self.text.push_str(&serde_json::Value::from(value).to_string());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Written {
        if self.is_raw {
            self.text.push_str(value);
        } else {
            write_quoted(self.text, value);
        }
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let variant = self.variant(variant, "", "}");
        value.serialize(Writer { text: variant.text, is_raw: false })?;
        variant.end()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'a>, Unwritable> {
        Ok(self.open("[", "]"))
    }

    fn serialize_tuple(self, length: usize) -> Result<Members<'a>, Unwritable> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Members<'a>, Unwritable> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'a>, Unwritable> {
        Ok(self.variant(variant, "[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>, Unwritable> {
        Ok(self.open("{", "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'a>, Unwritable> {
        if name == NUMBER || name == RAW {
            return Ok(Members { text: self.text, is_first: true, close: "", is_raw: true });
        }
        Ok(self.open("{", "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'a>, Unwritable> {
        Ok(self.variant(variant, "{", "}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Written {
        self.serialize_str(&value.to_string())
    }
}

/// The methods of one kind of container: what adds to it, and its end.
macro_rules! members {
    ($($kind:ident: $add:ident)*) => {$(
        impl ser::$kind for Members<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $add<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                self.item(value)
            }

            fn end(self) -> Written {
                Members::end(self)
            }
        }
    )*};
    ($($kind:ident with names)*) => {$(
        impl ser::$kind for Members<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
                self.member(name, value)
            }

            fn end(self) -> Written {
                Members::end(self)
            }
        }
    )*};
}

members! {
    SerializeSeq: serialize_element
    SerializeTuple: serialize_element
    SerializeTupleStruct: serialize_field
    SerializeTupleVariant: serialize_field
}

members! {
    SerializeStruct with names
    SerializeStructVariant with names
}

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.comma();
        let start = self.text.len();
        key.serialize(Writer { text: self.text, is_raw: false })?;
        match self.text.as_bytes().get(start) {
            Some(b'"') => {}
            // A number or a truth value: as text.
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                self.text.insert(start, '"');
                self.text.push('"');
            }
            _ => return Err(ser::Error::custom("a key must be a text")),
        }
        self.text.push(':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(Writer { text: self.text, is_raw: false })
    }

    fn end(self) -> Written {
        Members::end(self)
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
