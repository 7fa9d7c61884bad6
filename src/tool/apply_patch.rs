//! `workspace.apply_patch`: replaces an exact text in one file (BT-80 to BT-84).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::members::{read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec};
use crate::arguments::{Claim, Rules};
use crate::protocol::{BoundNames, Code, Outcome, Refusal};
use crate::workspace::patch::{Absence, hunks, length_after, occurrences};
use crate::workspace::refusal::{self, grouped, with};
use crate::workspace::{Entry, File, FileEffect, WorkspacePath};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.apply_patch",
    title: "Change file",
    effect: Effect::Write,
    parallel: false,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Change {path}",
    about: Some("path"),
    rules: Rules::builtin(&[Claim { member: "old_string", keyword: "minLength" }]),
    run: Run::Here(run),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The file to change, for example output/notes.md.
    path: &'a str,
    /// The text to replace, exactly as it stands in the file, without the line numbers of a read.
    #[schemars(length(min = 1))]
    old_string: &'a str,
    /// The text to put in its place; may be empty.
    new_string: &'a str,
    /// true replaces every occurrence, false needs exactly one; false if left out.
    #[schemars(extend("default" = false))]
    replace_all: Option<bool>,
}

fn description(names: &BoundNames) -> String {
    let mut text = format!(
        "Replaces an exact text in one file. It is no diff and takes no patterns: copy old_string from the file \
         character by character, with its white space and line breaks, and with enough around it that it occurs only \
         once, or set replace_all. The file must have been read before{}; if only some of its lines were, old_string \
         must lie within lines shown together, and replace_all is not possible.",
        with(names, "workspace.read_file"),
    );
    if let Some(write) = names.of("workspace.write_file") {
        text.push_str(&format!(" To make a file, to replace all of it or to add at its end, use {write}."));
    }
    text
}

/// The checks stand in the order of BT-81.
fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let path = required("path", args.path)?;
    let (old, new) = (args.old_string, args.new_string);
    let all = args.replace_all.unwrap_or(false);
    if old.is_empty() {
        return Err(empty_old(context.names).into());
    }
    if old == new {
        return Err(no_change().into());
    }
    let path = context.roots.write(path)?;
    let names = context.names;
    let seen = context.read_state.get(&path).ok_or_else(|| requires_read(&path, names))?;
    if seen.patch_requires_full_read {
        return Err(requires_full_read(&path, names, Unseen::Flag).into());
    }
    // A failure of a patch that was made from partial knowledge has consequences (FC-04).
    let refuse = |refusal: Refusal| match seen.full_read {
        true => Refused::from(refusal),
        false => Refused { refusal, effect: FileEffect::FullReadRequired { path: path.clone() }.into() },
    };
    if !seen.full_read && all {
        return Err(refuse(requires_full_read(&path, names, Unseen::All)));
    }
    if !seen.full_read && !seen.observed(old) {
        return Err(refuse(requires_full_read(&path, names, Unseen::Text)));
    }
    let file = match context.workspace.get(&path) {
        None => return Err(refuse(refusal::patch_gone(&path, names))),
        Some(Entry::Directory(_)) => return Err(refuse(refusal::is_directory(&path))),
        Some(Entry::File(file)) => file,
    };
    if file.sha256() != seen.sha256 {
        return Err(refuse(refusal::patch_stale(&path, names)));
    }
    let text = file.text().ok_or_else(|| refuse(refusal::not_text(&path)))?;
    let count = occurrences(text, old);
    if count == 0 {
        return Err(refuse(not_found(&path, Absence::of(text, old), names)));
    }
    if count > 1 && !all {
        return Err(refuse(not_unique(&path, count)));
    }
    context.workspace.check_size(&path, length_after(text, old, new, count))?;
    let changed = File::of_text(text.replace(old, new));
    let mut outcome = outcome(&path, file, &changed, count);
    outcome.display = Some(json!({
        "kind": "file_diff",
        "title": format!("Change {path}"),
        "path": path.as_str(),
        "hunks": hunks(text, old, new),
    }));
    let (before, file) = (file.sha256(), Arc::new(changed));
    let effect = FileEffect::Patched { path, file, before, old: old.into(), new: new.into() };
    Ok(Done { outcome, effect: effect.into() })
}

