//! A directory: its entries and what is known of everything below.

use std::sync::{Arc, OnceLock};

use super::page::{Node, Page, Pages};
use super::{Entry, listing};
use crate::workspace::Digest;

/// A path leads through a file.
#[derive(Debug)]
pub(super) struct ThroughFile;

/// A directory. Immutable from outside; cloning it costs a pointer per page.
#[derive(Clone, Default)]
pub struct Directory {
    pages: Pages,
    entries: u64,
    bytes: u64,
    digest: OnceLock<Digest>,
}

impl Directory {
    /// A directory of entries in order of their names, each name once.
    pub(super) fn of_sorted(entries: Vec<(Arc<str>, Node)>) -> Self {
        Self {
            entries: entries.iter().fold(0, |sum, (_, node)| sum.saturating_add(node.entries())),
            bytes: entries.iter().fold(0, |sum, (_, node)| sum.saturating_add(node.bytes())),
            pages: Pages::of_sorted(entries),
            digest: OnceLock::new(),
        }
    }

    /// Its entries in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Entry<'_>)> {
        self.pages.entries().map(|(name, node)| (&**name, Entry::of(node)))
    }

    /// The entry of this name.
    pub fn get(&self, name: &str) -> Option<Entry<'_>> {
        self.pages.get(name).map(Entry::of)
    }

    /// How many entries it has itself.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// How many entries are below it, on all levels.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The bytes of all files below it.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The digest of its listing, computed once for each content.
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| Digest::of(&self.listing()))
    }

    /// Its listing: that of its only page, or the list of its pages.
    pub(super) fn listing(&self) -> Vec<u8> {
        let mut pages = self.pages.iter();
        match (pages.next(), pages.next()) {
            (Some(only), None) => listing::of_entries(only.entries()),
            _ => listing::of_pages(self.pages.iter().map(|page| page.digest())),
        }
    }

    /// Its pages, if it has several; a single one has the digest of the directory itself.
    pub(super) fn pages(&self) -> impl Iterator<Item = &Arc<Page>> {
        self.pages.iter()
    }

    /// Puts a node at a path below, in place of what stands there; missing directories on the way are made. A file on
    /// the way is refused, and nothing has changed then.
    pub(super) fn set(&mut self, path: &str, node: Node) -> Result<(), ThroughFile> {
        self.digest = OnceLock::new();
        let Some((name, below)) = path.split_once('/') else {
            self.put(path, node);
            return Ok(());
        };
        match self.pages.get_mut(name) {
            Some(Node::File(_)) => return Err(ThroughFile),
            Some(Node::Directory(child)) => {
                let child = Arc::make_mut(child);
                let (entries, bytes) = (child.entries, child.bytes);
                child.set(below, node)?;
                self.entries = self.entries.saturating_sub(entries).saturating_add(child.entries);
                self.bytes = self.bytes.saturating_sub(bytes).saturating_add(child.bytes);
            }
            None => {
                let mut child = Self::default();
                child.set(below, node)?;
                self.put(name, Node::Directory(Arc::new(child)));
            }
        }
        Ok(())
    }

    /// Takes an entry out, by its path below.
    pub(super) fn remove(&mut self, path: &str) -> Option<Node> {
        self.digest = OnceLock::new();
        let removed = match path.split_once('/') {
            None => self.pages.remove(path),
            Some((name, below)) => match self.pages.get_mut(name)? {
                Node::Directory(child) => Arc::make_mut(child).remove(below),
                Node::File(_) => None,
            },
        };
        self.leave_out(removed.as_ref());
        removed
    }

    /// Puts a node under a name, in place of what stands there.
    pub(super) fn put(&mut self, name: &str, node: Node) {
        self.entries = self.entries.saturating_add(node.entries());
        self.bytes = self.bytes.saturating_add(node.bytes());
        let replaced = self.pages.set(name, node);
        self.leave_out(replaced.as_ref());
    }

    fn leave_out(&mut self, node: Option<&Node>) {
        self.entries = self.entries.saturating_sub(node.map_or(0, Node::entries));
        self.bytes = self.bytes.saturating_sub(node.map_or(0, Node::bytes));
    }
}
