//! `workspace.list_files`: which files there are (BT-40 to BT-42).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::members::{Whole, read};
use super::schema::schema_of;
use super::{Context, Done, Effect, Refused, Run, Spec, ToolEffect};
use crate::arguments::{Claim, Rules};
use crate::protocol::limits::{LIST_DEPTH, LIST_DEPTH_DEFAULT, LIST_ENTRIES};
use crate::protocol::{BoundNames, Code, Outcome, Refusal};
use crate::workspace::refusal::{grouped, path_not_found};
use crate::workspace::{Entry, Found, Walk, WorkspacePath};

pub(super) const SPEC: Spec = Spec {
    native: "workspace.list_files",
    title: "List files",
    effect: Effect::Read,
    parallel: true,
    schema: schema_of::<Args<'static>>,
    description,
    summary: "List {path}",
    about: Some("path"),
    rules: Rules::builtin(&[Claim { member: "depth", keyword: "maximum" }]),
    run: Run::Here(run),
};

/// The arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args<'a> {
    /// The directory to list, for example output/drafts; the top level of the workspace if left out.
    #[schemars(extend("default" = ""))]
    path: Option<&'a str>,
    /// How many levels to list, 0 to 4; 2 if left out. 0 shows only the entry itself.
    #[schemars(range(min = 0, max = 4), extend("default" = 2))]
    depth: Option<Whole>,
}

fn description(names: &BoundNames) -> String {
    let mut text = String::from(
        "Lists the files and directories of the workspace, sorted by path; directories end with a slash. Without a \
         path it starts at the top level. At most 200 entries are shown; if there are more, list a directory below or \
         use a smaller depth.",
    );
    if let Some(read) = names.of("workspace.read_file") {
        text.push_str(&format!(" To see what is in a file, use {read}."));
    }
    if let Some(search) = names.of("workspace.search_files") {
        text.push_str(&format!(" To find words inside files, use {search}."));
    }
    text
}

/// The path of a listing or a search: `None` for the top level (BT-40).
pub(super) fn start(context: &Context<'_>, path: Option<&str>) -> Result<Option<WorkspacePath>, Refusal> {
    match path.map(str::trim) {
        None | Some("" | "." | "./") => Ok(None),
        Some(path) => context.roots.read(path).map(Some),
    }
}

fn run(context: &Context<'_>, arguments: &Map<String, Value>) -> Result<Done, Refused> {
    let args: Args<'_> = read(arguments)?;
    let depth = args.depth.map_or(Ok(LIST_DEPTH_DEFAULT), |depth| depth.at_least("depth", 0))?;
    if depth > LIST_DEPTH {
        return Err(too_deep().into());
    }
    let start = start(context, args.path)?;
    let mut entries: Vec<Found<'_>> = Vec::new();
    let walk = match &start {
        None => Walk::roots(context.workspace, context.roots, depth),
        Some(path) => {
            let entry = context.workspace.get(path).ok_or_else(|| path_not_found(path, context.names))?;
            if depth == 0 || matches!(entry, Entry::File(_)) {
                entries.push(Found { path: path.to_string(), level: 0, entry });
            }
            Walk::below(context.workspace, path, depth)
        }
    };
    let mut more = 0_u64;
    for found in walk {
        if entries.len() < LIST_ENTRIES {
            entries.push(found);
        } else {
            more += 1;
        }
    }
    let place = start.map_or_else(|| "the workspace".to_owned(), |path| path.to_string());
    Ok(Done { outcome: outcome(&place, &entries, more), effect: ToolEffect::None })
}

fn outcome(place: &str, entries: &[Found<'_>], more: u64) -> Outcome {
    let mut lines: Vec<String> = entries.iter().map(Found::shown).collect();
    if lines.is_empty() {
        lines.push(format!("Nothing to list in {place}."));
    }
    if more > 0 {
        let (shown, all) = (entries.len(), grouped(entries.len() as u64 + more));
        lines.push(format!(
            "Only the first {shown} of {all} entries are shown; list a directory below, or use a smaller depth."
        ));
    }
    let listed: Vec<Value> = entries
        .iter()
        .map(|found| {
            let kind = match found.entry {
                Entry::File(_) => "file",
                Entry::Directory(_) => "directory",
            };
            json!({"path": found.path, "kind": kind})
        })
        .collect();
    let structured = json!({"entries": listed, "truncated": more > 0});
    let mut outcome = Outcome::ok(lines.join("\n"), Some(structured));
    outcome.display = Some(json!({"kind": "plain", "title": format!("List {place}")}));
    outcome
}

fn too_deep() -> Refusal {
    Refusal::new(
        Code::WorkspaceListDepthTooLarge,
        "`depth` may be 0 to 4. Use a smaller depth and list the directories below one by one.",
    )
}
