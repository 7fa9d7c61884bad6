//! Bytes by content: images, earlier versions of files, sealed pages of long lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::digest::sha256_hex;

/// A table of bytes by digest. The bytes are shared, never copied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blobs(BTreeMap<String, Arc<[u8]>>);

impl Blobs {
    /// Keeps these bytes and gives their digest.
    pub fn put(&mut self, bytes: Arc<[u8]>) -> String {
        let digest = sha256_hex(&bytes);
        self.0.entry(digest.clone()).or_insert(bytes);
        digest
    }

    /// Keeps bytes whose digest is known.
    pub fn keep(&mut self, digest: &str, bytes: Arc<[u8]>) {
        self.0.entry(digest.to_owned()).or_insert(bytes);
    }

    /// Lets go of the bytes of a digest.
    pub fn remove(&mut self, digest: &str) {
        self.0.remove(digest);
    }

    /// The bytes of a digest.
    pub fn get(&self, digest: &str) -> Option<&Arc<[u8]>> {
        self.0.get(digest)
    }
}
