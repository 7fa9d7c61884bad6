//! Modes and times that a command sets, and which files of `/tmp` are pipes. The port knows none of it (WS-13), so it
//! lasts as long as the call: enough for `chmod +x x.sh && ./x.sh`, `touch -d` and `mkfifo`, which scripts take for
//! granted.

use bashkit::time::SystemTime;
use bashkit::{FileType, Metadata};
use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Clone, Debug, Default)]
struct Mark {
    mode: Option<u32>,
    modified: Option<SystemTime>,
    pipe: bool,
}

/// What was set, by path.
#[derive(Debug, Default)]
pub(super) struct Marks(Mutex<BTreeMap<String, Mark>>);

impl Marks {
    /// Shows what was set. A shell script may be run by its path in a later call too, where no `chmod` is left.
    pub(super) fn apply(&self, path: &str, metadata: &mut Metadata) {
        if metadata.file_type.is_file() && (path.ends_with(".sh") || path.ends_with(".bash")) {
            metadata.mode = 0o755;
        }
        self.with(|marks| {
            let Some(mark) = marks.get(path) else { return };
            metadata.mode = mark.mode.unwrap_or(metadata.mode);
            metadata.modified = mark.modified.unwrap_or(metadata.modified);
            if mark.pipe {
                metadata.file_type = FileType::Fifo;
            }
        });
    }

    /// A mode was set.
    pub(super) fn chmod(&self, path: &str, mode: u32) {
        self.with(|marks| marks.entry(path.into()).or_default().mode = Some(mode));
    }

    /// A pipe was made.
    pub(super) fn pipe(&self, path: &str, mode: u32) {
        self.with(|marks| marks.insert(path.into(), Mark { mode: Some(mode), modified: None, pipe: true }));
    }

    /// A time was set.
    pub(super) fn set_modified(&self, path: &str, time: SystemTime) {
        self.with(|marks| marks.entry(path.into()).or_default().modified = Some(time));
    }

    /// New content: the time that was set is over.
    pub(super) fn touched(&self, path: &str) {
        self.with(|marks| {
            if let Some(mark) = marks.get_mut(path) {
                mark.modified = None;
            }
        });
    }

    /// The path is gone, with all below it.
    pub(super) fn removed(&self, path: &str) {
        self.with(|marks| marks.retain(|marked, _| !within(marked, path)));
    }

    /// The path has another name, with all below it.
    pub(super) fn moved(&self, from: &str, to: &str) {
        self.with(|marks| {
            let moved: Vec<_> = marks.extract_if(.., |marked, _| within(marked, from)).collect();
            marks.retain(|marked, _| !within(marked, to));
            for (marked, mark) in moved {
                let rest = marked.strip_prefix(from).unwrap_or_default();
                marks.insert(format!("{to}{rest}"), mark);
            }
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut BTreeMap<String, Mark>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

fn within(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
