//! The engine room. `step` takes inputs and a time and gives effects, events and replies; it asks by returning, and
//! holds everything a run is, so that a run can be written down after any step and go on elsewhere.

mod active;
mod adoption;
mod answer;
mod approval;
mod background;
mod batch;
mod blobs;
mod builtins;
mod cancel;
mod close;
mod command;
mod corridor;
mod deletion;
mod delivery;
mod drive;
mod hooks;
mod host_files;
mod inputs;
mod judge;
mod ledger;
mod loop_guard;
mod model;
mod paged;
mod passage;
mod port;
mod question;
mod resume;
mod review;
mod run_hooks;
mod run_state;
mod service;
mod settle;
mod settled_by;
mod start;
mod state;
mod state_of_run;
mod store;
mod task;
mod task_end;
mod task_hooks;
mod terms;
mod timers;

use std::sync::Arc;

use serde_json::{Value, json};

pub use self::drive::drive;

use self::active::{Active, Core};
use self::inputs::Read;
use self::ledger::OpenCall;
use self::run_state::{Phase, Purpose, Run, Wait};
use self::state::HandedOut;
use crate::protocol::{
    Code, Command, Event, Fault, Input, LiveEvent, Mutant, Output, Receipt, ReceiptOutcome, Reply, SortedMap,
    SortedSet, facts, json_text,
};
use crate::wire::{self, ModelFault};

/// The state of a runtime: catalog, workspace, runs. Deterministic: the same inputs give the same outputs, byte for
/// byte (AC-04).
pub struct Session {
    core: Core,
    /// Boxed: an insertion moves what stands behind it.
    runs: SortedMap<Arc<str>, Box<Run>>,
    /// Ids of the runs that an input may concern: those that go on, or still wait for a receipt.
    awake: SortedSet<Arc<str>>,
    handed_out: HandedOut,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// An empty session with the builtin tools.
    pub fn new() -> Self {
        // The builtins are data of this build; that they go together is a test.
        let catalog = builtins::catalog().unwrap_or_default();
        let core = Core { catalog, ..Core::default() };
        Self { core, runs: SortedMap::new(), awake: SortedSet::new(), handed_out: HandedOut::default() }
    }

    /// Hands in any number of inputs, in order, at a time in milliseconds since the Unix epoch. A smaller time than
    /// the last one counts as the last one (EF-01).
    pub fn step(&mut self, inputs: Vec<Input>, now: u64) -> Output {
        self.take(inputs.into_iter().map(Read::Input), now)
    }

    fn take(&mut self, inputs: impl Iterator<Item = Read>, now: u64) -> Output {
        self.core.now = self.core.now.max(now);
        let mut output = Output::default();
        for (place, input) in inputs.enumerate() {
            // A new host first says that it is there: until then the time of nothing has passed (RN-10).
            if !matches!(&input, Read::Input(Input::Command(command)) if matches!(**command, Command::Attach {}))
            {
                self.ring(&mut output);
            }
            match input {
                Read::Input(Input::Command(command)) => {
                    let answer = self.command(*command, &mut output);
                    output.replies.push(reply(place, answer));
                }
                Read::Input(Input::Receipt(receipt)) => self.receipt(receipt, None, &mut output),
                Read::Reply { effect_id, reply } => {
                    self.receipt(Receipt::ok(effect_id), Some(reply), &mut output)
                }
                Read::Input(Input::Progress(progress)) => {
                    self.progress(&progress.effect_id, &progress.data, &mut output)
                }
                Read::Input(Input::Tick {}) => {}
            }
        }
        output
    }

    /// The same with JSON: a list of inputs in, an output out. A text that is no list of inputs is a fault, and
    /// nothing has changed.
    pub fn step_text(&mut self, inputs: &str, now: u64) -> Result<String, Fault> {
        let is_model = |run: &Run, effect_id: &str| matches!(run.open.get(effect_id), Some(Purpose::Model));
        let asked = |effect_id: &str| self.awake().find(|run| is_model(run, effect_id)).map(|run| run.codec);
        let inputs = inputs::read(inputs, &asked)?;
        json_text(&self.take(inputs.into_iter(), now))
            .map_err(|e| Fault::new(Code::ToolInternalError, format!("the output cannot be written: {e}")))
    }

    /// Keeps bytes that a following input names, and gives their digest.
    pub fn put_blob(&mut self, bytes: Vec<u8>) -> String {
        self.core.blobs.put(bytes.into())
    }

