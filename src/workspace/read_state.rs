//! What one invocation has seen of which file: the ground on which it may change files (FC-01 to FC-06).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Digest, WorkspacePath};

/// The read state of one invocation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReadState(BTreeMap<WorkspacePath, Seen>);

/// What was seen of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Seen {
    /// The content it was seen in.
    pub sha256: Digest,
    /// All of it was seen.
    pub full_read: bool,
    /// The texts that were shown, each as one piece.
    #[serde(default)]
    pub observed_texts: Vec<Arc<str>>,
    /// A patch from partial knowledge has failed: only a full read helps (FC-04).
    #[serde(default)]
    pub patch_requires_full_read: bool,
}

impl Seen {
    /// Whether a text stands inside one of the pieces that were shown.
    pub fn observed(&self, text: &str) -> bool {
        self.observed_texts.iter().any(|piece| piece.contains(text))
    }
}

/// One successful read of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadObservation {
    /// The file.
    pub path: WorkspacePath,
    /// Its content then.
    pub sha256: Digest,
    /// The text that was shown, if that was not all of it.
    pub part: Option<Arc<str>>,
}

impl ReadState {
    /// What was seen of a file.
    pub fn get(&self, path: &WorkspacePath) -> Option<&Seen> {
        self.0.get(path)
    }

    /// A read succeeded: a whole one counts for itself, parts add up as long as the content stays (FC-01, FC-02).
    pub(super) fn observe(&mut self, read: ReadObservation) {
        let Some(part) = read.part else {
            self.know(read.path, read.sha256);
            return;
        };
        let seen = self.0.entry(read.path).or_insert_with(|| Seen {
            sha256: read.sha256,
            full_read: false,
            observed_texts: Vec::new(),
            patch_requires_full_read: false,
        });
        if seen.sha256 != read.sha256 {
            seen.sha256 = read.sha256;
            seen.full_read = false;
            seen.observed_texts.clear();
        }
        if !seen.full_read && !seen.observed(&part) {
            seen.observed_texts.push(part);
        }
    }

    /// The whole content is known: it was read, or written by this invocation.
    pub(super) fn know(&mut self, path: WorkspacePath, sha256: Digest) {
        let seen =
            Seen { sha256, full_read: true, observed_texts: Vec::new(), patch_requires_full_read: false };
        self.0.insert(path, seen);
    }

    /// A patch succeeded: what was known completely stays so, what was shown in parts has the replacement (FC-05).
    pub(super) fn patched(&mut self, path: &WorkspacePath, sha256: Digest, old: &str, new: &str) {
        let Some(seen) = self.0.get_mut(path) else { return };
        seen.sha256 = sha256;
        seen.patch_requires_full_read = false;
        for piece in seen.observed_texts.iter_mut().filter(|piece| piece.contains(old)) {
            *piece = piece.replacen(old, new, 1).into();
        }
    }

    /// A patch from partial knowledge failed (FC-04).
    pub(super) fn require_full_read(&mut self, path: &WorkspacePath) {
        if let Some(seen) = self.0.get_mut(path) {
            seen.patch_requires_full_read = true;
        }
    }

    /// Forgets a path and everything below it (BT-100).
    pub fn forget(&mut self, path: &WorkspacePath) {
        self.0.retain(|known, _| !known.is_within(path));
    }
}

#[cfg(test)]
#[path = "read_state_tests.rs"]
mod tests;
