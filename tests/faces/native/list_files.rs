//! What a listing shows.

use handrail::testing::{Verdict, case};
use serde_json::{Map, Value, json};

use super::replay::{Options, Replay};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let mut replay = Replay::new();
    let paths = input["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let files: Map<String, Value> = paths.map(|path| (path.to_owned(), "x".into())).collect();
    replay.write(&files.into())?;
    replay.make_directories(&input["dirs"])?;
    let profile = match input.get("visibleRoots") {
        Some(roots) => json!({"workspace": {"visibleRoots": roots}}),
        None => json!({}),
    };
    let allow = vec!["builtin:workspace.list_files".into()];
    replay.begin(allow, Options { profile, ..Options::default() })?;
    let ended = replay.call("workspace_list_files", &input["args"])?;
    let mut facts = ended.facts();
    if expect["isError"] == true {
        return case::pins(&facts, expect);
    }
    let structured = facts["structured"].take();
    let entries = structured["entries"].as_array().ok_or("no entries")?;
    facts["truncated"] = structured["truncated"].clone();
    facts["entryCount"] = entries.len().into();
    let mut pinned = expect.clone();
    if let Some(pinned) = pinned.as_object_mut() {
        pinned.retain(|member, _| !matches!(member.as_str(), "must" | "mustNot"));
    }
    case::pins(&facts, &pinned)?;
    check_entries(entries, &ended.shown, expect)?;
    let listed = |line: &str| entries.iter().any(|entry| entry["path"] == line.trim_end_matches('/'));
    if structured["truncated"] == true && ended.shown.lines().all(listed) {
        return Err("no line says that the listing was cut".into());
    }
    Ok(())
}

fn check_entries(entries: &[Value], shown: &str, expect: &Value) -> Result<(), String> {
    for wanted in expect["must"].as_array().into_iter().flatten() {
        let same = |entry: &Value| entry["path"] == wanted["path"] && entry["kind"] == wanted["kind"];
        if !entries.iter().any(same) {
            return Err(format!("{wanted} is not listed"));
        }
        let slash = if wanted["kind"] == "directory" { "/" } else { "" };
        let line = format!("{}{slash}", wanted["path"].as_str().unwrap_or_default());
        if !shown.lines().any(|shown| shown == line) {
            return Err(format!("the text has no line {line}: {shown}"));
        }
    }
    for unwanted in expect["mustNot"].as_array().into_iter().flatten() {
        if entries.iter().any(|entry| entry["path"] == *unwanted) {
            return Err(format!("{unwanted} must not be listed"));
        }
    }
    Ok(())
}
