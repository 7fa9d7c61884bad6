//! Scripts of `tests/session`: what is handed in at which time, and what has to come out. Effect ids are counted, so
//! a script can name them.
//!
//! A line has inputs, `at` (the time; the last one if missing) and what is expected: `effects`, `journal`, `live` and
//! `replies`, each the whole list in order, each entry with the members that are pinned; a journal event may be just
//! its type; decisions about calls are looked at only in a line that names one. What a line does not name is free. With `restored` the session is replaced by its own snapshot first.

use serde_json::{Map, Value, json};

use super::super::Session;
use super::{call, command, read_cases, restored};

/// Runs every script of a file, once as it is, and once with a restore before every line.
fn run(file: &str) {
    let mut failed = Vec::new();
    for script in &read_cases(file) {
        for restores in [false, true] {
            if let Err(problem) = play(script, restores) {
                failed.push(format!("{} (restores: {restores}): {problem}", script["name"]));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn play(script: &Value, restores: bool) -> Result<(), String> {
    let mut session = Session::new();
    let (mut now, mut rules) = (0, None);
    for (number, line) in script["lines"].as_array().unwrap().iter().enumerate() {
        if restores {
            session = restored(&mut session);
            // A snapshot does not hold the rules (RN-13): a host hands them in again.
            session.step(rules.clone().into_iter().collect(), now);
        }
        now = line["at"].as_u64().unwrap_or(now);
        let inputs: Vec<Value> =
            line["in"].as_array().into_iter().flatten().map(|i| input(script, i)).collect();
        let sets = inputs.iter().find(|input| input["command"]["type"] == "rules.set");
        rules = sets.map(|sets| command(sets["command"].clone())).or(rules);
        let text = Value::Array(inputs).to_string();
        let output = session.step_text(&text, now).map_err(|fault| format!("line {number}: {fault}"))?;
        let output: Value = serde_json::from_str(&output).unwrap();
        check(line, &output).map_err(|problem| format!("line {number}: {problem}"))?;
    }
    Ok(())
}

/// An input, or a short form of one.
fn input(script: &Value, value: &Value) -> Value {
    let (kind, about) = value.as_object().unwrap().iter().next().unwrap();
    match kind.as_str() {
        "tools" => json!({"command": {"type": "registerTools", "tools": tools(about)}}),
        "start" => json!({"command": start(script, about)}),
        "rules" => json!({"command": {"type": "rules.set", "rules": about}}),
        "hooks" => json!({"command": {"type": "registerHooks", "hooks": about}}),
        "answers" => json!({"receipt": answer(&value["to"], about.clone())}),
        "cancel" => json!({"command": {"type": "cancelRun", "runId": about}}),
        "cancelCall" => json!({"command": {"type": "cancelCall", "runId": "run_1", "callId": about}}),
        "says" => json!({"receipt": answer(&value["to"], json!({"reply": said(about)}))}),
        "calls" => json!({"receipt": answer(&value["to"], json!({"reply": reply(about, &value["finish"])}))}),
        "returns" => json!({"receipt": answer(&value["to"], json!({"value": about}))}),
        "ran" => json!({"receipt": answer(&value["to"], output(about))}),
        "throws" => json!({"receipt": {
            "effectId": value["to"], "outcome": "failed", "error": {"code": "thrown", "message": about},
        }}),
        "chunk" => json!({"progress": {"effectId": value["to"], "data": {"chunk": {"choices": [about]}}}}),
        "ends" => {
            let mut receipt = value.clone();
            receipt["outcome"] = receipt.as_object_mut().unwrap().shift_remove("ends").unwrap();
            receipt["effectId"] = receipt.as_object_mut().unwrap().shift_remove("to").unwrap();
            json!({"receipt": receipt})
        }
        _ => value.clone(),
    }
}

/// `[exit code, stdout, stderr]`
fn output(about: &Value) -> Value {
    json!({
        "exitCode": about[0], "stdout": about[1], "stderr": about[2],
        "stdoutTruncated": false, "stderrTruncated": false,
    })
}

fn answer(to: &Value, payload: Value) -> Value {
    json!({"effectId": to, "outcome": "ok", "payload": payload})
}

/// `[[name, members of the registration], …]`
fn tools(about: &Value) -> Value {
    let tool = |tool: &Value| {
        let mut registration = json!({
            "extensionId": "x", "name": tool[0], "description": "A tool.", "inputSchema": {"type": "object"},
        });
        extend(&mut registration, &tool[1]);
        registration
    };
    about.as_array().unwrap().iter().map(tool).collect()
}

fn start(script: &Value, about: &Value) -> Value {
    let mut profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {"allow": [
            "builtin:dice.roll", "builtin:workspace.read_file", "builtin:workspace.write_file",
            "builtin:workspace.apply_patch", "builtin:workspace.shell",
        ]},
    });
    let extensions = script["allow"].as_array().into_iter().flatten();
    for name in extensions {
        let id = json!(format!("extension/x:{}", name.as_str().unwrap()));
        profile["tools"]["allow"].as_array_mut().unwrap().push(id);
    }
    extend(&mut profile["tools"], &script["toolSettings"]);
    for section in ["run", "permissions", "features", "exposure"] {
        if !script[section].is_null() {
            profile[section] = script[section].clone();
        }
    }
    let mut start = json!({
        "type": "startRun", "scenario": "session", "seed": "s", "profile": profile,
        "messages": [{"role": "user", "text": "Go on."}],
    });
    extend(&mut start, about);
    start
}

fn extend(members: &mut Value, more: &Value) {
    let more: Map<String, Value> = more.as_object().cloned().unwrap_or_default();
    members.as_object_mut().unwrap().extend(more);
}

fn said(text: &Value) -> Value {
    json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]})
}

