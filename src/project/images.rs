//! What kind of image some bytes are (IM-01, IM-41).

/// The media type and the file extension of an image, from its first bytes; a declared type never counts. Bytes of no
/// known kind are `application/octet-stream`.
pub fn image_kind(bytes: &[u8]) -> (&'static str, &'static str) {
    let riff = bytes.starts_with(b"RIFF");
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("image/png", "png"),
        [0xff, 0xd8, 0xff, ..] => ("image/jpeg", "jpg"),
        [_, _, _, _, _, _, _, _, b'W', b'E', b'B', b'P', ..] if riff => ("image/webp", "webp"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => ("image/gif", "gif"),
        [b'B', b'M', ..] => ("image/bmp", "bmp"),
        _ => ("application/octet-stream", "bin"),
    }
}
