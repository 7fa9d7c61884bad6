//! The conformance cases of the file tools, run on the rooms themselves: tool, effect, workspace.

#![cfg(feature = "testing")]
// Test code: a case that does not read is a failed test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use handrail::protocol::{BoundNames, Outcome};
use handrail::testing::{self, Verdict, case, workspace_paths};
use handrail::tool::{self, Context, DiceSeed, ToolEffect};
use handrail::workspace::{Digest, File, ReadState, Roots, Tree, WorkspacePath, apply};
use serde_json::{Map, Value, json};

/// One invocation over some files.
struct Invocation {
    tree: Tree,
    roots: Roots,
    state: ReadState,
    names: BoundNames,
}

impl Invocation {
    fn new(input: &Value) -> Self {
        let names = tool::TOOLS.iter().map(|spec| (spec.native.to_owned(), spec.native.replace('.', "_")));
        Self {
            tree: Tree::default(),
            roots: workspace_paths::roots(input),
            state: ReadState::default(),
            names: names.collect(),
        }
    }

    /// Puts a file where no tool would: an internal one too.
    fn put(&mut self, path: &str, bytes: &[u8]) {
        let path = WorkspacePath::parse(path).unwrap();
        let file = Arc::new(File::new(bytes));
        if self.tree.write(&path, Arc::clone(&file)).is_err() {
            self.tree.record(&path, file).unwrap();
        }
    }

    /// Runs a tool and does what it wants done.
    fn call(&mut self, native: &str, arguments: &Value) -> Outcome {
        let context = Context {
            workspace: &self.tree,
            roots: &self.roots,
            read_state: &self.state,
            names: &self.names,
            dice: DiceSeed::default(),
        };
        let empty = Map::new();
        let (outcome, effect) =
            match (tool::find(native).unwrap().run)(&context, arguments.as_object().unwrap_or(&empty)) {
                Ok(done) => (done.outcome, done.effect),
                Err(refused) => (Outcome::refused(refused.refusal), refused.effect),
            };
        if let ToolEffect::File(effect) = effect
            && let Err(refusal) = apply(&mut self.tree, &mut self.state, *effect, &self.names)
        {
            return Outcome::refused(refusal);
        }
        outcome
    }
}

/// Runs all cases of a topic; how many were skipped is part of the expectation.
fn run(topic: &str, skipped: usize, check: fn(&Value, &Value) -> Verdict) {
    let path = format!("{}/tests/vectors/{topic}.json", env!("CARGO_MANIFEST_DIR"));
    let content = case::json_text(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut failed, mut passed_over) = (Vec::new(), 0);
    for case in content["cases"].as_array().unwrap() {
        match check(&case["input"], &case["expect"]) {
            Verdict::Passed => {}
            Verdict::Skipped(_) => passed_over += 1,
            Verdict::Failed(text) => failed.push(format!("{} ({}): {text}", case["id"], case["why"])),
        }
    }
    assert!(failed.is_empty(), "{topic}: {} failed\n{}", failed.len(), failed.join("\n"));
    assert_eq!(passed_over, skipped, "{topic}: cases passed over");
}

/// Status and code; `true` if the case wants an error and has it.
fn is_error(outcome: &Outcome, expect: &Value) -> Result<bool, String> {
    let actual = json!({"isError": outcome.status.is_error(), "code": outcome.code});
    case::same_json(&format!("isError ({})", outcome.text()), &actual["isError"], &expect["isError"])?;
    if expect.get("code").is_some() {
        case::same_json("code", &actual["code"], &expect["code"])?;
    }
    Ok(outcome.status.is_error())
}

#[test]
fn single_functions() {
    run("text_metrics", 0, |input, expect| testing::run("text_metrics", input, expect).unwrap());
    run("dice", 0, |input, expect| testing::run("dice", input, expect).unwrap());
    // Deleting is a tool that is not built.
    run("workspace_paths", 10, |input, expect| testing::run("workspace_paths", input, expect).unwrap());
    // Reading messages is a tool that is not built.
    run("builtin_arguments", 18, |input, expect| testing::run("builtin_arguments", input, expect).unwrap());
    run("workspace_search", 20, |input, expect| match input["op"].as_str() {
        Some("tokens") => testing::run("workspace_tokens", input, expect).unwrap(),
        _ => Verdict::Skipped("another op".into()),
    });
}

#[test]
fn read_file() {
    run("read_file", 0, |input, expect| read_file_case(input, expect).into());
}

