//! Permission (IV-40 to IV-48).

use handrail::protocol::Payload;
use serde_json::{Map, Value};

use super::{Check, ensure};
use crate::story::call::Call;
use crate::story::{Story, runs, session_of};

pub fn deny_rules(story: &Story) -> Check {
    // Hosts of the simulation take no rule back that denies.
    let set = story.transcript.steps.iter().map(|step| &step.line["command"]);
    let first = set.into_iter().find(|command| command["type"] == "rules.set");
    let rules = first.and_then(|command| command["rules"].as_array()).into_iter().flatten();
    let denied = rules.filter(|rule| rule["effect"] == "deny" && rule["pattern"].is_null());
    for rule in denied {
        let started =
            story.calls.iter().find(|call| rule["tool"] == call.tool.as_str() && !call.started.is_empty());
        ensure!(started.is_none(), "{:?} starts against {rule}", started.map(|call| &call.id));
    }
    unkept_denials(story)
}

/// What a person denied for good holds in its session also where the host could not keep it (PM-67).
fn unkept_denials(story: &Story) -> Check {
    for run in runs(story.transcript) {
        let other = (run != story.run).then(|| Story::of(story.transcript, run));
        let told = other.as_ref().unwrap_or(story);
        if session_of(told.start) != session_of(story.start) {
            continue;
        }
        for (at, facts) in told.told("rule_save_failed") {
            let (rule, since) = (&facts["rule"], told.moments[at].step);
            if rule["effect"] != "deny" || !rule["pattern"].is_null() || story.deleted.is_some() {
                continue;
            }
            let starts = |call: &&Call| {
                let first = call.started.first().map(|at| story.moments[*at].step);
                rule["tool"] == call.tool.as_str() && first.is_some_and(|first| first > since)
            };
            let started = story.calls.iter().find(starts);
            ensure!(started.is_none(), "{:?} starts against the unkept {rule}", started.map(|call| &call.id));
        }
    }
    Ok(())
}

/// What persons answered about a call before a place.
fn answers<'s>(story: &'s Story, call: &'s Call, before: usize) -> impl Iterator<Item = (usize, &'s Value)> {
    let asked =
        call.effects.iter().filter(|(_, effect)| matches!(effect.payload, Payload::ApprovalRequest(_)));
    // A question that was withdrawn, because another answer settled it, is not answered by what comes then.
    let withdrawn = |id: &str, at: usize| {
        story.effects().any(|(place, effect)| {
            place < at
                && matches!(&effect.payload, Payload::Abort { target_effect_id, .. } if target_effect_id == id)
        })
    };
    let answers = asked.filter_map(move |(_, effect)| {
        let id = effect.effect_id.as_str();
        story.receipts.get(id).filter(|(at, _)| !withdrawn(id, *at))
    });
    let counts = move |(at, receipt): &&(usize, &Value)| *at < before && receipt["outcome"] == "ok";
    answers.filter(counts).map(|(at, receipt)| (*at, &receipt["payload"]))
}

pub fn critical(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| !call.started.is_empty()) {
        let registration = story.registration(&call.tool);
        let risk = registration.and_then(|tool| tool["permission"]["risk"].as_array());
        if risk.is_some_and(|risk| risk.contains(&"critical".into())) {
            let once = answers(story, call, call.started[0]).any(|(_, payload)| payload["answer"] == "once");
            ensure!(once, "{} is critical and nobody allowed it once", call.id);
        }
    }
    Ok(())
}

/// The last decision about a call before a place.
fn decision<'s>(story: &'s Story, call: &Call, before: usize) -> Option<(usize, &'s Value)> {
    let decided = story.told("permission_decided").filter(|(_, facts)| facts["callId"] == call.id.as_str());
    decided.take_while(|(at, _)| *at < before).last()
}

