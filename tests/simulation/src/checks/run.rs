//! Lanes and the run as a whole (IV-19, IV-50 to IV-56, IV-80, IV-82).

use std::collections::{BTreeMap, BTreeSet};

use handrail::protocol::Payload;

use super::{Check, ensure};
use crate::scenario::ENDLESS;
use crate::story::call::{Call, performs};
use crate::story::{RESUMED, Story, What, is_end};

const PARALLEL: [&str; 3] =
    ["builtin:workspace.read_file", "builtin:workspace.list_files", "builtin:workspace.search_files"];
/// Codes of calls that end before they get a lane (SC-20).
const REFUSED: [&str; 5] = [
    "model.unknown_tool_call",
    "tool.invalid_arguments",
    "agent.tool_denied",
    "model.output_truncated",
    "model.tool_choice_violation",
];

/// The lanes of the calls of one story.
struct Lanes<'s> {
    story: &'s Story<'s>,
    free: bool,
    /// Results are stored when the whole batch has settled (RS-47).
    aggregate: bool,
}

impl<'s> Lanes<'s> {
    fn of(story: &'s Story<'s>) -> Self {
        Self {
            story,
            free: story.profile()["run"]["lanes"] == "free",
            aggregate: !story.profile()["tools"]["aggregateResultCharLimit"].is_null(),
        }
    }

    fn is_parallel(&self, call: &Call) -> bool {
        PARALLEL.contains(&call.tool.as_str()) || self.story.declares(&call.tool, "parallel") == true
    }

    /// Whether a call holds a lane at all.
    fn holds(&self, call: &Call) -> bool {
        !(REFUSED.contains(&call.code()) && call.started.is_empty() && call.effects.is_empty())
    }

    /// The calls of the same batch that hold a lane.
    fn batch(&self, call: &Call) -> impl Iterator<Item = &'s Call<'s>> {
        let round = call.round;
        self.story.calls.iter().filter(move |other| other.round == round && self.holds(other))
    }

    /// Where the work of a started call was over at the earliest; `None`: not known.
    fn done(&self, call: &Call) -> Option<usize> {
        let stored = call.stored.first().copied().filter(|_| !self.aggregate);
        let Some((_, effect)) = call.performed().next() else {
            return stored.or(call.started.first().copied());
        };
        let id = effect.effect_id.as_str();
        let receipt = self.story.receipts.get(id).map(|(at, _)| *at);
        let aborts = self.story.effects().find(|(_, other)| {
            matches!(&other.payload, Payload::Abort { target_effect_id, .. } if target_effect_id == id)
        });
        let abort = aborts.map(|(at, _)| at).filter(|_| receipt.is_none() || self.aggregate);
        // One that goes on in the background has left its lane.
        let moved = call.moved.first().copied();
        [stored, receipt, abort, moved].into_iter().flatten().min()
    }

    /// Whether two parallel calls are admitted together.
    fn together(&self, one: &Call, other: &Call) -> bool {
        let (low, high) = (one.place.min(other.place), one.place.max(other.place));
        let parts = |call: &Call| call.place > low && call.place < high && !self.is_parallel(call);
        self.free || !self.batch(one).any(parts)
    }
}

pub fn limit(story: &Story) -> Check {
    let lanes = Lanes::of(story);
    let limit = story.profile()["run"]["parallelLimit"].as_u64().unwrap_or_default() as usize;
    for call in story.calls.iter().filter(|call| lanes.is_parallel(call)) {
        let Some(&at) = call.started.first() else { continue };
        let runs = |other: &&Call| {
            let started = other.started.first().is_some_and(|started| *started <= at);
            started && lanes.is_parallel(other) && lanes.done(other).is_none_or(|done| done > at)
        };
        let running = lanes.batch(call).filter(runs).count();
        ensure!(running <= limit, "{running} calls run when {} starts, {limit} may", call.id);
    }
    Ok(())
}