fn read_file_case(input: &Value, expect: &Value) -> Result<(), String> {
    let mut invocation = Invocation::new(input);
    let path = input["path"].as_str().unwrap();
    invocation.put(path, case::text_of(input, "text").as_bytes());
    let mut arguments = input["args"].clone();
    arguments["path"] = path.into();
    let outcome = invocation.call("workspace.read_file", &arguments);
    if is_error(&outcome, expect)? {
        return Ok(());
    }
    let text = outcome.text();
    let (header, rest) = text.split_once('\n').unwrap_or((&text, ""));
    // `path lines a-b of n, chars c, words w[ (preview)]`
    let numbers: Vec<&str> =
        header.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect();
    let [first, last, lines, chars, _words] = numbers[..] else { return Err(format!("header {header:?}")) };
    assert!(header.starts_with(&format!("{path} lines ")), "{header}");
    let number = |text: &str| text.parse::<usize>().unwrap();
    let count = if number(last) == 0 { 0 } else { number(last) + 1 - number(first) };
    let rows: Vec<&str> = rest.split('\n').take(count).collect();
    let notices: Vec<&str> = rest.split('\n').skip(count).collect();
    let seen = invocation.state.get(&WorkspacePath::parse(path).unwrap()).unwrap();
    let mut actual = json!({
        "isError": false,
        "totalLines": number(lines),
        "totalChars": number(chars),
        "startLine": number(first),
        "endLine": number(last),
        "fullRead": seen.full_read,
        "preview": header.ends_with("(preview)"),
        "rows": rows.join("\n"),
        "rowsSha256": Digest::of(rows.join("\n").as_bytes()),
        "firstRow": rows.first(),
        "lastRow": rows.last(),
    });
    let hint = notices.iter().find_map(|notice| notice.split_once("continue with start_line "));
    actual["nextLine"] = hint.map_or(Value::Null, |(_, line)| number(line.trim_end_matches('.')).into());
    if let Some(cut) = expect.get("cutLine") {
        let row = rows[0].split_once(" | ").unwrap().1;
        assert!(row.chars().count() <= cut["maxChars"].as_u64().unwrap() as usize);
        assert!(case::text_of(input, "text").starts_with(row));
        assert!(notices[0].contains("is cut"), "{notices:?}");
        actual["cutLine"] = cut.clone();
    }
    case::pins(&actual, expect)
}

#[test]
fn list_files() {
    run("list_files", 0, |input, expect| list_files_case(input, expect).into());
}

fn list_files_case(input: &Value, expect: &Value) -> Result<(), String> {
    let mut invocation = Invocation::new(input);
    for path in input["files"].as_array().into_iter().flatten() {
        invocation.put(path.as_str().unwrap(), b"x");
    }
    for path in input["dirs"].as_array().into_iter().flatten() {
        let path = WorkspacePath::parse(path.as_str().unwrap()).unwrap();
        invocation.tree.create_directory(&path).unwrap();
    }
    let outcome = invocation.call("workspace.list_files", &input["args"]);
    if is_error(&outcome, expect)? {
        return Ok(());
    }
    let (text, structured) = (outcome.text(), outcome.structured.clone().unwrap());
    let entries = structured["entries"].as_array().unwrap();
    case::same_json("truncated", &structured["truncated"], &expect["truncated"])?;
    for wanted in expect["must"].as_array().into_iter().flatten() {
        if !entries.contains(wanted) {
            return Err(format!("{wanted} is not listed: {structured}"));
        }
        let slash = if wanted["kind"] == "directory" { "/" } else { "" };
        let line = format!("{}{slash}", wanted["path"].as_str().unwrap());
        if !text.lines().any(|shown| shown == line) {
            return Err(format!("no line {line}: {text}"));
        }
    }
    for unwanted in expect["mustNot"].as_array().into_iter().flatten() {
        if entries.iter().any(|entry| entry["path"] == *unwanted) {
            return Err(format!("{unwanted} is listed"));
        }
    }
    if let Some(count) = expect.get("entryCount") {
        case::same_json("entryCount", &entries.len().into(), count)?;
        assert!(text.contains("Only the first"), "{text}");
    }
    Ok(())
}

#[test]
fn workspace_search() {
    // The cases of `tokens` are run as single functions.
    run("workspace_search", 4, |input, expect| match input["op"].as_str() {
        Some("search") => search_case(input, expect).into(),
        _ => Verdict::Skipped("another op".into()),
    });
}

