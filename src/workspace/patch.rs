//! Exact replacement of a text in a text (FC-08), and why a text is not found (FC-22).

use serde::Serialize;

use crate::protocol::limits::DIFF_BYTES;

/// How often a text occurs, counted from the left without overlap. An empty text never occurs.
pub fn occurrences(text: &str, old: &str) -> usize {
    if old.is_empty() { 0 } else { text.matches(old).count() }
}

/// How many bytes a text would have after so many replacements.
pub fn length_after(text: &str, old: &str, new: &str, count: usize) -> usize {
    let kept = text.len().saturating_sub(count.saturating_mul(old.len()));
    kept.saturating_add(count.saturating_mul(new.len()))
}

/// Neighbouring lines before and after a replacement, for the screen (RS-07).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// The first of the lines before, counted from 1.
    pub old_start: usize,
    /// The first of the lines after, counted from 1.
    pub new_start: usize,
    /// The whole lines before, without the last line break.
    pub removed: String,
    /// The whole lines after, without the last line break.
    pub added: String,
}

/// What replacing every occurrence changes, as whole lines. Ends early where the screen would get too much of it.
pub fn hunks(text: &str, old: &str, new: &str) -> Vec<Hunk> {
    let slice = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let feeds = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let mut found = text.match_indices(old).map(|(at, _)| at).filter(|_| !old.is_empty()).peekable();
    let (mut hunks, mut budget) = (Vec::new(), DIFF_BYTES);
    let (mut passed, mut old_line, mut new_line) = (0, 1, 1);
    while let Some(first) = found.next() {
        let start = slice(0, first).rfind('\n').map_or(0, |feed| feed + 1);
        let line_end = |at: usize| slice(at, text.len()).find('\n').map_or(text.len(), |feed| at + feed);
        let mut done = first + old.len();
        let mut end = line_end(done);
        let mut added = format!("{}{new}", slice(start, first));
        while let Some(next) = found.next_if(|next| *next <= end) {
            added.push_str(slice(done, next));
            added.push_str(new);
            done = next + old.len();
            end = if done > end { line_end(done) } else { end };
            if added.len() > budget {
                return hunks;
            }
        }
        added.push_str(slice(done, end));
        let size = (end - start).saturating_add(added.len());
        if size > budget {
            return hunks;
        }
        budget -= size;
        let between = feeds(slice(passed, start));
        (old_line, new_line) = (old_line + between, new_line + between);
        let removed = slice(start, end).to_owned();
        let (lines_before, lines_after) = (feeds(&removed), feeds(&added));
        hunks.push(Hunk { old_start: old_line, new_start: new_line, removed, added });
        (old_line, new_line, passed) = (old_line + lines_before, new_line + lines_after, end);
    }
    hunks
}

/// Why a text does not occur, as far as that can be told; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Its lines carry the line numbers of a read.
    LineNumbers,
    /// It would occur if blanks at the ends of lines did not count.
    Blanks,
    /// It would occur if CRLF and LF were the same.
    LineBreaks,
    /// Its first line occurs, the rest does not follow.
    LaterLines,
    /// Nothing like it occurs.
    Unknown,
}

impl Absence {
    /// Why `old` does not occur in `text`.
    pub fn of(text: &str, old: &str) -> Self {
        if has_line_numbers(old) {
            return Self::LineNumbers;
        }
        if occurrences(&without_blanks(text), &without_blanks(old)) > 0 {
            return Self::Blanks;
        }
        let breaks = |text: &str| text.replace("\r\n", "\n");
        if occurrences(&breaks(text), &breaks(old)) > 0 {
            return Self::LineBreaks;
        }
        match old.split_once('\n') {
            Some((first, _)) if !first.trim().is_empty() && text.contains(first) => Self::LaterLines,
            _ => Self::Unknown,
        }
    }
}

/// Whether the first three lines that are not blank all look like `12 | text` or `12<TAB>text`.
fn has_line_numbers(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(3).peekable();
    lines.peek().is_some()
        && lines.all(|line| {
            let numbered = line.trim_start();
            let rest = numbered.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < numbered.len() && (rest.starts_with(" | ") || rest == " |" || rest.starts_with('\t'))
        })
}

/// The text without spaces and tabs at both ends of its lines.
fn without_blanks(text: &str) -> String {
    let mut lines = text.split('\n').map(|line| line.trim_matches([' ', '\t']));
    let mut trimmed = String::with_capacity(text.len());
    trimmed.push_str(lines.next().unwrap_or_default());
    for line in lines {
        trimmed.push('\n');
        trimmed.push_str(line);
    }
    trimmed
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
