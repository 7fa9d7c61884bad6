//! `workspace.read_file`: a file, or some of its lines (BT-61 to BT-67).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::members::{Whole, read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec};
use crate::arguments::Rules;
use crate::protocol::limits::{READ_BYTES, READ_CHARS, READ_LINES};
use crate::protocol::{BoundNames, Code, Outcome, Refusal};
use crate::workspace::refusal::{self, grouped};
use crate::workspace::text::{first_chars, from_line, line_count, numbered};
use crate::workspace::{Entry, FileEffect, ReadObservation, WorkspacePath};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.read_file",
    title: "Read file",
    effect: Effect::Read,
    parallel: true,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Read {path}",
    about: Some("path"),
    rules: Rules::BUILTIN,
    run: Run::Here(run),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The file to read, for example output/notes.md.
    path: &'a str,
    /// The first line to show, counted from 1; 1 if left out.
    #[schemars(range(min = 1), extend("default" = 1))]
    start_line: Option<Whole>,
    /// How many lines to show, 1 to 1200; as many as fit if left out.
    #[schemars(range(min = 1, max = 1200))]
    line_count: Option<Whole>,
}

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Reads a text file of the workspace. The first line of the result tells the path, which lines are shown of how \
         many, and the characters and words of the whole file. Then come the lines, each with its number and ` | ` in \
         front, which are not part of the file. A file of up to 1,200 lines and 80,000 characters is shown whole; of a \
         larger one as much as fits, with the start_line to continue with.",
    );
    let writers = [names.of("workspace.write_file"), names.of("workspace.apply_patch")];
    let writers: Vec<&str> = writers.into_iter().flatten().collect();
    if !writers.is_empty() {
        text.push_str(&format!(" Read a file before changing it with {}.", writers.join(" or ")));
    }
    if let Some(list) = names.of("workspace.list_files") {
        text.push_str(&format!(" To see which files exist, use {list}."));
    }
    if let Some(search) = names.of("workspace.search_files") {
        text.push_str(&format!(" To find words without reading whole files, use {search}."));
    }
    text
}

/// The lines of one read.
struct Page<'a> {
    /// The lines as they stand in the file, as one text.
    text: &'a str,
    /// The first line shown; 0 of an empty file.
    first: usize,
    /// The last line shown; 0 of an empty file.
    last: usize,
    /// Characters of the only line, if it is shown in part.
    cut: Option<usize>,
}

impl<'a> Page<'a> {
    /// The lines from `start` on: at most `most`, and as many as the bounds of one read allow.
    fn of(text: &'a str, start: usize, most: usize) -> Self {
        if text.is_empty() {
            return Self { text, first: 0, last: 0, cut: None };
        }
        let rest = from_line(text, start);
        let (mut lines, mut chars, mut bytes) = (0, 0, 0);
        for line in rest.split('\n').take(most.min(READ_LINES)) {
            let feed = usize::from(lines > 0);
            let (chars_with, bytes_with) = (chars + feed + line.chars().count(), bytes + feed + line.len());
            if chars_with > READ_CHARS || bytes_with > READ_BYTES {
                break;
            }
            (lines, chars, bytes) = (lines + 1, chars_with, bytes_with);
        }
        if lines > 0 {
            let text = rest.get(..bytes).unwrap_or(rest);
            return Self { text, first: start, last: start + lines - 1, cut: None };
        }
        let line = rest.split('\n').next().unwrap_or(rest);
        let mut text = first_chars(line, READ_CHARS);
        text = text.get(..text.floor_char_boundary(READ_BYTES)).unwrap_or(text);
        Self { text, first: start, last: start, cut: Some(line.chars().count()) }
    }
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let path = required("path", args.path)?;
    let start = args.start_line.map_or(Ok(1), |line| line.at_least("start_line", 1))?;
    let most = args.line_count.map_or(Ok(READ_LINES), |count| count.within("line_count", 1, READ_LINES))?;
    let path = context.roots.read(path)?;
    let file = match context.workspace.get(&path) {
        None => return Err(refusal::file_not_found(&path, context.names).into()),
        Some(Entry::Directory(_)) => return Err(refusal::read_directory(&path, context.names).into()),
        Some(Entry::File(file)) => file,
    };
    let text = file.text().ok_or_else(|| refusal::not_text(&path))?;
    let lines = line_count(text);
    if start > lines.max(1) {
        return Err(beyond_the_end(&path, start, lines).into());
    }
    let page = Page::of(text, start, most);
    let whole = page.text.len() == text.len();
    let metrics = file.metrics();
    let structured = json!({
        "path": path.as_str(),
        "startLine": page.first,
        "endLine": page.last,
        "totalLines": lines,
        "chars": metrics.chars,
        "words": metrics.words,
        "fullRead": whole,
    });
    let mut shown = format!(
        "{path} lines {}-{} of {lines}, chars {}, words {}{}",
        page.first,
        page.last,
        metrics.chars,
        metrics.words,
        if whole { "" } else { " (preview)" },
    );
    if lines > 0 {
        shown.push('\n');
        shown.push_str(&numbered(page.first, page.text.split('\n')));
    }
    for notice in notices(&page, lines) {
        shown.push('\n');
        shown.push_str(&notice);
    }
    let mut outcome = Outcome::ok(shown, Some(structured));
    outcome.display = Some(json!({
        "kind": "file_read",
        "title": format!("Read {path}"),
        "path": path.as_str(),
        "startLine": page.first,
        "endLine": page.last,
        "totalLines": lines,
    }));
    let part = (!whole).then(|| page.text.into());
    let effect = FileEffect::Read(ReadObservation { path, sha256: file.sha256(), part }).into();
    Ok(Done { outcome, effect })
}

/// What is not shown, and how to go on.
fn notices(page: &Page<'_>, lines: usize) -> Vec<String> {
    let mut notices = Vec::new();
    if let Some(chars) = page.cut {
        let (line, shown) = (page.first, grouped(page.text.chars().count() as u64));
        let chars = grouped(chars as u64);
        notices.push(format!("Line {line} is cut: the first {shown} of its {chars} characters are shown."));
    }
    let next = page.last + 1;
    if next == lines {
        notices.push(format!("Line {next} remains; continue with start_line {next}."));
    } else if next < lines {
        notices.push(format!("Lines {next}-{lines} remain; continue with start_line {next}."));
    }
    notices
}

fn beyond_the_end(path: &WorkspacePath, start: usize, lines: usize) -> Refusal {
    let text = match lines {
        0 => format!("{path} is empty, so start_line {start} is beyond its end. Leave start_line out."),
        1 => format!("{path} has 1 line, so start_line {start} is beyond its end. Use start_line 1."),
        _ => format!(
            "{path} has {lines} lines, so start_line {start} is beyond its end. Use a start_line from 1 to {lines}."
        ),
    };
    Refusal::new(Code::WorkspaceInvalidLineRange, text)
}
