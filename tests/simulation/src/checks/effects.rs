//! Effects, receipts, restores (IV-10 to IV-18).

use std::collections::{BTreeMap, BTreeSet};

use handrail::protocol::{Event, Payload};
use serde_json::Value;

use super::{Check, ensure};
use crate::story::call::{Call, performs};
use crate::story::{RESUMED, Story, What, adopted, is_end};

pub fn sent_once(story: &Story) -> Check {
    for call in &story.calls {
        let sent = call.performed().count();
        ensure!(sent <= 1, "{} is sent {sent} times", call.id);
        let mut hooks = BTreeMap::new();
        for (at, effect) in &call.effects {
            let Payload::HookRun { hook_id, point, payload } = &effect.payload else { continue };
            // The same hook sees a call again only when its arguments have changed in between.
            let key = (hook_id.as_str(), point.to_string(), payload["args"].to_string());
            let rewrites = rewrites(story, &call.id, *at);
            let last = hooks.insert(key, rewrites);
            ensure!(last.is_none_or(|last| last < rewrites), "{hook_id} is asked again about {}", call.id);
        }
    }
    let mut runs = BTreeSet::new();
    for (_, effect) in story.effects().filter(|(_, effect)| effect.call_id.is_none()) {
        let Payload::HookRun { hook_id, point, payload } = &effect.payload else { continue };
        let is_prompt = point == "user-prompt";
        ensure!(
            runs.insert((hook_id, payload["text"].to_string())) || !is_prompt,
            "{hook_id} is asked again"
        );
    }
    for (_, effect) in story.effects().filter(|(_, effect)| performs(effect)) {
        ensure!(effect.call_id.as_ref().is_some_and(|id| story.call(id).is_some()), "{effect:?} for no call");
    }
    Ok(())
}

/// How often hooks and persons have changed the arguments of a call before a place.
fn rewrites(story: &Story, call: &str, before: usize) -> usize {
    let answers = story.effects().filter(|(_, effect)| effect.call_id.as_deref() == Some(call));
    let answers = answers.filter_map(|(_, effect)| story.receipts.get(effect.effect_id.as_str()));
    let rewrites = |receipt: &Value| {
        let payload = &receipt["payload"];
        receipt["outcome"] == "ok" && !(payload["args"].is_null() && payload["mergeArgs"].is_null())
    };
    answers.filter(|(at, receipt)| *at < before && rewrites(receipt)).count()
}

/// A host that stopped waiting for a function, which went to the background with that, says later how it ended.
fn completes(
    story: &Story,
    of: Option<&Call>,
    id: &str,
    (counted, first): (usize, &Value),
    at: usize,
) -> bool {
    let stopped_waiting = first["outcome"] == "timed_out" && first["stopped"] != true;
    let moved = of.is_some_and(|call| call.status == "backgrounded");
    let between = story
        .inputs()
        .filter(|(other, line)| (counted + 1..at).contains(other) && line["receipt"]["effectId"] == id);
    stopped_waiting && moved && at > counted && between.count() == 0
}

pub fn ids_and_stray_receipts(story: &Story) -> Check {
    let mut ids = BTreeSet::new();
    for (_, effect) in story.effects() {
        ensure!(ids.insert(&effect.effect_id), "{} is emitted twice", effect.effect_id);
    }
    let aggregate = !story.profile()["tools"]["aggregateResultCharLimit"].is_null();
    for (at, line) in story.inputs() {
        let Some(id) = line["receipt"]["effectId"].as_str() else { continue };
        // The first answer counts, unless the call was given up before.
        let of = story.calls.iter().find(|call| call.performed().any(|(_, effect)| effect.effect_id == id));
        let is_late =
            of.is_some_and(|call| call.status != "backgrounded" && call.settled() < at) && !aggregate;
        let first = story.receipts.get(id);
        if !is_late && first.is_some_and(|(counted, _)| *counted == at) {
            continue;
        }
        if first.is_some_and(|(counted, first)| completes(story, of, id, (*counted, first), at)) {
            continue;
        }
        let others = story.transcript.steps.iter().flat_map(|step| &step.output.effects);
        let elsewhere =
            others.filter(|effect| *effect.run_id != *story.run).any(|effect| effect.effect_id == id);
        // What is said of the host's own work: it may be told by a later run, or by none.
        if elsewhere || story.transcript.steps.iter().any(|step| adopted(step) == Some(id)) {
            continue;
        }
        // Timers that were due are not its doing.
        let events = &story.transcript.steps[story.moments[at].step].output.events;
        let told: Vec<&str> = events
            .iter()
            .map(|event| match event {
                Event::Journal(event) => &*event.kind,
                Event::Live(event) => event.kind,
            })
            .collect();
        let last = told.last().copied().unwrap_or_default();
        ensure!(
            matches!(last, "receipt_ignored" | "late_receipt"),
            "a stray receipt for {id} makes {told:?}"
        );
        let due = due(story, at);
        ensure!(told.len() == 1 || due, "a stray receipt for {id} makes {told:?}");
    }
    Ok(())
}

/// Whether a timer rings in the step of an input.
fn due(story: &Story, at: usize) -> bool {
    let now = story.moments[at].now;
    let before = story.moments[..at].iter().map(|moment| moment.now).max().unwrap_or_default();
    let set = story.effects().take_while(|(place, _)| *place < at);
    set.into_iter().any(
        |(_, effect)| matches!(&effect.payload, Payload::TimerSet { at, .. } if *at > before && *at <= now),
    )
}

