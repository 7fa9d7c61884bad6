//! Randomness of a program: a stream of bytes that follows from the seed of its command (SH-42).

use sha2::{Digest, Sha256};
use std::cell::RefCell;

/// SHA-256 in counter mode over a seed.
#[derive(Debug, Default)]
struct Stream {
    key: [u8; 32],
    block: u64,
    rest: Vec<u8>,
}

impl Stream {
    fn new(seed: &str) -> Stream {
        Stream { key: Sha256::digest(seed.as_bytes()).into(), ..Stream::default() }
    }

    fn byte(&mut self) -> u8 {
        if let Some(byte) = self.rest.pop() {
            return byte;
        }
        let block = Sha256::new().chain_update(self.key).chain_update(self.block.to_le_bytes()).finalize();
        self.block += 1;
        self.rest = block.to_vec();
        self.rest.pop().unwrap_or_default()
    }
}

thread_local! {
    /// An instance runs one command, so it has one stream.
    static STREAM: RefCell<Stream> = RefCell::default();
}

/// Starts the stream of this instance from the seed of its command.
pub(crate) fn seed(seed: &str) {
    STREAM.with_borrow_mut(|stream| *stream = Stream::new(seed));
}

/// The next bytes of the stream.
pub(crate) fn fill(bytes: &mut [u8]) {
    STREAM.with_borrow_mut(|stream| bytes.fill_with(|| stream.byte()));
}

/// The next four bytes of the stream, as a number.
#[cfg(any(test, feature = "program-shell"))]
pub(crate) fn number() -> u32 {
    let mut bytes = [0; 4];
    fill(&mut bytes);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests;
