//! Randomness of a program: a stream of bytes that follows from the seed of its command (SH-42).

use sha2::{Digest, Sha256};
use std::cell::RefCell;

/// xoshiro256++ (Blackman and Vigna), started from the digest of a seed.
#[derive(Debug, Default)]
struct Stream {
    state: [u64; 4],
    rest: u64,
    left: u32,
}

impl Stream {
    fn new(seed: &str) -> Stream {
        let digest = Sha256::digest(seed.as_bytes());
        let (words, _) = digest.as_chunks();
        let mut stream = Stream::default();
        for (state, word) in stream.state.iter_mut().zip(words) {
            *state = u64::from_le_bytes(*word);
        }
        stream
    }

    fn word(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let word = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        word
    }

    fn byte(&mut self) -> u8 {
        if self.left == 0 {
            self.rest = self.word();
            self.left = 8;
        }
        let byte = self.rest as u8;
        self.rest >>= 8;
        self.left -= 1;
        byte
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
