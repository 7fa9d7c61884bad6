//! Addresses as texts: the form that patterns and grants look at, so that two ways of writing one address are one.

use std::borrow::Cow;

/// Schemes whose addresses are read leniently, with the port that need not be said.
const WEB: [(&str, &str); 5] =
    [("https", "443"), ("http", "80"), ("wss", "443"), ("ws", "80"), ("ftp", "21")];

/// The scheme of files.
const FILE: &str = "file";

/// An address as whoever fetches it would read it: scheme and host in lower case, without user and usual port, and without
/// `.` and `..` in its path. Otherwise `https://x.org/public/../private` would be below `https://x.org/public/*`. A
/// pattern over addresses is read in the same way; a host with a star in it may be followed by anything.
pub(super) fn normal(address: &str) -> Cow<'_, str> {
    let plain = read(address).unwrap_or_else(|| bare(address));
    if plain == address { Cow::Borrowed(address) } else { Cow::Owned(plain) }
}

/// The file that an address names, in normal form, if it names one.
pub(super) fn file(address: &str) -> Option<String> {
    let plain = read(address)?;
    plain.strip_prefix(FILE)?.strip_prefix("://").map(str::to_owned)
}

/// The address without what is passed over in it: control characters and blanks around it, line breaks and tabs.
fn bare(address: &str) -> String {
    address.trim_matches(|c: char| c <= ' ').replace(['\t', '\n', '\r'], "")
}

fn read(address: &str) -> Option<String> {
    let address = bare(address);
    let (scheme, rest) = address.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme == FILE {
        let path = plain_path(&format!("/{}", rest.trim_start_matches(['/', '\\'])));
        return Some(format!("{FILE}://{path}"));
    }
    let web = WEB.iter().find(|(name, _)| *name == scheme);
    let rest = match web {
        Some(_) => rest.trim_start_matches(['/', '\\']),
        None => rest.strip_prefix("//")?,
    };
    let (authority, rest) = rest.split_at(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
    let (path, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let host = plain_host(authority, web.map(|(_, port)| *port));
    let path = match plain_path(path) {
        path if path.is_empty() && web.is_some() && !host.contains('*') => "/".to_owned(),
        path => path,
    };
    Some(format!("{scheme}://{host}{path}{query}"))
}

/// Host and port, without the user.
fn plain_host(authority: &str, usual: Option<&str>) -> String {
    let host = authority.rsplit('@').next().unwrap_or(authority);
    // The wide forms of letters and dots are those.
    let narrow = |c: char| match c {
        '\u{3002}' | '\u{ff61}' => '.',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    };
    let host: String = decoded(host).chars().map(narrow).collect::<String>().to_ascii_lowercase();
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ => (host.as_str(), ""),
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    match port.trim_start_matches('0') {
        "" => name.to_owned(),
        port if usual == Some(port) => name.to_owned(),
        port => format!("{name}:{port}"),
    }
}

/// A path without names that stand for itself or the one before; empty names stay, they are names of their own.
fn plain_path(path: &str) -> String {
    let path = decoded(path);
    let mut names: Vec<&str> = Vec::new();
    let mut all = path.split(['/', '\\']).peekable();
    while let Some(name) = all.next() {
        match name {
            "." | ".." => {
                if name == ".." && names.len() > 1 {
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

/// The text with those characters as themselves that need not be written with `%`.
fn decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()).map(char::from);
        match byte.filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~')) {
            Some(c) => {
                plain.push(c);
                plain.push_str(piece.get(2..).unwrap_or_default());
            }
            None => {
                plain.push('%');
                plain.push_str(piece);
            }
        }
    }
    plain
}
