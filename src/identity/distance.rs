//! How far two names are apart.

/// The number of single-character insertions, deletions and replacements that turn one text into the other, if it is
/// not above `limit`. The work depends on the shorter text and `limit` only, however long the
/// other one is.
pub fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let short: Vec<char> = short.chars().collect();
    // One character more than can be reached tells that the texts are too far apart.
    let long: Vec<char> = long.chars().take(short.len() + limit + 1).collect();
    if long.len().abs_diff(short.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=short.len()).collect();
    for (i, from) in long.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut lowest = left;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (to, cell) in short.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(from != to);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
            lowest = lowest.min(left);
        }
        if lowest > limit {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= limit)
}
