//! Which calls the loop guard holds back, and at which step it ends a run.

use handrail::protocol::{Effect, Receipt, ReceiptError, ReceiptOutcome};
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay, receipt};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let actual = if input["op"] == "steps" { steps(input) } else { repeat(input) };
    actual.and_then(|actual| case::same_json("answer", &actual, expect)).into()
}

fn begin(input: &Value, names: &[&str]) -> Result<Replay, String> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    let tool = |name: &&str| {
        let schema = json!({"type": "object"});
        json!({"extensionId": "loop", "name": name, "description": "A tool.", "inputSchema": schema})
    };
    let mut replay = Replay::new();
    let allow = replay.register(names.iter().map(tool).collect())?;
    let guard = input.get("enabled").cloned().unwrap_or(true.into());
    let profile = json!({"run": {"loopGuard": guard}});
    replay.begin(allow, Options { profile, ..Options::default() })?;
    Ok(replay)
}

fn call(place: usize, name: &str, args: &str) -> Value {
    json!({"callId": format!("case_{place}"), "callName": name, "arguments": {"json": args}})
}

fn repeat(input: &Value) -> Result<Value, String> {
    let calls = input["calls"].as_array().ok_or("no calls")?;
    let names: Vec<&str> = calls.iter().filter_map(|call| call["tool"].as_str()).collect();
    let mut replay = begin(input, &names)?;
    let mut answers = Vec::new();
    for (place, said) in calls.iter().enumerate() {
        let text = |member: &str| said[member].as_str().unwrap_or_default();
        let mut ran = false;
        replay.handle(&[call(place, text("tool"), text("args"))], |effect| {
            ran = true;
            ends(effect, said["ok"] == true)
        })?;
        let record = replay.record(&format!("case_{place}"))?;
        answers.push(match (ran, record["errorCode"].as_str()) {
            (true, _) => "runs",
            (false, Some("tool.loop_blocked")) => "blocked",
            (false, _) => "answered with something else",
        });
    }
    Ok(json!({"calls": answers}))
}

fn ends(effect: &Effect, ok: bool) -> Receipt {
    if ok {
        return receipt(effect, ReceiptOutcome::Ok, json!({"value": "done"}));
    }
    let error = Some(ReceiptError { message: "no".into(), ..ReceiptError::default() });
    Receipt { error, payload: None, ..receipt(effect, ReceiptOutcome::Failed, Value::Null) }
}

fn steps(input: &Value) -> Result<Value, String> {
    let names: Vec<&str> =
        input["steps"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut replay = begin(input, &names)?;
    for (place, name) in names.iter().enumerate() {
        let handled = replay.handle(&[call(place, name, "{}")], |effect| ends(effect, true));
        let failed = replay.payloads("run_failed").next();
        match failed {
            Some(failed) if failed["code"] == "agent.loop_detected" => {
                return Ok(json!({"stopsAt": place + 1}));
            }
            Some(failed) => return Err(format!("the run failed: {failed}")),
            None => handled?,
        }
    }
    Ok(json!({"stopsAt": null}))
}
