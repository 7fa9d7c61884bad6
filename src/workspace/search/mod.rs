//! Finding lines by words (BT-50 to BT-52). Works on whole texts, not line by line: a word is looked for in all of a
//! file at once, and only lines that have it are looked at.

mod snippet;
mod tokens;

use memchr::{memchr, memchr_iter, memmem};

pub use tokens::{Query, Token, folded};

use super::{Entry, text};
use crate::protocol::order::sort;
use tokens::fold_into;

/// How much of what is found is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lines before and after a hit that belong to it.
    pub context: usize,
    /// Hits that are kept, the best ones.
    pub hits: usize,
}

/// A place: some lines of a file around one that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The file.
    pub path: String,
    /// Its text.
    pub text: &'a str,
    /// What the words in the matching line weigh.
    pub weight: u32,
    /// The matching line.
    pub line: usize,
    /// The first line of the place.
    pub first: usize,
    /// The last line of the place.
    pub last: usize,
}

/// A search under way: files go in by path, the best places come out.
pub struct Search<'a, 'q> {
    query: &'q Query,
    finders: Vec<(memmem::Finder<'q>, u32)>,
    window: Window,
    hits: Vec<Hit<'a>>,
    skipped: usize,
    lower: String,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings<'a> {
    /// The best places: by weight, then path, then line.
    pub hits: Vec<Hit<'a>>,
    /// There were more than were kept.
    pub more: bool,
    /// Files that are no text.
    pub skipped: usize,
}

/// A line and what its words weigh.
type Match = (u32, usize);

impl<'a, 'q> Search<'a, 'q> {
    /// A search for the words of a query.
    pub fn new(query: &'q Query, window: Window) -> Self {
        let finder = |token: &'q Token| (memmem::Finder::new(token.text.as_bytes()), token.weight);
        let finders = query.tokens().iter().map(finder).collect();
        Self { query, finders, window, hits: Vec::new(), skipped: 0, lower: String::new() }
    }

    /// Looks into a file. Files must come in order of their paths. What is no file is passed over.
    pub fn look(&mut self, path: &str, entry: Entry<'a>) {
        let Entry::File(file) = entry else { return };
        let Some(text) = file.text() else {
            self.skipped += 1;
            return;
        };
        // One more than asked for is kept, to know whether there are more.
        let kept = self.window.hits.saturating_add(1);
        let floor = if self.hits.len() < kept { 0 } else { self.hits.last().map_or(0, |hit| hit.weight) };
        // Earlier paths win a tie, so only more weight than the last one kept can change anything.
        if self.query.weight() <= floor {
            return;
        }
        let matches = self.matches(text, floor);
        if matches.is_empty() {
            return;
        }
        self.hits.extend(places(path, text, matches, self.window.context, kept));
        sort(&mut self.hits, |a, b| {
            b.weight.cmp(&a.weight).then_with(|| a.path.cmp(&b.path)).then_with(|| a.first.cmp(&b.first))
        });
        self.hits.truncate(kept);
    }

    /// The result.
    pub fn finish(mut self) -> Findings<'a> {
        let more = self.hits.len() > self.window.hits;
        self.hits.truncate(self.window.hits);
        Findings { hits: self.hits, more, skipped: self.skipped }
    }

    /// The lines of a text that weigh more than `floor`, best first.
    fn matches(&mut self, text: &str, floor: u32) -> Vec<Match> {
        let searched = if self.query.folds() {
            fold_into(text, &mut self.lower);
            self.lower.as_bytes()
        } else {
            text.as_bytes()
        };
        let mut matches: Vec<Match> = Vec::new();
        for (finder, weight) in &self.finders {
            matches.extend(lines_with(searched, finder).map(|line| (*weight, line)));
        }
        if self.finders.len() > 1 {
            sort(&mut matches, |(_, a), (_, b)| a.cmp(b));
            matches.dedup_by(|next, kept| {
                let same = next.1 == kept.1;
                kept.0 += if same { next.0 } else { 0 };
                same
            });
        }
        matches.retain(|(weight, _)| *weight > floor);
        sort(&mut matches, |(a, line), (b, other)| b.cmp(a).then(line.cmp(other)));
        matches
    }
}

/// The numbers of the lines in which a word occurs, each once.
fn lines_with<'h>(
    haystack: &'h [u8],
    finder: &'h memmem::Finder<'_>,
) -> impl Iterator<Item = usize> + use<'h> {
    let mut rest = haystack;
    let mut line = 1;
    std::iter::from_fn(move || {
        let at = finder.find(rest)?;
        line += memchr_iter(b'\n', rest.get(..at)?).count();
        let found = line;
        let after = rest.get(at..)?;
        match memchr(b'\n', after) {
            Some(feed) => {
                rest = after.get(feed + 1..)?;
                line += 1;
            }
            None => rest = &[],
        }
        Some(found)
    })
}

/// The places of one file: from the best line on, those that share no line with one taken before.
fn places<'a>(path: &str, text: &'a str, matches: Vec<Match>, context: usize, most: usize) -> Vec<Hit<'a>> {
    let count = text::line_count(text);
    let mut taken: Vec<Hit<'a>> = Vec::new();
    for (weight, line) in matches {
        if taken.len() == most {
            break;
        }
        let (first, last) = (line.saturating_sub(context).max(1), line.saturating_add(context).min(count));
        if taken.iter().all(|hit| last < hit.first || hit.last < first) {
            taken.push(Hit { path: path.to_owned(), text, weight, line, first, last });
        }
    }
    taken
}

#[cfg(test)]
#[path = "../search_tests.rs"]
mod tests;
