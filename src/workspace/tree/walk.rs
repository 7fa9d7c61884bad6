//! Everything below some places, in order of the paths.

use super::{Entry, Tree};
use crate::protocol::order::sort;
use crate::workspace::{Roots, WorkspacePath};

/// One entry met on a walk.
pub struct Found<'a> {
    /// Its path.
    pub path: String,
    /// The level, counted from 1 for the entries directly below the start.
    pub level: usize,
    /// What it is.
    pub entry: Entry<'a>,
}

impl Found<'_> {
    /// The path as listings show it: a directory ends with a slash.
    pub fn shown(&self) -> String {
        match self.entry {
            Entry::File(_) => self.path.clone(),
            Entry::Directory(_) => format!("{}/", self.path),
        }
    }
}

/// Goes through everything below a start, parents first, in plain order of the shown paths.
pub struct Walk<'a> {
    /// What is still to come, the next last.
    stack: Vec<Found<'a>>,
    depth: usize,
    cut: bool,
}

impl<'a> Walk<'a> {
    /// The entries below a path, down to this many levels. A file has none below it; nor has a path where nothing is.
    pub fn below(tree: &'a Tree, path: &WorkspacePath, depth: usize) -> Self {
        let mut walk = Self { stack: Vec::new(), depth, cut: false };
        if let Some(entry) = tree.get(path) {
            walk.enter(&Found { path: path.to_string(), level: 0, entry });
        }
        walk
    }

    /// The visible roots and what is below them; the roots are level 1 (WS-02).
    pub fn roots(tree: &'a Tree, roots: &Roots, depth: usize) -> Self {
        let mut stack = Vec::new();
        if depth > 0 {
            let found =
                |name| tree.root(name).map(|entry| Found { path: String::from(name), level: 1, entry });
            stack.extend(roots.visible().filter_map(found));
            stack.reverse();
        }
        Self { stack, depth, cut: false }
    }

    /// Whether something below the last level was left out so far.
    pub fn cut(&self) -> bool {
        self.cut
    }

    fn enter(&mut self, found: &Found<'a>) {
        let Entry::Directory(directory) = found.entry else { return };
        if found.level >= self.depth {
            self.cut |= !directory.is_empty();
            return;
        }
        let start = self.stack.len();
        let level = found.level + 1;
        self.stack.extend(directory.iter().map(|(name, entry)| Found {
            path: format!("{}/{name}", found.path),
            level,
            entry,
        }));
        // By name, `a/` stands before `a-b`; by path, after it. The order is nearly right already, and sorting
        // notices.
        if let Some(below) = self.stack.get_mut(start..) {
            sort(below, |a, b| shown(b).cmp(shown(a)));
        }
    }
}

/// The characters of [`Found::shown`], to compare them.
fn shown<'a>(found: &'a Found<'_>) -> impl Iterator<Item = u8> + use<'a> {
    let slash = matches!(found.entry, Entry::Directory(_)).then_some(b'/');
    found.path.bytes().chain(slash)
}

impl<'a> Iterator for Walk<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        let found = self.stack.pop()?;
        self.enter(&found);
        Some(found)
    }
}
