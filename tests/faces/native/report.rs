//! What a script came to, compared with its case.

use handrail::protocol::JournalEvent;
use handrail::testing::case;
use serde_json::{Value, json};

use super::script::Script;

/// The members of the events that are compared, by type; those of other types are left out.
const TOLD: [(&str, &str, &[&str]); 12] = [
    ("permission_decided", "decided", &["callId", "verdict", "step", "reasonCode", "ruleId"]),
    ("approval_request", "asks", &["callId"]),
    ("approval_resolved", "answered", &["callId", "answer", "by", "message"]),
    ("rule_saved", "kept", &["rule"]),
    ("rule_save_failed", "not_kept", &["rule", "code"]),
    ("hook_completed", "heard", &["hookId", "callId"]),
    ("hook_failed", "not_heard", &["hookId", "callId"]),
    ("tool_call_started", "starts", &["callId"]),
    ("tool_result_stored", "ends", &["callId", "status", "errorCode"]),
    ("run_completed", "completed", &[]),
    ("run_failed", "failed", &["code"]),
    ("run_cancelled", "cancelled", &[]),
];

pub fn check(script: &mut Script, expect: &Value) -> Result<(), String> {
    let journal: Vec<Value> = script.replay.journal().iter().filter_map(line).collect();
    if let Some(wanted) = expect.get("journal") {
        same_lines("journal", &journal, wanted)?;
    }
    if let Some(wanted) = expect.get("host") {
        same_lines("host", &script.host, wanted)?;
    }
    if let Some(wanted) = expect.get("requests") {
        case::same_json("requests", &script.requests.len().into(), wanted)?;
    }
    for (call_id, pins) in expect["shown"].as_object().into_iter().flatten() {
        let shown = shown(&script.requests, call_id).ok_or(format!("the model was not told of {call_id}"))?;
        case::check_text(&shown, pins).map_err(|problem| format!("{call_id} as shown: {problem}"))?;
    }
    for (call_id, pins) in expect["stored"].as_object().into_iter().flatten() {
        let record = script.replay.record(call_id)?;
        let content = record["content"].as_str().unwrap_or_default();
        case::check_text(content, pins).map_err(|problem| format!("{call_id} as stored: {problem}"))?;
    }
    if let Some(pins) = expect.get("said") {
        let messages: Vec<String> = script.requests.iter().map(Value::to_string).collect();
        case::check_text(&messages.join("\n"), pins)?;
    }
    if let Some(pins) = expect.get("files") {
        case::check_text(&script.replay.everything()?, pins)?;
    }
    Ok(())
}

/// An event as a line.
fn line(event: &JournalEvent) -> Option<Value> {
    let (_, name, members) = TOLD.iter().find(|(kind, ..)| event.kind == *kind)?;
    let payload: Value = serde_json::from_str(event.payload.text()).unwrap();
    let told = members.iter().map(|member| payload[*member].clone());
    Some(std::iter::once(json!(name)).chain(told).collect())
}

/// What the model read last of a call.
fn shown(requests: &[Value], call_id: &str) -> Option<String> {
    let messages = requests.iter().rev().flat_map(|messages| messages.as_array().into_iter().flatten());
    let mut answers = messages.filter(|message| message["tool_call_id"] == call_id);
    answers.next()?["content"].as_str().map(str::to_owned)
}

/// As many lines as are wanted, each like the one that is wanted.
fn same_lines(what: &str, lines: &[Value], wanted: &Value) -> Result<(), String> {
    let wanted = wanted.as_array().ok_or("lines are a list")?;
    let differs = lines.iter().zip(wanted).position(|(line, wanted)| !is_line(line, wanted));
    let short = |line: Option<&Value>| {
        line.map_or_else(|| "nothing".to_owned(), |line| line.to_string().chars().take(900).collect())
    };
    match differs.or((lines.len() != wanted.len()).then_some(lines.len().min(wanted.len()))) {
        Some(place) => Err(format!(
            "{what}, line {}: expected {}, got {}",
            place + 1,
            short(wanted.get(place)),
            short(lines.get(place))
        )),
        None => Ok(()),
    }
}

/// A line may be longer than the one that is wanted.
fn is_line(actual: &Value, wanted: &Value) -> bool {
    let (Some(actual), Some(wanted)) = (actual.as_array(), wanted.as_array()) else { return false };
    actual.len() >= wanted.len() && actual.iter().zip(wanted).all(|(actual, wanted)| is_like(actual, wanted))
}

/// An object may have more members than the one that is wanted; null stands for nothing.
fn is_like(actual: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Array(wanted) => {
            let items = actual.as_array().filter(|items| items.len() == wanted.len());
            items
                .is_some_and(|items| items.iter().zip(wanted).all(|(actual, wanted)| is_like(actual, wanted)))
        }
        Value::Object(wanted) => wanted.iter().all(|(name, wanted)| is_like(&actual[name.as_str()], wanted)),
        wanted => case::same_json("", actual, wanted).is_ok(),
    }
}