pub fn barrier(story: &Story) -> Check {
    let lanes = Lanes::of(story);
    for call in story.calls.iter().filter(|_| !lanes.free) {
        let Some(&at) = call.started.first() else { continue };
        let is_serial = !lanes.is_parallel(call);
        for earlier in lanes.batch(call).filter(|other| other.place < call.place) {
            if !is_serial && lanes.is_parallel(earlier) {
                continue;
            }
            let is_over = match earlier.started.is_empty() && lanes.aggregate {
                true => continue,
                false => lanes.done(earlier).is_some_and(|done| done <= at),
            };
            ensure!(is_over, "{} starts while {} is open", call.id, earlier.id);
        }
    }
    Ok(())
}

pub fn lane_order(story: &Story) -> Check {
    let lanes = Lanes::of(story);
    for call in &story.calls {
        let Some(&at) = call.started.first() else { continue };
        for earlier in lanes.batch(call).filter(|other| other.place < call.place) {
            let parallel = lanes.is_parallel(call);
            if parallel != lanes.is_parallel(earlier) || !lanes.together(call, earlier) && parallel {
                continue;
            }
            let overtaken = earlier.started.first().is_some_and(|started| *started > at);
            // What waits for somebody holds up no other parallel one (SC-25).
            let waited = earlier.effects.iter().any(|(place, effect)| *place < at && !performs(effect));
            let by_input = earlier.effects.iter().any(|(place, effect)| {
                !performs(effect) && story.moments[*place].step == story.moments[at].step
            });
            ensure!(!overtaken || parallel && (waited || by_input), "{} passes {}", call.id, earlier.id);
        }
    }
    Ok(())
}

pub fn skipped_has_no_effect(story: &Story) -> Check {
    for call in &story.calls {
        let before_start = call.status == "skipped" || call.code() == "tool.interrupted_before_start";
        let acted = !call.started.is_empty() || call.performed().next().is_some();
        ensure!(!before_start || !acted, "{} is {} and has started", call.id, call.status);
    }
    Ok(())
}

fn cascades(story: &Story, call: &Call) -> bool {
    let declares = story.declares(&call.tool, "cascadesOnFailure") == true;
    let failed = matches!(call.status.as_str(), "error" | "timed_out" | "unknown");
    declares && failed
}

pub fn cascade_causes(story: &Story) -> Check {
    let lanes = Lanes::of(story);
    for call in &story.calls {
        let by_cascade = story.effects().any(|(_, effect)| {
            let Payload::Abort { target_effect_id, reason } = &effect.payload else { return false };
            *reason == handrail::protocol::AbortReason::Cascade
                && call.performed().any(|(_, own)| own.effect_id == *target_effect_id)
        });
        if call.code() != "tool.skipped_after_failure" && !by_cascade {
            continue;
        }
        // A hook may have turned the failure that caused it into something else, or the other way round.
        let cause = lanes.batch(call).any(|other| {
            let changed = story.told("hook_completed").any(|(_, facts)| facts["callId"] == other.id.as_str());
            let is_cause =
                cascades(story, other) || changed && story.declares(&other.tool, "cascadesOnFailure") == true;
            other.id != call.id && is_cause && lanes.is_parallel(other) && lanes.together(call, other)
        });
        ensure!(cause, "{} goes with a failure that cascades to nobody", call.id);
    }
    Ok(())
}

pub fn cascade_follows(story: &Story) -> Check {
    let lanes = Lanes::of(story);
    if lanes.aggregate {
        return Ok(());
    }
    for call in story.calls.iter().filter(|call| cascades(story, call) && lanes.is_parallel(call)) {
        let (Some(&failed), false) = (call.stored.first(), call.started.is_empty()) else { continue };
        let was_stopped = story.effects().any(|(_, effect)| {
            matches!(&effect.payload, Payload::Abort { target_effect_id, .. }
                if call.performed().any(|(_, own)| own.effect_id == *target_effect_id))
        });
        let starts = |other: &&Call| {
            lanes.is_parallel(other)
                && lanes.together(call, other)
                && other.started.first().is_some_and(|at| *at > failed)
        };
        let later = lanes.batch(call).find(starts);
        let id = later.map(|later| &later.id);
        ensure!(was_stopped || later.is_none(), "{id:?} starts after {} failed", call.id);
    }
    Ok(())
}

