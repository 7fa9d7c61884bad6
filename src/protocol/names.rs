//! Which builtin tools an invocation has, and what the model calls them.

use serde::{Deserialize, Serialize};

use super::SortedMap;

/// The call names of the builtin tools bound in one snapshot, by native name (`workspace.read_file`). A text that
/// names another tool asks here first: what is not bound is not named (NM-09).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BoundNames(SortedMap<String, String>);

impl BoundNames {
    /// The call name of a builtin, if it is bound.
    pub fn of(&self, native: &str) -> Option<&str> {
        self.0.get(native).map(String::as_str)
    }
}

impl FromIterator<(String, String)> for BoundNames {
    /// From pairs of native name and call name.
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
