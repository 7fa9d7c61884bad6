//! A tree as blobs by their digests, and back: what a snapshot holds of it (WS-21).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::listing::{self, Item};
use super::page::{Named, Node};
use super::{Directory, Entry, Limits, Tree};
use crate::protocol::order::sort;
use crate::protocol::{Code, Fault, SortedSet, limits};
use crate::workspace::roots::{READ_ONLY_ROOTS, WRITABLE_ROOTS, is_record, is_root};
use crate::workspace::{Digest, File};

/// Bytes under their SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The digest of the bytes.
    pub digest: Digest,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

impl Tree {
    /// The digest of the whole tree: equal for equal files and directories. What has not changed is not read again.
    pub fn digest(&self) -> Digest {
        self.root.digest()
    }

    /// The blobs one needs to build this tree from the digest, beside those of an earlier tree. Costs what has changed
    /// in between. Content that only moved is among them; who keeps blobs by digest sees that it has it.
    pub fn blobs_since(&self, earlier: Option<&Tree>) -> Vec<Blob> {
        let mut blobs = Vec::new();
        collect(&self.root, earlier.map(|tree| &*tree.root), &mut blobs);
        blobs
    }

    /// The bytes of some file of this content. Looks at every file until it finds one.
    pub fn content(&self, digest: &Digest) -> Option<Arc<[u8]>> {
        let mut open: Vec<&Directory> = vec![&self.root];
        while let Some(directory) = open.pop() {
            for (_, entry) in directory.iter() {
                match entry {
                    Entry::File(file) if file.sha256() == *digest => return Some(file.shared()),
                    Entry::File(_) => {}
                    Entry::Directory(child) => open.push(child),
                }
            }
        }
        None
    }

    /// Builds a tree from the blobs of a snapshot. Refuses with `state.snapshot_corrupt` what is missing, does not
    /// fit its digest, is no listing, or exceeds the limits.
    pub fn from_blobs(
        root: &Digest,
        limits: Limits,
        fetch: impl FnMut(&Digest) -> Option<Arc<[u8]>>,
    ) -> Result<Tree, Fault> {
        let mut reader = Reader { fetch, files: BTreeMap::new(), directories: BTreeMap::new() };
        let built = reader.directory(root, 0)?;
        let tree = Tree { root: built.directory, limits };
        tree.check_whole(built.longest)?;
        Ok(tree)
    }

    fn check_whole(&self, longest: usize) -> Result<(), Fault> {
        let is_directory = |name| matches!(self.root.get(name), Some(Entry::Directory(_)));
        if !WRITABLE_ROOTS.iter().chain(&READ_ONLY_ROOTS).all(|name| is_directory(name)) {
            return Err(corrupt("a root of the workspace is missing"));
        }
        if self.root.iter().any(|(name, _)| !is_root(name) && !is_record(name)) {
            return Err(corrupt("there is something beside the roots of the workspace"));
        }
        if longest > limits::PATH_BYTES {
            return Err(corrupt("a path is too long"));
        }
        let (usage, (_, records)) = (self.usage(), self.usages());
        let too_much = usage.entries > self.limits.entries
            || usage.bytes > self.limits.bytes
            || records.entries > limits::RECORD_ENTRIES
            || records.bytes > limits::RECORD_BYTES;
        if too_much {
            return Err(corrupt("the workspace exceeds its limits"));
        }
        // The entries are counted by now, so this walk is bounded, however often a listing is shared.
        let mut open: Vec<&Directory> = Vec::new();
        let below = |entry| match entry {
            Entry::Directory(directory) => Some(directory),
            Entry::File(_) => None,
        };
        open.extend(
            self.root.iter().filter(|(name, _)| !is_record(name)).filter_map(|(_, entry)| below(entry)),
        );
        while let Some(directory) = open.pop() {
            let too_large = |entry| matches!(entry, Entry::File(file) if file.len() > self.limits.file_bytes);
            if directory.len() > self.limits.directory_entries
                || directory.iter().any(|(_, entry)| too_large(entry))
            {
                return Err(corrupt("a file or directory exceeds its limits"));
            }
            open.extend(directory.iter().filter_map(|(_, entry)| below(entry)));
        }
        Ok(())
    }
}

