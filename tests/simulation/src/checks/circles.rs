//! The loop guard (IV-55, LG-02, LG-03).

use std::collections::BTreeMap;

use handrail::protocol::Payload;

use super::{Check, ensure};
use crate::story::Story;
use crate::story::call::Call;

/// Of so many steps in a row more than eight may not be the same.
const STEPS: usize = 20;
const SAME: usize = 8;

fn is_on(story: &Story) -> bool {
    story.profile()["run"]["loopGuard"] != false
}

/// The guard is seen by nothing but what it says.
pub fn off_says_nothing(story: &Story) -> Check {
    if let Some(differs) = &story.transcript.unguarded {
        return Err(differs.clone());
    }
    if is_on(story) {
        return Ok(());
    }
    let blocked = story.told("tool_loop_blocked").next();
    ensure!(blocked.is_none(), "a guard that is off blocks {blocked:?}");
    let ended = story.told("run_failed").find(|(_, facts)| facts["code"] == "agent.loop_detected");
    ensure!(ended.is_none(), "a guard that is off ends the run");
    let blocked = story.calls.iter().find(|call| call.code() == "tool.loop_blocked");
    ensure!(blocked.is_none(), "a guard that is off blocks {:?}", blocked.map(|call| &call.id));
    Ok(())
}

/// What was called with which arguments, if the function was called.
fn tried(call: &Call) -> Option<String> {
    let (_, effect) = call.performed().next()?;
    match &effect.payload {
        Payload::ExtensionCall { args, .. } => {
            let members: BTreeMap<_, _> = args.iter().collect();
            Some(format!("{} {members:?}", call.tool))
        }
        Payload::ShellExec { command, .. } => Some(format!("{} {command}", call.tool)),
        _ => None,
    }
}

/// Two failures in a row let nothing through; fewer hold nothing up.
pub fn third_try(story: &Story) -> Check {
    if !is_on(story) {
        return Ok(());
    }
    for call in &story.calls {
        let Some(what) = tried(call) else { continue };
        let same = |other: &&Call| tried(other).as_ref() == Some(&what) && other.round < call.round;
        let mut row = 0;
        for earlier in story.calls.iter().filter(same) {
            match earlier.status.as_str() {
                "error" | "timed_out" | "unknown" => row += 1,
                "ok" | "backgrounded" => row = 0,
                _ => {}
            }
        }
        ensure!(row < 2, "{} is tried again after {row} failures", call.id);
    }
    let aggregate = !story.profile()["tools"]["aggregateResultCharLimit"].is_null();
    for (at, facts) in story.told("tool_loop_blocked") {
        let id = facts["callId"].as_str().unwrap_or_default();
        let Some(call) = story.call(id) else { return Err(format!("{id} is blocked and nobody asked")) };
        let failed = story.calls.iter().filter(|other| {
            other.tool == call.tool
                && (aggregate && other.asked < at || other.settled() < at)
                && !other.started.is_empty()
                && matches!(other.status.as_str(), "error" | "timed_out" | "unknown")
        });
        ensure!(failed.count() >= 2, "{id} is blocked and nothing like it failed twice");
        ensure!(call.started.is_empty() && call.performed().next().is_none(), "{id} is blocked and starts");
    }
    Ok(())
}

/// A step: what was called with what, and what came of it.
type Step<'s> = Vec<(&'s str, String, &'s str, &'s str)>;

/// How often the step that is there most often is there.
fn most(steps: &[Step<'_>]) -> usize {
    let count = |step: &Step| steps.iter().filter(|other| *other == step).count();
    steps.iter().map(count).max().unwrap_or_default()
}

pub fn same_steps(story: &Story) -> Check {
    let mut steps: Vec<Step> = Vec::new();
    for call in &story.calls {
        let step = (call.tool.as_str(), call.said["arguments"].to_string(), call.code(), call.text());
        match steps.last_mut() {
            Some(last) if call.place > 0 => last.push(step),
            _ => steps.push(vec![step]),
        }
    }
    let last = &steps[steps.len().saturating_sub(STEPS)..];
    let detected = story.told("run_failed").any(|(_, facts)| facts["code"] == "agent.loop_detected");
    ensure!(!detected || most(last) > SAME, "a loop is detected, {} steps are the same", most(last));
    // One that was resumed behind that may go on.
    if is_on(story) && !detected && story.told("run_completed").next().is_some() {
        let mut windows = steps.windows(STEPS.min(steps.len()).max(1));
        ensure!(windows.all(|window| most(window) <= SAME), "a run goes on in circles");
    }
    Ok(())
}
