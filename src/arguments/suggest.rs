//! The nearest known name for one that is unknown.

/// Most edits between a name and the one suggested for it (AR-21).
const EDITS: usize = 2;

/// The candidate that was probably meant: one that is equal but for case and separators, else the one within two
/// edits that needs the fewest; of equals the first.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (exact, folded) = (letters(name), fold(name));
    let mut nearest = None;
    let mut bound = EDITS + 1;
    for candidate in candidates {
        if !folded.is_empty() && fold(candidate) == folded {
            return Some(candidate);
        }
        let other = letters(candidate);
        if let Some(edits) = (0..bound).find(|edits| is_within(&exact, &other, *edits)) {
            bound = edits;
            nearest = Some(candidate);
        }
    }
    nearest
}

fn letters(name: &str) -> Vec<char> {
    name.chars().collect()
}

/// Letters and digits only, in lower case.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether `edits` insertions, deletions and replacements make `a` into `b`. Skipping what is equal at the front is
/// always best, so the work is linear for a fixed number of edits.
fn is_within(a: &[char], b: &[char], edits: usize) -> bool {
    if a.len().abs_diff(b.len()) > edits {
        return false;
    }
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(equal..).unwrap_or_default(), b.get(equal..).unwrap_or_default());
    let (Some((_, after_a)), Some((_, after_b))) = (a.split_first(), b.split_first()) else {
        return true;
    };
    let Some(fewer) = edits.checked_sub(1) else {
        return false;
    };
    is_within(after_a, after_b, fewer) || is_within(after_a, b, fewer) || is_within(a, after_b, fewer)
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
