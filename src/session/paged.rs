//! A list that only grows, written to storage in pages: a snapshot of ten thousand entries costs what was added
//! since the last one.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::blobs::Blobs;
use crate::protocol::{Code, Fault};

/// Entries of one page. A full page never changes again, so it is written once.
const PAGE: usize = 64;

/// A list that only grows.
#[derive(Clone, Debug)]
pub(crate) struct Paged<T> {
    items: Vec<T>,
    sealed: Vec<String>,
}

/// What a snapshot holds of a list: digests of the full pages, and the rest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pages<T> {
    pub(super) pages: Vec<String>,
    tail: Vec<T>,
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self { items: Vec::new(), sealed: Vec::new() }
    }
}

impl<T> Paged<T> {
    /// Adds an entry at the end.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// The entries, oldest first.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T: Clone + Serialize + DeserializeOwned> Paged<T> {
    /// Writes full pages as blobs, once each, and gives what a snapshot holds.
    pub fn seal(&mut self, blobs: &mut Blobs) -> Result<Pages<T>, Fault> {
        seal(&self.items, &mut self.sealed, blobs)
    }

    /// Reads a list back. A page that is missing or is no page refuses the whole.
    pub fn open(pages: Pages<T>, blobs: &Blobs) -> Result<Self, Fault> {
        let sealed = pages.pages.clone();
        Ok(Self { items: open(pages, blobs)?, sealed })
    }

    /// Digests of the pages written so far.
    pub fn pages(&self) -> &[String] {
        &self.sealed
    }
}

/// Writes the full pages of a list that are not `sealed` yet.
pub(crate) fn seal<T: Clone + Serialize>(
    items: &[T],
    sealed: &mut Vec<String>,
    blobs: &mut Blobs,
) -> Result<Pages<T>, Fault> {
    let full = items.len() / PAGE;
    for page in items.chunks(PAGE).take(full).skip(sealed.len()) {
        let bytes = serde_json::to_vec(page)
            .map_err(|e| Fault::new(Code::ToolInternalError, format!("a page cannot be written: {e}")))?;
        sealed.push(blobs.put(bytes.into()));
    }
    let tail = items.get(full * PAGE..).unwrap_or_default().to_vec();
    Ok(Pages { pages: sealed.clone(), tail })
}

/// Reads a list back from its pages.
pub(crate) fn open<T: DeserializeOwned>(pages: Pages<T>, blobs: &Blobs) -> Result<Vec<T>, Fault> {
    let corrupt = |what: String| Fault::new(Code::StateSnapshotCorrupt, what);
    let mut items = Vec::new();
    for digest in &pages.pages {
        let bytes = blobs.get(digest).ok_or_else(|| {
            corrupt(format!("the snapshot needs the blob {digest}, which was not handed over"))
        })?;
        let value: serde_json::Value = serde_json::from_slice(bytes)
            .map_err(|_| corrupt("a page of the snapshot is no JSON".to_owned()))?;
        let page: Vec<T> = serde_json::from_value(value)
            .map_err(|e| corrupt(format!("a page of the snapshot has another shape: {e}")))?;
        if page.len() != PAGE {
            return Err(corrupt("a page of the snapshot has another length".to_owned()));
        }
        items.extend(page);
    }
    items.extend(pages.tail);
    Ok(items)
}
