//! Bytes and texts: typed arrays of the engine, and the encodings of `Buffer`, `TextDecoder` and `fs`.

use super::native::{self, Member, argument};
use boa_engine::builtins::dataview::DataView;
use boa_engine::object::builtins::{
    JsArrayBuffer, JsDataView, JsSharedArrayBuffer, JsTypedArray, JsUint8Array,
};
use boa_engine::string::JsStrVariant;
use boa_engine::{Context, JsResult, JsString, JsValue};

/// What libraries get of this.
pub(crate) const MEMBERS: [Member; 5] = [
    ("encode", 2, encode),
    ("decode", 4, decode),
    ("utf8", 2, utf8),
    ("byteLength", 2, byte_length),
    ("find", 3, find),
];

/// A `Uint8Array` with these bytes.
///
/// # Errors
/// There is no room for them.
pub(crate) fn array(bytes: &[u8], context: &mut Context) -> JsResult<JsValue> {
    let buffer = JsArrayBuffer::new(bytes.len(), context)?;
    if let Some(mut data) = buffer.data_mut() {
        data.copy_from_slice(bytes);
    }
    Ok(JsUint8Array::from_array_buffer(buffer, context)?.into())
}

/// The bytes of a typed array, a `DataView` or an `ArrayBuffer`.
///
/// # Errors
/// The value is none of them.
pub(crate) fn of(value: &JsValue, context: &mut Context) -> JsResult<Vec<u8>> {
    let Some(object) = value.as_object() else { return Err(no_bytes()) };
    if let Ok(buffer) = JsArrayBuffer::from_object(object.clone()) {
        return Ok(buffer.to_vec().unwrap_or_default());
    }
    let (buffer, offset, length) = if object.is::<DataView>() {
        let view = JsDataView::from_object(object)?;
        (view.buffer(context)?, view.byte_offset(context)? as usize, view.byte_length(context)? as usize)
    } else {
        let view = JsTypedArray::from_object(object).map_err(|_| no_bytes())?;
        (view.buffer(context)?, view.byte_offset(context)?, view.byte_length(context)?)
    };
    let buffer = buffer.as_object().ok_or_else(no_bytes)?;
    let slice = |data: &[u8]| data.get(offset..offset + length).unwrap_or_default().to_vec();
    if let Ok(shared) = JsSharedArrayBuffer::from_object(buffer.clone()) {
        return Ok(slice(&shared.to_vec()));
    }
    let buffer = JsArrayBuffer::from_object(buffer)?;
    Ok(buffer.data().map(|data| slice(&data)).unwrap_or_default())
}

fn no_bytes() -> boa_engine::JsError {
    native::type_error("a Buffer, TypedArray, DataView or ArrayBuffer is needed")
}

/// The encodings of Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16,
    Latin1,
    Ascii,
    Hex,
    Base64,
    Base64Url,
}

impl Encoding {
    fn read(value: &JsValue, context: &mut Context) -> JsResult<Encoding> {
        if value.is_null_or_undefined() {
            return Ok(Encoding::Utf8);
        }
        let name = value.to_string(context)?.to_std_string_lossy();
        Ok(match name.to_ascii_lowercase().as_str() {
            "utf8" | "utf-8" => Encoding::Utf8,
            "utf16le" | "utf-16le" | "ucs2" | "ucs-2" => Encoding::Utf16,
            "latin1" | "binary" => Encoding::Latin1,
            "ascii" => Encoding::Ascii,
            "hex" => Encoding::Hex,
            "base64" => Encoding::Base64,
            "base64url" => Encoding::Base64Url,
            _ => return Err(native::type_error(format!("Unknown encoding: {name}"))),
        })
    }
}

/// `encode(text, encoding)`.
fn encode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = argument(arguments, 0).to_string(context)?;
    let encoding = Encoding::read(&argument(arguments, 1), context)?;
    array(&to_bytes(&text, encoding), context)
}

fn byte_length(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = argument(arguments, 0).to_string(context)?;
    let encoding = Encoding::read(&argument(arguments, 1), context)?;
    Ok(JsValue::from(to_bytes(&text, encoding).len() as f64))
}

/// A text as UTF-8, lone surrogates replaced.
pub(crate) fn utf8_bytes(text: &JsString) -> Vec<u8> {
    match text.variant() {
        JsStrVariant::Latin1(bytes) if bytes.is_ascii() => bytes.to_vec(),
        _ => text.to_std_string_lossy().into_bytes(),
    }
}

