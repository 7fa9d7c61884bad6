//! Which calls of a reply are handed on, and what the others are answered with.

use handrail::protocol::ReceiptOutcome;
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay, receipt};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    if input["turn"]["snapshotId"] != input["snapshot"]["id"] {
        return Verdict::Skipped("a step whose contract is stale cannot be made from outside".into());
    }
    check(input, expect).unwrap_or_else(Verdict::Failed)
}

fn check(input: &Value, expect: &Value) -> Result<Verdict, String> {
    let mut replay = Replay::new();
    let built = replay.tool_ids()?;
    let calls = input["calls"].as_array().ok_or("no calls")?;
    let mut allow = Vec::new();
    for binding in input["snapshot"]["bindings"].as_array().into_iter().flatten() {
        let id = binding["id"].as_str().unwrap_or_default();
        if !input["turn"]["tools"].as_array().is_some_and(|tools| tools.contains(&binding["id"])) {
            continue;
        }
        let alias = binding["alias"].as_str().map_or_else(|| alias_of(id), str::to_owned);
        if id.starts_with("extension/") {
            allow.extend(register(&mut replay, id, &alias)?);
        } else if id.starts_with("builtin:") && !built.iter().any(|native| native == id) {
            if calls.iter().any(|call| call["callName"] == alias.as_str()) {
                return Ok(Verdict::Skipped(format!("{id} is not built")));
            }
        } else {
            allow.push(id.into());
        }
    }
    let tool_choice = input["turn"].get("choice").cloned();
    replay.begin(allow, Options { tool_choice, ..Options::default() })?;
    replay.handle(calls, |effect| receipt(effect, ReceiptOutcome::Ok, json!({"value": "done"})))?;
    case::same_json("results", &results(&mut replay, calls)?, &expect["results"])?;
    Ok(Verdict::Passed)
}

fn alias_of(id: &str) -> String {
    id.trim_start_matches("builtin:").replace('.', "_")
}

/// Registers an extension tool so that it gets this alias: `x__2` needs another tool that takes `x` first.
fn register(replay: &mut Replay, id: &str, alias: &str) -> Result<Vec<Value>, String> {
    let (extension, name) = id.trim_start_matches("extension/").split_once(':').ok_or("no extension id")?;
    let place = alias.rsplit_once("__").and_then(|(_, digits)| digits.parse::<usize>().ok()).unwrap_or(1);
    let before = (1..place).map(|number| format!("before-{number}"));
    let owners = before.chain([extension.to_owned()]);
    let tool = |owner| {
        json!({
            "extensionId": owner, "name": name, "description": "A tool.", "inputSchema": {"type": "object"},
        })
    };
    replay.register(owners.map(tool).collect())
}

fn results(replay: &mut Replay, calls: &[Value]) -> Result<Value, String> {
    let mut results = Vec::new();
    for call in calls {
        let call_id = call["callId"].as_str().unwrap_or_default();
        let started = replay.payloads("tool_call_started").find(|payload| payload["callId"] == call_id);
        results.push(match started {
            Some(payload) => json!({"callId": call_id, "outcome": "dispatch", "toolId": payload["toolId"]}),
            None => {
                let record = replay.record(call_id)?;
                let (code, is_error) = (&record["errorCode"], &record["isError"]);
                json!({"callId": call_id, "outcome": "error", "code": code, "isError": is_error})
            }
        });
    }
    Ok(results.into())
}
