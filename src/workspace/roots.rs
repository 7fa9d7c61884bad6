//! Which parts of the workspace tools see and may change.

use super::{WorkspacePath, refusal};
use crate::protocol::order::sort;
use crate::protocol::{Mutant, Refusal};

/// The roots below which tools may write (WS-01).
pub const WRITABLE_ROOTS: [&str; 5] = ["output", "scratch", "plan", "summaries", "persist"];
/// The roots that tools may only read (WS-01).
pub const READ_ONLY_ROOTS: [&str; 2] = ["tool-results", "skills"];
/// Where results lie that are too long to show whole; filled by the runtime alone.
const RESULTS: &str = "tool-results";
/// What the runtime keeps beside the roots and nobody else sees (WS-07).
const INTERNAL: [&str; 10] = [
    "input",
    "tool-args",
    "model-responses",
    "checkpoints",
    "invocations",
    "tasks",
    "agent-results",
    "trash",
    "events.jsonl",
    "manifest.json",
];

/// Whether a top-level name is one of the roots.
pub(super) fn is_root(name: &str) -> bool {
    WRITABLE_ROOTS.contains(&name) || READ_ONLY_ROOTS.contains(&name)
}

/// Whether only the runtime writes below this top-level name. What it keeps there is not part of the limits of
/// WS-14: those are for files that tools and hosts make, and a long run must not fill them by being long (IV-56).
pub(super) fn is_record(name: &str) -> bool {
    name == RESULTS || INTERNAL.contains(&name)
}

/// The roots as one invocation has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    visible: Vec<&'static str>,
    writable: Vec<&'static str>,
}

impl Default for Roots {
    /// Everything visible, everything writable that can be.
    fn default() -> Self {
        Self::narrowed(None, None)
    }
}

impl Roots {
    /// The lists of a profile; it may only narrow (PF-08), so names that are no roots are without effect. Without a
    /// list all roots count; `output/` is read as `output`. What is not visible is not writable either: a refused
    /// write would tell what is there (IV-62).
    pub fn narrowed(visible: Option<&[String]>, writable: Option<&[String]>) -> Self {
        let kept = |root: &&'static str, list: Option<&[String]>| {
            list.is_none_or(|list| list.iter().any(|name| name.trim_end_matches('/') == *root))
        };
        let all = WRITABLE_ROOTS.iter().chain(&READ_ONLY_ROOTS);
        let visible: Vec<&str> = all.filter(|root| kept(root, visible)).copied().collect();
        let writable = WRITABLE_ROOTS.iter().filter(|root| visible.contains(root) && kept(root, writable));
        Self { writable: writable.copied().collect(), visible }
    }

    /// The visible roots, in plain order of their names.
    pub fn visible(&self) -> impl Iterator<Item = &'static str> {
        let mut names = self.visible.clone();
        sort(&mut names, Ord::cmp);
        names.into_iter()
    }

    /// The writable roots.
    pub fn writable(&self) -> impl Iterator<Item = &'static str> {
        self.writable.iter().copied()
    }

    /// Whether a path is visible.
    pub(super) fn shows(&self, path: &WorkspacePath) -> bool {
        self.visible.contains(&path.root()) || Mutant::HiddenShown.is_on()
    }

    /// Whether a path may be written: it is strictly below a writable root (WS-02).
    pub(super) fn takes(&self, path: &WorkspacePath) -> bool {
        let skills = Mutant::SkillsWritable.is_on() && path.root() == "skills";
        !path.is_top() && (self.writable.contains(&path.root()) || skills)
    }

    /// Reads a path that is to be read: legal, then visible (WS-10).
    pub fn read(&self, text: &str) -> Result<WorkspacePath, Refusal> {
        let path = WorkspacePath::parse(text)?;
        if self.shows(&path) {
            return Ok(path);
        }
        Err(refusal::not_visible(&path, self))
    }

    /// Reads a path that is to be written: legal, then strictly below a writable root (WS-02, WS-10).
    pub fn write(&self, text: &str) -> Result<WorkspacePath, Refusal> {
        let path = WorkspacePath::parse(text)?;
        if self.takes(&path) {
            return Ok(path);
        }
        Err(refusal::not_writable(&path, self))
    }
}
