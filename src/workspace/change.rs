//! What happened to files: for review, for history, for undoing (FC-40, FC-43).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::{Digest, File, WorkspacePath};
use crate::protocol::{Code, Fault, FileChange, FileOperation};

/// One change of one file, with both contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which file.
    pub path: WorkspacePath,
    /// What happened.
    pub operation: FileOperation,
    /// The content before, if it existed.
    pub before: Option<Arc<File>>,
    /// The content after, if it exists.
    pub after: Option<Arc<File>>,
}

/// Who changed a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Author<'a> {
    /// The call.
    pub call_id: &'a str,
    /// The invocation it ran in.
    pub invocation_id: &'a str,
}

/// The changes of a run in order, and every content that is needed to undo them, once each.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    list: Vec<FileChange>,
    contents: BTreeMap<Digest, Arc<File>>,
    /// Per path: the content before the first change and after the last.
    ends: BTreeMap<WorkspacePath, (Option<Digest>, Option<Digest>)>,
}

impl Changes {
    /// Keeps a change; its id is the next one, `chg_<n>`.
    pub fn keep(&mut self, change: Change, author: Author<'_>) -> FileChange {
        let before = change.before.map(|file| self.content_of(file));
        let after = change.after.map(|file| self.content_of(file));
        let kept = FileChange {
            change_id: format!("chg_{}", self.list.len() + 1),
            call_id: author.call_id.to_owned(),
            invocation_id: author.invocation_id.to_owned(),
            path: change.path.to_string(),
            operation: change.operation,
            existed_before: before.is_some(),
            exists_after: after.is_some(),
            sha256_before: before.map(|digest| digest.to_string()),
            sha256_after: after.map(|digest| digest.to_string()),
        };
        self.ends.entry(change.path).or_insert((before, None)).1 = after;
        self.list.push(kept.clone());
        kept
    }

    /// The changes of a snapshot: the list, and the contents from blobs. Refuses with `state.snapshot_corrupt` what is
    /// missing or does not fit its digest.
    pub fn restore(
        list: Vec<FileChange>,
        mut fetch: impl FnMut(&Digest) -> Option<Arc<[u8]>>,
    ) -> Result<Self, Fault> {
        let corrupt = |what: String| {
            Fault::new(Code::StateSnapshotCorrupt, format!("A file change is damaged: {what}."))
        };
        let mut changes = Self::default();
        for change in &list {
            let mut content = |digest: &Option<String>| -> Result<Option<Digest>, Fault> {
                let Some(text) = digest else { return Ok(None) };
                let digest = text.parse::<Digest>().map_err(|error| corrupt(error.to_string()))?;
                if let Entry::Vacant(place) = changes.contents.entry(digest) {
                    let bytes =
                        fetch(&digest).ok_or_else(|| corrupt(format!("the blob {digest} is missing")))?;
                    if Digest::of(&bytes) != digest {
                        return Err(corrupt(format!("the blob {digest} holds something else")));
                    }
                    place.insert(Arc::new(File::known(&bytes, digest)));
                }
                Ok(Some(digest))
            };
            let (before, after) = (content(&change.sha256_before)?, content(&change.sha256_after)?);
            let path = WorkspacePath::parse(&change.path).map_err(|refusal| corrupt(refusal.message))?;
            changes.ends.entry(path).or_insert((before, None)).1 = after;
        }
        changes.list = list;
        Ok(changes)
    }

    fn content_of(&mut self, file: Arc<File>) -> Digest {
        let digest = file.sha256();
        self.contents.entry(digest).or_insert(file);
        digest
    }

    /// All changes, oldest first.
    pub fn list(&self) -> &[FileChange] {
        &self.list
    }

    /// A content that stood before or after one of the changes.
    pub fn content(&self, digest: &Digest) -> Option<&Arc<File>> {
        self.contents.get(digest)
    }

    /// The contents by their digests: with the list, everything a snapshot needs.
    pub fn contents(&self) -> &BTreeMap<Digest, Arc<File>> {
        &self.contents
    }

    /// The content a file had before the first change of the run (FC-24): `None` if it was never changed, `Some(None)`
    /// if it did not exist.
    pub fn baseline(&self, path: &WorkspacePath) -> Option<Option<&Arc<File>>> {
        let (first, _) = self.ends.get(path)?;
        Some(first.as_ref().and_then(|digest| self.contents.get(digest)))
    }

    /// The content a file has since the last change of the run; `None` if it was never changed, or taken out.
    pub fn last(&self, path: &WorkspacePath) -> Option<&Digest> {
        self.ends.get(path)?.1.as_ref()
    }

    /// What a review refers to: the digest over all touched paths, in order, and what they hold after the last change
    /// (FC-42).
    pub fn state_token(&self) -> Digest {
        let mut text = String::new();
        for (path, (_, last)) in &self.ends {
            let digest = last.map(|digest| digest.to_string()).unwrap_or_default();
            text.push_str(&format!("{path}\0{digest}\n"));
        }
        Digest::of(text.as_bytes())
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