pub fn no_counter(story: &Story) -> Check {
    const ENDS: [&str; 9] = [
        "agent.loop_detected",
        "model.request_failed",
        "model.reply_incomplete",
        "model.invalid_tool_call",
        "model.output_truncated",
        "model.tool_call_required",
        "storage.append_failed",
        "extension.call_outcome_unknown",
        "hook.halted",
    ];
    for (_, facts) in story.told("run_failed") {
        let code = facts["code"].as_str().unwrap_or_default();
        let ends = ENDS.contains(&code) || code.starts_with("effect.") || code.starts_with("workspace.shell");
        ensure!(ends, "the run ends with {code}");
    }
    Ok(())
}

pub fn progresses(story: &Story) -> Check {
    ensure!(story.transcript.steps.len() < ENDLESS, "the run does not end");
    let (mut open, mut timers) = (BTreeSet::new(), BTreeMap::new());
    let (mut begun, mut ended, mut step) = (false, false, 0);
    let mut answered: BTreeSet<&str> = BTreeSet::new();
    for moment in &story.moments {
        if moment.step != step {
            let waits = !open.is_empty() || !timers.is_empty();
            ensure!(!begun || ended || waits, "nothing is awaited after line {step}");
            step = moment.step;
        }
        match &moment.what {
            What::Input(line) => {
                // No timer rings while a program touches a file.
                if line.get("port").is_none() {
                    timers.retain(|_, at| *at > moment.now);
                }
                if let Some(id) = line["receipt"]["effectId"].as_str() {
                    open.remove(id);
                    answered.insert(id);
                }
            }
            What::Effect(effect) => match &effect.payload {
                Payload::TimerSet { timer_id, at } => drop(timers.insert(timer_id.as_str(), *at)),
                Payload::TimerCancel { timer_id } => drop(timers.remove(timer_id.as_str())),
                Payload::Abort { target_effect_id, .. } => drop(open.remove(target_effect_id.as_str())),
                Payload::StoreAppend { .. } => {}
                _ => drop(open.insert(effect.effect_id.as_str())),
            },
            What::Told { kind, .. } => {
                begun |= *kind == "run_created";
                ended = is_end(kind) || ended && *kind != RESUMED;
            }
            What::Live { .. } => {}
        }
    }
    let waits = !open.is_empty() || !timers.is_empty();
    ensure!(!begun || ended || waits, "nothing is awaited at the end");
    Ok(())
}

pub fn one_end(story: &Story) -> Check {
    // Only one that has failed goes on, and then it has another end (RN-11).
    let ends = story.ends();
    for (place, (at, kind)) in ends.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| ends[place].1);
        let fits = if is_end(kind) {
            before.is_none_or(|kind| kind == RESUMED)
        } else {
            before == Some("run_failed")
        };
        ensure!(fits, "{kind} follows {before:?}");
        let mut rest = story.moments[at + 1..].iter();
        let next = rest.find_map(|moment| match moment.what {
            What::Told { kind, .. } => Some(kind),
            _ => None,
        });
        ensure!(!is_end(kind) || next.is_none_or(|next| next == RESUMED), "{next:?} is told after the end");
    }
    let Some((_, kind)) = story.end else { return Ok(()) };
    ensure!(kind != "run_partial_success", "nothing was committed");
    let cancelled = story.cancelled().is_some();
    ensure!(kind != "run_cancelled" || cancelled, "nobody cancelled the run");
    Ok(())
}

pub fn nudges(story: &Story) -> Check {
    let mut nudges = 0;
    for moment in &story.moments {
        match moment.what {
            What::Told { kind: RESUMED, .. } => nudges = 0,
            What::Told { kind: "drift_recovery_attempted", .. } => nudges += 1,
            _ => {}
        }
        ensure!(nudges <= 20, "{nudges} nudges");
    }
    Ok(())
}