pub fn restored(story: &Story) -> Check {
    match &story.transcript.differs {
        Some(differs) if differs.starts_with("a restore") => Err(differs.clone()),
        _ => Ok(()),
    }
}

pub fn deterministic(story: &Story) -> Check {
    match &story.transcript.differs {
        Some(differs) if !differs.starts_with("a restore") => Err(differs.clone()),
        _ => Ok(()),
    }
}

pub fn store_first(story: &Story) -> Check {
    for step in &story.transcript.steps {
        let mut before = BTreeSet::new();
        for effect in &step.output.effects {
            if let Payload::StoreAppend { records, .. } = &effect.payload {
                for record in records {
                    let told: Value = serde_json::from_str(record.payload.text()).unwrap_or_default();
                    let about = told["effectId"].as_str().unwrap_or_default();
                    ensure!(!before.contains(about), "{} is recorded behind {about}", record.kind);
                }
            }
            before.insert(effect.effect_id.as_str());
        }
    }
    let stores = story.start["capabilities"]["store"] == true;
    let failed = |receipt: &Value| receipt["outcome"] != "ok";
    let appends = story.effects().filter(|(_, effect)| matches!(effect.payload, Payload::StoreAppend { .. }));
    let mut answers = appends.filter_map(|(_, effect)| story.receipts.get(effect.effect_id.as_str()));
    if stores && !answers.any(|(_, receipt)| failed(receipt)) {
        let told = story.moments.iter().filter(|moment| matches!(moment.what, What::Told { .. })).count();
        let stored = story.effects().map(|(_, effect)| match &effect.payload {
            Payload::StoreAppend { records, .. } => records.len(),
            _ => 0,
        });
        let stored: usize = stored.sum();
        ensure!(told == stored, "{stored} of {told} events went to the store");
    }
    Ok(())
}

pub fn nothing_after_the_end(story: &Story) -> Check {
    let step = |at: usize| story.moments[at].step;
    let ends = story.ends();
    for (place, (end, _)) in ends.iter().enumerate().filter(|(_, (_, kind))| is_end(kind)) {
        let goes_on = ends.get(place + 1).map_or(usize::MAX, |(at, _)| step(*at));
        let after = |at: usize| step(at) > step(*end) && step(at) < goes_on;
        for (at, effect) in story.effects().filter(|(at, _)| after(*at)) {
            let closing = matches!(
                effect.payload,
                Payload::Abort { .. } | Payload::TimerCancel { .. } | Payload::StoreAppend { .. }
            );
            ensure!(closing, "at {at}, after the end: {:?}", effect.payload);
        }
    }
    Ok(())
}

pub fn unknown_says_check(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| call.status == "unknown" && !call.is_gone(story)) {
        let redacted = story.told("hook_completed").any(|(_, facts)| facts["callId"] == call.id.as_str());
        ensure!(
            redacted || call.text().contains("heck"),
            "{} does not tell to check: {:?}",
            call.id,
            call.text()
        );
        ensure!(call.performed().count() == 1, "{} is unknown and was sent otherwise than once", call.id);
    }
    // An answer that nobody can read is no success of something that may have been done (EF-07).
    for call in story.calls.iter().filter(|call| call.is_extension()) {
        let Some((_, effect)) = call.performed().next() else { continue };
        let Some((at, receipt)) = story.receipts.get(effect.effect_id.as_str()) else { continue };
        // With a limit for the whole batch a placeholder may be stored after the work has ended.
        let moved = call.moved.first().is_some_and(|moved| moved < at);
        let counts = *at < call.settled()
            && !moved
            && call.code() != "tool.timeout"
            && call.record["notes"] == serde_json::json!([]);
        let vague = receipt["outcome"] == "unknown";
        let redacted = story.told("hook_completed").any(|(_, facts)| facts["callId"] == call.id.as_str());
        ensure!(
            !counts || !vague || redacted || call.status == "unknown",
            "{} is {} of {receipt}",
            call.id,
            call.status
        );
    }
    Ok(())
}

pub fn timers_end(story: &Story) -> Check {
    let mut set: BTreeMap<&str, u64> = BTreeMap::new();
    let mut ended = false;
    for moment in &story.moments {
        match &moment.what {
            What::Input(line) => {
                ensure!(!ended || set.is_empty(), "{set:?} at the end");
                // A new host has none of the timers that the one before had.
                let attached = line["command"]["type"] == "attach";
                set.retain(|_, at| *at > moment.now && !attached);
            }
            What::Effect(effect) => match &effect.payload {
                Payload::TimerSet { timer_id, at } => {
                    ensure!(set.insert(timer_id, *at).is_none(), "{timer_id} is set twice");
                }
                Payload::TimerCancel { timer_id } => {
                    ensure!(set.remove(timer_id.as_str()).is_some(), "{timer_id} is not set");
                }
                _ => {}
            },
            What::Told { kind, .. } => ended = is_end(kind) || ended && *kind != RESUMED,
            What::Live { .. } => {}
        }
    }
    ensure!(!ended || set.is_empty(), "{set:?} at the end");
    Ok(())
}
