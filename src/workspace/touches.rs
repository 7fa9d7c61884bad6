//! What one program does to files while it runs: of each file the content before the first touch and after the last
//! (FP-07).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Author, Change, Digest, File, WorkspacePath};
use crate::protocol::{Code, Fault, FileChange, FileOperation};

/// The touched paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touches(BTreeMap<WorkspacePath, Touch>);

#[derive(Clone, Debug, PartialEq)]
struct Touch {
    before: Option<Arc<File>>,
    after: Option<Arc<File>>,
    time: u64,
}

impl Touches {
    /// Something was made, changed or taken out at a path, at this time.
    pub fn touch(
        &mut self,
        path: WorkspacePath,
        before: Option<Arc<File>>,
        after: Option<Arc<File>>,
        time: u64,
    ) {
        let touch = self.0.entry(path).or_insert(Touch { before, after: None, time });
        (touch.after, touch.time) = (after, time);
    }

    /// The time of the last touch of a path.
    pub fn time(&self, path: &WorkspacePath) -> Option<u64> {
        self.0.get(path).map(|touch| touch.time)
    }

    /// One change for each file that is not what it was, in order of the paths.
    pub fn into_changes(self) -> impl Iterator<Item = Change> {
        self.0.into_iter().filter_map(|(path, Touch { before, after, .. })| {
            let operation = match (&before, &after) {
                (None, None) => return None,
                (None, Some(_)) => FileOperation::Create,
                (Some(_), None) => FileOperation::Delete,
                (Some(before), Some(after)) if before == after => return None,
                (Some(_), Some(_)) => FileOperation::Modify,
            };
            Some(Change { path, operation, before, after })
        })
    }

    /// Every content before and after.
    pub fn contents(&self) -> impl Iterator<Item = &Arc<File>> {
        self.0.values().flat_map(|touch| [&touch.before, &touch.after]).flatten()
    }

    /// What is written down of them while the program runs: changes without an id, also of what is again what it was.
    pub fn unfinished(&self, author: Author<'_>) -> impl Iterator<Item = FileChange> {
        let digest = |file: &Option<Arc<File>>| file.as_ref().map(|file| file.sha256().to_string());
        let touched = self.0.iter().filter(|(_, touch)| touch.before.is_some() || touch.after.is_some());
        touched.map(move |(path, touch)| FileChange {
            change_id: String::new(),
            call_id: author.call_id.to_owned(),
            invocation_id: author.invocation_id.to_owned(),
            path: path.to_string(),
            operation: FileOperation::Modify,
            existed_before: touch.before.is_some(),
            exists_after: touch.after.is_some(),
            sha256_before: digest(&touch.before),
            sha256_after: digest(&touch.after),
        })
    }

    /// Reads one of them back. Refuses with `state.snapshot_corrupt` a content that is missing or does not fit its
    /// digest.
    pub fn resume(
        &mut self,
        change: &FileChange,
        mut fetch: impl FnMut(&Digest) -> Option<Arc<[u8]>>,
    ) -> Result<(), Fault> {
        let corrupt = || {
            let what = format!("what is kept of the touched file {} is missing or damaged", change.path);
            Fault::new(Code::StateSnapshotCorrupt, what)
        };
        let mut content = |digest: &Option<String>| {
            let Some(digest) = digest else { return Ok(None) };
            let digest: Digest = digest.parse().map_err(|_| corrupt())?;
            let bytes = fetch(&digest).filter(|bytes| Digest::of(bytes) == digest).ok_or_else(corrupt)?;
            Ok(Some(Arc::new(File::known(&bytes, digest))))
        };
        let (before, after) = (content(&change.sha256_before)?, content(&change.sha256_after)?);
        let path = WorkspacePath::parse(&change.path).map_err(|_| corrupt())?;
        self.touch(path, before, after, 0);
        Ok(())
    }
}
