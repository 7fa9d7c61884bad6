//! A file or a directory with all that is below, taken out of one place and put in another. Nothing is copied.

use std::sync::Arc;

use super::page::Node;
use super::{Entry, Tree, Walk};
use crate::protocol::Refusal;
use crate::workspace::{File, WorkspacePath, refusal};

/// What stands at a path, with everything below.
#[derive(Clone)]
pub struct Branch(Node);

impl Tree {
    /// What stands at a path, to be put elsewhere.
    pub fn branch(&self, path: &WorkspacePath) -> Option<Branch> {
        Some(Branch(match self.get(path)? {
            Entry::File(file) => Node::File(Arc::clone(file)),
            Entry::Directory(directory) => Node::Directory(Arc::new(directory.clone())),
        }))
    }

    /// Puts a branch at a path, in place of a file or an empty directory. Refusals are those of [`Tree::write`], and
    /// `workspace.invalid_path` where a path below would become too long or too deep; nothing has changed then.
    pub fn graft(&mut self, path: &WorkspacePath, branch: Branch) -> Result<(), Refusal> {
        let Branch(node) = branch;
        self.check_room(path, node.entries().saturating_sub(1), node.bytes())?;
        let mut grown = self.clone();
        grown.put(path, node)?;
        if let Some(entry) = grown.get(path) {
            grown.check_entry(path, entry)?;
        }
        for found in Walk::below(&grown, path, usize::MAX) {
            grown.check_entry(&WorkspacePath::parse(&found.path)?, found.entry)?;
        }
        *self = grown;
        Ok(())
    }

    /// Whether an entry is within the bounds of one entry: it may come from where other bounds hold.
    fn check_entry(&self, path: &WorkspacePath, entry: Entry<'_>) -> Result<(), Refusal> {
        let limits = self.limits;
        match entry {
            Entry::File(file) if file.len() > limits.file_bytes => {
                Err(refusal::file_too_large(path, limits.file_bytes))
            }
            Entry::Directory(directory) if directory.len() > limits.directory_entries => {
                Err(refusal::directory_full(path, limits.directory_entries))
            }
            _ => Ok(()),
        }
    }

    /// The files at a path and below, with their paths.
    pub fn files(&self, path: &WorkspacePath) -> Vec<(WorkspacePath, Arc<File>)> {
        if let Some(file) = self.file(path) {
            return vec![(path.clone(), Arc::clone(file))];
        }
        let files = Walk::below(self, path, usize::MAX).filter_map(|found| match found.entry {
            Entry::File(file) => Some((WorkspacePath::parse(&found.path).ok()?, Arc::clone(file))),
            Entry::Directory(_) => None,
        });
        files.collect()
    }
}
