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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().map_or('0', char::from);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
