//! What the end of one call, of the batch or of the run means for the calls of a batch.

use crate::protocol::{Mutant, Status};

use super::{Lanes, Plan, SlotState};

/// What must happen to which call, in call order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fallout {
    /// These had not started and never will: give each its result. The plan counts them as settled already.
    pub unstarted: Vec<usize>,
    /// These run: tell each to stop, and wait for its receipt (SC-34).
    pub abort: Vec<usize>,
}

impl Plan {
    /// A call has its result. The fallout is the cascade of SC-08, empty unless the call failed by itself, declares
    /// that its failure cascades, and is one of a parallel group; a serial call is a group of one (SC-31).
    pub fn settle(&mut self, index: usize, status: Status) -> Fallout {
        let Some(entry) = self.entries.get(index) else { return Fallout::default() };
        let denied = status == Status::Denied && Mutant::DeniedCascades.is_on();
        let failed =
            matches!(status, Status::Error | Status::TimedOut | Status::Unknown) && !entry.aborted || denied;
        let cascades = failed && entry.slot.cascades && entry.slot.parallel;
        if !self.close(index) || !cascades || Mutant::CascadeForgotten.is_on() {
            return Fallout::default();
        }
        let group = self.group(index);
        self.break_off(group)
    }

    /// A result ended the batch: what has not started never will, what runs finishes (SC-10).
    pub fn terminate(&mut self) -> Fallout {
        self.ended = true;
        Fallout { unstarted: self.drop_unstarted(0..self.entries.len()), abort: Vec::new() }
    }

    /// The run is cancelled or ends otherwise: what has not started never will, what runs is told to stop, unless
    /// it must not be broken off (SC-32, SC-35, RN-07).
    pub fn stop(&mut self) -> Fallout {
        if Mutant::CancelForgotten.is_on() {
            return Fallout { unstarted: Vec::new(), abort: self.abort_running(0..self.entries.len()) };
        }
        self.ended = true;
        self.break_off(0..self.entries.len())
    }

    /// One call is to stop (SC-11, SC-42).
    pub fn stop_call(&mut self, index: usize) -> Fallout {
        self.break_off([index])
    }

    /// The calls that are admitted together with this parallel one: its neighbours up to the next serial call, or,
    /// where the lanes overlap, every parallel call.
    fn group(&self, index: usize) -> Vec<usize> {
        let parallel = |index: &usize| self.entries.get(*index).is_some_and(|entry| entry.slot.parallel);
        if self.lanes == Lanes::Free {
            return (0..self.entries.len()).filter(parallel).collect();
        }
        let start = index - (0..index).rev().take_while(parallel).count();
        (start..self.entries.len()).take_while(parallel).collect()
    }

    fn break_off(&mut self, calls: impl IntoIterator<Item = usize> + Clone) -> Fallout {
        Fallout { unstarted: self.drop_unstarted(calls.clone()), abort: self.abort_running(calls) }
    }

    fn drop_unstarted(&mut self, calls: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut dropped = Vec::new();
        for index in calls {
            let runs = self.state(index) == Some(SlotState::Running) && !Mutant::RunningSkipped.is_on();
            let started = runs || matches!(self.state(index), None | Some(SlotState::Settled));
            if !started && self.close(index) {
                dropped.push(index);
            }
        }
        dropped
    }

    fn abort_running(&mut self, calls: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut aborted = Vec::new();
        for index in calls {
            let Some(entry) = self.entries.get_mut(index) else { continue };
            if entry.state == SlotState::Running && !entry.slot.block && !entry.aborted {
                entry.aborted = true;
                aborted.push(index);
            }
        }
        aborted
    }
}
