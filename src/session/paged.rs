//! A list that only grows, written to storage in pages: a snapshot of ten thousand entries costs what was added
//! since the last one.

use serde::de::DeserializeOwned;
use serde::de::value::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::blobs::Blobs;
use crate::arguments;
use crate::protocol::{Code, Facts, Fault, Unwritable, from_tree, json_text, limits, write_json};

/// A page is full with so many entries, or with so many bytes of them. It never changes again, so it is written once.
const PAGE_ENTRIES: usize = 64;
/// See [`PAGE_ENTRIES`].
const PAGE_BYTES: usize = 32 * 1024;
/// So many pages are gathered in a page of their digests, and so on upwards: the list of pages stays short as well.
const GATHERED: usize = 64;
/// Pages upon pages at most: enough for more entries than memory holds.
const LEVELS: usize = 8;

/// A list that only grows.
#[derive(Clone, Debug)]
pub(crate) struct Paged<T> {
    items: Vec<T>,
    sealed: Sealed,
}

/// What of a list is written down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sealed {
    /// Entries in full pages.
    entries: usize,
    /// Digests that are not gathered yet: of pages of entries, then of pages of those, and so on.
    levels: Vec<Vec<String>>,
    /// Every page.
    pages: Vec<String>,
    /// Those that nobody asked for yet.
    fresh: Vec<String>,
}

/// What a snapshot holds of a list: digests of pages, and the entries behind them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pages<T> {
    entries: usize,
    levels: Vec<Vec<String>>,
    tail: Vec<T>,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Self { entries: 0, levels: Vec::new(), tail: Vec::new() }
    }
}

impl<T> Default for Paged<T> {
    fn default() -> Self {
        Self { items: Vec::new(), sealed: Sealed::default() }
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

    /// What of it is written down.
    pub fn sealed(&mut self) -> &mut Sealed {
        &mut self.sealed
    }
}

impl<T: Clone + Serialize + DeserializeOwned> Paged<T> {
    /// Writes full pages as blobs, once each, and gives what a snapshot holds.
    pub fn seal(&mut self, blobs: &mut Blobs) -> Result<Pages<T>, Fault> {
        self.sealed.seal(&self.items, blobs)
    }

    /// Reads a list back. A page that is missing or is no page refuses the whole.
    pub fn open(pages: Pages<T>, blobs: &Blobs) -> Result<Self, Fault> {
        let (items, sealed) = open(pages, blobs)?;
        Ok(Self { items, sealed })
    }
}

impl Sealed {
    /// Writes the full pages of a list that are not written yet.
    pub fn seal<T: Clone + Serialize>(&mut self, items: &[T], blobs: &mut Blobs) -> Result<Pages<T>, Fault> {
        let fault = |e| Fault::new(Code::ToolInternalError, format!("a page cannot be written: {e}"));
        while let Some((entries, text)) = full_page(behind(items, self.entries)).map_err(fault)? {
            self.entries += entries;
            self.gather(blobs.put(text.into_bytes().into()), blobs).map_err(fault)?;
        }
        let tail = behind(items, self.entries).to_vec();
        Ok(Pages { entries: self.entries, levels: self.levels.clone(), tail })
    }

    fn gather(&mut self, page: String, blobs: &mut Blobs) -> Result<(), Unwritable> {
        let mut digest = page;
        for level in 0.. {
            self.pages.push(digest.clone());
            self.fresh.push(digest.clone());
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            let Some(open) = self.levels.get_mut(level) else { break };
            open.push(digest);
            if open.len() < GATHERED {
                break;
            }
            digest = blobs.put(json_text(&std::mem::take(open))?.into_bytes().into());
        }
        Ok(())
    }

    /// Digests of all pages.
    pub fn pages(&self) -> &[String] {
        &self.pages
    }

