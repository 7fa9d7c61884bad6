//! What the session waits for. The host holds at most one timer per run: the earliest.

use crate::protocol::SortedMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why a timer was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Purpose {
    /// Ask the model again (RN-05).
    Retry,
    /// The waiting limit of a call (SC-40).
    Timeout {
        /// Which call.
        call_id: Arc<str>,
    },
    /// The waiting limit of an effect that a call or the run waits for.
    Expiry {
        /// Which effect.
        effect_id: String,
    },
    /// The time that work in the background has to answer after it was told to stop.
    Task {
        /// Which.
        id: String,
    },
    /// The time an aborted call has to answer (SC-34).
    Grace {
        /// Which call.
        call_id: Arc<str>,
    },
}

/// The timers of one run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Timers {
    next: u64,
    waiting: SortedMap<u64, (u64, Purpose)>,
    /// The timer that the host holds: its id and when it rings.
    armed: Option<(String, u64)>,
}

/// What the host has to do so that the earliest timer rings.
pub(crate) enum Rearm {
    /// Set this one.
    Set { timer_id: String, at: u64 },
    /// Forget this one.
    Cancel { timer_id: String },
}

impl Timers {
    /// Starts to wait.
    pub fn set(&mut self, at: u64, purpose: Purpose) {
        self.next += 1;
        self.waiting.insert(self.next, (at, purpose));
    }

    /// Stops waiting for everything about a call.
    pub fn forget_call(&mut self, id: &str) {
        self.waiting.retain(|_, (_, purpose)| match purpose {
            Purpose::Timeout { call_id } | Purpose::Grace { call_id } => **call_id != *id,
            Purpose::Retry | Purpose::Expiry { .. } | Purpose::Task { .. } => true,
        });
    }

    /// Stops the time of a call; gives when its limit would have been over.
    pub fn pause(&mut self, id: &str) -> Option<u64> {
        let is_its = |purpose: &Purpose| matches!(purpose, Purpose::Timeout { call_id } if **call_id == *id);
        let number =
            self.waiting.iter().find(|(_, (_, purpose))| is_its(purpose)).map(|(number, _)| *number)?;
        self.waiting.remove(&number).map(|(at, _)| at)
    }

    /// Stops waiting for the limit of an effect.
    pub fn forget_effect(&mut self, id: &str) {
        let is_its = |purpose: &Purpose| matches!(purpose, Purpose::Expiry { effect_id } if effect_id == id);
        self.waiting.retain(|_, (_, purpose)| !is_its(purpose));
    }

    /// Stops waiting for work in the background.
    pub fn forget_task(&mut self, task: &str) {
        self.waiting.retain(|_, (_, purpose)| !matches!(purpose, Purpose::Task { id } if id == task));
    }

    /// The host's timer is gone: the next one is set whatever it was.
    pub fn disarm(&mut self) {
        self.armed = None;
    }

    /// Stops waiting for anything.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Whether a timer is due, or the host's has rung.
    pub fn is_due(&self, now: u64) -> bool {
        let rung = self.armed.as_ref().is_some_and(|(_, at)| *at <= now);
        rung || self.waiting.values().any(|(at, _)| *at <= now)
    }

    /// Takes the next timer that is due: by time, then by age (EF-02).
    pub fn due(&mut self, now: u64) -> Option<Purpose> {
        let (_, id) =
            self.waiting.iter().map(|(id, (at, _))| (*at, *id)).filter(|(at, _)| *at <= now).min()?;
        self.waiting.remove(&id).map(|(_, purpose)| purpose)
    }

    /// What the host has to change so that it rings at the earliest time: a later ring than needed is moved, an
    /// earlier one is left alone, since it is only a tick.
    pub fn rearm(&mut self, now: u64) -> Vec<Rearm> {
        let rung = self.armed.as_ref().is_some_and(|(_, at)| *at <= now);
        if rung {
            self.armed = None;
        }
        let earliest = self.waiting.values().map(|(at, _)| *at).min();
        match (earliest, &self.armed) {
            (Some(at), Some((_, armed))) if *armed <= at => Vec::new(),
            (None, None) => Vec::new(),
            (earliest, _) => {
                let mut changes = Vec::new();
                if let Some((timer_id, _)) = self.armed.take() {
                    changes.push(Rearm::Cancel { timer_id });
                }
                if let Some(at) = earliest {
                    self.next += 1;
                    let timer_id = format!("t{}", self.next);
                    self.armed = Some((timer_id.clone(), at));
                    changes.push(Rearm::Set { timer_id, at });
                }
                changes
            }
        }
    }
}
