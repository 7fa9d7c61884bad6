//! What a tool wants done to files, and the one place where it is done (EX-02).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Change, Digest, Entry, File, ReadObservation, ReadState, Tree, WorkspacePath, refusal};
use crate::protocol::{BoundNames, FileOperation, Refusal};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteMode {
    /// The content is all of the file.
    Replace,
    /// The content is added at the end.
    Append,
}

/// What must still be true of a file when it is written (FC-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// There is none.
    MustNotExist,
    /// It has this content.
    MustMatch(Digest),
}

/// What a tool wants done. It was computed from a tree and a read state; both are changed only by [`apply`].
#[derive(Clone, Debug, PartialEq)]
pub enum FileEffect {
    /// A file was read.
    Read(ReadObservation),
    /// A file is made, replaced or grown.
    Written {
        /// Which.
        path: WorkspacePath,
        /// All of its new content.
        file: Arc<File>,
        /// How.
        mode: WriteMode,
        /// What must still be true.
        guard: Guard,
    },
    /// Places of a file are replaced.
    Patched {
        /// Which.
        path: WorkspacePath,
        /// All of its new content.
        file: Arc<File>,
        /// The content it was computed from.
        before: Digest,
        /// The text that stood there.
        old: Arc<str>,
        /// The text that stands there now.
        new: Arc<str>,
    },
    /// A patch failed that was made from partial knowledge: the file must be read whole before the next one (FC-04).
    FullReadRequired {
        /// Which.
        path: WorkspacePath,
    },
}

/// Does what a tool wants: checks the guard, changes the tree, keeps the read state right. Gives the change of a file,
/// if there is one. A refusal changes nothing.
pub fn apply(
    tree: &mut Tree,
    state: &mut ReadState,
    effect: FileEffect,
    names: &BoundNames,
) -> Result<Option<Change>, Refusal> {
    match effect {
        FileEffect::Read(read) => state.observe(read),
        FileEffect::FullReadRequired { path } => state.require_full_read(&path),
        FileEffect::Written { path, file, mode, guard } => {
            let before = tree.file(&path).map(Arc::clone);
            check(tree, &path, guard).map_err(|lost| match lost {
                Lost::Gone => refusal::write_gone(&path, names),
                Lost::Changed => refusal::write_stale(&path, names),
                Lost::Appeared => refusal::write_requires_read(&path, names),
            })?;
            tree.write(&path, Arc::clone(&file))?;
            let known = match (mode, &before) {
                (WriteMode::Replace, _) | (WriteMode::Append, None) => true,
                (WriteMode::Append, Some(before)) => {
                    state.get(&path).is_some_and(|seen| seen.full_read && seen.sha256 == before.sha256())
                }
            };
            if known {
                state.know(path.clone(), file.sha256());
            }
            let operation = match (mode, &before) {
                (_, None) => FileOperation::Create,
                (WriteMode::Replace, _) => FileOperation::Modify,
                (WriteMode::Append, _) => FileOperation::Append,
            };
            return Ok(Some(Change { path, operation, before, after: Some(file) }));
        }
        FileEffect::Patched { path, file, before, old, new } => {
            let there = tree.file(&path).map(Arc::clone);
            check(tree, &path, Guard::MustMatch(before)).map_err(|lost| match lost {
                Lost::Gone => refusal::patch_gone(&path, names),
                Lost::Changed | Lost::Appeared => refusal::patch_stale(&path, names),
            })?;
            tree.write(&path, Arc::clone(&file))?;
            state.patched(&path, file.sha256(), &old, &new);
            let change = Change { path, operation: FileOperation::Modify, before: there, after: Some(file) };
            return Ok(Some(change));
        }
    }
    Ok(None)
}

/// Why a guard does not hold.
enum Lost {
    Gone,
    Changed,
    Appeared,
}

fn check(tree: &Tree, path: &WorkspacePath, guard: Guard) -> Result<(), Lost> {
    match (guard, tree.get(path)) {
        (Guard::MustNotExist, None) => Ok(()),
        (Guard::MustNotExist, Some(_)) => Err(Lost::Appeared),
        (Guard::MustMatch(_), None) => Err(Lost::Gone),
        (Guard::MustMatch(digest), Some(Entry::File(file))) if file.sha256() == digest => Ok(()),
        (Guard::MustMatch(_), Some(_)) => Err(Lost::Changed),
    }
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
