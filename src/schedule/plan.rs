//! The lanes of one batch.

use serde::{Deserialize, Serialize};

use crate::protocol::{Mutant, SortedSet};

/// How serial and parallel calls of one batch relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Lanes {
    /// A serial call waits for every earlier call, and every later call waits for it (SC-23).
    #[default]
    Barrier,
    /// The two lanes overlap; only serial calls wait for earlier serial calls (SC-24).
    Free,
}

/// What the plan knows of a call. A call that ends in an error at once (an unknown name, arguments that stay
/// invalid) holds no lane (SC-20): push it with [`Plan::push_settled`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Slot {
    /// The tool declares it and the predicate says yes for this input (SC-20, SC-21).
    pub parallel: bool,
    /// A completion tool: in last position it waits for all others, in both modes (SC-24).
    pub completion: bool,
    /// Its failure takes its parallel group along (SC-08).
    pub cascades: bool,
    /// Once started it is never told to stop (SC-35).
    pub block: bool,
    /// Limit of waiting for it, counted from its start (SC-40).
    pub timeout_ms: Option<u64>,
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SlotState {
    /// Not admitted.
    Queued,
    /// In the corridor: gate, checks, hooks, approval. Holds no place among the parallel calls (SC-25).
    Waiting,
    /// Permitted; starts as soon as there is a place.
    Ready,
    /// Started.
    Running,
    /// Has its result.
    Settled,
}

/// A permitted call that has its place: only the plan makes one.
#[derive(Debug, PartialEq, Eq)]
pub struct Scheduled {
    index: usize,
    deadline: Option<u64>,
}

impl Scheduled {
    /// The place of the call in its batch.
    pub fn index(&self) -> usize {
        self.index
    }

    /// When waiting for it ends; milliseconds since the Unix epoch.
    pub fn deadline(&self) -> Option<u64> {
        self.deadline
    }
}

/// The next thing to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Let this queued call into the corridor. It then is [`SlotState::Waiting`] until the session reports
    /// [`Plan::permit`] or [`Plan::settle`].
    Admit(usize),
    /// Start this permitted call.
    Start(Scheduled),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub(super) slot: Slot,
    pub(super) state: SlotState,
    /// Told to stop.
    pub(super) aborted: bool,
}

/// The lanes of one batch, or of the nested calls of one call (SC-28). Every question and report costs amortised
/// logarithmic time: the cursors below only move forward, save when a predicate turns a call parallel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub(super) lanes: Lanes,
    limit: usize,
    pub(super) entries: Vec<Entry>,
    /// No later call starts: the batch was ended or stopped.
    pub(super) ended: bool,
    /// Calls without a result.
    open: usize,
    /// Parallel calls that run.
    running: usize,
    /// Calls that are [`SlotState::Ready`].
    ready: SortedSet<usize>,
    /// Every call before this one is settled.
    first_open: usize,
    /// Every serial call before this one is settled.
    first_serial: usize,
    /// No parallel call before this one is queued.
    first_queued: usize,
}

impl Plan {
    /// An empty plan in which at most `limit` parallel calls run at once; a limit of 0 counts as 1.
    pub fn new(lanes: Lanes, limit: usize) -> Self {
        Self {
            lanes,
            limit: limit.max(1),
            entries: Vec::new(),
            ended: false,
            open: 0,
            running: 0,
            ready: SortedSet::new(),
            first_open: 0,
            first_serial: 0,
            first_queued: 0,
        }
    }

    /// Adds the next call of the batch; its place is returned.
    pub fn push(&mut self, slot: Slot) -> usize {
        self.add(slot, SlotState::Queued)
    }

    /// Adds a call that has its result already and holds no lane (SC-20). It neither blocks nor parts a group.
    pub fn push_settled(&mut self) -> usize {
        self.add(Slot { parallel: true, ..Slot::default() }, SlotState::Settled)
    }

    fn add(&mut self, slot: Slot, state: SlotState) -> usize {
        self.open += usize::from(state != SlotState::Settled);
        self.entries.push(Entry { slot, state, aborted: false });
        self.entries.len() - 1
    }

    /// Where a call stands; `None` if there is no such call.
    pub fn state(&self, index: usize) -> Option<SlotState> {
        self.entries.get(index).map(|entry| entry.state)
    }

