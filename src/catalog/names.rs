//! Which names the tools of a catalog have and had, so that a former name never means two tools (NM-22).

use super::entry::Entry;
use crate::identity::{Source, ToolId};
use crate::protocol::order::repeats;
use crate::protocol::{Code, Fault, SortedMap, SortedSet};

/// The names of many tools.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The names tools wish for now; several may wish for the same.
    current: SortedMap<String, SortedSet<ToolId>>,
    former: SortedMap<String, ToolId>,
}

impl Names {
    /// Adds the names of a tool.
    pub fn add(&mut self, entry: &Entry) {
        let id = &entry.descriptor().id;
        for name in current(entry) {
            match self.current.get_mut(&name) {
                Some(holders) => {
                    holders.insert(id.clone());
                }
                None => {
                    self.current.insert(name, SortedSet::from_iter([id.clone()]));
                }
            }
        }
        for name in &entry.descriptor().former_names {
            self.former.insert(name.clone(), id.clone());
        }
    }

    /// Takes the names of a tool away.
    pub fn remove(&mut self, entry: &Entry) {
        let id = &entry.descriptor().id;
        for name in current(entry) {
            let Some(holders) = self.current.get_mut(&name) else { continue };
            holders.remove(id);
            if holders.is_empty() {
                self.current.remove(&name);
            }
        }
        for name in &entry.descriptor().former_names {
            if self.former.get(name) == Some(id) {
                self.former.remove(name);
            }
        }
    }

    /// Checks that a tool may join these. Tools that `leaving` names are about to go and do not count.
    pub fn check(&self, entry: &Entry, leaving: impl Fn(&ToolId) -> bool) -> Result<(), Fault> {
        let descriptor = entry.descriptor();
        let former = |name: &String| self.former.get(name).filter(|id| !leaving(id));
        for name in &descriptor.former_names {
            let holders = self.current.get(name).into_iter().flat_map(SortedSet::iter);
            if let Some(other) = holders.chain(former(name)).find(|id| !leaving(id)) {
                return Err(conflict(name, &descriptor.id, other));
            }
        }
        match current(entry).iter().find_map(|name| former(name).map(|other| (name, other))) {
            Some((name, other)) => Err(conflict(name, other, &descriptor.id)),
            None => Ok(()),
        }
    }
}

/// What a model may call the tool now: its wished-for call name, and a builtin's native name too (NM-10).
fn current(entry: &Entry) -> Vec<String> {
    let id = &entry.descriptor().id;
    let mut names = vec![entry.wished_name()];
    if id.source() == Source::Builtin {
        names.push(id.native().to_owned());
    }
    names
}

/// Checks a tool's names against each other.
pub(super) fn check_own(entry: &Entry) -> Result<(), Fault> {
    let descriptor = entry.descriptor();
    let current = current(entry);
    let names: Vec<&String> = current.iter().chain(&descriptor.former_names).collect();
    let again = names.iter().zip(repeats(&names)).skip(current.len()).find(|(_, again)| *again);
    match again {
        Some((name, _)) => Err(conflict(name, &descriptor.id, &descriptor.id)),
        None => Ok(()),
    }
}

fn conflict(name: &str, claims: &ToolId, has: &ToolId) -> Fault {
    let text = format!("`{claims}` claims the former name `{name}`, which `{has}` has or had.");
    Fault::new(Code::ToolFormerNameConflict, text)
}
