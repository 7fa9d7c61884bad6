//! Addresses as texts: the form that patterns and grants look at, so that two ways of writing one address are one.

use std::borrow::Cow;

/// An address with scheme and host in lower case and without `.` and `..` in its path, as whoever fetches it would read
/// it. Otherwise `https://x.org/public/../private` would be below `https://x.org/public/*`.
pub(super) fn normal(address: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = address.split_once("://") else { return Cow::Borrowed(address) };
    let (host, rest) = rest.split_at(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
    let (path, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let (user, host) = host.rsplit_once('@').map_or(("", host), |(user, host)| (user, host));
    let at = if user.is_empty() { "" } else { "@" };
    let (scheme, host) = (scheme.to_ascii_lowercase(), host.to_ascii_lowercase());
    let normal = format!("{scheme}://{user}{at}{host}{}{query}", plain_path(path));
    if normal == address { Cow::Borrowed(address) } else { Cow::Owned(normal) }
}

/// A pattern over addresses, its scheme and host in lower case.
pub(super) fn pattern(pattern: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = pattern.split_once("://") else { return Cow::Borrowed(pattern) };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Cow::Owned(format!("{}://{}{path}", scheme.to_ascii_lowercase(), host.to_ascii_lowercase()))
}

/// A path without names that stand for itself or the one before; empty names stay, they are names of their own.
fn plain_path(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut all = path.split(['/', '\\']).peekable();
    while let Some(name) = all.next() {
        let dots = name.to_ascii_lowercase().replace("%2e", ".");
        match dots.as_str() {
            "." | ".." => {
                if dots == ".." && names.len() > 1 {
                    names.pop();
                }
                if all.peek().is_none() {
                    names.push("");
                }
            }
            _ => names.push(name),
        }
    }
    names.join("/")
}
