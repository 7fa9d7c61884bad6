//! Texts that bound themselves: documents keep the head, command output keeps the tail (RS-70, RS-71).

use super::text::{counted, first_bytes, last_bytes};
use crate::protocol::limits::{TRUNCATED_HEAD_BYTES, TRUNCATED_LINES, TRUNCATED_TAIL_BYTES};

/// Which end is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The start: documents.
    Head,
    /// The end: command output.
    Tail,
}

/// How much is kept at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lines. A line break at the very end of a text ends its last line and begins none.
    pub lines: usize,
    /// Bytes of UTF-8, with the line breaks between kept lines and one at the end of the text.
    pub bytes: usize,
}

impl Bounds {
    /// The bounds of RS-71.
    pub fn of(keep: Keep) -> Self {
        let bytes = match keep {
            Keep::Head => TRUNCATED_HEAD_BYTES,
            Keep::Tail => TRUNCATED_TAIL_BYTES,
        };
        Self { lines: TRUNCATED_LINES, bytes }
    }
}

/// A text that was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'a> {
    /// What stays.
    pub kept: &'a str,
    /// Lines of which nothing stays.
    pub omitted_lines: usize,
    /// Bytes that do not stay; with those of `kept` the bytes of the whole.
    pub omitted_bytes: usize,
    keep: Keep,
    bounds: Bounds,
    /// Not even one line fits: a piece of it stays.
    inside_line: bool,
}

/// Cuts a text to its bounds. `None`: it is within them and stays as it is.
pub fn truncate(text: &str, keep: Keep, bounds: Bounds) -> Option<Cut<'_>> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines = 1 + body.bytes().filter(|byte| *byte == b'\n').count();
    if text.len() <= bounds.bytes && (lines <= bounds.lines || text.is_empty()) {
        return None;
    }
    let (whole, kept_lines) = match keep {
        Keep::Head => head(text, bounds),
        Keep::Tail => tail(text, bounds),
    };
    let inside_line = kept_lines == 0;
    let kept = match (inside_line, keep) {
        (false, _) => whole,
        (true, Keep::Head) => first_bytes(text.split('\n').next().unwrap_or_default(), bounds.bytes),
        (true, Keep::Tail) => last_bytes(text, bounds.bytes),
    };
    Some(Cut {
        kept,
        omitted_lines: lines - kept_lines.max(1),
        omitted_bytes: text.len() - kept.len(),
        keep,
        bounds,
        inside_line,
    })
}

/// The longest run of whole lines from the start within the bounds, and their number.
fn head(text: &str, bounds: Bounds) -> (&str, usize) {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
    let ends = ends.chain((!text.ends_with('\n')).then_some(text.len()));
    let fitting = ends.take(bounds.lines).take_while(|end| *end <= bounds.bytes);
    let (end, lines) = fitting.fold((0, 0), |(_, lines), end| (end, lines + 1));
    (text.get(..end).unwrap_or_default(), lines)
}

/// The longest run of whole lines from the end within the bounds, and their number.
fn tail(text: &str, bounds: Bounds) -> (&str, usize) {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let breaks = body.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    let starts = breaks.chain([0]);
    let fitting = starts.take(bounds.lines).take_while(|start| text.len() - *start <= bounds.bytes);
    let (start, lines) = fitting.fold((text.len(), 0), |(_, lines), start| (start, lines + 1));
    (text.get(start..).unwrap_or_default(), lines)
}

impl Cut<'_> {
    /// The notice that stands where the text was cut; `path` is where the whole lies, if it lies anywhere.
    pub fn notice(&self, path: Option<&str>) -> String {
        let (end, side) = match self.keep {
            Keep::Head => ("Last", "rest of the line above"),
            Keep::Tail => ("First", "start of the line below"),
        };
        let bytes = counted(self.omitted_bytes, "byte");
        let omitted = match (self.inside_line, self.omitted_lines) {
            (false, 0) => format!("The line break at the end ({bytes}) omitted"),
            (false, lines) => format!("{end} {} ({bytes}) omitted", counted(lines, "line")),
            (true, 0) => format!("The {side} ({bytes}) omitted"),
            (true, lines) => format!("The {side} and {} ({bytes}) omitted", counted(lines, "more line")),
        };
        let limits =
            format!("{}, {}", counted(self.bounds.lines, "line"), counted(self.bounds.bytes, "byte"));
        match path {
            Some(path) => format!("[{omitted}; limits {limits}; full output: {path}]"),
            None => format!("[{omitted}; limits {limits}]"),
        }
    }

    /// The kept text with the notice where it was cut.
    pub fn text(&self, path: Option<&str>) -> String {
        let notice = self.notice(path);
        match self.keep {
            Keep::Head => format!("{}\n{notice}", self.kept),
            Keep::Tail => format!("{notice}\n{}", self.kept),
        }
    }
}
