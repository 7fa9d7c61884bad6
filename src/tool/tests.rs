//! The tools on a small workspace: each call is run and what it wants done is done.

mod apply_patch;
mod dice_roll;
mod list_files;
mod read_file;
mod search_files;
mod specs;
mod write_file;

use std::sync::Arc;

use serde_json::Value;

use super::{Context, DiceSeed, Run, TOOLS, ToolEffect, find};
use crate::protocol::{BoundNames, Code, Outcome};
use crate::workspace::{Change, File, ReadState, Roots, Tree, WorkspacePath, apply};

/// One invocation.
struct Desk {
    tree: Tree,
    roots: Roots,
    state: ReadState,
    names: BoundNames,
    changes: Vec<Change>,
}

impl Desk {
    /// With these files, and with all tools bound.
    fn new(files: &[(&str, &str)]) -> Self {
        let names = TOOLS.iter().map(|spec| (spec.native.to_owned(), alias(spec.native)));
        let mut desk = Self {
            tree: Tree::default(),
            roots: Roots::default(),
            state: ReadState::default(),
            names: names.collect(),
            changes: Vec::new(),
        };
        for (place, text) in files {
            desk.put(place, text.as_bytes());
        }
        desk
    }

    /// The same with no tool bound.
    fn alone(mut self) -> Self {
        self.names = BoundNames::default();
        self
    }

    fn put(&mut self, place: &str, bytes: &[u8]) {
        self.tree.write(&path(place), Arc::new(File::new(bytes))).unwrap();
    }

    fn text(&self, place: &str) -> Option<&str> {
        self.tree.file(&path(place)).and_then(|file| file.text())
    }

    fn context(&self) -> Context<'_> {
        Context {
            workspace: &self.tree,
            roots: &self.roots,
            read_state: &self.state,
            names: &self.names,
            dice: DiceSeed { seed: "seed", run_id: "run_1", call_id: "call_1" },
            now: 1_000,
            deadline: Some(31_000),
            commands: &[],
            moves: false,
            shows: &|path| !path.ends_with(".env"),
        }
    }

    /// Runs a tool and does what it wants done.
    fn call(&mut self, native: &str, arguments: Value) -> Outcome {
        let arguments = arguments.as_object().unwrap();
        let (outcome, effect) = match &find(native).unwrap().run {
            Run::Here(run) => match run(&self.context(), arguments) {
                Ok(done) => (done.outcome, done.effect),
                Err(refused) => (Outcome::refused(refused.refusal), refused.effect),
            },
            Run::Outside(outside) => match (outside.ask)(&self.context(), arguments) {
                Ok(asked) => panic!("not refused: {asked:?}"),
                Err(refusal) => (Outcome::refused(refusal), ToolEffect::None),
            },
        };
        if let ToolEffect::File(effect) = effect {
            match apply(&mut self.tree, &mut self.state, *effect, &self.names) {
                Ok(change) => self.changes.extend(change),
                Err(refusal) => return Outcome::refused(refusal),
            }
        }
        outcome
    }

    /// Runs a tool that must refuse, and gives the code and the text.
    fn refused(&mut self, native: &str, arguments: Value) -> (Code, String) {
        let (digest, changes) = (self.tree.digest(), self.changes.len());
        let outcome = self.call(native, arguments);
        assert_eq!(
            (self.tree.digest(), self.changes.len()),
            (digest, changes),
            "a refusal changed something"
        );
        (outcome.code.unwrap_or_else(|| panic!("not refused: {}", outcome.text())), outcome.text())
    }
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn alias(native: &str) -> String {
    native.replace('.', "_")
}
