//! The pattern language of policies: `*` and nothing else (PM-26).

/// Whether a pattern matches a whole text. `*` stands for any run of characters, also none; without it the texts
/// must be equal. The first literal is a prefix, the last a suffix, the others follow in order.
pub fn matches(pattern: &str, text: &str) -> bool {
    matches_where(pattern, text, |_| true)
}

/// The same, where `*` stands only for runs that may be passed over. The first place of each literal is the best one
/// as long as a run may be passed over exactly if each of its characters may.
pub(crate) fn matches_where(pattern: &str, text: &str, may_pass: fn(&str) -> bool) -> bool {
    // Most rules are about something else, and differ before the first star.
    let same = pattern.bytes().zip(text.bytes()).take_while(|(p, t)| p == t && *p != b'*').count();
    match pattern.as_bytes().get(same) {
        Some(b'*') => {}
        Some(_) => return false,
        None => return same == text.len(),
    }
    let (Some(rest), Some(behind)) = (pattern.get(same + 1..), text.get(same..)) else { return false };
    // Most patterns have one star.
    let Some((middle, suffix)) = rest.rsplit_once('*') else {
        return behind.strip_suffix(rest).is_some_and(may_pass);
    };
    let Some(mut within) = behind.strip_suffix(suffix) else { return false };
    for literal in middle.split('*') {
        let Some((run, behind)) = within.split_once(literal) else { return false };
        if !may_pass(run) {
            return false;
        }
        within = behind;
    }
    may_pass(within)
}
