//! Directories as bytes, for snapshots: one item per entry, in order of the names, each ended by a NUL (no name
//! holds one).
//!
//! ```text
//! f <sha256> <bytes> <name>            a file
//! d <sha256> <entries> <bytes> <name>  a directory: the digest of its listing, entries and bytes on all levels below
//! p <sha256>                           a page: the digest of a listing of some of the entries
//! ```
//!
//! A listing holds entries or pages, never both. The digest of a listing therefore pins everything below it.

use std::io::Write as _;
use std::str::FromStr;

use super::page::{Named, Node};
use crate::workspace::{Digest, WorkspacePath};

/// One item of a listing.
pub(super) enum Item<'a> {
    File { digest: Digest, name: &'a str },
    Directory { digest: Digest, name: &'a str },
    Page { digest: Digest },
}

pub(super) fn of_entries(entries: &[Named]) -> Vec<u8> {
    let mut listing = Vec::new();
    for (name, node) in entries {
        // Writing to a vector cannot fail.
        let _ = match node {
            Node::File(file) => write!(listing, "f {} {} {name}\0", file.sha256(), file.len()),
            Node::Directory(directory) => {
                let (entries, bytes) = (directory.entries(), directory.bytes());
                write!(listing, "d {} {entries} {bytes} {name}\0", directory.digest())
            }
        };
    }
    listing
}

pub(super) fn of_pages(pages: impl Iterator<Item = Digest>) -> Vec<u8> {
    let mut listing = Vec::new();
    for digest in pages {
        let _ = write!(listing, "p {digest}\0");
    }
    listing
}

/// Reads a listing. `None`: it is none. The counts are not looked at: whoever builds the directory again computes
/// them, and the digest tells whether they were right.
pub(super) fn read(listing: &[u8]) -> Option<Vec<Item<'_>>> {
    let text = std::str::from_utf8(listing).ok()?;
    let mut items = Vec::new();
    for item in text.split_terminator('\0') {
        let (kind, rest) = item.split_once(' ')?;
        items.push(match kind {
            "f" => named(rest, 1).map(|(digest, name)| Item::File { digest, name })?,
            "d" => named(rest, 2).map(|(digest, name)| Item::Directory { digest, name })?,
            "p" => Item::Page { digest: Digest::from_str(rest).ok()? },
            _ => return None,
        });
    }
    Some(items)
}

/// Digest and name of an item with this many counts between them.
fn named(item: &str, counts: usize) -> Option<(Digest, &str)> {
    let (digest, mut name) = item.split_once(' ')?;
    for _ in 0..counts {
        name = name.split_once(' ')?.1;
    }
    WorkspacePath::is_segment(name).then_some((Digest::from_str(digest).ok()?, name))
}
