//! Results (IV-70 to IV-76).

use serde_json::{Value, json};

use super::{Check, ensure};
use crate::host::UNSHOWN;
use crate::stage::first_difference;
use crate::story::Story;
use crate::story::call::Call;

/// Of a text that was put into a file: what is shown of it, and the words around that.
const PREVIEW: usize = 3_000;
const FRAMING: usize = 900;

fn is_cut(call: &Call) -> bool {
    call.record["meta"]["truncated"] == true
}

pub fn length(story: &Story) -> Check {
    let profile = &story.profile()["tools"]["externalResultInlineCharLimit"];
    let profile = profile.as_u64().unwrap_or_default();
    for call in story.calls.iter().filter(|call| call.is_extension() && call.status == "ok") {
        let chars = call.text().chars().count() as u64;
        let declared = story.declares(&call.tool, "resultBudget")["chars"].as_u64();
        let limit = declared.map_or(profile, |chars| chars.min(profile));
        if is_cut(call) {
            let most = (PREVIEW + FRAMING) as u64;
            ensure!(chars <= most, "{} shows {chars} characters of a file", call.id);
        } else {
            ensure!(
                chars <= limit || hooks_spoke(story, call),
                "{} shows {chars}, {limit} are allowed",
                call.id
            );
        }
    }
    Ok(())
}

/// Whether hooks may have put something behind it.
fn hooks_spoke(story: &Story, call: &Call) -> bool {
    story.told("hook_completed").any(|(_, facts)| facts["callId"] == call.id.as_str())
}

pub fn says_it_is_partial(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| !hooks_spoke(story, call) && !call.is_gone(story)) {
        let text = call.text();
        if is_cut(call) && call.is_extension() {
            ensure!(text.contains("NOT the whole"), "{} does not say that it is cut: {text:?}", call.id);
        }
        match call.status.as_str() {
            "timed_out" => ensure!(text.contains("time") || text.contains("limit"), "{}: {text:?}", call.id),
            "cancelled" => ensure!(text.contains("stopped"), "{}: {text:?}", call.id),
            "skipped" => {
                ensure!(text.contains("not run") || text.contains("not started"), "{}: {text:?}", call.id)
            }
            _ => {}
        }
    }
    Ok(())
}

pub fn readable(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| is_cut(call) && call.status != "backgrounded") {
        let Some(path) = call.record["structured"]["path"].as_str() else { continue };
        ensure!(call.text().contains(path), "{} does not say where the rest is", call.id);
        let file = story.transcript.after.get(path);
        if file.is_none() && story.deleted.is_some() {
            continue;
        }
        let Some(file) = file else { return Err(format!("{path} of {} is not there", call.id)) };
        let chars = file.replace('\n', "").chars().count();
        let told = &call.record["structured"]["charCount"];
        let said = story.receipts.get(call.performed().next().map_or("", |(_, effect)| &effect.effect_id));
        // What came too late is not what is stored.
        let said = said.filter(|(at, _)| *at < call.settled());
        let value = said.map_or(&Value::Null, |(_, receipt)| &receipt["payload"]["value"]);
        if let (Some(text), true) = (value.as_str(), call.is_extension()) {
            let (here, there) = (file.replace('\n', ""), text.replace('\n', ""));
            let differs = || first_difference(there.as_bytes(), here.as_bytes());
            ensure!(here == there, "{path} is not what {} gave, {}", call.id, differs());
            ensure!(*told == json!(chars), "{told} of {chars} characters are told of {}", call.id);
        }
    }
    Ok(())
}

pub fn unshown(story: &Story) -> Check {
    for call in &story.calls {
        // The function that was there when the call went out.
        let sent = call.performed().next().map_or(0, |(at, _)| story.moments[at].step);
        let registration = story.registered(&call.tool, sent);
        let returns_blocks = registration.is_some_and(|tool| tool["returns"] == "blocks");
        ensure!(!returns_blocks || !call.text().contains(UNSHOWN), "{} shows what is for screens", call.id);
    }
    Ok(())
}

pub fn ok_means_ok(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| call.is_kept(story)) {
        let ok = matches!(call.status.as_str(), "ok" | "backgrounded");
        ensure!(call.record["ok"] == ok, "{} is {} and ok is {}", call.id, call.status, call.record["ok"]);
        ensure!(call.record["isError"] != ok, "{} is {} and an error", call.id, call.status);
        ensure!(call.over.iter().all(|(_, completed)| *completed == ok), "{} is {}", call.id, call.status);
        ensure!(call.record["errorCode"].is_null() == ok, "{} is {}: {}", call.id, call.status, call.code());
    }
    Ok(())
}
