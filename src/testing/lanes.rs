//! The cases of `lanes` on the plan alone, with a virtual clock. The session runs the same cases on whole calls.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Verdict, case};
use crate::project::{Stop, cancelled_before_start, interrupted, skipped_after_failure, skipped_batch_ended};
use crate::protocol::limits::PARALLEL_CALLS;
use crate::protocol::{Code, Outcome, Status};
use crate::schedule::{Fallout, Lanes, Plan, Slot, Step};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let mut batch = Batch::new(input);
    batch.play(input["cancelAt"].as_u64());
    batch.check(expect).into()
}

/// A call as the case describes it.
struct Script {
    id: String,
    safe: bool,
    ms: u64,
    outcome: String,
    terminate: bool,
}

struct Batch {
    scripts: Vec<Script>,
    plan: Plan,
    now: u64,
    /// Running calls by the time they end.
    running: BTreeMap<(u64, usize), ()>,
    results: Vec<Option<(Status, Option<Code>)>>,
    starts: BTreeMap<u64, Vec<usize>>,
    finishes: BTreeMap<u64, Vec<usize>>,
    max_parallel: usize,
}

impl Batch {
    fn new(input: &Value) -> Self {
        let lanes = if input["mode"] == "free" { Lanes::Free } else { Lanes::Barrier };
        let cap = input["cap"].as_u64().and_then(|cap| usize::try_from(cap).ok());
        let mut plan = Plan::new(lanes, cap.unwrap_or(PARALLEL_CALLS));
        let mut scripts = Vec::new();
        for call in input["calls"].as_array().into_iter().flatten() {
            plan.push(Slot {
                parallel: call["safe"] == true,
                cascades: call["cascades"] == true,
                block: call["block"] == true,
                ..Slot::default()
            });
            scripts.push(Script {
                id: call["id"].as_str().unwrap_or_default().into(),
                safe: call["safe"] == true,
                ms: call["ms"].as_u64().unwrap_or_default(),
                outcome: call["outcome"].as_str().unwrap_or("ok").into(),
                terminate: call["terminate"] == true,
            });
        }
        Self {
            results: vec![None; scripts.len()],
            scripts,
            plan,
            now: 0,
            running: BTreeMap::new(),
            starts: BTreeMap::new(),
            finishes: BTreeMap::new(),
            max_parallel: 0,
        }
    }

    fn play(&mut self, cancel_at: Option<u64>) {
        let mut cancel_at = cancel_at;
        self.advance();
        loop {
            let next = self.running.keys().next().copied();
            let cancel = cancel_at.filter(|at| next.is_none_or(|(end, _)| *at < end));
            match (cancel, next) {
                (Some(at), _) => {
                    cancel_at = None;
                    self.now = at;
                    let fallout = self.plan.stop();
                    self.fall(fallout, cancelled_before_start(), Stop::User);
                }
                (None, Some((end, index))) => {
                    self.now = end;
                    self.finish(index);
                }
                (None, None) => return,
            }
            self.advance();
        }
    }

    fn advance(&mut self) {
        while let Some(step) = self.plan.next_step(self.now) {
            match step {
                Step::Admit(index) if self.scripts.get(index).is_some_and(|s| s.outcome == "denied") => {
                    self.settle(index, Status::Denied, None);
                }
                Step::Admit(index) => self.plan.permit(index),
                Step::Start(scheduled) => self.start(scheduled.index()),
            }
        }
    }

    fn start(&mut self, index: usize) {
        let ms = self.scripts.get(index).map(|script| script.ms).unwrap_or_default();
        self.running.insert((self.now + ms, index), ());
        self.starts.entry(self.now).or_default().push(index);
        let safe = |(_, index): &&(u64, usize)| self.scripts.get(*index).is_some_and(|script| script.safe);
        self.max_parallel = self.max_parallel.max(self.running.keys().filter(safe).count());
    }

    fn finish(&mut self, index: usize) {
        self.running.retain(|(_, running), ()| *running != index);
        self.finishes.entry(self.now).or_default().push(index);
        let Some(script) = self.scripts.get(index) else { return };
        let terminate = script.terminate;
        let failed = matches!(script.outcome.as_str(), "fail" | "panic");
        self.settle(index, if failed { Status::Error } else { Status::Ok }, None);
        if terminate {
            let fallout = self.plan.terminate();
            self.fall(fallout, skipped_batch_ended(), Stop::User);
        }
    }

    fn settle(&mut self, index: usize, status: Status, code: Option<Code>) {
        if let Some(result @ None) = self.results.get_mut(index) {
            *result = Some((status, code));
        }
        let fallout = self.plan.settle(index, status);
        let name = self.scripts.get(index).map(|script| script.id.clone()).unwrap_or_default();
        self.fall(fallout, skipped_after_failure(&name), Stop::Failure(&name));
    }

    /// What is told to stop answers at once that it did.
    fn fall(&mut self, fallout: Fallout, unstarted: Outcome, stop: Stop<'_>) {
        for index in fallout.unstarted {
            self.settle(index, unstarted.status, unstarted.code);
        }
        for index in fallout.abort {
            self.running.retain(|(_, running), ()| *running != index);
            self.finishes.entry(self.now).or_default().push(index);
            let outcome = interrupted(Some(stop));
            self.settle(index, outcome.status, outcome.code);
        }
    }

    fn check(&self, expect: &Value) -> Result<(), String> {
        let pinned = |index: usize| expect["results"].get(index).is_some_and(|row| row.get(2).is_some());
        let rows = self.scripts.iter().zip(&self.results).enumerate().map(|(index, (script, result))| {
            let (status, code) = result.unzip();
            match pinned(index) {
                true => json!([script.id, status, code.flatten()]),
                false => json!([script.id, status]),
            }
        });
        case::same_json("results", &rows.collect(), &expect["results"])?;
        case::same_json("starts", &self.times(&self.starts), &expect["starts"])?;
        case::same_json("finishes", &self.times(&self.finishes), &expect["finishes"])?;
        case::same_json("maxParallel", &self.max_parallel.into(), &expect["maxParallel"])
    }

    /// `[[time, [ids in call order]]]`.
    fn times(&self, moments: &BTreeMap<u64, Vec<usize>>) -> Value {
        let ids = |calls: &Vec<usize>| {
            let mut calls = calls.clone();
            calls.sort_unstable();
            calls
                .iter()
                .filter_map(|index| self.scripts.get(*index))
                .map(|s| s.id.clone())
                .collect::<Vec<_>>()
        };
        moments.iter().map(|(time, calls)| json!([time, ids(calls)])).collect()
    }
}