pub fn nobody_to_ask(story: &Story) -> Check {
    let silent = story.start["canPrompt"] == false || story.profile()["permissions"]["canPrompt"] == false;
    let asked = story.effects().find(|(_, effect)| matches!(effect.payload, Payload::ApprovalRequest(_)));
    ensure!(!silent || asked.is_none(), "somebody is asked and nobody is there");
    for call in story.calls.iter().filter(|call| !call.started.is_empty()) {
        let started = call.started[0];
        let Some((at, decided)) = decision(story, call, started) else {
            return Err(format!("{} starts and nobody decided", call.id));
        };
        let resolved = story.told("approval_resolved");
        let allows = |(_, facts): &(usize, &Value)| {
            facts["callId"] == call.id.as_str()
                && ["once", "turn", "session", "always"].iter().any(|word| facts["answer"] == *word)
        };
        let allowed = resolved.filter(|(place, _)| *place > at && *place < started).any(|told| allows(&told));
        ensure!(decided["verdict"] == "allow" || allowed, "{} starts after {decided}", call.id);
    }
    Ok(())
}

pub fn cancelled_while_asked(story: &Story) -> Check {
    let Some(cancelled) = story.cancelled() else { return Ok(()) };
    let late = story.calls.iter().find(|call| call.started.first().is_some_and(|at| *at > cancelled));
    ensure!(late.is_none(), "{:?} starts in a cancelled run", late.map(|call| &call.id));
    let sent = story.effects().find(|(at, effect)| *at > cancelled && crate::story::call::performs(effect));
    ensure!(
        sent.is_none() || same_step(story, cancelled, sent.map(|(at, _)| at)),
        "{sent:?} after the cancel"
    );
    Ok(())
}

/// A timer may have rung before the input of the same step.
fn same_step(story: &Story, here: usize, there: Option<usize>) -> bool {
    there.is_some_and(|there| story.moments[here].step == story.moments[there].step)
}

pub fn approved_arguments(story: &Story) -> Check {
    for call in &story.calls {
        let Some((at, effect)) = call.performed().next() else { continue };
        let Payload::ExtensionCall { args, .. } = &effect.payload else { continue };
        let Some((answered, payload)) = answers(story, call, at).last() else { continue };
        let edited = &payload["args"];
        let changed = call.effects.iter().any(|(_, effect)| {
            let receipt = story.receipts.get(effect.effect_id.as_str());
            matches!(effect.payload, Payload::HookRun { .. })
                && receipt.is_some_and(|(place, _)| *place > answered)
        });
        let args = Value::Object(Map::clone(args));
        ensure!(
            changed || !edited.is_object() || args == *edited,
            "{} gets {args}, approved is {edited}",
            call.id
        );
    }
    Ok(())
}

pub fn off(story: &Story) -> Check {
    let policy = story.profile()["tools"]["policy"].as_object();
    for (alias, _) in policy.into_iter().flatten().filter(|(_, tier)| **tier == "off") {
        let offered = story.requests.iter().any(|request| request.names().contains(&alias.as_str()));
        ensure!(!offered, "{alias} is off and offered");
        let started = story.calls.iter().any(|call| call.name == *alias && !call.started.is_empty());
        ensure!(!started, "{alias} is off and starts");
    }
    for call in &story.calls {
        let offered =
            story.requests.first().is_some_and(|request| request.names().contains(&call.name.as_str()));
        ensure!(offered || call.started.is_empty(), "{} is not offered and starts", call.name);
    }
    Ok(())
}

pub fn failed_hooks(story: &Story) -> Check {
    for (at, decided) in story.told("permission_decided").filter(|(_, facts)| facts["reasonCode"] == "hook") {
        let id = decided["callId"].as_str().unwrap_or_default();
        let Some(call) = story.call(id) else { continue };
        let said =
            call.effects.iter().filter(|(_, effect)| matches!(effect.payload, Payload::HookRun { .. }));
        let mut answers = said.filter_map(|(_, effect)| story.receipts.get(effect.effect_id.as_str()));
        let has_word = answers.any(|(place, receipt)| {
            let payload = &receipt["payload"];
            let word = payload["decision"].is_string() || payload["halt"] == true;
            *place < at && receipt["outcome"] == "ok" && (word || rewrites(payload))
        });
        ensure!(has_word, "{decided} and no hook said so");
    }
    Ok(())
}

fn rewrites(payload: &Value) -> bool {
    payload["args"].is_object() || payload["mergeArgs"].is_object()
}
