//! Hashes for `crypto` (SH-58).

use super::bytes;
use super::native::{self, argument};
use boa_engine::{Context, JsResult, JsValue};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

/// A hash by name: its value, and the length of its block.
fn digest(name: &str, bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    Some(match name.to_ascii_lowercase().replace('-', "").as_str() {
        "md5" => (Md5::digest(bytes).to_vec(), 64),
        "sha1" => (Sha1::digest(bytes).to_vec(), 64),
        "sha224" => (Sha224::digest(bytes).to_vec(), 64),
        "sha256" => (Sha256::digest(bytes).to_vec(), 64),
        "sha384" => (Sha384::digest(bytes).to_vec(), 128),
        "sha512" => (Sha512::digest(bytes).to_vec(), 128),
        _ => return None,
    })
}

/// `hash(name, bytes)`; `undefined` for a name that is not known.
///
/// # Errors
/// The second argument holds no bytes.
pub(crate) fn hash(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = native::text(arguments, 0, context)?;
    let input = bytes::of(&argument(arguments, 1), context)?;
    match digest(&name, &input) {
        Some((value, _)) => bytes::array(&value, context),
        None => Ok(JsValue::undefined()),
    }
}

/// `hmac(name, key, bytes)`; `undefined` for a name that is not known.
///
/// # Errors
/// An argument holds no bytes.
pub(crate) fn hmac(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = native::text(arguments, 0, context)?;
    let mut key = bytes::of(&argument(arguments, 1), context)?;
    let input = bytes::of(&argument(arguments, 2), context)?;
    let Some((short, block)) = digest(&name, &key) else { return Ok(JsValue::undefined()) };
    if key.len() > block {
        key = short;
    }
    key.resize(block, 0);
    let keyed = |pad: u8, rest: &[u8]| {
        let text: Vec<u8> = key.iter().map(|byte| byte ^ pad).chain(rest.iter().copied()).collect();
        digest(&name, &text).map(|(value, _)| value).unwrap_or_default()
    };
    let inner = keyed(0x36, &input);
    bytes::array(&keyed(0x5c, &inner), context)
}
