//! What one program does to files while it runs: of each file the content before the first touch and after the last
//! (FP-07).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Change, Digest, File, WorkspacePath};
use crate::protocol::{Code, Fault, FileOperation};

/// The touched files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touches(BTreeMap<WorkspacePath, Touch>);

#[derive(Clone, Debug, PartialEq)]
struct Touch {
    before: Option<Arc<File>>,
    after: Option<Arc<File>>,
}

/// Touches as they are written down: digests of the content before and after, by path.
pub type TouchedDigests = BTreeMap<WorkspacePath, (Option<Digest>, Option<Digest>)>;

impl Touches {
    /// A file was made, changed or taken out.
    pub fn touch(&mut self, path: WorkspacePath, before: Option<Arc<File>>, after: Option<Arc<File>>) {
        match self.0.get_mut(&path) {
            Some(touch) => touch.after = after,
            None => drop(self.0.insert(path, Touch { before, after })),
        }
    }

    /// Whether nothing was touched.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One change for each file that is not what it was, in order of the paths.
    pub fn into_changes(self) -> impl Iterator<Item = Change> {
        self.0.into_iter().filter_map(|(path, Touch { before, after })| {
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

    /// What is written down of them.
    pub fn digests(&self) -> TouchedDigests {
        let digest = |file: &Option<Arc<File>>| file.as_ref().map(|file| file.sha256());
        let digests = |touch: &Touch| (digest(&touch.before), digest(&touch.after));
        self.0.iter().map(|(path, touch)| (path.clone(), digests(touch))).collect()
    }

    /// Reads them back. Refuses with `state.snapshot_corrupt` a content that is missing or does not fit its digest.
    pub fn restore(
        digests: TouchedDigests,
        mut fetch: impl FnMut(&Digest) -> Option<Arc<[u8]>>,
    ) -> Result<Self, Fault> {
        let mut content = |digest: Option<Digest>| {
            let Some(digest) = digest else { return Ok(None) };
            let bytes = fetch(&digest).filter(|bytes| Digest::of(bytes) == digest).ok_or_else(|| {
                let what = format!("the content {digest} of a touched file is missing or damaged");
                Fault::new(Code::StateSnapshotCorrupt, what)
            })?;
            Ok(Some(Arc::new(File::known(&bytes, digest))))
        };
        let mut touches = Self::default();
        for (path, (before, after)) in digests {
            touches.0.insert(path, Touch { before: content(before)?, after: content(after)? });
        }
        Ok(touches)
    }
}