/// What of a directory is not in an earlier one. Recursion ends with the depth of paths.
fn collect(directory: &Directory, earlier: Option<&Directory>, blobs: &mut Vec<Blob>) {
    let digest = directory.digest();
    if earlier.is_some_and(|earlier| earlier.digest() == digest) {
        return;
    }
    blobs.push(Blob { digest, bytes: directory.listing().into() });
    let known: SortedSet<Digest> =
        earlier.into_iter().flat_map(|e| e.pages().map(|page| page.digest())).collect();
    for page in directory.pages() {
        if known.contains(&page.digest()) {
            continue;
        }
        if page.digest() != digest {
            blobs.push(Blob { digest: page.digest(), bytes: listing::of_entries(page.entries()).into() });
        }
        for (name, node) in page.entries() {
            match (node, earlier.and_then(|directory| directory.get(name))) {
                (Node::Directory(child), Some(Entry::Directory(earlier))) => {
                    collect(child, Some(earlier), blobs)
                }
                (Node::Directory(child), _) => collect(child, None, blobs),
                (Node::File(file), Some(Entry::File(earlier))) if file.sha256() == earlier.sha256() => {}
                (Node::File(file), _) => blobs.push(Blob { digest: file.sha256(), bytes: file.shared() }),
            }
        }
    }
}

fn corrupt(what: &str) -> Fault {
    Fault::new(Code::StateSnapshotCorrupt, format!("The snapshot of the workspace is damaged: {what}."))
}

/// A directory that was read, and what the listings above must know of it.
#[derive(Clone)]
struct Built {
    directory: Arc<Directory>,
    /// Levels below.
    height: usize,
    /// Bytes of the longest path below.
    longest: usize,
}

/// Reads each blob once, however often it is named: a small snapshot cannot unfold into a large tree here.
struct Reader<F> {
    fetch: F,
    files: BTreeMap<Digest, Arc<File>>,
    directories: BTreeMap<Digest, Built>,
}

impl<F: FnMut(&Digest) -> Option<Arc<[u8]>>> Reader<F> {
    fn bytes(&mut self, digest: &Digest) -> Result<Arc<[u8]>, Fault> {
        let bytes = (self.fetch)(digest).ok_or_else(|| corrupt(&format!("the blob {digest} is missing")))?;
        if Digest::of(&bytes) == *digest {
            return Ok(bytes);
        }
        Err(corrupt(&format!("the blob {digest} holds something else")))
    }

    fn file(&mut self, digest: Digest) -> Result<Arc<File>, Fault> {
        if let Some(file) = self.files.get(&digest) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(File::known(&self.bytes(&digest)?, digest));
        self.files.insert(digest, Arc::clone(&file));
        Ok(file)
    }

    fn directory(&mut self, digest: &Digest, depth: usize) -> Result<Built, Fault> {
        let built = match self.directories.get(digest) {
            Some(built) => built.clone(),
            None if depth > limits::PATH_DEPTH => return Err(corrupt("it is nested too deep")),
            None => self.read(digest, depth)?,
        };
        if depth + built.height > limits::PATH_DEPTH {
            return Err(corrupt("it is nested too deep"));
        }
        self.directories.insert(*digest, built.clone());
        Ok(built)
    }

    fn read(&mut self, digest: &Digest, depth: usize) -> Result<Built, Fault> {
        let listing = self.bytes(digest)?;
        let mut entries: Vec<Named> = Vec::new();
        let (mut height, mut longest) = (0, 0);
        let mut items = vec![(listing, true)];
        while let Some((listing, outer)) = items.pop() {
            let unread = || corrupt(&format!("the blob {digest} is no listing"));
            for item in listing::read(&listing).ok_or_else(unread)? {
                let (name, node, levels, path) = match item {
                    Item::Page { digest } if outer => {
                        items.push((self.bytes(&digest)?, false));
                        continue;
                    }
                    Item::Page { .. } => return Err(unread()),
                    Item::File { digest, name } => (name, Node::File(self.file(digest)?), 1, 0),
                    Item::Directory { digest, name } => {
                        let built = self.directory(&digest, depth + 1)?;
                        (name, Node::Directory(built.directory), built.height + 1, built.longest)
                    }
                };
                height = height.max(levels);
                longest = longest.max(name.len() + if path > 0 { path + 1 } else { 0 });
                entries.push((name.into(), node));
            }
        }
        sort(&mut entries, |(a, _), (b, _)| a.cmp(b));
        if entries.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
            return Err(corrupt(&format!("the blob {digest} names an entry twice")));
        }
        let directory = Directory::of_sorted(entries);
        // Only the listing that this directory would be given itself is taken: names in order, pages where they
        // belong, counts right.
        if directory.digest() != *digest {
            return Err(corrupt(&format!("the blob {digest} is not the listing of its entries")));
        }
        Ok(Built { directory: Arc::new(directory), height, longest })
    }
}
