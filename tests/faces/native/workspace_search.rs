//! What a search in the workspace finds and shows.

use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    if input["op"] != "search" {
        return Verdict::Skipped(format!("{} is a single function, which no face offers", input["op"]));
    }
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let mut replay = Replay::new();
    replay.write(&input["files"])?;
    replay.begin(vec!["builtin:workspace.search_files".into()], Options::default())?;
    let ended = replay.call("workspace_search_files", &input["args"])?;
    if expect["isError"] == true {
        return case::pins(&ended.facts(), expect);
    }
    case::same_json("isError", &ended.facts()["isError"], &expect["isError"])?;
    case::same_json("hits", &hits(&ended.shown).into(), &expect["hits"])?;
    case::same_json("skippedFiles", &skipped_files(&ended.shown).into(), &expect["skippedFiles"])
}

/// The hits, as the model reads them: `path score 1.000 ref workspace:path#L1-L3`, then the rows.
fn hits(shown: &str) -> Vec<Value> {
    let mut hits: Vec<Value> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for line in shown.lines() {
        if let Some(hit) = header(line) {
            rows.clear();
            hits.push(hit);
        } else if let (true, Some(hit)) = (is_row(line), hits.last_mut()) {
            rows.push(line);
            hit["snippet"] = rows.join("\n").into();
        }
    }
    hits
}

fn header(line: &str) -> Option<Value> {
    let (path, rest) = line.rsplit_once(" score ")?;
    let (score, place) = rest.split_once(" ref ")?;
    let (_, lines) = place.strip_prefix("workspace:")?.rsplit_once("#L")?;
    let (start, end) = lines.split_once("-L")?;
    let (start, end): (u64, u64) = (start.parse().ok()?, end.parse().ok()?);
    Some(json!({"path": path, "score": score, "ref": place, "startLine": start, "endLine": end}))
}

fn is_row(line: &str) -> bool {
    let number = line.trim_start().split_once(" | ").map(|(number, _)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn skipped_files(shown: &str) -> u64 {
    let said = shown.lines().find_map(|line| {
        let (before, _) = line.split_once(" were skipped").or_else(|| line.split_once(" was skipped"))?;
        before.strip_suffix(" files").or_else(|| before.strip_suffix(" file"))
    });
    let digits = said.and_then(|said| said.rsplit(' ').next()).unwrap_or("0");
    digits.replace(',', "").trim_start_matches('(').parse().unwrap_or_default()
}
