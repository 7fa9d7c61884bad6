//! A directory: its entries and what is known of everything below.

use std::sync::{Arc, OnceLock};

use super::page::{Node, Page, Pages};
use super::{Entry, listing};
use crate::workspace::Digest;

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

    /// Puts a node at a path below; missing directories on the way are made. Whatever is in the way is replaced: the
    /// caller has looked.
    pub(super) fn set(&mut self, path: &[&str], node: Node) {
        let Some((name, below)) = path.split_first() else { return };
        self.digest = OnceLock::new();
        if let (Some(Node::Directory(child)), false) = (self.pages.get_mut(name), below.is_empty()) {
            let child = Arc::make_mut(child);
            self.entries = self.entries.saturating_sub(child.entries);
            self.bytes = self.bytes.saturating_sub(child.bytes);
            child.set(below, node);
            self.entries = self.entries.saturating_add(child.entries);
            self.bytes = self.bytes.saturating_add(child.bytes);
            return;
        }
        let node = if below.is_empty() {
            node
        } else {
            let mut child = Self::default();
            child.set(below, node);
            Node::Directory(Arc::new(child))
        };
        self.entries = self.entries.saturating_add(node.entries());
        self.bytes = self.bytes.saturating_add(node.bytes());
        let replaced = self.pages.set(name, node);
        self.leave_out(replaced.as_ref());
    }

    /// Takes an entry out, by its path below.
    pub(super) fn remove(&mut self, path: &[&str]) -> Option<Node> {
        let (name, below) = path.split_first()?;
        self.digest = OnceLock::new();
        let removed = if below.is_empty() {
            self.pages.remove(name)
        } else {
            match self.pages.get_mut(name)? {
                Node::Directory(child) => Arc::make_mut(child).remove(below),
                Node::File(_) => None,
            }
        };
        self.leave_out(removed.as_ref());
        removed
    }

    fn leave_out(&mut self, node: Option<&Node>) {
        self.entries = self.entries.saturating_sub(node.map_or(0, Node::entries));
        self.bytes = self.bytes.saturating_sub(node.map_or(0, Node::bytes));
    }
}