    /// The effects that wait for a receipt (RN-10): what a host must answer after a restore.
    pub fn in_flight(&self) -> Value {
        let open = self.awake().flat_map(|run| {
            run.open.iter().map(|(effect_id, purpose)| match purpose {
                Purpose::Model => json!({"effectId": effect_id, "runId": run.id, "kind": "model.request"}),
                Purpose::Task(id) => run.tasks.get(id).and_then(|task| task.in_flight(&run.id)).into(),
                Purpose::Call(_) => {
                    let open = run.performed(effect_id);
                    let (kind, call) = (open.map(OpenCall::kind), open.map(|open| &open.call.call_id));
                    json!({"effectId": effect_id, "runId": run.id, "kind": kind, "callId": call})
                }
                Purpose::Passage { place, wait } => {
                    let open = run.batch.calls.get(*place);
                    let call = open.map(|open| &open.call.call_id);
                    let asked =
                        json!({"effectId": effect_id, "runId": run.id, "kind": wait.kind(), "callId": call});
                    let shown = open.and_then(|open| open.passage.as_ref()?.approval.clone());
                    match (asked, shown) {
                        (Value::Object(mut asked), Some(payload)) if *wait == Wait::Approval => {
                            asked.insert("payload".into(), payload);
                            Value::Object(asked)
                        }
                        (asked, _) => asked,
                    }
                }
                Purpose::Hook | Purpose::TaskHook(_) => {
                    json!({"effectId": effect_id, "runId": run.id, "kind": "hook.run"})
                }
                Purpose::Save { .. } => json!({"effectId": effect_id, "runId": run.id, "kind": "rules.save"}),
            })
        });
        let appends = self.awake().flat_map(|run| {
            run.appends
                .iter()
                .map(|effect_id| json!({"effectId": effect_id, "runId": run.id, "kind": "store.append"}))
        });
        open.chain(appends).chain(self.tasks_in_flight()).collect()
    }

    /// [`Session::in_flight`] as text.
    pub fn in_flight_text(&self) -> String {
        self.in_flight().to_string()
    }

    /// Works on one run; what it wrote to the journal goes to the store first.
    fn work<T>(&mut self, run_id: &str, out: &mut Output, f: impl FnOnce(&mut Active) -> T) -> Option<T> {
        let run = self.runs.get_mut(run_id)?;
        let (effects, was_over) = (out.effects.len(), matches!(run.phase, Phase::Ended(_)));
        let mut active = Active { core: &mut self.core, run, out };
        let result = f(&mut active);
        active.rearm();
        active.append(effects);
        run.over = None;
        let ends = !was_over && matches!(run.phase, Phase::Ended(_));
        if run.is_over() {
            self.awake.remove(run_id);
        }
        let is_gone = run.is_closed() && self.core.deleted.contains(&run.session_id);
        if ends {
            let goes_on = |run: &Run| !matches!(run.phase, Phase::Ended(_));
            let is_last = !self.awake().any(goes_on);
            self.core.rules.end_turn(is_last);
        }
        if is_gone {
            self.forget_deleted(run_id);
        }
        Some(result)
    }

    fn awake(&self) -> impl Iterator<Item = &Run> {
        self.awake.iter().filter_map(|id| self.runs.get(id).map(|run| &**run))
    }

    fn ring(&mut self, out: &mut Output) {
        self.give_up_without_run(out);
        let is_due = |run: &&Run| run.timers.is_due(self.core.now);
        let due: Vec<Arc<str>> = self.awake().filter(is_due).map(|run| run.id.clone()).collect();
        for run_id in due {
            self.work(&run_id, out, |active| active.ring());
        }
    }

    fn run_of(&self, effect_id: &str) -> Option<Arc<str>> {
        let owns = |run: &&Run| {
            run.open.contains_key(effect_id)
                || run.appends.contains(effect_id)
                || run.expired.contains(effect_id)
        };
        self.awake().find(owns).map(|run| run.id.clone())
    }

    /// `reply`: what the model replied, where that is not in the payload.
    fn receipt(
        &mut self,
        receipt: Receipt,
        reply: Option<Box<Result<wire::Reply, ModelFault>>>,
        out: &mut Output,
    ) {
        let Some(run_id) = self.run_of(&receipt.effect_id) else {
            if let Some(receipt) = self.receipt_without_run(receipt, out) {
                self.ignored("receipt_ignored", &receipt.effect_id, out);
            }
            return;
        };
        let counts = Mutant::LateCounts.is_on();
        let late =
            !counts && self.runs.get_mut(&run_id).is_some_and(|run| run.expired.remove(&receipt.effect_id));
        if late {
            return self.late(&run_id, &receipt.effect_id, out);
        }
        let saves = self.work(&run_id, out, |active| {
            if active.run.appends.remove(&receipt.effect_id) {
                active.appended(&receipt);
                return false;
            }
            let purpose = active.run.open.remove(&receipt.effect_id);
            let is_orphan = active.run.orphaned.remove(&receipt.effect_id);
            let purpose = if is_orphan { active.ask_again(purpose, &receipt) } else { purpose };
            let saves = matches!(purpose, Some(Purpose::Save { .. }));
            match purpose {
                Some(Purpose::Model) => active.model_receipt(receipt, reply),
                Some(Purpose::Call(place)) => {
                    let effect_id = receipt.effect_id.clone();
                    active.call_receipt(place, receipt);
                    if Mutant::PortStaysOpen.is_on() {
                        active.run.open.insert(effect_id, Purpose::Call(place));
                    }
                }
                Some(Purpose::Passage { place, wait }) => active.passage_receipt(place, wait, &receipt),
                Some(Purpose::Task(id)) => active.task_receipt(&id, receipt),
                Some(Purpose::TaskHook(id)) => active.task_hook_receipt(&id, &receipt),
                Some(Purpose::Hook) => active.run_hook_receipt(&receipt),
                Some(Purpose::Save { place, rule }) => active.saved(place, rule, &receipt),
                None => {}
            }
            saves
        });
        if saves == Some(true) {
            self.rules_changed(out);
        }
    }