    /// Digests of the pages written since this was asked last.
    pub fn take_fresh(&mut self) -> Vec<String> {
        std::mem::take(&mut self.fresh)
    }
}

fn behind<T>(items: &[T], entries: usize) -> &[T] {
    items.get(entries..).unwrap_or_default()
}

/// The first full page of these entries: how many it holds, and its bytes.
fn full_page<T: Serialize>(items: &[T]) -> Result<Option<(usize, String)>, Unwritable> {
    let mut text = String::from("[");
    for (entries, item) in (1..=PAGE_ENTRIES).zip(items) {
        if entries > 1 {
            text.push(',');
        }
        write_json(&mut text, item)?;
        if entries == PAGE_ENTRIES || text.len() >= PAGE_BYTES {
            text.push(']');
            return Ok(Some((entries, text)));
        }
    }
    Ok(None)
}

/// Reads a list back from its pages.
pub(crate) fn open<T: DeserializeOwned>(pages: Pages<T>, blobs: &Blobs) -> Result<(Vec<T>, Sealed), Fault> {
    if pages.levels.len() > LEVELS {
        return Err(corrupt("a list of the snapshot has too many levels"));
    }
    let mut reader = Reader { blobs, entries: pages.entries, items: Vec::new(), pages: Vec::new() };
    for (level, digests) in pages.levels.iter().enumerate().rev() {
        for digest in digests {
            reader.page(digest, level)?;
        }
    }
    if reader.items.len() != pages.entries {
        return Err(corrupt("a list of the snapshot has another length"));
    }
    let Reader { mut items, pages: read, .. } = reader;
    items.extend(pages.tail);
    let sealed = Sealed { entries: pages.entries, levels: pages.levels, pages: read, fresh: Vec::new() };
    Ok((items, sealed))
}

struct Reader<'a, T> {
    blobs: &'a Blobs,
    /// How many entries the pages hold: a bound, however often a page is named.
    entries: usize,
    items: Vec<T>,
    pages: Vec<String>,
}

impl<T: DeserializeOwned> Reader<'_, T> {
    /// Recursion ends with the levels.
    fn page(&mut self, digest: &str, level: usize) -> Result<(), Fault> {
        let value = blob(digest, self.blobs)?;
        self.pages.push(digest.to_owned());
        let Some(below) = level.checked_sub(1) else {
            let page: Vec<T> = shaped(value)?;
            if page.is_empty() || self.items.len() + page.len() > self.entries {
                return Err(corrupt("a page of the snapshot has another length"));
            }
            self.items.extend(page);
            return Ok(());
        };
        let gathered: Vec<String> = shaped(value)?;
        if gathered.len() != GATHERED {
            return Err(corrupt("a page of the snapshot has another length"));
        }
        gathered.iter().try_for_each(|digest| self.page(digest, below))
    }
}

/// A part of a snapshot that lies in a blob of its own.
pub(super) fn blob(digest: &str, blobs: &Blobs) -> Result<Value, Fault> {
    let bytes = blobs
        .get(digest)
        .ok_or_else(|| corrupt(format!("the snapshot needs the blob {digest}, which was not handed over")))?;
    std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| arguments::read_within(text, limits::SNAPSHOT_DEPTH).ok())
        .ok_or_else(|| corrupt("a page of the snapshot is no JSON"))
}

/// JSON as what it should be.
pub(super) fn shaped<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    from_tree(value).map_err(misshapen)
}

/// The fault of JSON that is not what it should be.
pub(super) fn misshapen(error: Error) -> Fault {
    corrupt(format!("a page of the snapshot has another shape: {error}"))
}

/// What was written as a text of its own.
pub(super) fn read_back<T: DeserializeOwned>(written: &Facts) -> Result<T, Fault> {
    let tree = arguments::read_within(written.text(), limits::SNAPSHOT_DEPTH);
    shaped(tree.map_err(|_| corrupt("a part of the snapshot is no JSON"))?)
}

/// A snapshot that does not hold what it should.
pub(super) fn corrupt(what: impl Into<String>) -> Fault {
    Fault::new(Code::StateSnapshotCorrupt, what)
}