fn search_case(input: &Value, expect: &Value) -> Result<(), String> {
    let mut invocation = Invocation::new(input);
    for (path, content) in input["files"].as_object().unwrap() {
        let hex = content.get("hex").and_then(Value::as_str);
        let bytes = hex.map(|hex| {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2).unwrap(), 16).unwrap())
        });
        let bytes = bytes.map_or_else(|| case::text(content).into_bytes(), Iterator::collect);
        invocation.put(path, &bytes);
    }
    let outcome = invocation.call("workspace.search_files", &input["args"]);
    if is_error(&outcome, expect)? {
        return Ok(());
    }
    let (text, structured) = (outcome.text(), outcome.structured.clone().unwrap());
    case::same_json("skippedFiles", &structured["skippedFiles"], &expect["skippedFiles"])?;
    let (hits, wanted) = (structured["hits"].as_array().unwrap(), expect["hits"].as_array().unwrap());
    if hits.len() != wanted.len() {
        return Err(format!("{} hits: {structured}", hits.len()));
    }
    for (hit, wanted) in hits.iter().zip(wanted) {
        let mut wanted = wanted.clone();
        let score: f64 = wanted["score"].as_str().unwrap().parse().unwrap();
        assert!((hit["score"].as_f64().unwrap() - score).abs() < 0.0006, "{hit}");
        wanted["score"] = hit["score"].clone();
        case::pins(hit, &wanted)?;
        let line = format!(
            "{} score {score:.3} ref {}\n",
            hit["path"].as_str().unwrap(),
            hit["ref"].as_str().unwrap()
        );
        let block = line + hit["snippet"].as_str().unwrap();
        assert!(text.contains(&block), "{text}");
    }
    Ok(())
}

#[test]
fn file_edits() {
    // Those with several edits in one call belong to a tool that is not built.
    run("file_edits", 5, |input, expect| match input["steps"].as_array() {
        Some(steps) if steps.iter().any(|step| step["op"] == "edit") => {
            Verdict::Skipped("no such tool".into())
        }
        _ => file_edits_case(input, expect).into(),
    });
}

fn file_edits_case(input: &Value, expect: &Value) -> Result<(), String> {
    let mut invocation = Invocation::new(input);
    for (path, content) in input["files"].as_object().unwrap() {
        invocation.put(path, case::text(content).as_bytes());
    }
    for path in input["dirs"].as_array().into_iter().flatten() {
        let path = WorkspacePath::parse(path.as_str().unwrap()).unwrap();
        invocation.tree.create_directory(&path).unwrap();
    }
    let steps = input["steps"].as_array().unwrap().iter().zip(expect["steps"].as_array().unwrap());
    for (number, (step, expect)) in steps.enumerate() {
        file_edits_step(&mut invocation, step, expect).map_err(|text| format!("step {number}: {text}"))?;
    }
    for (path, content) in expect["files"].as_object().unwrap() {
        let file =
            invocation.tree.file(&WorkspacePath::parse(path).unwrap()).ok_or(format!("{path} is gone"))?;
        case::same_text(path, file.text().unwrap_or("(no text)"), &case::text(content))?;
    }
    Ok(())
}

fn file_edits_step(invocation: &mut Invocation, step: &Value, expect: &Value) -> Result<(), String> {
    let member = |arguments: &mut Value, name: &str, key: &str| {
        if let Some(value) = step.get(key) {
            arguments[name] = if value.is_object() { case::text(value).into() } else { value.clone() };
        }
    };
    let mut arguments = json!({"path": step["path"]});
    let native = match step["op"].as_str().unwrap() {
        "outside_write" => {
            invocation.put(step["path"].as_str().unwrap(), case::text_of(step, "content").as_bytes());
            return Ok(());
        }
        "read" => {
            member(&mut arguments, "start_line", "start_line");
            member(&mut arguments, "line_count", "line_count");
            "workspace.read_file"
        }
        "write" => {
            member(&mut arguments, "content", "content");
            member(&mut arguments, "mode", "mode");
            "workspace.write_file"
        }
        "patch" => {
            member(&mut arguments, "old_string", "old");
            member(&mut arguments, "new_string", "new");
            member(&mut arguments, "replace_all", "replace_all");
            "workspace.apply_patch"
        }
        other => return Err(format!("no such step: {other}")),
    };
    let outcome = invocation.call(native, &arguments);
    let failed = is_error(&outcome, expect)?;
    case::check_text(&outcome.text(), expect)?;
    if failed {
        return Ok(());
    }
    if let Some(full) = expect.get("fullRead") {
        let path = WorkspacePath::parse(step["path"].as_str().unwrap()).unwrap();
        case::same_json("fullRead", &invocation.state.get(&path).unwrap().full_read.into(), full)?;
    }
    if let Some(structured) = expect.get("structured") {
        case::same_json("structured", &outcome.structured.unwrap(), structured)?;
    }
    Ok(())
}
