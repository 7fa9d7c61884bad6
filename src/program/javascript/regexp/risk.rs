//! Which patterns can keep a backtracking engine busy out of all proportion: those that repeat something that can
//! match the same text in more than one way.

use super::pattern::Node;
use boa_engine::JsString;

/// Whether a group is repeated at all, told from the source: a quick look before the pattern is read.
pub(super) fn repeats_groups(source: &JsString) -> bool {
    let close = u16::from(b')');
    let mut before = 0;
    source.iter().any(|unit| {
        let repeated = before == close && matches!(u8::try_from(unit), Ok(b'*' | b'+' | b'{'));
        before = unit;
        repeated
    })
}

/// Whether some repetition has a body that can match a text in two ways, or in pieces of any length.
pub(super) fn is_risky(node: &Node) -> bool {
    match node {
        Node::Repeat { node, max, .. } => {
            let many = max.is_none_or(|max| max > 8);
            (many && is_ambiguous(node)) || is_risky(node)
        }
        Node::Group { node, .. } | Node::Look { node, .. } => is_risky(node),
        Node::Seq(parts) | Node::Alt(parts) => parts.iter().any(is_risky),
        _ => false,
    }
}

fn is_ambiguous(node: &Node) -> bool {
    match node {
        Node::Repeat { node, min, max, .. } => max.is_none_or(|max| max > *min) || is_ambiguous(node),
        Node::Group { node, .. } => is_ambiguous(node),
        Node::Seq(parts) => parts.iter().any(is_ambiguous),
        Node::Alt(parts) => overlap(parts) || parts.iter().any(is_ambiguous),
        _ => false,
    }
}

/// Whether two alternatives can begin with the same character.
fn overlap(parts: &[Node]) -> bool {
    let firsts: Vec<Option<Vec<(u32, u32)>>> = parts.iter().map(first).collect();
    firsts.iter().enumerate().any(|(at, one)| {
        firsts.iter().skip(at + 1).any(|other| match (one, other) {
            (Some(one), Some(other)) => {
                one.iter().any(|(low, high)| other.iter().any(|(from, to)| low <= to && from <= high))
            }
            _ => true,
        })
    })
}

/// The characters that a part can begin with; `None` when that is not plain.
fn first(node: &Node) -> Option<Vec<(u32, u32)>> {
    match node {
        // Letters overlap with their other case: the flag is not looked at here.
        Node::Char(c) => {
            let cases = char::from_u32(*c).map(|c| [c.to_lowercase().next(), c.to_uppercase().next()]);
            let mut all = vec![(*c, *c)];
            all.extend(cases.into_iter().flatten().flatten().map(|c| (u32::from(c), u32::from(c))));
            Some(all)
        }
        Node::Class(class) => {
            if !class.negated {
                return Some(class.ranges.clone());
            }
            let mut ranges = class.ranges.clone();
            ranges.sort_unstable();
            let mut from = 0;
            let mut rest = Vec::new();
            for (low, high) in ranges {
                if low > from {
                    rest.push((from, low - 1));
                }
                from = from.max(high.saturating_add(1));
            }
            rest.push((from, u32::MAX));
            Some(rest)
        }
        Node::Group { node, .. } => first(node),
        Node::Seq(parts) => parts.first().and_then(first),
        Node::Alt(parts) => {
            let firsts: Option<Vec<_>> = parts.iter().map(first).collect();
            firsts.map(|firsts| firsts.into_iter().flatten().collect())
        }
        Node::Repeat { node, min, .. } if *min > 0 => first(node),
        _ => None,
    }
}
