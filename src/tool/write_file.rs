//! `workspace.write_file`: makes, replaces or grows a file (BT-70 to BT-73).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::members::{read, required};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec};
use crate::arguments::{Claim, Rules};
use crate::protocol::{BoundNames, Code, Mutant, Outcome, Refusal};
use crate::workspace::refusal::{self, grouped, with};
use crate::workspace::text::first_chars;
use crate::workspace::{Entry, File, FileEffect, Guard, WorkspacePath, WriteMode};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.write_file",
    title: "Write file",
    effect: Effect::Write,
    parallel: false,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "Write {path}",
    about: Some("path"),
    rules: Rules::builtin(&[Claim { member: "mode", keyword: "enum" }]),
    run: Run::Here(run),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The file to write, for example output/notes.md.
    path: &'a str,
    /// The text, written exactly as given.
    content: &'a str,
    /// replace makes the content all of the file, append adds it at the end; replace if left out.
    #[schemars(extend("enum" = ["replace", "append"], "default" = "replace"))]
    mode: Option<&'a str>,
}

fn description(names: &BoundNames) -> String {
    let mut text = format!(
        "Writes a text file. Mode replace, the default, makes the file or replaces all that is in it; mode append adds \
         the content at the end, without a line break in between, and makes the file if there is none. Parent \
         directories are made. Before a file that exists is replaced it must have been read{}, and it must not have \
         changed since.",
        with(names, "workspace.read_file"),
    );
    if let Some(patch) = names.of("workspace.apply_patch") {
        text.push_str(&format!(
            " To change a part of a file, use {patch} instead of writing all of it again."
        ));
    }
    text
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let path = required("path", args.path)?;
    let mode = match args.mode {
        None | Some("replace") => WriteMode::Replace,
        Some("append") => WriteMode::Append,
        Some(other) => return Err(no_mode(other).into()),
    };
    let path = context.roots.write(path)?;
    let before = match context.workspace.get(&path) {
        Some(Entry::Directory(_)) => return Err(refusal::is_directory(&path).into()),
        Some(Entry::File(file)) => Some(file),
        None => None,
    };
    let guard = match before {
        None => Guard::MustNotExist,
        Some(before) => {
            if mode == WriteMode::Replace {
                let seen = context.read_state.get(&path);
                let seen = seen.ok_or_else(|| refusal::write_requires_read(&path, context.names))?;
                if seen.sha256 != before.sha256() && !Mutant::StaleWritten.is_on() {
                    return Err(refusal::write_stale(&path, context.names).into());
                }
            }
            Guard::MustMatch(before.sha256())
        }
    };
    let kept = before.filter(|_| mode == WriteMode::Append).map_or(&[][..], |file| file.bytes());
    context.workspace.check_size(&path, kept.len().saturating_add(args.content.len()))?;
    let file = match kept {
        [] => File::of_text(args.content),
        kept => File::new(&[kept, args.content.as_bytes()].concat()),
    };
    let outcome = outcome(&path, &file, mode, before.is_none());
    let effect = FileEffect::Written { path, file: Arc::new(file), mode, guard };
    Ok(Done { outcome, effect: effect.into() })
}

fn outcome(path: &WorkspacePath, file: &File, mode: WriteMode, created: bool) -> Outcome {
    let (verb, name) = match mode {
        WriteMode::Replace => ("Wrote", "replace"),
        WriteMode::Append => ("Appended to", "append"),
    };
    let metrics = file.metrics();
    let size = match file.text() {
        Some(_) => format!("chars {}, words {}", metrics.chars, metrics.words),
        None => format!("{} bytes, which are no text", grouped(file.len() as u64)),
    };
    let structured = json!({
        "path": path.as_str(),
        "mode": name,
        "chars": metrics.chars,
        "words": metrics.words,
        "sha256": file.sha256(),
    });
    let mut outcome = Outcome::ok(format!("{verb} {path}; it now has {size}."), Some(structured));
    outcome.display = Some(json!({
        "kind": "file_write",
        "title": format!("{verb} {path}"),
        "path": path.as_str(),
        "mode": name,
        "created": created,
    }));
    outcome
}

fn no_mode(received: &str) -> Refusal {
    let received = first_chars(received, 100);
    Refusal::new(
        Code::WorkspaceWriteModeInvalid,
        format!("`mode` must be replace or append; received `{received}`. Leave it out to replace."),
    )
}
