//! Paths as texts, of any system: what they name without asking a file system.

use std::borrow::Cow;

/// The names of a path, `\` counted as `/`; empty and `.` names are left out.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).filter(|name| !matches!(*name, "" | "."))
}

/// The path in the form that patterns and grants look at: `/` between names, no empty and no `.` names, `..` taken
/// back where something stands before it. Otherwise `output/../x` would be below `output/*`.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    let plain = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('\\');
    if path.strip_prefix('/').unwrap_or(path).split('/').all(plain) {
        return Cow::Borrowed(path);
    }
    let root = if path.starts_with(['/', '\\']) { "/" } else { "" };
    let mut names: Vec<&str> = Vec::new();
    for name in segments(path) {
        match names.last() {
            Some(last) if name == ".." && *last != ".." => {
                names.pop();
            }
            // Nothing is above the root.
            None if name == ".." && !root.is_empty() => {}
            _ => names.push(name),
        }
    }
    Cow::Owned(format!("{root}{}", names.join("/")))
}

/// Whether a path lies strictly below a directory. A relative one does not lie below an absolute one.
pub(super) fn is_below(path: &str, directory: &str) -> bool {
    let (path, directory) = (normal(path), normal(directory));
    let rest = path.strip_prefix(directory.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    !directory.is_empty() && rest.is_some_and(|rest| !rest.is_empty())
}
