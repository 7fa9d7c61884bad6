//! SHA-256 as text: digests of blobs and names made from ids.

use sha2::{Digest, Sha256};

/// The SHA-256 of these bytes, 64 lower-case hex digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The first 8 bytes of the SHA-256 of an id, 16 lower-case hex digits (ID-20).
pub fn short_hash(id: &str) -> String {
    hex(Sha256::digest(id.as_bytes()).get(..8).unwrap_or_default())
}

/// Bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(nibble + if nibble < 10 { b'0' } else { b'a' - 10 });
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}
