//! Files: what was read, changed and recorded, and that all of it can be undone.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::super::Session;
use super::super::super::run_state::Run;
use super::super::facts;
use super::{Check, Watch};
use crate::protocol::{Event, FileOperation, Output};
use crate::workspace::{Digest, Entry, Roots, Tree, Walk, WorkspacePath};

impl Watch {
    pub(super) fn files(&mut self, session: &Session, run: &Run, output: &Output, host_wrote: bool) -> Check {
        let tree = &session.core.workspace;
        for (path, digest) in &self.records {
            ensure!(
                tree.file(path).is_some_and(|file| file.sha256() == *digest),
                "IV-04",
                "{path} was changed"
            );
        }
        for root in Roots::default().visible() {
            ensure!(matches!(tree.root(root), Some(Entry::Directory(_))), "IV-61", "{root} is gone");
        }
        ensure!(contents(tree, "skills").is_empty(), "IV-60", "skills were changed");
        let waits = run.profile.tools.aggregate_result_char_limit.is_some();
        // Reads and changes in the order in which they were announced.
        for event in &output.events {
            let Event::Journal(event) = event else { continue };
            let written = matches!(&*event.kind, "workspace_file_written" | "workspace_patch_applied");
            let told = facts(&event.payload);
            if written {
                let change = &run.changes.list()[self.changes];
                self.changes += 1;
                ensure!(told["changeId"] == change.change_id.as_str(), "FC-40", "{change:?}");
                let before = change.sha256_before.as_ref().map(|digest| digest.parse::<Digest>().unwrap());
                let known = self.known.get(&change.path).copied().flatten();
                // With a limit for the whole batch, reads are announced after the changes that followed them.
                if change.operation == FileOperation::Modify && !waits {
                    ensure!(known == before, "IV-64", "{change:?} of a file known as {known:?}");
                }
                let after = change.sha256_after.as_ref().map(|digest| digest.parse::<Digest>().unwrap());
                if change.operation != FileOperation::Append || known == before {
                    self.known.insert(change.path.clone(), after);
                }
            }
            if event.kind == "tool_result_stored" && told["status"] == "ok" {
                self.read(session, &told);
            }
        }
        let announced = run.changes.list().len() == self.changes;
        ensure!(announced || waits, "IV-69", "a change that nobody was told of");
        let _ = host_wrote;
        Ok(())
    }

    /// A read of a file: its audit file says which, and the text what was seen.
    pub(super) fn read(&mut self, session: &Session, told: &Value) {
        let path = WorkspacePath::parse(told["resultRef"].as_str().unwrap()).unwrap();
        let record: Value =
            serde_json::from_str(session.core.workspace.file(&path).unwrap().text().unwrap()).unwrap();
        if record["toolId"] != "builtin:workspace.read_file" {
            return;
        }
        let rows: Vec<&str> = record["content"].as_str().unwrap().lines().skip(1).collect();
        let text: Vec<&str> =
            rows.iter().filter_map(|row| row.split_once(" | ")).map(|(_, text)| text).collect();
        let file = record["content"].as_str().unwrap().split(' ').next().unwrap();
        self.known.insert(file.to_owned(), Some(Digest::of(text.join("\n").as_bytes())));
    }

    /// Undoes all changes, newest first: the files are those of the beginning (IV-68).
    pub fn undo(&self, session: &Session, beginning: &BTreeMap<String, String>) -> Check {
        let changes = &session.runs.get("run_1").unwrap().changes;
        let mut files = contents(&session.core.workspace, "output");
        for change in changes.list().iter().rev() {
            let here = files.remove(&change.path).map(|text| Digest::of(text.as_bytes()).to_string());
            ensure!(here == change.sha256_after, "IV-68", "{change:?} is not what is there");
            if let Some(before) = &change.sha256_before {
                let content = changes.content(&before.parse().unwrap()).ok_or("IV-63: a content is lost")?;
                files.insert(change.path.clone(), content.text().unwrap().to_owned());
            }
        }
        ensure!(files == *beginning, "IV-68", "{files:?} is not {beginning:?}");
        Ok(())
    }
}

/// The text files below a root.
pub fn contents(tree: &Tree, root: &str) -> BTreeMap<String, String> {
    let root = WorkspacePath::parse(root).unwrap();
    let files = Walk::below(tree, &root, usize::MAX).filter_map(|found| match found.entry {
        Entry::File(file) => Some((found.path.to_string(), file.text().unwrap_or_default().to_owned())),
        Entry::Directory(_) => None,
    });
    files.collect()
}
