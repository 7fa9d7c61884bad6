//! One run at work: the run, the core it works on and the output it writes to.

use std::sync::Arc;

use serde_json::Value;

use super::blobs::Blobs;
use super::run_state::Run;
use super::task::Task;
use super::timers::Rearm;
use crate::catalog::{Catalog, Profile};
use crate::permission::{Grants, Hooks, RuleBook};
use crate::protocol::{
    AbortReason, Class, Effect, Event, EventId, Facts, JournalEvent, Level, LiveEvent, Mutant, Output,
    Payload, SortedMap, Watch, facts,
};
use crate::workspace::Tree;

/// What all runs of a session share.
#[derive(Default)]
pub(crate) struct Core {
    /// The time of the last input; never goes back (EF-01).
    pub now: u64,
    pub effects: u64,
    pub runs: u64,
    pub checkpoints: u64,
    /// Tool snapshots made so far.
    pub snapshots: u64,
    pub catalog: Catalog,
    pub profiles: SortedMap<String, Profile>,
    pub workspace: Tree,
    pub blobs: Blobs,
    /// What the host and answers say about calls in general.
    pub rules: RuleBook,
    /// The hooks, and how they were registered.
    pub hooks: Hooks,
    pub hooks_given: Value,
    /// What persons have allowed for a while.
    pub grants: Grants,
    /// Questions asked so far.
    pub approvals: u64,
    /// Work in the background of sessions without a run, by id.
    pub tasks: SortedMap<String, Task>,
    /// Ids of sessions that were deleted, the oldest first; their runs end.
    pub deleted: Vec<String>,
}

impl Core {
    /// The next effect id. One count for all runs of the session, so that a receipt needs no run id.
    pub fn effect_id(&mut self) -> String {
        self.effects += u64::from(!(Mutant::IdRepeats.is_on() && self.effects == 4));
        format!("e{}", self.effects)
    }

    /// Bytes by digest: those handed over, and those of the files there are.
    pub fn bytes(&self, digest: &str) -> Option<Arc<[u8]>> {
        let kept = self.blobs.get(digest).cloned();
        kept.or_else(|| self.workspace.content(&digest.parse().ok()?))
    }
}

/// One run at work.
pub(crate) struct Active<'a> {
    pub core: &'a mut Core,
    pub run: &'a mut Run,
    pub out: &'a mut Output,
}

impl Active<'_> {
    /// Writes a line of the journal.
    pub fn journal(&mut self, level: Level, kind: &'static str, payload: Facts) -> u64 {
        let repeats = Mutant::NumberRepeats.is_on() && kind == "tool_call_started";
        let seq = self.run.journal.len() as u64 + u64::from(!repeats);
        let event = Arc::new(JournalEvent {
            seq,
            id: EventId(seq),
            run_id: self.run.id.clone(),
            timestamp: self.core.now,
            level,
            kind: kind.into(),
            payload,
            effect_id: None,
        });
        self.run.journal.push(Arc::clone(&event));
        if self.run.capabilities.store {
            self.run.unstored.push(Arc::clone(&event));
        }
        if self.run.capabilities.events != Watch::Run || is_of_run(kind) {
            self.out.events.push(Event::Journal(event));
        }
        seq
    }

    /// A line of the journal at the usual level.
    pub fn note(&mut self, kind: &'static str, payload: Facts) -> u64 {
        self.journal(Level::Info, kind, payload)
    }

    /// Tells screens something that is not kept.
    pub fn live(&mut self, kind: &'static str, payload: impl FnOnce() -> Facts) {
        if self.run.capabilities.events != Watch::All {
            return;
        }
        let event = LiveEvent { run_id: self.run.id.clone(), kind, payload: payload() };
        self.out.events.push(Event::Live(event));
    }

    /// Tells screens that a call has changed its state (05, section 2).
    pub fn call_state(&mut self, call_id: &str, state: &str) {
        self.live("tool_update", || facts!({"callId": call_id, "state": state}));
    }

    /// Asks the host for something and gives the effect's id.
    pub fn effect(
        &mut self,
        class: Class,
        call_id: Option<&Arc<str>>,
        deadline: Option<u64>,
        payload: Payload,
    ) -> String {
        let effect_id = self.core.effect_id();
        self.out.effects.push(Effect {
            effect_id: effect_id.clone(),
            class,
            run_id: self.run.id.clone(),
            invocation_id: Some(self.run.invocation_id.clone()),
            call_id: call_id.cloned(),
            deadline,
            payload,
        });
        effect_id
    }

    /// Tells running work to stop.
    pub fn abort(&mut self, target_effect_id: &str, reason: AbortReason) {
        let payload = Payload::Abort { target_effect_id: target_effect_id.to_owned(), reason };
        self.effect(Class::OneWay, None, None, payload);
    }

    /// Lets the host's timer ring at the earliest time that something waits for.
    pub fn rearm(&mut self) {
        for change in self.run.timers.rearm(self.core.now) {
            let payload = match change {
                Rearm::Set { timer_id, at } => Payload::TimerSet { timer_id, at },
                Rearm::Cancel { timer_id } => Payload::TimerCancel { timer_id },
            };
            self.effect(Class::OneWay, None, None, payload);
        }
    }
}

/// Events that tell of the run as a whole, or that its host has to know.
fn is_of_run(kind: &str) -> bool {
    kind.starts_with("run_") || kind.starts_with("background_") || kind == "model_call_attempt_failed"
}
