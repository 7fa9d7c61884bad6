//! Resolving a reference against a base address (RFC 3986, section 5.2). Nothing is ever fetched: addresses only
//! tell parts of one document apart.

/// An address without its fragment, taken apart.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

fn parts(uri: &str) -> Parts<'_> {
    let (scheme, rest) = match uri.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, uri),
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// The address that a reference without fragment means where the base address is `base`.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let to = parts(reference);
    if to.scheme.is_some() {
        return written(&Parts { path: &without_dots(to.path), ..to });
    }
    let from = parts(base);
    if to.authority.is_some() {
        return written(&Parts { scheme: from.scheme, path: &without_dots(to.path), ..to });
    }
    let (scheme, authority) = (from.scheme, from.authority);
    if to.path.is_empty() {
        let query = to.query.or(from.query);
        return written(&Parts { scheme, authority, path: from.path, query });
    }
    let path = if to.path.starts_with('/') {
        without_dots(to.path)
    } else {
        let folder = match from.path.rfind('/') {
            Some(end) => from.path.get(..=end).unwrap_or_default(),
            None if authority.is_some() => "/",
            None => "",
        };
        without_dots(&format!("{folder}{}", to.path))
    };
    written(&Parts { scheme, authority, path: &path, query: to.query })
}

fn written(parts: &Parts) -> String {
    let mut uri = String::new();
    if let Some(scheme) = parts.scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    if let Some(authority) = parts.authority {
        uri.push_str("//");
        uri.push_str(authority);
    }
    uri.push_str(parts.path);
    if let Some(query) = parts.query {
        uri.push('?');
        uri.push_str(query);
    }
    uri
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').collect();
    for (index, segment) in segments.iter().enumerate() {
        let is_last = index + 1 == segments.len();
        match *segment {
            "." if is_last => kept.push(""),
            "." => {}
            ".." => {
                if kept.len() > 1 {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    kept.join("/")
}

/// A fragment with its percent escapes decoded; `None` if they are no UTF-8.
pub(crate) fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
#[path = "uri_tests.rs"]
mod tests;
