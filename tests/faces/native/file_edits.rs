//! Reads, writes and patches of one invocation, one after another, and changes from outside in between.

use handrail::testing::{Verdict, case};
use serde_json::{Map, Value, json};

use super::read_file::parse;
use super::replay::{Options, Replay};

/// Longer files are not compared.
const COMPARED: usize = 4_000;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).unwrap_or_else(Verdict::Failed)
}

fn check(input: &Value, expect: &Value) -> Result<Verdict, String> {
    let mut replay = Replay::new();
    replay.write(&input["files"])?;
    replay.make_directories(&input["dirs"])?;
    let steps = input["steps"].as_array().ok_or("no steps")?;
    let edits = steps.iter().any(|step| step["op"] == "edit");
    let allow =
        ["read_file", "write_file", "apply_patch"].map(|name| json!(format!("builtin:workspace.{name}")));
    let profile = json!({"features": {"multiEdit": edits}});
    replay.begin(allow.into(), Options { profile, ..Options::default() })?;
    if edits && !replay.names().iter().any(|name| name == "workspace_edit") {
        return Ok(Verdict::Skipped("workspace.edit is not built".into()));
    }
    for (place, step) in steps.iter().enumerate() {
        check_step(&mut replay, step, &expect["steps"][place])
            .map_err(|problem| format!("step {} ({}): {problem}", place + 1, step["op"]))?;
    }
    let mut after = replay.files()?;
    after.retain(|_, content| content.as_str().is_some_and(|text| text.chars().count() <= COMPARED));
    case::same_json("files", &after.into(), &expect["files"])?;
    Ok(Verdict::Passed)
}

fn check_step(replay: &mut Replay, step: &Value, expect: &Value) -> Result<(), String> {
    let (name, members): (&str, &[(&str, &str)]) = match step["op"].as_str().unwrap_or_default() {
        "outside_write" => {
            let path = step["path"].as_str().unwrap_or_default();
            return replay.write(&json!({path: step["content"]}));
        }
        "read" => (
            "workspace_read_file",
            &[("path", "path"), ("start_line", "start_line"), ("line_count", "line_count")],
        ),
        "write" => ("workspace_write_file", &[("path", "path"), ("content", "content"), ("mode", "mode")]),
        "patch" => (
            "workspace_apply_patch",
            &[("path", "path"), ("old", "old_string"), ("new", "new_string"), ("replace_all", "replace_all")],
        ),
        "edit" => ("workspace_edit", &[("path", "path"), ("edits", "edits")]),
        other => return Err(format!("no such step: {other}")),
    };
    let argument = |(member, name): &(&str, &str)| {
        let value = step.get(*member)?;
        // A Text; paths and modes are strings, which are Texts too.
        let value = if value.is_object() { case::text(value).into() } else { value.clone() };
        Some(((*name).to_owned(), value))
    };
    let arguments: Map<String, Value> = members.iter().filter_map(argument).collect();
    let ended = replay.call(name, &arguments.into())?;
    let mut facts = ended.facts();
    if name == "workspace_read_file" && facts["isError"] == false {
        let path = step["path"].as_str().unwrap_or_default();
        facts["fullRead"] = parse(path, &ended.shown)?["fullRead"].clone();
    }
    case::check_text(&ended.shown, expect)?;
    let mut pinned = expect.clone();
    if let Some(pinned) = pinned.as_object_mut() {
        pinned.retain(|member, _| !matches!(member.as_str(), "contains" | "numbers"));
    }
    case::pins(&facts, &pinned)
}
