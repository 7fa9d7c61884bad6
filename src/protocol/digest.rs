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
    let digit = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
    let mut text = vec![0; bytes.len() * 2];
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
    // Digits are ASCII, so this never fails.
    String::from_utf8(text).unwrap_or_default()
}
