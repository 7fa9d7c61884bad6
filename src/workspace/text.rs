//! Text in files: how it is counted and how its lines are numbered.

use memchr::memchr_iter;

/// The size of a text as models and people are told it (WS-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Unicode scalar values.
    pub chars: usize,
    /// Each Han ideograph, and each run of other letters and digits.
    pub words: usize,
}

impl Metrics {
    /// Counts a text.
    pub fn of(text: &str) -> Self {
        let mut metrics = Self::default();
        let mut in_word = false;
        for c in text.chars() {
            let (ideograph, letter) = match c {
                '\0'..='\x7f' => (false, c.is_ascii_alphanumeric()),
                _ if is_han(c) => (true, false),
                _ => (false, c.is_alphanumeric()),
            };
            metrics.chars += 1;
            // No branch: text is unpredictable, and this is the loop.
            metrics.words += usize::from(ideograph | (letter & !in_word));
            in_word = letter;
        }
        metrics
    }
}

/// The Han ideographs that count as one word each (WS-11).
fn is_han(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}')
}

/// How many lines a text has: an empty one none, one that ends in a line feed a last empty line (BT-61).
pub fn line_count(text: &str) -> usize {
    if text.is_empty() { 0 } else { memchr_iter(b'\n', text.as_bytes()).count() + 1 }
}

/// The rest of a text from the start of a line on, counted from 1; empty beyond the end.
pub fn from_line(text: &str, line: usize) -> &str {
    if line <= 1 {
        return text;
    }
    let start = memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map_or(text.len(), |feed| feed + 1);
    text.get(start..).unwrap_or_default()
}

/// Lines as models see them: `N | text`, the numbers right-aligned to the widest, joined by line feeds (BT-63).
pub fn numbered<'a>(first: usize, lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines.into_iter().collect();
    let width = (first + lines.len()).saturating_sub(1).to_string().len();
    let mut rows = String::new();
    for (number, line) in (first..).zip(lines) {
        if !rows.is_empty() {
            rows.push('\n');
        }
        rows.push_str(&format!("{number:>width$} | "));
        rows.push_str(line);
    }
    rows
}

/// The first `count` characters of a text.
pub fn first_chars(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
