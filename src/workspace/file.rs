//! One file: its bytes, whether they are text, and what is computed of them once.

use std::sync::{Arc, OnceLock};

use super::{Digest, Metrics};

/// The content of a file. Immutable and shared: a change makes another one.
pub struct File {
    content: Content,
    sha256: OnceLock<Digest>,
    metrics: OnceLock<Metrics>,
}

/// Text is told from other bytes once, when the content is made (WS-15).
enum Content {
    Text(Arc<str>),
    Binary(Arc<[u8]>),
}

impl File {
    /// A file of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::of_text(text),
            Err(_) => Self::with(Content::Binary(bytes.into())),
        }
    }

    /// A file of this text. With a NUL in it the file is no text all the same.
    pub fn of_text(text: impl Into<Arc<str>>) -> Self {
        let text: Arc<str> = text.into();
        let has_nul = memchr::memchr(0, text.as_bytes()).is_some();
        Self::with(if has_nul { Content::Binary(text.into()) } else { Content::Text(text) })
    }

    /// A file of bytes whose digest was computed already.
    pub(super) fn known(bytes: &[u8], sha256: Digest) -> Self {
        let file = Self::new(bytes);
        // A new file has no digest yet, so this always takes.
        let _ = file.sha256.set(sha256);
        file
    }

    fn with(content: Content) -> Self {
        Self { content, sha256: OnceLock::new(), metrics: OnceLock::new() }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        }
    }

    /// The bytes, shared and not copied.
    pub fn shared(&self) -> Arc<[u8]> {
        match &self.content {
            Content::Text(text) => Arc::clone(text).into(),
            Content::Binary(bytes) => Arc::clone(bytes),
        }
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    /// The text, if it is text: valid UTF-8 without NUL (WS-15).
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Binary(_) => None,
        }
    }

    /// The SHA-256 of the bytes, computed once.
    pub fn sha256(&self) -> Digest {
        *self.sha256.get_or_init(|| Digest::of(self.bytes()))
    }

    /// Characters and words, computed once; zero for a file that is no text.
    pub fn metrics(&self) -> Metrics {
        *self.metrics.get_or_init(|| self.text().map(Metrics::of).unwrap_or_default())
    }
}

impl PartialEq for File {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.text() {
            Some(text) => write!(f, "File({text:?})"),
            None => write!(f, "File({} bytes)", self.len()),
        }
    }
}
