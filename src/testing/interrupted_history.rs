use std::borrow::Cow;

use serde_json::{Value, json};

use super::{Verdict, case, wire};
use crate::arguments::{ToolArguments, decode};
use crate::protocol::{Call, Code};
use crate::wire::{Assistant, Codec, Entry, ResultPart, ResultView, first_kept, paired};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let answer = match input["op"].as_str() {
        Some("assemble") => assemble(input, expect),
        Some("trim") => trim(input, expect),
        op => return Verdict::Failed(format!("the op {op:?} is not known")),
    };
    answer.into()
}

fn trim(input: &Value, expect: &Value) -> Result<(), String> {
    let drop = input["dropAtLeast"].as_u64().and_then(|drop| usize::try_from(drop).ok());
    let kept = first_kept(&history(input)?, drop.unwrap_or_default());
    case::same_json("firstKept", &kept.into(), &expect["firstKept"])
}

fn assemble(input: &Value, expect: &Value) -> Result<(), String> {
    let stored = history(input)?;
    let entries = paired(&stored).entries;
    let mut pairs = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let Entry::Assistant(said) = entry else { continue };
        let results = match entries.get(at + 1) {
            Some(Entry::Results(results)) => results.as_slice(),
            _ => &[],
        };
        if said.calls.len() != results.len() {
            return Err(format!("{} calls have {} results", said.calls.len(), results.len()));
        }
        pairs.extend(said.calls.iter().zip(results).map(|(call, result)| pair(call, result)));
    }
    case::same_json("pairs", &json!(pairs), &expect["pairs"])?;
    case::same_json("storedUnchanged", &(stored == history(input)?).into(), &expect["storedUnchanged"])?;
    legal(&wire::messages(Codec::OpenaiChat, &entries)?)
}

fn pair(call: &Call, result: &ResultView) -> Value {
    let checked = |part: &ResultPart| matches!(part, ResultPart::Text(text) if text.contains("Check"));
    let interrupted = result.code == Some(Code::ToolOutcomeUnknown) && result.parts.iter().any(checked);
    let own = matches!(decode(&call.arguments), ToolArguments::Object(_));
    json!({
        "callId": call.call_id,
        "answer": if interrupted { "interrupted" } else { "stored" },
        "replayedArguments": if own { "own" } else { "empty" },
    })
}

/// No call without an answer, no answer without a call, and every replayed call carries an object.
fn legal(messages: &[Value]) -> Result<(), String> {
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            let answered = open.iter().position(|id| **id == message["tool_call_id"]);
            open.remove(answered.ok_or_else(|| format!("an answer without a call: {message}"))?);
            continue;
        }
        if !open.is_empty() {
            return Err(format!("{open:?} have no answer before {message}"));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"].get("arguments").and_then(Value::as_str).unwrap_or_default();
            if !case::json_text(arguments)?.is_object() {
                return Err(format!("no object is replayed: {call}"));
            }
            open.push(&call["id"]);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} have no answer")) }
}

/// The stored history, one entry per message.
fn history(input: &Value) -> Result<Vec<Entry<'static>>, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |call: &Value| {
        let arguments = case::wire(&call["arguments"])?;
        let (call_id, name) = (text(&call["callId"]), text(&call["callName"]));
        Ok::<Call, String>(Call {
            call_id: call_id.into(),
            provider_id: None,
            name: name.into(),
            arguments,
            cut: false,
        })
    };
    let entry = |message: &Value| {
        Ok(match message["role"].as_str() {
            Some("assistant") => {
                let calls = message["calls"].as_array().into_iter().flatten().map(call);
                let calls = calls.collect::<Result<_, String>>()?;
                let text = text(&message["text"]);
                Entry::Assistant(Cow::Owned(Assistant { text, calls, provider_state: None }))
            }
            Some("tool") => Entry::Results(vec![ResultView {
                call_id: text(&message["callId"]).into(),
                provider_id: None,
                name: "f".into(),
                is_error: false,
                code: None,
                parts: vec![ResultPart::Text(text(&message["text"]).into())],
            }]),
            _ => Entry::User(text(&message["text"]).into()),
        })
    };
    input["messages"].as_array().into_iter().flatten().map(entry).collect()
}