    /// There are other rules: calls of all runs that wait for their place are looked at again.
    fn rules_changed(&mut self, out: &mut Output) {
        for run_id in self.awake.clone() {
            self.work(&run_id, out, |active| active.rules_changed());
        }
    }

    /// A receipt that changes nothing is said, and that is all (EF-05).
    fn ignored(&mut self, kind: &'static str, effect_id: &str, out: &mut Output) {
        let goes_on = |run: &&Run| !matches!(run.phase, Phase::Ended(_));
        let running: Vec<Arc<str>> = self.awake().filter(goes_on).map(|run| run.id.clone()).collect();
        let payload = facts!({"effectId": effect_id});
        match running.as_slice() {
            [run_id] => {
                self.work(run_id, out, |active| active.note(kind, payload));
            }
            // No single run it could belong to: nothing durable may follow a terminal event.
            _ => out.events.push(Event::Live(LiveEvent { run_id: "".into(), kind, payload })),
        }
    }

    fn late(&mut self, run_id: &str, effect_id: &str, out: &mut Output) {
        let payload = facts!({"effectId": effect_id});
        self.work(run_id, out, |active| {
            if matches!(active.run.phase, Phase::Ended(_)) {
                active.live("late_receipt", || payload);
            } else {
                active.note("late_receipt", payload);
            }
        });
    }

    fn progress(&mut self, effect_id: &str, data: &Value, out: &mut Output) {
        let Some(run_id) = self.run_of(effect_id) else {
            return self.progress_without_run(effect_id, data, out);
        };
        self.work(&run_id, out, |active| match active.run.open.get(effect_id) {
            Some(Purpose::Model) => {
                if let Some(chunk) = data.get("chunk") {
                    active.model_chunk(chunk);
                }
            }
            Some(Purpose::Call(place)) => {
                let place = *place;
                let Some(open) = active.run.batch.calls.get(place) else { return };
                if let (Some(question), false) = (data.get("ask"), open.is_program()) {
                    return active.function_asks(place, question);
                }
                let kinds: &[&str] = if open.is_program() { &["stdout", "stderr"] } else { &["text"] };
                let (call_id, moves) = (open.call.call_id.clone(), active.moves(open));
                if let Some(text) = kinds.iter().find_map(|kind| data.get(*kind)?.as_str()) {
                    active.live("tool_update", || facts!({"callId": call_id, "output": text}));
                }
                if let (true, Some(open)) = (moves, active.run.batch.calls.get_mut(place)) {
                    open.log.hear(data);
                }
            }
            Some(Purpose::Passage { wait: Wait::Analysis, .. }) => {
                if let Some(stage) = data.get("stage").and_then(Value::as_str) {
                    active.analysis_stage(effect_id, stage);
                }
            }
            Some(Purpose::Task(id)) => {
                let id = id.clone();
                active.task_progress(&id, data);
            }
            _ => {}
        });
    }

    fn command(&mut self, command: Command, out: &mut Output) -> Result<Option<Value>, Fault> {
        command::perform(self, command, out)
    }
}

impl Active<'_> {
    /// The answer to a `store.append`: anything but ok is fatal (EF-09).
    fn appended(&mut self, receipt: &Receipt) {
        if receipt.outcome == ReceiptOutcome::Ok {
            return;
        }
        self.run.storage_lost = true;
        let message = receipt.error.as_ref().map_or("no reason given", |error| error.message.as_str());
        self.fail(Fault::new(
            Code::StorageAppendFailed,
            format!("the store did not take the last events: {message}"),
        ));
    }
}

fn reply(input: usize, answer: Result<Option<Value>, Fault>) -> Reply {
    match answer {
        Ok(value) => Reply { input, ok: true, value, code: None, message: None, details: None },
        Err(fault) => Reply {
            input,
            ok: false,
            value: None,
            code: Some(fault.code),
            message: Some(fault.message),
            details: fault.details,
        },
    }
}

#[cfg(test)]
mod tests;
