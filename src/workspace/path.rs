//! The one form in which files are named inside (WS-03).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::refusal;
use crate::protocol::Refusal;
use crate::protocol::limits::{PATH_BYTES, PATH_DEPTH, SEGMENT_BYTES};

/// A relative path in normal form: segments joined by `/`, none of them empty, `.` or `..`. It cannot name anything
/// outside the workspace. Case and Unicode form are kept as they came. Shared: cloning one costs nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkspacePath(Arc<str>);

impl WorkspacePath {
    /// Reads a path as models and hosts write it: `\` counts as `/`, empty and `.` segments are dropped.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let refuse = |why: &str| Err(refusal::invalid_path(text, why));
        if text.contains('\0') {
            return refuse("it holds a NUL character");
        }
        if text.starts_with(['/', '\\']) {
            return refuse("it starts with a slash");
        }
        let mut path = String::with_capacity(text.len());
        let mut depth = 0;
        for segment in text.split(['/', '\\']) {
            match segment {
                "" | "." => continue,
                ".." => return refuse("it holds `..`"),
                _ if segment.len() > SEGMENT_BYTES => {
                    return refuse("one of its names is longer than 255 bytes");
                }
                _ => {}
            }
            if depth > 0 {
                path.push('/');
            }
            path.push_str(segment);
            depth += 1;
        }
        if depth == 0 {
            return refuse("it names nothing");
        }
        let mut start = path.chars();
        if start.next().is_some_and(|c| c.is_ascii_alphabetic()) && start.next() == Some(':') {
            return refuse("it starts with a drive");
        }
        if depth > PATH_DEPTH {
            return refuse("it is deeper than 64 levels");
        }
        if path.len() > PATH_BYTES {
            return refuse("it is longer than 1,024 bytes");
        }
        Ok(Self(path.into()))
    }

    /// A path that the runtime itself has put together, in normal form by the way it was made.
    pub(crate) fn made(path: impl Into<Arc<str>>) -> Self {
        let path = Self(path.into());
        debug_assert_eq!(Self::parse(&path.0).as_ref(), Ok(&path));
        path
    }

    /// The path as text that is shared with it.
    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names on the way, from the root; at least one.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// The first name: the root this path is below, or is.
    pub fn root(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(root, _)| root)
    }

    /// Whether the path is a single name, so that nothing is above it but the top level.
    pub fn is_top(&self) -> bool {
        !self.0.contains('/')
    }

    /// The directory the path lies in; `None` at the top level.
    pub fn parent(&self) -> Option<WorkspacePath> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.into()))
    }

    /// Whether this is `other` or lies below it.
    pub fn is_within(&self, other: &WorkspacePath) -> bool {
        self.0.strip_prefix(&*other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether this text can be one name in a path in normal form.
    pub(crate) fn is_segment(name: &str) -> bool {
        !matches!(name, "" | "." | "..") && name.len() <= SEGMENT_BYTES && !name.contains(['/', '\\', '\0'])
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for WorkspacePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl From<WorkspacePath> for Arc<str> {
    fn from(path: WorkspacePath) -> Self {
        path.0
    }
}

impl Serialize for WorkspacePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for WorkspacePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|refusal| serde::de::Error::custom(refusal.message))
    }
}
