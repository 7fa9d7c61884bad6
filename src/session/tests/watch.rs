//! Looks at every step of a run, and at the run itself, and says which promise is broken. The ids are those of the
//! invariants (chapter 17 of the specification).

macro_rules! ensure {
    ($holds:expr, $id:literal, $($about:tt)*) => {
        if !$holds {
            return Err(format!("{}: {}", $id, format!($($about)*)));
        }
    };
}

mod effects;
mod files;
mod journal;

pub use self::files::contents;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::Session;
use super::super::run_state::{Phase, Purpose, Run};
use super::facts;
use super::world::TOOLS;
use crate::protocol::{Class, Effect, Event, Output, Payload, Receipt, ReceiptOutcome};
use crate::schedule::SlotState;
use crate::workspace::{Digest, WorkspacePath};

type Check = Result<(), String>;

/// What was seen of one run.
#[derive(Default)]
pub struct Watch {
    seq: u64,
    ids: BTreeSet<String>,
    /// Effects without an answer, by id.
    open: BTreeMap<String, Effect>,
    calls: BTreeMap<String, Seen>,
    /// Calls in order, a list for each batch.
    batches: Vec<Vec<String>>,
    tools: Vec<String>,
    timers: BTreeMap<String, u64>,
    conversation: Vec<Value>,
    ended: Option<String>,
    records: BTreeMap<WorkspacePath, Digest>,
    /// Contents of the files as they were when the run last read or wrote them.
    known: BTreeMap<String, Option<Digest>>,
    changes: usize,
    storage_lost: bool,
    /// Calls that a person allowed, this once.
    approved: BTreeSet<String>,
    cancelled: bool,
    /// Work in the background: its call, and how far it has come.
    works: BTreeMap<String, (String, &'static str)>,
}

#[derive(Default)]
struct Seen {
    tool: String,
    started: bool,
    stored: Option<Value>,
    over: bool,
    told: bool,
    effects: usize,
    broken: bool,
    content: String,
    code: Option<String>,
}

impl Watch {
    /// Looks at one step, which took at most one input in.
    pub fn step(&mut self, session: &Session, output: &Output, now: u64, host_wrote: bool) -> Check {
        self.timers.retain(|_, at| *at > now);
        let was_over = self.ended.is_some();
        for event in &output.events {
            match event {
                Event::Journal(event) => self.journal(session, event)?,
                Event::Live(event) => {
                    if event.kind == "tool_end" {
                        self.told(&facts(&event.payload))?;
                    }
                }
            }
        }
        self.order(output)?;
        for effect in &output.effects {
            self.effect(session, effect, was_over)?;
        }
        let Some(run) = session.runs.get("run_1") else { return Ok(()) };
        self.lanes(run)?;
        self.files(session, run, output, host_wrote)?;
        self.progress(run)
    }

    /// An effect was answered.
    pub fn answered(&mut self, receipt: &Receipt) {
        if let Some(effect) = self.open.remove(&receipt.effect_id) {
            let is_ok = receipt.outcome == ReceiptOutcome::Ok;
            self.storage_lost |= !is_ok && effect.class == Class::Storage;
            let once = receipt.payload.as_ref().is_some_and(|payload| payload["answer"] == "once");
            if let (Payload::ApprovalRequest(_), true, true) = (&effect.payload, is_ok, once) {
                self.approved.extend(effect.call_id.map(|id| id.to_string()));
            }
        }
    }

    fn lanes(&self, run: &Run) -> Check {
        if !matches!(run.phase, Phase::Batch) {
            return Ok(());
        }
        let plan = &run.batch.plan;
        // What waits for somebody holds up no other of its lane but a serial one (SC-25).
        let waits_for = |place: usize| {
            let passage = run.batch.calls[place].passage.as_ref();
            passage.is_some_and(|passage| !passage.waits.is_empty())
        };
        let calls: Vec<(usize, SlotState, Option<bool>)> = (0..run.batch.calls.len())
            .map(|place| {
                let native = run.batch.calls[place].tool_id.as_ref().map(|id| id.native().to_owned());
                let tool = TOOLS.iter().find(|tool| Some(tool.name) == native.as_deref());
                (place, plan.state(place).unwrap(), tool.map(|tool| tool.parallel))
            })
            .collect();
        let running: Vec<_> = calls.iter().filter(|(_, state, _)| *state == SlotState::Running).collect();
        let parallel = running.iter().filter(|(.., parallel)| *parallel == Some(true)).count();
        let limit = run.profile.run.parallel_limit as usize;
        ensure!(parallel <= limit, "IV-50", "{parallel} at once, {limit} may be");
        let serial = running.len() - parallel;
        ensure!(serial <= 1, "IV-52", "{serial} serial calls at once");
        let barrier = run.profile.run.lanes == crate::catalog::profile::Lanes::Barrier;
        ensure!(!barrier || serial == 0 || running.len() == 1, "IV-51", "{running:?}");
        for (place, ..) in &running {
            let earlier = calls[..*place].iter().filter(|(.., parallel)| *parallel == Some(false));
            let open = earlier.filter(|(_, state, _)| *state != SlotState::Settled).count();
            ensure!(!barrier || open == 0, "IV-51", "{place} passes a serial call");
            for lane in [true, false].map(Some) {
                let waits = |(earlier, state, other): &&(usize, SlotState, Option<bool>)| {
                    earlier < place
                        && *other == lane
                        && !(lane == Some(true) && waits_for(*earlier))
                        && matches!(state, SlotState::Queued | SlotState::Waiting)
                };
                let is_mine = calls[*place].2 == lane;
                ensure!(
                    !is_mine || !calls.iter().any(|call| waits(&call)),
                    "IV-52",
                    "{place} passes one of its lane"
                );
            }
        }
        Ok(())
    }

    /// Something is always awaited, and a run ends in one way (IV-19, IV-18).
    fn progress(&self, run: &Run) -> Check {
        let ended = matches!(run.phase, Phase::Ended(_));
        ensure!(ended == self.ended.is_some(), "IV-80", "{:?}", self.ended);
        if ended {
            ensure!(self.timers.is_empty(), "IV-18", "{:?} at the end", self.timers);
            let is_save = |purpose: &Purpose| matches!(purpose, Purpose::Save { .. });
            ensure!(run.open.values().all(is_save), "RN-07", "{:?} open at the end", run.open);
            ensure!(
                self.calls.values().all(|seen| seen.over && seen.told),
                "SC-07",
                "a call without its end"
            );
            return Ok(());
        }
        let waits = run.open.keys().any(|id| self.open.contains_key(id)) || !self.timers.is_empty();
        ensure!(waits, "IV-19", "nothing is awaited");
        for (id, purpose) in &run.open {
            let is_open = self.open.contains_key(id);
            ensure!(is_open, "IV-19", "{id} ({purpose:?}) was answered and is still awaited");
            if let Purpose::Task(id) | Purpose::TaskHook(id) = purpose {
                ensure!(run.tasks.contains_key(id), "IV-19", "{id} is awaited for no work");
            }
            if let Purpose::Call(place) = purpose {
                ensure!(run.batch.calls.get(*place).is_some(), "IV-19", "{id} is awaited for no call");
            }
        }
        Ok(())
    }

    /// The calls and the end of the run.
    pub fn end(&self) -> Option<&str> {
        self.ended.as_deref()
    }
}