    /// Whether every call has its result.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// The next thing to do, lowest call first; `None` until something is reported. Carry it out and report before
    /// asking again.
    pub fn next_step(&mut self, now: u64) -> Option<Step> {
        if self.ended {
            return None;
        }
        self.move_cursors();
        let admitted = [self.admissible_parallel(), self.admissible_serial()].into_iter().flatten().min();
        match (self.startable(), admitted) {
            (Some(start), admit) if admit.is_none_or(|admit| start < admit) => Some(self.start(start, now)),
            (_, Some(admit)) => {
                self.set(admit, SlotState::Waiting);
                Some(Step::Admit(admit))
            }
            _ => None,
        }
    }

    /// An admitted call may run; it is started by a later [`Step::Start`].
    pub fn permit(&mut self, index: usize) {
        if self.state(index) == Some(SlotState::Waiting) {
            self.set(index, SlotState::Ready);
            self.ready.insert(index);
        }
    }

    /// The predicate of a call that has not started answered: it is parallel after all (SC-20).
    pub fn make_parallel(&mut self, index: usize) {
        let Some(entry) = self.entries.get_mut(index) else { return };
        if matches!(entry.state, SlotState::Queued | SlotState::Waiting) {
            entry.slot.parallel = true;
            self.first_queued = self.first_queued.min(index);
        }
    }

    /// The call leaves its lane. `false`: it had left before.
    pub(super) fn close(&mut self, index: usize) -> bool {
        let Some(entry) = self.entries.get_mut(index) else { return false };
        if entry.state == SlotState::Settled {
            return false;
        }
        if entry.state == SlotState::Running && entry.slot.parallel {
            self.running -= 1;
        }
        entry.state = SlotState::Settled;
        self.open -= 1;
        self.ready.remove(&index);
        true
    }

    fn start(&mut self, index: usize, now: u64) -> Step {
        self.ready.remove(&index);
        self.set(index, SlotState::Running);
        let slot = self.entries.get(index).map(|entry| &entry.slot);
        let deadline = slot.and_then(|slot| slot.timeout_ms).map(|limit| now.saturating_add(limit));
        if slot.is_some_and(|slot| slot.parallel) {
            self.running += 1;
        }
        Step::Start(Scheduled { index, deadline })
    }

    fn set(&mut self, index: usize, state: SlotState) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.state = state;
        }
    }

    /// The first permitted call that has a place. Only one serial call is ever admitted, and it needs none.
    fn startable(&self) -> Option<usize> {
        let first = self.ready.first().copied()?;
        let first = if Mutant::LaneReordered.is_on() { self.ready.last().copied()? } else { first };
        if self.has_place() {
            return Some(first);
        }
        self.ready.contains(&self.first_serial).then_some(self.first_serial)
    }

    /// The cap is one of running calls (SC-25): it does not keep a call out of the corridor.
    fn admissible_parallel(&self) -> Option<usize> {
        let index = self.first_queued;
        let passes = self.lanes == Lanes::Free || index < self.first_serial || Mutant::BarrierPassed.is_on();
        (index < self.entries.len() && passes && !self.must_be_alone(index)).then_some(index)
    }

    fn admissible_serial(&self) -> Option<usize> {
        let index = self.first_serial;
        let passes = self.lanes == Lanes::Free || index == self.first_open;
        let queued = self.state(index) == Some(SlotState::Queued);
        (queued && passes && !self.must_be_alone(index)).then_some(index)
    }

    /// A completion tool in last position while others are open.
    fn must_be_alone(&self, index: usize) -> bool {
        let completion = self.entries.get(index).is_some_and(|entry| entry.slot.completion);
        completion && index + 1 == self.entries.len() && self.first_open < index
    }

    fn has_place(&self) -> bool {
        self.running < self.limit + usize::from(Mutant::OneOverTheLimit.is_on())
    }

    fn move_cursors(&mut self) {
        let from = |start: usize, passed: &dyn Fn(&Entry) -> bool| {
            let rest = self.entries.get(start..).unwrap_or_default();
            start + rest.iter().take_while(|entry| passed(entry)).count()
        };
        let open = from(self.first_open, &|entry| entry.state == SlotState::Settled);
        let serial =
            from(self.first_serial, &|entry| entry.slot.parallel || entry.state == SlotState::Settled);
        let queued =
            from(self.first_queued, &|entry| !(entry.slot.parallel && entry.state == SlotState::Queued));
        (self.first_open, self.first_serial, self.first_queued) = (open, serial, queued);
    }
}
