//! Unpaired surrogates in JSON text (WR-07).

use std::borrow::Cow;

const REPLACEMENT: &str = "\\ufffd";

/// JSON text of a host in which every escaped surrogate without its other half is U+FFFD. JavaScript strings may hold
/// such halves and its JSON writer escapes them; no Rust string can. Everything else stays as it is, so text that is
/// no JSON stays that. Never meant for the arguments of a call: there a lone surrogate is the model's fault (AR-11).
pub fn well_formed(json: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = json.as_bytes();
    while let Some(offset) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += offset;
        match (unit(json, at), unit(json, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                mended.push_str(json.get(copied..at).unwrap_or_default());
                mended.push_str(REPLACEMENT);
                at += 6;
                copied = at;
            }
            // An escape is two bytes at least; the second may be a backslash.
            _ => at += 2,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    mended.push_str(json.get(copied..).unwrap_or_default());
    Cow::Owned(mended)
}

/// The UTF-16 unit that the escape at this byte writes.
fn unit(json: &str, at: usize) -> Option<u32> {
    let digits = json.get(at..at.checked_add(6)?)?.strip_prefix("\\u")?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}
