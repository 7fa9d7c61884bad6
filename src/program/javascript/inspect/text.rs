//! Quotes, escapes, numbers and widths.

use boa_engine::{JsSymbol, JsValue};

/// A string in the quotes that need the fewest escapes, as JavaScript would write it.
pub(super) fn quote(units: &[u16]) -> String {
    let has = |byte: u8| units.contains(&u16::from(byte));
    let interpolates = units.windows(2).any(|pair| pair == [u16::from(b'$'), u16::from(b'{')]);
    let quote = match (has(b'\''), has(b'"'), has(b'`') || interpolates) {
        (false, ..) => '\'',
        (true, false, _) => '"',
        (true, true, false) => '`',
        (true, true, true) => '\'',
    };
    let mut text = String::with_capacity(units.len() + 2);
    text.push(quote);
    push_escaped(&mut text, units, Some(quote));
    text.push(quote);
    text
}

/// Escapes what a terminal or a reader would trip over.
fn push_escaped(text: &mut String, units: &[u16], quote: Option<char>) {
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok('\n') => text.push_str("\\n"),
            Ok('\t') => text.push_str("\\t"),
            Ok('\r') => text.push_str("\\r"),
            Ok('\u{8}') => text.push_str("\\b"),
            Ok('\u{c}') => text.push_str("\\f"),
            Ok('\\') => text.push_str("\\\\"),
            Ok(c) if Some(c) == quote => {
                text.push('\\');
                text.push(c);
            }
            Ok(c) if c < ' ' || ('\u{7f}'..='\u{9f}').contains(&c) => {
                text.push_str(&format!("\\x{:02X}", u32::from(c)))
            }
            Ok(c) => text.push(c),
            Err(lone) => text.push_str(&format!("\\u{:04X}", lone.unpaired_surrogate())),
        }
    }
}

/// A symbol with its description.
pub(super) fn symbol(symbol: &JsSymbol) -> String {
    let mut text = String::from("Symbol(");
    if let Some(description) = symbol.description() {
        let units: Vec<u16> = description.iter().collect();
        push_escaped(&mut text, &units, None);
    }
    text.push(')');
    text
}

/// A number, with a sign for negative zero.
pub(super) fn number(value: f64, separated: bool) -> String {
    if value == 0.0 && value.is_sign_negative() {
        // With separators Node loses the sign.
        return if separated { "0" } else { "-0" }.into();
    }
    separate(&JsValue::from(value).display().to_string(), separated)
}

/// `1234567.891` as `1_234_567.891`.
pub(super) fn separate(digits: &str, separated: bool) -> String {
    if !separated || digits.contains(['e', 'I', 'N']) {
        return digits.to_owned();
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let mut text = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    for (index, digit) in fraction.chars().enumerate() {
        text.push_str(if index == 0 {
            "."
        } else if index.is_multiple_of(3) {
            "_"
        } else {
            ""
        });
        text.push(digit);
    }
    text
}

/// Whether a name can stand in an object literal without quotes.
pub(super) fn is_name(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// UTF-16 units of a text, which is what JavaScript calls its length.
pub(super) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// A text without the escape sequences that paint it.
pub(super) fn plain(text: &str) -> String {
    let mut rest = text;
    let mut plain = String::with_capacity(text.len());
    while let Some((head, tail)) = rest.split_once("\u{1b}[") {
        plain.push_str(head);
        rest = tail.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

/// Columns that a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    let text = plain(text);
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(columns).sum()
}

fn columns(c: char) -> usize {
    match u32::from(c) {
        0..=0x1f
        | 0x7f..=0x9f
        | 0x300..=0x36f
        | 0x200b..=0x200f
        | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f
        | 0x2329..=0x232a
        | 0x2e80..=0x303e
        | 0x3041..=0x3247
        | 0x3250..=0x4dbf
        | 0x4e00..=0xa4c6
        | 0xa960..=0xa97c
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe10..=0xfe19
        | 0xfe30..=0xfe6b
        | 0xff01..=0xff60
        | 0xffe0..=0xffe6
        | 0x1b000..=0x1b001
        | 0x1f200..=0x1f251
        | 0x1f300..=0x1f64f
        | 0x1f680..=0x1f6ff
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
