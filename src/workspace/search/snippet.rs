//! The lines of a hit as models see them.

use std::borrow::Cow;

use super::{Hit, Query, folded};
use crate::protocol::limits::SEARCH_LINE_CHARS;
use crate::workspace::refusal::grouped;
use crate::workspace::text::{first_chars, from_line, numbered};

/// Characters that are shown before a match in a line that is cut.
const LEAD_CHARS: usize = 40;

impl Hit<'_> {
    /// The lines with their numbers. Of a very long line a part is shown, around the match where there is one.
    pub fn snippet(&self, query: &Query) -> String {
        let lines = from_line(self.text, self.first).split('\n').take(self.last + 1 - self.first);
        let shown: Vec<Cow<'_, str>> = (self.first..)
            .zip(lines)
            .map(|(number, line)| shorten(line, (number == self.line).then_some(query)))
            .collect();
        numbered(self.first, shown.iter().map(|line| &**line))
    }
}

/// A line of at most so many characters, or a part of a longer one, with dots at each cut end and its whole length.
fn shorten<'a>(line: &'a str, query: Option<&Query>) -> Cow<'a, str> {
    if line.len() <= SEARCH_LINE_CHARS || first_chars(line, SEARCH_LINE_CHARS).len() == line.len() {
        return line.into();
    }
    let start = query.map_or(0, |query| match_start(line, query)).saturating_sub(LEAD_CHARS);
    let count = line.chars().count();
    let start = start.min(count - SEARCH_LINE_CHARS);
    let skipped = first_chars(line, start).len();
    let part = first_chars(line.get(skipped..).unwrap_or_default(), SEARCH_LINE_CHARS);
    let before = if start > 0 { "..." } else { "" };
    let after = if skipped + part.len() < line.len() { "..." } else { "" };
    format!("{before}{part}{after} ({} characters in all)", grouped(count as u64)).into()
}

/// Characters before the first of the words in a line.
fn match_start(line: &str, query: &Query) -> usize {
    let searched: Cow<'_, str> = if query.folds() { folded(line).into() } else { line.into() };
    let first = query.tokens().iter().filter_map(|token| searched.find(&token.text)).min();
    first.and_then(|at| searched.get(..at)).map_or(0, |before| before.chars().count())
}
