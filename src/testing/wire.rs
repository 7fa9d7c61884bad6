//! What the cases of all wire formats share.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::case;
use crate::arguments::{ToolArguments, decode};
use crate::protocol::{Call, Code, Wire};
use crate::wire::{Assistant, Codec, Entry, ReplyCall, ResultPart, ResultView, call_id};

/// The op `decode`.
pub fn decoded(codec: Codec, input: &Value, expect: &Value) -> Result<(), String> {
    let reply = match (input.get("chunks").and_then(Value::as_array), input.get("bodyText")) {
        (Some(chunks), _) => {
            let mut stream = codec.stream();
            for chunk in chunks {
                stream.push(chunk);
            }
            stream.finish()
        }
        (None, Some(text)) => codec.parse(&case::json_text(&case::text(text))?),
        (None, None) => codec.parse(&input["body"]),
    };
    let code = reply.as_ref().err().map(|fault| fault.code.as_str());
    case::same_json("code", &json!(code), expect.get("code").unwrap_or(&Value::Null))?;
    let Ok(reply) = reply else { return Ok(()) };
    let wanted = expect["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    case::same_json("number of calls", &reply.calls.len().into(), &wanted.len().into())?;
    let mut ids = BTreeSet::new();
    for (index, (call, wanted)) in reply.calls.iter().zip(wanted).enumerate() {
        let id = call_id(call.provider_id.as_deref(), 1, index, |id| ids.contains(id));
        check_call(call, &id, wanted)?;
        if !ids.insert(id) {
            return Err(format!("call {index} has the id of another"));
        }
    }
    match expect.get("text") {
        Some(text) => case::same_text("text", &reply.text, &case::text(text)),
        None => Ok(()),
    }
}

fn check_call(call: &ReplyCall, id: &str, wanted: &Value) -> Result<(), String> {
    if wanted["callId"].get("generated").is_some() {
        case::same_json("provider id", &json!(call.provider_id), &Value::Null)?;
    } else {
        case::same_json("callId", &id.into(), &wanted["callId"])?;
    }
    case::same_json("callName", &call.name.clone().into(), &wanted["callName"])?;
    let args = &wanted["args"];
    match decode(&call.arguments) {
        ToolArguments::Object(members) => {
            case::same_json("kind", &"object".into(), &args["kind"])?;
            case::same_json(
                "args",
                &Value::Object(members),
                &case::json_text(&case::text_of(args, "json"))?,
            )?;
        }
        ToolArguments::Invalid(raw) => {
            case::same_json("kind", &"invalid".into(), &args["kind"])?;
            case::same_text("args", &raw, &case::text_of(args, "raw"))?;
        }
    }
    match (wanted.get("argumentsRaw"), &call.arguments) {
        (None, _) => Ok(()),
        (Some(wanted), actual) => match (case::wire(wanted)?, actual) {
            (Wire::Text(wanted), Wire::Text(text)) => case::same_text("argumentsRaw", text, &wanted),
            (Wire::Json(wanted), Wire::Json(json)) => case::same_json("argumentsRaw", json, &wanted),
            (wanted, actual) => Err(format!("argumentsRaw: expected {wanted:?}, got {actual:?}")),
        },
    }
}

/// The messages of entries, read again.
pub fn messages(codec: Codec, entries: &[Entry]) -> Result<Vec<Value>, String> {
    codec.messages(entries).iter().map(|message| case::json_text(message.json())).collect()
}

/// The results of the op `results`.
pub fn results(input: &Value) -> Vec<ResultView<'static>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let part = |part: &Value| match part["type"].as_str() {
        Some("image") => {
            let [mime_type, base64] = ["mimeType", "base64"].map(|name| text(&part[name]));
            ResultPart::Image { path: "image".into(), mime_type: mime_type.into(), base64 }
        }
        Some("omitted_image") => ResultPart::OmittedImage(text(&part["reason"]).into()),
        _ => ResultPart::Text(case::text_of(part, "text").into()),
    };
    let view = |result: &Value| ResultView {
        call_id: text(&result["callId"]).into(),
        provider_id: result.get("providerId").map(|id| text(id).into()),
        name: text(&result["callName"]).into(),
        is_error: result["isError"] == true,
        code: result["code"].as_str().and_then(|code| Code::ALL.iter().copied().find(|c| c.as_str() == code)),
        parts: result["parts"].as_array().into_iter().flatten().map(part).collect(),
    };
    input["results"].as_array().into_iter().flatten().map(view).collect()
}

/// The assistant entry of the op `replay`.
pub fn replayed(input: &Value) -> Result<Entry<'static>, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let call = |call: &Value| {
        Ok(Call {
            call_id: text(&call["callId"]).into(),
            provider_id: call.get("providerId").map(text),
            name: text(&call["callName"]).into(),
            arguments: case::wire(&call["arguments"])?,
            cut: false,
        })
    };
    let calls: Result<Vec<Call>, String> =
        input["calls"].as_array().into_iter().flatten().map(call).collect();
    let text = case::text_of(input, "text");
    Ok(Entry::Assistant(Cow::Owned(Assistant { text, calls: calls?, provider_state: None })))
}

/// All images in image-shaped places, in order: `{mimeType, base64}`.
pub fn images(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    find_images(value, &mut found);
    found
}

fn find_images(value: &Value, found: &mut Vec<Value>) {
    let url = value.get("image_url").map(|image| image.get("url").unwrap_or(image));
    let data_url =
        url.and_then(Value::as_str).and_then(|url| url.strip_prefix("data:")?.split_once(";base64,"));
    if let Some((mime_type, base64)) = data_url {
        found.push(json!({"mimeType": mime_type, "base64": base64}));
        return;
    }
    for (holder, mime_type) in [("source", "media_type"), ("inlineData", "mimeType")] {
        let image = value.get(holder).and_then(|image| Some((image.get(mime_type)?, image.get("data")?)));
        if let Some((mime_type, base64)) = image {
            found.push(json!({"mimeType": mime_type, "base64": base64}));
            return;
        }
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| find_images(item, found)),
        Value::Object(members) => members.values().for_each(|member| find_images(member, found)),
        _ => {}
    }
}
