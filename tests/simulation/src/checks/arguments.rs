//! Arguments (IV-30 to IV-35).

use handrail::protocol::{Effect, Payload};
use serde_json::{Map, Value};

use super::{Check, ensure};
use crate::host::BROKEN;
use crate::story::Story;
use crate::story::call::Call;

pub fn objects(story: &Story) -> Check {
    for (_, effect) in story.effects() {
        // What functions and their inspections get is an object by its type.
        let Payload::HookRun { payload, .. } = &effect.payload else { continue };
        let args = &payload["args"];
        ensure!(effect.call_id.is_none() || args.is_object(), "{} gets {args}", effect.effect_id);
    }
    Ok(())
}

pub fn invalid_has_no_effect(story: &Story) -> Check {
    for call in &story.calls {
        let said = &call.said["arguments"];
        let broken = said == BROKEN || said.is_array();
        ensure!(!broken || call.effects.is_empty(), "{} has {said} and effects", call.id);
        ensure!(!broken || call.started.is_empty(), "{} has {said} and starts", call.id);
    }
    Ok(())
}

pub fn replayed_objects(story: &Story) -> Check {
    for request in &story.requests {
        for (id, name, arguments) in request.messages.iter().flat_map(|message| &message.calls) {
            ensure!(arguments.is_object(), "{id} of {name} is replayed with {arguments}");
        }
    }
    Ok(())
}

pub fn unfinished_never_starts(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| call.cut) {
        ensure!(call.started.is_empty() && call.effects.is_empty(), "{} was cut off and starts", call.id);
        let says = call.is_gone(story) || call.code() == "model.output_truncated";
        ensure!(says, "{} was cut off: {}", call.id, call.code());
    }
    Ok(())
}

/// The arguments as the model wrote them, if they are an object as they stand.
fn plain(said: &Value) -> Option<Value> {
    let object = match said {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    object.is_object().then_some(object)
}

/// What the tool has to get: what the model wrote, changed by hooks and persons before a place.
pub(super) fn expected(story: &Story, call: &Call, before: usize) -> Option<Value> {
    let mut args = plain(&call.said["arguments"])?;
    for (_, effect) in call.effects.iter().filter(|(at, _)| *at < before) {
        let Some((at, receipt)) = story.receipts.get(effect.effect_id.as_str()) else { continue };
        if *at >= before || receipt["outcome"] != "ok" || is_passed_over(story, effect, *at) {
            continue;
        }
        let payload = &receipt["payload"];
        match &effect.payload {
            Payload::HookRun { point, .. } if point != "after-run" => {
                if payload["args"].is_object() {
                    args = payload["args"].clone();
                }
                for (name, value) in payload["mergeArgs"].as_object().into_iter().flatten() {
                    args[name] = value.clone();
                }
            }
            Payload::ApprovalRequest(_) if payload["args"].is_object() => args = payload["args"].clone(),
            _ => {}
        }
    }
    Some(args)
}

/// Whether an answer came after its limit, so that it did not count.
fn is_passed_over(story: &Story, effect: &Effect, at: usize) -> bool {
    let aborts = story.effects().take_while(|(place, _)| *place < at);
    let is_late = |payload: &Payload| matches!(payload, Payload::Abort { target_effect_id, .. } if *target_effect_id == effect.effect_id);
    aborts.into_iter().any(|(_, other)| is_late(&other.payload))
        || effect.deadline.is_some_and(|limit| story.moments[at].now >= limit)
}

pub fn passed_on_unchanged(story: &Story) -> Check {
    for call in &story.calls {
        let is_repaired = call.record["notes"].to_string().contains("arguments_repaired");
        let is_plain = plain(&call.said["arguments"]).is_some();
        let strict =
            story.registration(&call.tool).is_some_and(|tool| !tool["inputSchema"]["required"].is_null());
        ensure!(!is_repaired || !is_plain || strict, "{} is repaired: {}", call.id, call.said);
        for (at, effect) in call.performed() {
            let Payload::ExtensionCall { args, .. } = &effect.payload else { continue };
            let Some(expected) = expected(story, call, at) else { continue };
            let args = Value::Object(Map::clone(args));
            ensure!(is_repaired || args == expected, "{} gets {args} instead of {expected}", call.id);
        }
    }
    Ok(())
}