/// `[[id, name, arguments], …]`; arguments that are no text are given as JSON text.
fn reply(calls: &Value, finish: &Value) -> Value {
    let one = |said: &Value| {
        let arguments = said[2].as_str().map_or_else(|| said[2].to_string(), str::to_owned);
        call(said[0].as_str().unwrap(), said[1].as_str().unwrap(), &arguments)
    };
    let calls: Vec<Value> = calls.as_array().unwrap().iter().map(one).collect();
    let finish = finish.as_str().unwrap_or("tool_calls");
    json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": calls},
        "finish_reason": finish}]})
}

fn check(line: &Value, output: &Value) -> Result<(), String> {
    let events = output["events"].as_array().unwrap();
    let (journal, live): (Vec<&Value>, Vec<&Value>) = events.iter().partition(|event| event["seq"].is_u64());
    list("replies", line, output["replies"].as_array().unwrap().iter().collect())?;
    list("effects", line, wanted_effects(line, output["effects"].as_array().unwrap()))?;
    list("journal", line, told(line, journal))?;
    list("live", line, live)
}

/// The effects, without timers in a line that says `timers: false`: for scripts about something else.
fn wanted_effects<'a>(line: &Value, effects: &'a [Value]) -> Vec<&'a Value> {
    let is_timer = |effect: &Value| effect["kind"].as_str().unwrap().starts_with("timer.");
    effects.iter().filter(|effect| line["timers"] != false || !is_timer(effect)).collect()
}

/// The events of the journal, without decisions in a line that names none: every call has one.
fn told<'a>(line: &Value, journal: Vec<&'a Value>) -> Vec<&'a Value> {
    let is_decision = |event: &Value| event == "permission_decided" || event["type"] == "permission_decided";
    let named = line["journal"].as_array().into_iter().flatten().any(is_decision);
    journal.into_iter().filter(|event| named || !is_decision(event)).collect()
}

fn list(what: &str, line: &Value, actual: Vec<&Value>) -> Result<(), String> {
    let Some(wanted) = line[what].as_array() else { return Ok(()) };
    let shown = || actual.iter().map(|value| format!("\n      {}", short(value))).collect::<String>();
    if wanted.len() != actual.len() {
        return Err(format!("{what}: {} expected, got {}{}", wanted.len(), actual.len(), shown()));
    }
    for (place, (actual, wanted)) in actual.iter().zip(wanted).enumerate() {
        let wanted = match wanted.as_str() {
            Some(kind) => json!({"type": kind}),
            None => wanted.clone(),
        };
        pins(actual, &wanted).map_err(|problem| format!("{what}[{place}]{problem} in {}", short(actual)))?;
    }
    Ok(())
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(400).collect()
}

/// Whether a value has all that is pinned of it. A text `…part…` pins a part of a text; null pins absence.
pub(super) fn pins(actual: &Value, wanted: &Value) -> Result<(), String> {
    match (actual, wanted) {
        (Value::Object(actual), Value::Object(wanted)) => {
            let member = |name: &String| actual.get(name).unwrap_or(&Value::Null);
            wanted.iter().try_for_each(|(name, wanted)| {
                pins(member(name), wanted).map_err(|problem| format!(".{name}{problem}"))
            })
        }
        (Value::Array(actual), Value::Array(wanted)) if actual.len() == wanted.len() => {
            let mut pairs = actual.iter().zip(wanted).enumerate();
            pairs.try_for_each(|(place, (actual, wanted))| {
                pins(actual, wanted).map_err(|problem| format!("[{place}]{problem}"))
            })
        }
        (Value::String(actual), Value::String(wanted)) if wanted.starts_with('…') => {
            let part = wanted.trim_matches('…');
            if actual.contains(part) { Ok(()) } else { Err(format!(": {actual:?} lacks {part:?}")) }
        }
        _ if actual == wanted => Ok(()),
        _ => Err(format!(": expected {wanted}, got {actual}")),
    }
}

#[test]
fn adopted() {
    run("adopted.json");
}

#[test]
fn approvals() {
    run("approvals.json");
}

#[test]
fn background() {
    run("background.json");
}

#[test]
fn attached() {
    run("attached.json");
}

#[test]
fn calls() {
    run("calls.json");
}

#[test]
fn cancel() {
    run("cancel.json");
}

#[test]
fn cancel_call() {
    run("cancel_call.json");
}

#[test]
fn cascade() {
    run("cascade.json");
}

#[test]
fn commands() {
    run("commands.json");
}

#[test]
fn failing() {
    run("failing.json");
}

#[test]
fn hidden() {
    run("hidden.json");
}

#[test]
fn hooks() {
    run("hooks.json");
}

#[test]
fn images() {
    run("images.json");
}

#[test]
fn inspections() {
    run("inspections.json");
}

#[test]
fn lanes() {
    run("lanes.json");
}

#[test]
fn loop_guard() {
    run("loop_guard.json");
}

#[test]
fn model() {
    run("model.json");
}

#[test]
fn questions() {
    run("questions.json");
}

#[test]
fn receipts() {
    run("receipts.json");
}

#[test]
fn resume() {
    run("resume.json");
}

#[test]
fn sessions() {
    run("sessions.json");
}

#[test]
fn shell() {
    run("shell.json");
}

#[test]
fn wires() {
    run("wires.json");
}
