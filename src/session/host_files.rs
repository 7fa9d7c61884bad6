//! The workspace as the host sees it: every root, no read state, no review.

use std::sync::Arc;

use serde_json::{Value, json};

use super::active::Core;
use crate::protocol::{Code, Fault, Refusal};
use crate::workspace::{Entry, File, Found, Roots, Walk, WorkspacePath};

/// The visible root whose files do not count against the limits of a workspace.
const RESULTS: &str = "tool-results";
/// Deeper than any path can be (WS-03).
const ALL_LEVELS: usize = usize::MAX;

/// A refusal of the workspace, told to the developer.
pub(super) fn fault(refusal: Refusal) -> Fault {
    Fault::new(refusal.code, refusal.message)
}

impl Core {
    /// The bytes of a file: as text where they are text, otherwise as a blob.
    pub fn host_read(&mut self, path: &str) -> Result<Value, Fault> {
        let path = Roots::default().read(path).map_err(fault)?;
        let file = match self.workspace.get(&path) {
            Some(Entry::File(file)) => Arc::clone(file),
            Some(Entry::Directory(_)) => return Err(is_directory(&path)),
            None => return Err(not_found(Code::WorkspaceFileNotFound, &path)),
        };
        match file.text() {
            Some(text) => Ok(json!({"text": text})),
            None => Ok(json!({"blob": self.blobs.put(file.shared())})),
        }
    }

    /// Writes a file below any root.
    pub fn host_write(
        &mut self,
        path: &str,
        text: Option<String>,
        blob: Option<String>,
    ) -> Result<Value, Fault> {
        let file = match (text, blob) {
            (Some(text), None) => File::of_text(text),
            (None, Some(blob)) => {
                let bytes = self.bytes(&blob).ok_or_else(|| {
                    Fault::new(Code::CommandInvalid, format!("the blob {blob} was not handed over before"))
                })?;
                File::new(&bytes)
            }
            _ => {
                return Err(Fault::new(
                    Code::CommandInvalid,
                    "workspace.write takes exactly one of the members text and blob",
                ));
            }
        };
        let file = Arc::new(file);
        self.put_file(path, Arc::clone(&file))?;
        Ok(json!({"sha256": file.sha256().to_string(), "bytes": file.len()}))
    }

    /// Puts a file below any root.
    pub fn put_file(&mut self, path: &str, file: Arc<File>) -> Result<(), Fault> {
        let path = Roots::default().read(path).map_err(fault)?;
        if path.is_top() {
            return Err(Fault::new(
                Code::WorkspacePathNotWritable,
                format!("{path} is a root; a file needs a path below it"),
            ));
        }
        if path.root() == RESULTS {
            return self.put_result(&path, file);
        }
        self.workspace.write(&path, file).map_err(fault)
    }

    /// A file that the runtime alone adds to while it runs, from a folder that was taken out of another workspace.
    fn put_result(&mut self, path: &WorkspacePath, file: Arc<File>) -> Result<(), Fault> {
        if let Some(Entry::Directory(_)) = self.workspace.get(path) {
            return Err(is_directory(path));
        }
        let most = self.workspace.limits().file_bytes;
        if file.len() > most {
            let message = format!("{path} would have {} bytes; a file has at most {most}", file.len());
            return Err(Fault::new(Code::WorkspaceFileTooLarge, message));
        }
        self.workspace.record(path, file).map_err(fault)
    }

    /// Everything below a path, or below all roots.
    pub fn host_list(&self, path: Option<&str>) -> Result<Value, Fault> {
        let tree = &self.workspace;
        let found: Vec<Found> = match path.filter(|path| !matches!(*path, "" | "." | "./" | "/")) {
            None => Walk::roots(tree, &Roots::default(), ALL_LEVELS).collect(),
            Some(path) => {
                let path = Roots::default().read(path).map_err(fault)?;
                if tree.get(&path).is_none() {
                    return Err(not_found(Code::WorkspacePathNotFound, &path));
                }
                Walk::below(tree, &path, ALL_LEVELS).collect()
            }
        };
        let entries: Vec<Value> = found
            .into_iter()
            .map(|found| match found.entry {
                Entry::File(file) => json!({"path": found.path, "kind": "file", "bytes": file.len()}),
                Entry::Directory(_) => json!({"path": found.path, "kind": "directory"}),
            })
            .collect();
        Ok(json!({"entries": entries}))
    }

    /// Takes a file or a directory out for good; only a host may.
    pub fn host_delete(&mut self, path: &str) -> Result<Value, Fault> {
        let path = Roots::default().read(path).map_err(fault)?;
        let files = match self.workspace.get(&path) {
            None => return Err(not_found(Code::WorkspacePathNotFound, &path)),
            Some(Entry::File(_)) => 1,
            Some(Entry::Directory(_)) => Walk::below(&self.workspace, &path, ALL_LEVELS)
                .filter(|found| matches!(found.entry, Entry::File(_)))
                .count(),
        };
        if !self.workspace.remove(&path) {
            return Err(Fault::new(
                Code::WorkspaceDeleteRoot,
                format!("{path} is a root and stays; delete what is below it"),
            ));
        }
        Ok(json!({"removed": files}))
    }
}

fn is_directory(path: &WorkspacePath) -> Fault {
    Fault::new(Code::WorkspacePathIsDirectory, format!("{path} is a directory"))
}

fn not_found(code: Code, path: &WorkspacePath) -> Fault {
    Fault::new(code, format!("nothing stands at {path}"))
}
