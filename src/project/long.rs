//! Long external results: the whole goes to a file, the model gets a way in and a preview (RS-40 to RS-47).

use serde_json::{Value, json};

use super::text::{first_chars, grouped};
use crate::protocol::limits::{PREVIEW_CHARS, READABLE_LINE_CHARS};
use crate::protocol::order::sort;
use crate::protocol::{BoundNames, Mutant, Outcome, Part};

/// What stands around a preview, in characters at most: two call names, a path and the sentences.
const FRAME_CHARS: usize = 900;

/// Where a result comes from, as far as its length is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A builtin: it bounds itself (RS-70).
    Builtin,
    /// MCP or an extension.
    External,
}

/// A declared `resultBudget` (02, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// At most so many characters inline.
    Chars(usize),
    /// Never projected.
    Unlimited,
}

/// The inline limit of a tool in characters (RS-40). `None`: its results are never projected.
pub fn inline_limit(origin: Origin, profile: usize, declared: Option<Budget>) -> Option<usize> {
    match (origin, declared) {
        (Origin::Builtin, _) | (_, Some(Budget::Unlimited)) => None,
        (Origin::External, Some(Budget::Chars(chars))) => Some(chars),
        (Origin::External, None) => Some(profile),
    }
}

/// The limit that a result is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The inline limit of this result.
    Inline(usize),
    /// `aggregateResultCharLimit`, for all results of the batch together.
    Batch(usize),
}

impl Limit {
    /// Whether a text has strictly more characters (RS-41).
    pub fn is_exceeded_by(self, text: &str) -> bool {
        let limit = self.chars();
        text.len() > limit && text.chars().count() > limit && !Mutant::Unprojected.is_on()
    }

    fn chars(self) -> usize {
        match self {
            Limit::Inline(chars) | Limit::Batch(chars) => chars,
        }
    }
}

/// A result that is too long.
#[derive(Clone, Copy, Debug)]
pub struct LongResult<'a> {
    /// The final text, after hooks and with the notes on images.
    pub text: &'a str,
    /// The limit it is held against.
    pub limit: Limit,
    /// Where the readable file goes.
    pub path: &'a str,
    /// Where the audit file goes.
    pub audit_path: &'a str,
    /// The tools that a hint may name.
    pub names: &'a BoundNames,
    /// The notes on left-out images, said again before the preview (IM-46); empty if there are none.
    pub image_notes: &'a str,
}

/// A result whose whole text lies in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Externalised {
    /// What the model reads instead (RS-43).
    pub text: String,
    /// The structured value instead (RS-44).
    pub structured: Value,
    /// The readable file: the whole text, long lines wrapped (RS-42).
    pub file_text: String,
    /// Both paths, readable file first.
    pub resource_refs: Vec<String>,
}

impl Externalised {
    /// Puts itself in the place of an outcome's text and structured value; images stay, behind the text. Status and
    /// code are not touched (RS-45). The readable file's text is handed back.
    pub fn put_into(self, outcome: &mut Outcome) -> String {
        outcome.parts.retain(|part| matches!(part, Part::Image { .. }));
        outcome.parts.insert(0, Part::Text { text: self.text });
        outcome.structured = Some(self.structured);
        outcome.resource_refs.extend(self.resource_refs);
        self.file_text
    }
}

/// Externalises a result, however long it is.
pub fn externalise(result: &LongResult<'_>) -> Externalised {
    let chars = result.text.chars().count();
    let structured = json!({
        "externalized": true,
        "path": result.path,
        "auditPath": result.audit_path,
        "charCount": chars,
        "charLimit": result.limit.chars(),
    });
    Externalised {
        text: shown(result, chars),
        structured,
        file_text: match Mutant::ReadableCut.is_on() {
            true => wrapped(first_chars(result.text, PREVIEW_CHARS)),
            false => wrapped(result.text),
        },
        resource_refs: vec![result.path.to_owned(), result.audit_path.to_owned()],
    }
}

fn shown(result: &LongResult<'_>, chars: usize) -> String {
    let LongResult { path, names, image_notes, .. } = result;
    let (total, limit) = (grouped(chars), grouped(result.limit.chars()));
    let over = match result.limit {
        Limit::Inline(_) => format!("more than the {limit} shown inline"),
        Limit::Batch(_) => {
            format!("and the results of this batch together more than the {limit} shown inline")
        }
    };
    let mut lines = vec![format!("The result has {total} characters, {over}; all of it is in {path}.")];
    if let Some(read) = names.of("workspace.read_file") {
        lines.push(format!(
            "Read it with {read}: give this path and a start_line, then continue from the line after the last one \
             you got."
        ));
    }
    if let Some(search) = names.of("workspace.search_files") {
        lines.push(format!("Find a passage in it with {search}: give this path and the words to look for."));
    }
    if !image_notes.is_empty() {
        lines.push((*image_notes).to_owned());
    }
    let note =
        format!("This is at most the first {} characters, NOT the whole result.", grouped(PREVIEW_CHARS));
    let preview = first_chars(result.text, PREVIEW_CHARS);
    if Mutant::CutSilently.is_on() {
        return preview.to_owned();
    }
    format!("{}\n\nPreview\n{note}\n\n{preview}", lines.join("\n"))
}

/// The text with every line of more than [`READABLE_LINE_CHARS`] characters broken there.
fn wrapped(text: &str) -> String {
    let mut file = String::with_capacity(text.len() + text.len() / READABLE_LINE_CHARS);
    let mut column = 0;
    for c in text.chars() {
        if c == '\n' {
            column = 0;
        } else if column == READABLE_LINE_CHARS {
            file.push('\n');
            column = 1;
        } else {
            column += 1;
        }
        file.push(c);
    }
    file
}

/// A settled result as the aggregate rule sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchResult {
    /// Characters of its text.
    pub chars: usize,
    /// Characters of its text if it were externalised; `None` if it may not be (builtin, unlimited, externalised
    /// already).
    pub projected_chars: Option<usize>,
}

/// A settled result for the aggregate rule, from its final text and its own inline limit (`None`: it is never
/// projected). One over its own limit counts as externalised already.
pub fn batch_result(text: &str, inline: Option<Limit>) -> BatchResult {
    let chars = text.chars().count();
    let projected = chars.min(PREVIEW_CHARS) + FRAME_CHARS;
    match inline {
        None => BatchResult { chars, projected_chars: None },
        Some(limit) if chars > limit.chars() => BatchResult { chars: projected, projected_chars: None },
        Some(_) => BatchResult { chars, projected_chars: Some(projected) },
    }
}

/// Which results of a batch are externalised so that their texts fit into the limit together (RS-47): the largest
/// first, ties in call order, until the sum fits. What would not become shorter stays. In the order of choice.
pub fn over_batch_limit(results: &[BatchResult], limit: usize) -> Vec<usize> {
    let mut sum: usize = results.iter().map(|result| result.chars).fold(0, usize::saturating_add);
    let gain =
        |result: &BatchResult| result.chars.saturating_sub(result.projected_chars.unwrap_or(result.chars));
    let mut candidates: Vec<(usize, &BatchResult)> =
        results.iter().enumerate().filter(|(_, result)| gain(result) > 0).collect();
    sort(&mut candidates, |(_, a), (_, b)| b.chars.cmp(&a.chars));
    let mut chosen = Vec::new();
    for (index, result) in candidates {
        if sum <= limit {
            break;
        }
        sum -= gain(result);
        chosen.push(index);
    }
    chosen
}