fn outcome(path: &WorkspacePath, before: &File, after: &File, count: usize) -> Outcome {
    let metrics = after.metrics();
    let structured = json!({
        "path": path.as_str(),
        "chars": metrics.chars,
        "words": metrics.words,
        "oldSha256": before.sha256(),
        "sha256": after.sha256(),
        "replacements": count,
    });
    let replacements = match count {
        1 => "1 replacement".to_owned(),
        _ => format!("{} replacements", grouped(count as u64)),
    };
    let text = format!(
        "Made {replacements} in {path}; it now has chars {}, words {}.",
        metrics.chars, metrics.words
    );
    Outcome::ok(text, Some(structured))
}

fn empty_old(names: &BoundNames) -> Refusal {
    let write = names.of("workspace.write_file");
    let write = write.map(|write| format!(" To add at the end of a file, use {write} with mode append."));
    Refusal::new(
        Code::WorkspacePatchEmptyOldString,
        format!(
            "`old_string` is empty. Copy the text to replace from the file.{}",
            write.unwrap_or_default()
        ),
    )
}

fn no_change() -> Refusal {
    Refusal::new(
        Code::WorkspacePatchNoChange,
        "`old_string` and `new_string` are the same, so nothing would change. Send the text as it should become in \
         `new_string`.",
    )
}

fn requires_read(path: &WorkspacePath, names: &BoundNames) -> Refusal {
    let read = with(names, "workspace.read_file");
    Refusal::new(
        Code::WorkspacePatchRequiresRead,
        format!("{path} has not been read. Read it first{read}, then repeat the change."),
    )
}

/// Why partial knowledge of a file is not enough.
enum Unseen {
    /// A change made from partial knowledge has failed before.
    Flag,
    /// All occurrences are meant.
    All,
    /// The text was not among what was shown.
    Text,
}

fn requires_full_read(path: &WorkspacePath, names: &BoundNames, unseen: Unseen) -> Refusal {
    let why = match unseen {
        Unseen::Flag => format!("A change of {path} has failed because only parts of it were read"),
        Unseen::All => format!("`replace_all` needs the whole of {path}, and only parts of it were read"),
        Unseen::Text => format!("`old_string` is not within the lines of {path} that were read"),
    };
    let read = with(names, "workspace.read_file");
    Refusal::new(
        Code::WorkspacePatchRequiresFullRead,
        format!("{why}. Read the whole file{read}, from its first line to its last, then repeat the change."),
    )
}

fn not_found(path: &WorkspacePath, absence: Absence, names: &BoundNames) -> Refusal {
    let read = with(names, "workspace.read_file");
    let hint = match absence {
        Absence::LineNumbers => {
            "It carries line numbers; remove them and the bar or tab after them.".to_owned()
        }
        Absence::Blanks => {
            "The file has this text with other indentation or trailing spaces; copy them as they are."
                .to_owned()
        }
        Absence::LineBreaks => {
            "The file has this text with other line breaks (CRLF or LF); use those of the file.".to_owned()
        }
        Absence::LaterLines => {
            format!(
                "Its first line is there, but the lines after it differ; read the file again{read} and copy them."
            )
        }
        Absence::Unknown => format!("Read the file again{read} and copy the text as it stands there."),
    };
    Refusal::new(
        Code::WorkspacePatchOldStringNotFound,
        format!("`old_string` does not occur in {path}. {hint}"),
    )
}

fn not_unique(path: &WorkspacePath, count: usize) -> Refusal {
    Refusal::new(
        Code::WorkspacePatchOldStringNotUnique,
        format!(
            "`old_string` occurs {count} times in {path}. Include more surrounding text, or set replace_all to true."
        ),
    )
}