fn to_bytes(text: &JsString, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => utf8_bytes(text),
        Encoding::Utf16 => text.iter().flat_map(u16::to_le_bytes).collect(),
        Encoding::Latin1 | Encoding::Ascii => text.iter().map(|unit| unit.to_le_bytes()[0]).collect(),
        Encoding::Hex => from_hex(&text.iter().collect::<Vec<u16>>()),
        Encoding::Base64 | Encoding::Base64Url => from_base64(text.iter()),
    }
}

fn from_hex(units: &[u16]) -> Vec<u8> {
    let digit = |unit: &u16| char::from_u32(u32::from(*unit)).and_then(|c| c.to_digit(16));
    let mut bytes = Vec::with_capacity(units.len() / 2);
    for pair in units.chunks_exact(2) {
        let [high, low] = pair else { break };
        let (Some(high), Some(low)) = (digit(high), digit(low)) else { break };
        bytes.push((high * 16 + low) as u8);
    }
    bytes
}

/// Both alphabets; what is in neither is skipped, and `=` ends the text, as in Node.
fn from_base64(units: impl Iterator<Item = u16>) -> Vec<u8> {
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for unit in units {
        let value = match u8::try_from(unit).unwrap_or(0) {
            letter @ b'A'..=b'Z' => letter - b'A',
            letter @ b'a'..=b'z' => letter - b'a' + 26,
            digit @ b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64(bytes: &[u8], url: bool) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let block =
            chunk.iter().fold(0u32, |block, byte| (block << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = ALPHABET.get((block >> (18 - 6 * place)) as usize & 63).copied().unwrap_or(b'A');
            match (place <= chunk.len(), url, letter) {
                (false, true, _) => {}
                (false, false, _) => text.push('='),
                (true, true, b'+') => text.push('-'),
                (true, true, b'/') => text.push('_'),
                (true, ..) => text.push(char::from(letter)),
            }
        }
    }
    text
}

/// `decode(bytes, encoding, start, end)`.
fn decode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let bytes = of(&argument(arguments, 0), context)?;
    let encoding = Encoding::read(&argument(arguments, 1), context)?;
    let end = argument(arguments, 3);
    let end =
        if end.is_undefined() { bytes.len() } else { (end.to_length(context)? as usize).min(bytes.len()) };
    let start = (argument(arguments, 2).to_length(context)? as usize).min(end);
    let bytes = bytes.get(start..end).unwrap_or_default();
    Ok(match encoding {
        Encoding::Utf8 => text(bytes),
        Encoding::Utf16 => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|pair| pair.iter().rev().fold(0, |unit, byte| (unit << 8) | u16::from(*byte)))
                .collect();
            JsString::from(units.as_slice())
        }
        Encoding::Latin1 => JsString::from(bytes.iter().map(|byte| char::from(*byte)).collect::<String>()),
        Encoding::Ascii => {
            JsString::from(bytes.iter().map(|byte| char::from(*byte & 0x7f)).collect::<String>())
        }
        Encoding::Hex => JsString::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        Encoding::Base64 => JsString::from(to_base64(bytes, false)),
        Encoding::Base64Url => JsString::from(to_base64(bytes, true)),
    }
    .into())
}

/// Bytes as text; what is no UTF-8 is replaced.
pub(crate) fn text(bytes: &[u8]) -> JsString {
    JsString::from(&*String::from_utf8_lossy(bytes))
}

/// `utf8(bytes, fatal)`: the text, or `undefined` when `fatal` is set and the bytes are no UTF-8.
fn utf8(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let bytes = of(&argument(arguments, 0), context)?;
    if !argument(arguments, 1).to_boolean() {
        return Ok(text(&bytes).into());
    }
    Ok(std::str::from_utf8(&bytes).map_or(JsValue::undefined(), |text| JsString::from(text).into()))
}

/// `find(bytes, wanted, from)`: the first place of some bytes in others, or -1.
fn find(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let bytes = of(&argument(arguments, 0), context)?;
    let wanted = of(&argument(arguments, 1), context)?;
    let from = (argument(arguments, 2).to_length(context)? as usize).min(bytes.len());
    let rest = bytes.get(from..).unwrap_or_default();
    let found =
        if wanted.is_empty() { Some(0) } else { rest.windows(wanted.len()).position(|part| part == wanted) };
    Ok(found.map_or(JsValue::from(-1), |at| JsValue::from((at + from) as f64)))
}
