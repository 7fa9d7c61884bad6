//! The files of a run: a persistent tree, so that a clone is a snapshot and costs nothing.

mod blobs;
mod branch;
mod directory;
mod listing;
mod page;
mod walk;

use std::sync::Arc;

use directory::ThroughFile;
use page::Node;

pub use blobs::Blob;
pub use branch::Branch;
pub use directory::Directory;
pub use walk::{Found, Walk};

use super::roots::{READ_ONLY_ROOTS, WRITABLE_ROOTS, is_record, is_root};
use super::{File, WorkspacePath, refusal};
use crate::protocol::{Refusal, limits};

/// How much a workspace may hold (WS-14); a host may lower it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Entries of one directory.
    pub directory_entries: usize,
    /// Entries in all.
    pub entries: u64,
    /// Bytes in all.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: limits::FILE_BYTES,
            directory_entries: limits::DIRECTORY_ENTRIES,
            entries: limits::WORKSPACE_ENTRIES as u64,
            bytes: limits::WORKSPACE_BYTES,
        }
    }
}

/// What stands at a path.
#[derive(Clone, Copy)]
pub enum Entry<'a> {
    /// A file.
    File(&'a Arc<File>),
    /// A directory.
    Directory(&'a Directory),
}

impl<'a> Entry<'a> {
    fn of(node: &'a Node) -> Self {
        match node {
            Node::File(file) => Self::File(file),
            Node::Directory(directory) => Self::Directory(directory),
        }
    }
}

/// Entries and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Files and directories; the roots do not count.
    pub entries: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// The in-memory file system of a run. `clone` is a snapshot in constant time; trees share what they have in common.
/// Who may read or write what is not known here: [`Roots`](super::Roots) turns what a tool was given into a path.
#[derive(Clone)]
pub struct Tree {
    root: Arc<Directory>,
    limits: Limits,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Tree {
    /// A tree with nothing but the roots.
    pub fn new(limits: Limits) -> Self {
        Self::with_roots(&[&WRITABLE_ROOTS[..], &READ_ONLY_ROOTS].concat(), limits)
    }

    /// A tree with nothing but these directories at its top.
    pub(in crate::workspace) fn with_roots(names: &[&str], limits: Limits) -> Self {
        let mut root = Directory::default();
        for name in names {
            root.put(name, Node::Directory(Arc::default()));
        }
        Self { root: Arc::new(root), limits }
    }

    /// The limits it keeps.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What stands at a path.
    pub fn get(&self, path: &WorkspacePath) -> Option<Entry<'_>> {
        let mut directory = &*self.root;
        let mut segments = path.segments();
        let mut name = segments.next()?;
        for next in segments {
            match directory.get(name)? {
                Entry::Directory(child) => directory = child,
                Entry::File(_) => return None,
            }
            name = next;
        }
        directory.get(name)
    }

    /// The file at a path, if one stands there.
    pub fn file(&self, path: &WorkspacePath) -> Option<&Arc<File>> {
        match self.get(path)? {
            Entry::File(file) => Some(file),
            Entry::Directory(_) => None,
        }
    }

    /// A root by its name.
    pub fn root(&self, name: &str) -> Option<Entry<'_>> {
        self.root.get(name)
    }

    /// What counts against the limits: everything but what the runtime keeps for itself.
    pub fn usage(&self) -> Usage {
        let (mut usage, _) = self.usages();
        usage.entries = usage.entries.saturating_sub(WRITABLE_ROOTS.len() as u64 + 1);
        usage
    }

    /// Entries and bytes of the files, and of what the runtime keeps; the roots themselves included.
    fn usages(&self) -> (Usage, Usage) {
        let (mut files, mut records) = (Usage::default(), Usage::default());
        for (name, entry) in self.root.iter() {
            let usage = if is_record(name) { &mut records } else { &mut files };
            let (entries, bytes) = match entry {
                Entry::File(file) => (1, file.len() as u64),
                Entry::Directory(directory) => (directory.entries() + 1, directory.bytes()),
            };
            usage.entries = usage.entries.saturating_add(entries);
            usage.bytes = usage.bytes.saturating_add(bytes);
        }
        (files, records)
    }

    /// Puts a file below a root, in place of one that was there. Parents are made. A refusal changes nothing:
    /// `workspace.path_not_directory`, `workspace.path_is_directory`, `workspace.file_too_large`,
    /// `workspace.storage_full`.
    pub fn write(&mut self, path: &WorkspacePath, file: Arc<File>) -> Result<(), Refusal> {
        self.check_size(path, file.len())?;
        self.put(path, Node::File(file))
    }

    /// Whether [`Tree::write`] would take a file of so many bytes; the refusals are its own.
    pub fn check_size(&self, path: &WorkspacePath, bytes: usize) -> Result<(), Refusal> {
        if let Some(Entry::Directory(_)) = self.get(path) {
            return Err(refusal::is_directory(path));
        }
        if bytes > self.limits.file_bytes {
            return Err(refusal::file_too_large(path, self.limits.file_bytes));
        }
        self.check_room(path, 0, bytes as u64)
    }

    /// Adds bytes to the end of a file, or makes it (WS-06). Refusals as those of [`Tree::write`].
    pub fn append(&mut self, path: &WorkspacePath, bytes: &[u8]) -> Result<(), Refusal> {
        let before = self.file(path).map_or(&[][..], |file| file.bytes());
        self.check_size(path, before.len().saturating_add(bytes.len()))?;
        let file = File::new(&[before, bytes].concat());
        self.write(path, Arc::new(file))
    }

    /// Makes a directory and its parents; one that exists is left as it is.
    pub fn create_directory(&mut self, path: &WorkspacePath) -> Result<(), Refusal> {
        match self.get(path) {
            Some(Entry::Directory(_)) => return Ok(()),
            Some(Entry::File(_)) => return Err(refusal::not_directory(path)),
            None => {}
        }
        self.check_room(path, 0, 0)?;
        self.put(path, Node::Directory(Arc::default()))
    }

    /// Takes a file or a directory with everything below out. `false`: nothing stands there, or it is a root.
    pub fn remove(&mut self, path: &WorkspacePath) -> bool {
        if self.get(path).is_none() || path.is_top() && is_root(path.root()) {
            return false;
        }
        Arc::make_mut(&mut self.root).remove(path.as_str()).is_some()
    }

    /// Puts a file the runtime itself keeps: below `tool-results/` or an internal place (WS-07). The limits of WS-14
    /// are not for these; a ceiling of their own is.
    pub fn record(&mut self, path: &WorkspacePath, file: Arc<File>) -> Result<(), Refusal> {
        let name = path.root();
        if !is_record(name) || path.is_top() && is_root(name) {
            return Err(refusal::no_record(path));
        }
        if self.is_full_of_records(file.len() as u64) {
            self.missing(path)?;
            return Err(refusal::records_full());
        }
        self.put(path, Node::File(file))
    }

    /// Whether there is no room left for a record of so many bytes.
    fn is_full_of_records(&self, bytes: u64) -> bool {
        let is_full = |entries: u64, kept: u64| {
            entries >= limits::RECORD_ENTRIES || kept.saturating_add(bytes) > limits::RECORD_BYTES
        };
        // Where all that there is would leave room, nobody needs to know how much of it are records.
        is_full(self.root.entries(), self.root.bytes()) && {
            let (_, records) = self.usages();
            is_full(records.entries, records.bytes)
        }
    }

    /// Puts a node at a path. Refuses a path that leads through a file; nothing has changed then.
    fn put(&mut self, path: &WorkspacePath, node: Node) -> Result<(), Refusal> {
        let put = Arc::make_mut(&mut self.root).set(path.as_str(), node);
        put.map_err(|ThroughFile| refusal::not_directory(path))
    }

    /// Whether so many bytes may stand at a path, in a file or with so many entries below.
    fn check_room(&self, path: &WorkspacePath, below: u64, bytes: u64) -> Result<(), Refusal> {
        if path.is_top() || is_record(path.root()) {
            return Err(refusal::no_place(path));
        }
        let (missing, crowd) = self.missing(path)?;
        if missing > 0 && crowd >= self.limits.directory_entries {
            return Err(refusal::directory_full(path, self.limits.directory_entries));
        }
        let usage = self.usage();
        if usage.entries.saturating_add(missing).saturating_add(below) > self.limits.entries {
            return Err(refusal::too_many_entries(self.limits.entries));
        }
        let before = self.file(path).map_or(0, |file| file.len() as u64);
        if usage.bytes.saturating_sub(before).saturating_add(bytes) > self.limits.bytes {
            return Err(refusal::too_many_bytes(self.limits.bytes));
        }
        Ok(())
    }

    /// How many entries on the way to a path do not exist, and how many the last existing directory has. Refuses a
    /// path that leads through a file.
    fn missing(&self, path: &WorkspacePath) -> Result<(u64, usize), Refusal> {
        let total = path.segments().count() as u64;
        let mut directory = &*self.root;
        for (passed, name) in (0..).zip(path.segments()) {
            match directory.get(name) {
                Some(Entry::Directory(child)) => directory = child,
                Some(Entry::File(_)) if passed + 1 == total => return Ok((0, directory.len())),
                Some(Entry::File(_)) => return Err(refusal::not_directory(path)),
                None => return Ok((total - passed, directory.len())),
            }
        }
        Ok((0, directory.len()))
    }
}

#[cfg(test)]
#[path = "../tree_tests.rs"]
mod tests;
