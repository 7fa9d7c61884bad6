//! The nearest known name for one that is unknown.

use super::edit_distance;

/// Most edits between a name and the one suggested for it (AR-21).
const EDITS: usize = 2;

/// The candidate that was probably meant: one that is equal but for case and separators, else the one within two
/// edits that needs the fewest; of equals the first.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(name);
    let mut nearest = None;
    for candidate in candidates {
        if !folded.is_empty() && fold(candidate) == folded {
            return Some(candidate);
        }
        let limit = nearest.map_or(Some(EDITS), |(edits, _): (usize, &str)| edits.checked_sub(1));
        if let Some(edits) = limit.and_then(|limit| edit_distance(name, candidate, limit)) {
            nearest = Some((edits, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// Letters and digits only, in lower case.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
