//! Exact replacement of a text in a text (FC-08), and why a text is not found (FC-22).

/// How often a text occurs, counted from the left without overlap. An empty text never occurs.
pub fn occurrences(text: &str, old: &str) -> usize {
    if old.is_empty() { 0 } else { text.matches(old).count() }
}

/// How many bytes a text would have after so many replacements.
pub fn length_after(text: &str, old: &str, new: &str, count: usize) -> usize {
    let kept = text.len().saturating_sub(count.saturating_mul(old.len()));
    kept.saturating_add(count.saturating_mul(new.len()))
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
