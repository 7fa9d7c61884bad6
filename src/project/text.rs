//! Pieces of texts, cut between characters.

/// The first `count` characters.
pub fn first_chars(text: &str, count: usize) -> &str {
    // A text has at least a quarter as many characters as bytes: the usual short one is not walked.
    if text.len() <= count {
        return text;
    }
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The longest start of at most this many bytes.
pub(super) fn first_bytes(text: &str, count: usize) -> &str {
    let end = (0..=count.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// The longest end of at most this many bytes.
pub(super) fn last_bytes(text: &str, count: usize) -> &str {
    let start = (text.len().saturating_sub(count)..=text.len()).find(|at| text.is_char_boundary(*at));
    text.get(start.unwrap_or(text.len())..).unwrap_or_default()
}

/// `182340` as `182,340`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 line`, `2,000 lines`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A time span for people: `60 seconds`, `1.5 seconds`, `250 milliseconds`.
pub(super) fn span(ms: u64) -> String {
    let plural = |one: bool| if one { "" } else { "s" };
    if ms < 1_000 {
        return format!("{ms} millisecond{}", plural(ms == 1));
    }
    let (seconds, rest) = (ms / 1_000, ms % 1_000);
    let fraction = format!(".{rest:03}");
    let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
    format!("{seconds}{fraction} second{}", plural(seconds == 1 && rest == 0))
}
