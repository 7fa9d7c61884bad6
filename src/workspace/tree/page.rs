//! A run of neighbouring entries of one directory: what is copied and digested again when one of them changes.

use std::sync::{Arc, OnceLock};

use super::{Directory, listing};
use crate::workspace::{Digest, File};

/// A file or a directory. Shared: cloning one costs nothing.
#[derive(Clone)]
pub(super) enum Node {
    File(Arc<File>),
    Directory(Arc<Directory>),
}

impl Node {
    /// Entries the node brings into a tree: itself and all below.
    pub(super) fn entries(&self) -> u64 {
        match self {
            Node::File(_) => 1,
            Node::Directory(directory) => 1 + directory.entries(),
        }
    }

    /// Bytes of the file, or of all files below.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Node::File(file) => file.len() as u64,
            Node::Directory(directory) => directory.bytes(),
        }
    }
}

/// A name and what it names.
pub(super) type Named = (Arc<str>, Node);

/// Entries in order of their names; never empty. A page starts at the first entry of a directory and at each name
/// that [`starts_page`] picks, so the same entries always make the same pages, whatever happened before.
#[derive(Clone)]
pub(super) struct Page {
    entries: Vec<Named>,
    digest: OnceLock<Digest>,
}

/// Whether a name starts a page: about one in 128 does. Pages then hold some hundred entries, and a directory of ten
/// thousand some hundred pages, so a change re-reads about as much of the one as of the other.
fn starts_page(name: &str) -> bool {
    // FNV-1a. Names chosen to spoil the split only make the pages of a directory of at most 4,096 entries longer.
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15) % 128 == 0
}

impl Page {
    fn new(entries: Vec<Named>) -> Arc<Self> {
        Arc::new(Self { entries, digest: OnceLock::new() })
    }

    pub(super) fn entries(&self) -> &[Named] {
        &self.entries
    }

    fn first(&self) -> &str {
        self.entries.first().map_or("", |(name, _)| name)
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        // Names mostly come in order: what the runtime writes down is numbered.
        if self.entries.last().is_some_and(|(last, _)| **last < *name) {
            return Err(self.entries.len());
        }
        self.entries.binary_search_by(|(other, _)| (**other).cmp(name))
    }

    fn get(&self, name: &str) -> Option<&Node> {
        self.position(name).ok().and_then(|at| self.entries.get(at)).map(|(_, node)| node)
    }

    /// The entries, to change them; what was computed of them is forgotten.
    fn entries_mut(&mut self) -> &mut Vec<Named> {
        self.digest = OnceLock::new();
        &mut self.entries
    }

    /// The digest of the page's listing, computed once.
    pub(super) fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| Digest::of(&listing::of_entries(&self.entries)))
    }
}

/// All entries of one directory, as pages in order.
#[derive(Clone, Default)]
pub(super) struct Pages(Vec<Arc<Page>>);

impl Pages {
    /// Pages of entries that are in order of their names, each name once.
    pub(super) fn of_sorted(entries: Vec<Named>) -> Self {
        let mut pages = Vec::new();
        let mut current: Vec<Named> = Vec::new();
        for entry in entries {
            if !current.is_empty() && starts_page(&entry.0) {
                pages.push(Page::new(std::mem::take(&mut current)));
            }
            current.push(entry);
        }
        if !current.is_empty() {
            pages.push(Page::new(current));
        }
        Self(pages)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Page>> {
        self.0.iter()
    }

    /// All entries in order of their names.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Named> {
        self.0.iter().flat_map(|page| page.entries())
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|page| page.entries.len()).sum()
    }

    /// How many pages start at or before a name.
    fn starting_by(&self, name: &str) -> usize {
        if self.0.last().is_some_and(|page| page.first() <= name) {
            return self.0.len();
        }
        self.0.partition_point(|page| page.first() <= name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        let page = self.0.get(self.starting_by(name).checked_sub(1)?)?;
        page.get(name)
    }

    /// A node, to change it.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        let place = self.starting_by(name).checked_sub(1)?;
        let page = self.0.get_mut(place)?;
        let at = page.position(name).ok()?;
        Arc::make_mut(page).entries_mut().get_mut(at).map(|(_, node)| node)
    }

    /// Puts a node under a name and gives what was there.
    pub(super) fn set(&mut self, name: &str, node: Node) -> Option<Node> {
        let after = self.starting_by(name);
        let Some(page) = self.0.get_mut(after.saturating_sub(1)) else {
            self.0.push(Page::new(vec![(name.into(), node)]));
            return None;
        };
        if after == 0 && starts_page(page.first()) {
            self.0.insert(0, Page::new(vec![(name.into(), node)]));
            return None;
        }
        let position = page.position(name);
        let entries = Arc::make_mut(page).entries_mut();
        match position {
            Ok(at) => return entries.get_mut(at).map(|(_, there)| std::mem::replace(there, node)),
            Err(at) if at > 0 && starts_page(name) => {
                let mut tail = vec![(name.into(), node)];
                tail.extend(entries.drain(at..));
                self.0.insert(after, Page::new(tail));
            }
            Err(at) => entries.insert(at, (name.into(), node)),
        }
        None
    }

    /// Takes a name out.
    pub(super) fn remove(&mut self, name: &str) -> Option<Node> {
        let place = self.starting_by(name).checked_sub(1)?;
        let page = self.0.get_mut(place)?;
        let at = page.position(name).ok()?;
        let entries = Arc::make_mut(page).entries_mut();
        let (_, node) = entries.remove(at);
        if entries.is_empty() {
            self.0.remove(place);
        } else if at == 0 && place > 0 {
            // The name that started this page is gone: the rest belongs to the page before.
            let rest = std::mem::take(entries);
            self.0.remove(place);
            if let Some(before) = self.0.get_mut(place - 1) {
                Arc::make_mut(before).entries_mut().extend(rest);
            }
        }
        Some(node)
    }
}
