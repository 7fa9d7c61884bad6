//! Looks at every step of a run, and at the run itself, and says which promise is broken. The ids are those of the
//! invariants (chapter 17 of the specification).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::super::Session;
use super::super::run_state::{Phase, Purpose, Run};
use super::facts;
use super::world::{BROKEN, TOOLS};
use crate::protocol::{
    Class, Effect, Event, FileOperation, JournalEvent, Output, Payload, Receipt, ReceiptOutcome, Wire,
};
use crate::schedule::SlotState;
use crate::workspace::{Digest, Entry, Roots, Tree, Walk, WorkspacePath};

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

macro_rules! ensure {
    ($holds:expr, $id:literal, $($about:tt)*) => {
        if !$holds {
            return Err(format!("{}: {}", $id, format!($($about)*)));
        }
    };
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
                self.approved.extend(effect.call_id);
            }
        }
    }

    fn journal(&mut self, session: &Session, event: &JournalEvent) -> Check {
        self.seq += 1;
        ensure!(event.seq == self.seq, "IV-07", "{} follows {}", event.seq, self.seq - 1);
        ensure!(self.ended.is_none(), "IV-80", "{} after {:?}", event.kind, self.ended);
        let told = facts(&event.payload);
        let call_id = told["callId"].as_str().unwrap_or_default().to_owned();
        match event.kind.as_str() {
            "tool_call_requested" => {
                let tool = told["toolId"].as_str().unwrap_or_default().to_owned();
                let seen = Seen { broken: is_broken(session, &call_id), tool, ..Seen::default() };
                ensure!(self.calls.insert(call_id.clone(), seen).is_none(), "IV-05", "{call_id} twice");
                let is_new = self.batches.last().is_none_or(|batch| batch.iter().any(|id| self.is_over(id)));
                if is_new {
                    self.batches.push(Vec::new());
                }
                self.batches.last_mut().unwrap().push(call_id);
            }
            "tool_call_started" => {
                let seen = self.calls.get_mut(&call_id).ok_or("IV-05: started before it was asked for")?;
                ensure!(!seen.started && seen.stored.is_none(), "IV-05", "{call_id} starts late");
                ensure!(!self.cancelled, "IV-44", "{call_id} starts in a run that is cancelled");
                ensure!(!seen.tool.ends_with(":d"), "IV-40", "{call_id} starts against a rule");
                let is_critical = seen.tool.ends_with(":c");
                ensure!(
                    !is_critical || self.approved.contains(&call_id),
                    "IV-41",
                    "nobody allowed {call_id}"
                );
                ensure!(!seen.broken, "IV-31", "{call_id} starts with broken arguments");
                seen.started = true;
            }
            "tool_result_stored" => self.stored(session, &call_id, &told)?,
            "tool_call_completed" | "tool_call_failed" => {
                let seen = self.calls.get_mut(&call_id).ok_or("IV-05: over before it was asked for")?;
                let stored = seen.stored.as_ref().ok_or("IV-05: over before it is stored")?;
                ensure!(!seen.over, "IV-05", "{call_id} is over twice");
                let ok = matches!(stored["status"].as_str(), Some("ok" | "backgrounded"));
                ensure!(ok == (event.kind == "tool_call_completed"), "IV-76", "{call_id} {stored}");
                seen.over = true;
            }
            "background_started" | "background_finished" | "background_delivered" => {
                self.work(session, &event.kind, &call_id, &told)?;
            }
            "run_cancel_requested" => self.cancelled = true,
            "run_completed" | "run_failed" | "run_cancelled" => self.ended = Some(event.kind.clone()),
            _ => {}
        }
        Ok(())
    }

    /// Work in the background begins, ends and is delivered in this order, each once (IV-88).
    fn work(&mut self, session: &Session, kind: &str, call_id: &str, told: &Value) -> Check {
        let id = told["id"].as_str().unwrap();
        let before = self.works.get(id).map(|(_, stage)| *stage);
        let (expected, stage) = match kind {
            "background_started" => (None, "started"),
            "background_finished" => (Some("started"), "finished"),
            _ => (Some("finished"), "delivered"),
        };
        ensure!(before == expected, "IV-88", "{id} is {stage} after {before:?}");
        self.works.insert(id.to_owned(), (call_id.to_owned(), stage));
        if stage == "finished" {
            let path = WorkspacePath::parse(told["resultRef"].as_str().unwrap()).unwrap();
            let file = session.core.workspace.file(&path).ok_or("RS-48: the result has no file")?;
            ensure!(!self.records.contains_key(&path), "IV-04", "{path} is written twice");
            let record: Value = serde_json::from_str(file.text().unwrap()).unwrap();
            ensure!(record["status"] == told["status"] && record["callId"] == call_id, "IV-04", "{record}");
            ensure!(told["status"] != "backgrounded", "IV-04", "{id} ends as it began");
            self.records.insert(path, file.sha256());
        }
        Ok(())
    }

    fn is_over(&self, call_id: &str) -> bool {
        self.calls.get(call_id).is_some_and(|seen| seen.over)
    }

    fn stored(&mut self, session: &Session, call_id: &str, stored: &Value) -> Check {
        let seen = self.calls.get_mut(call_id).ok_or("IV-05: stored before it was asked for")?;
        ensure!(seen.stored.is_none(), "IV-01", "{call_id} has two results");
        let path = WorkspacePath::parse(stored["resultRef"].as_str().unwrap()).unwrap();
        let file = session.core.workspace.file(&path).ok_or("RS-48: the result has no file")?;
        let record: Value = serde_json::from_str(file.text().unwrap()).unwrap();
        ensure!(record["status"] == stored["status"], "IV-04", "{stored} and {record}");
        let (ok, status) = (&record["ok"], record["status"].as_str().unwrap());
        ensure!(*ok == json!(matches!(status, "ok" | "backgrounded")), "IV-76", "{record}");
        seen.content = record["content"].as_str().unwrap().to_owned();
        seen.code = record["errorCode"].as_str().map(str::to_owned);
        ensure!(!seen.content.trim().is_empty(), "IV-26", "{call_id} has no text");
        if status == "skipped" || seen.code.as_deref() == Some("tool.interrupted_before_start") {
            ensure!(!seen.started && seen.effects == 0, "IV-53", "{call_id} is {status} and had started");
        }
        seen.stored = Some(stored.clone());
        if record["meta"]["truncated"] == true {
            projected(session, &record)?;
        } else if record["toolId"].as_str().is_some_and(|id| id.starts_with("extension/")) && status == "ok" {
            let limit = session.runs["run_1"].profile.tools.external_result_inline_char_limit as usize;
            ensure!(seen.content.chars().count() <= limit, "IV-70", "{call_id} is longer than {limit}");
        }
        self.records.insert(path, file.sha256());
        let code = seen.code.clone();
        // With a limit for the whole batch the results are stored in call order: the failure may come later.
        let waits = session.runs["run_1"].profile.tools.aggregate_result_char_limit.is_some();
        if code.as_deref() == Some("tool.skipped_after_failure") && !waits {
            let mut failed = self.batches.last().unwrap().iter().map(|id| &self.calls[id]).filter(|other| {
                let status = other.stored.as_ref().and_then(|stored| stored["status"].as_str());
                other.tool == "extension/x:k" && matches!(status, Some("error" | "timed_out" | "unknown"))
            });
            ensure!(failed.next().is_some(), "IV-54", "{call_id} was taken along by nobody");
        }
        Ok(())
    }

    fn told(&mut self, told: &Value) -> Check {
        let seen = self.calls.get_mut(told["callId"].as_str().unwrap()).ok_or("EV-01: an end of nothing")?;
        let stored = seen.stored.as_ref().ok_or("EV-01: told before it is stored")?;
        ensure!(!seen.told && told["status"] == stored["status"], "IV-06", "{told} and {stored}");
        seen.told = true;
        Ok(())
    }

    /// What was written down goes to the store before it is acted on.
    fn order(&mut self, output: &Output) -> Check {
        let journal: Vec<&JournalEvent> = output
            .events
            .iter()
            .filter_map(|event| match event {
                Event::Journal(event) => Some(&**event),
                Event::Live(_) => None,
            })
            .collect();
        let mut kept = Vec::new();
        for (place, effect) in output.effects.iter().enumerate() {
            let Payload::StoreAppend { records, .. } = &effect.payload else { continue };
            for record in records {
                let told = facts(&record.payload);
                let about = told["effectId"].as_str();
                let earlier =
                    output.effects[..place].iter().any(|other| Some(other.effect_id.as_str()) == about);
                ensure!(
                    !earlier || record.kind == "model_call_attempt_failed",
                    "IV-14",
                    "{record:?} is late"
                );
                kept.push(record.seq);
            }
        }
        if !kept.is_empty() {
            let all: Vec<u64> = journal.iter().map(|event| event.seq).collect();
            ensure!(kept == all || self.storage_lost, "EF-08", "{kept:?} of {all:?} stored");
        }
        Ok(())
    }

    fn effect(&mut self, session: &Session, effect: &Effect, was_over: bool) -> Check {
        let id = &effect.effect_id;
        ensure!(self.ids.insert(id.clone()), "IV-11", "{id} is emitted twice");
        if was_over {
            let closing = matches!(
                effect.payload,
                Payload::Abort { .. } | Payload::TimerCancel { .. } | Payload::StoreAppend { .. }
            );
            ensure!(closing, "IV-15", "{:?} after the end", effect.payload);
        }
        match &effect.payload {
            Payload::ModelRequest { request, messages_from, .. } => {
                ensure!(effect.class == Class::Pure, "EF-03", "{id}");
                self.request(request, *messages_from)?;
            }
            Payload::ExtensionCall { args, context, .. } => {
                ensure!(effect.class == Class::Effectful, "EF-03", "{id}");
                ensure!(args.is_object(), "IV-30", "{args}");
                let call_id = effect.call_id.as_deref().unwrap();
                ensure!(context.call_id == call_id, "IV-10", "{call_id} and {}", context.call_id);
                let seen = self.calls.get_mut(call_id).ok_or("IV-10: a call of nobody")?;
                seen.effects += 1;
                ensure!(
                    seen.started && seen.effects == 1,
                    "IV-10",
                    "{call_id} is sent {} times",
                    seen.effects
                );
            }
            Payload::ShellExec { .. } => {
                ensure!(effect.class == Class::Effectful, "EF-03", "{id}");
                let call_id = effect.call_id.as_deref().unwrap();
                let seen = self.calls.get_mut(call_id).ok_or("IV-10: a call of nobody")?;
                seen.effects += 1;
                ensure!(seen.started && seen.effects == 1, "IV-10", "{call_id} is sent {}", seen.effects);
            }
            Payload::ApprovalRequest(_) => {
                ensure!(effect.class == Class::Held, "EF-03", "{id}");
                let may_ask = session.runs["run_1"].terms.approver;
                ensure!(may_ask, "IV-42", "{id} with nobody to ask");
            }
            Payload::RulesSave { .. } | Payload::HookRun { .. } => {
                ensure!(effect.class == Class::Effectful, "EF-03", "{id}");
            }
            Payload::ReviewRequest { .. } | Payload::ShellAnalyze { .. } => {
                ensure!(effect.class == Class::Pure, "EF-03", "{id}");
            }
            Payload::CallReply { .. } => {
                ensure!(effect.class == Class::OneWay, "EF-03", "{id}");
            }
            Payload::ExtensionInspect { args, .. } => {
                ensure!(effect.class == Class::Pure, "EF-03", "{id}");
                ensure!(args.is_object(), "IV-30", "{args}");
            }
            Payload::StoreAppend { blobs, .. } => {
                ensure!(effect.class == Class::Storage, "EF-03", "{id}");
                let missing = blobs.iter().find(|digest| session.blob(digest).is_none());
                ensure!(missing.is_none(), "EF-08", "{missing:?} cannot be fetched");
            }
            Payload::TimerSet { timer_id, at } => {
                ensure!(self.timers.is_empty(), "IV-18", "{:?} beside {timer_id}", self.timers);
                self.timers.insert(timer_id.clone(), *at);
            }
            Payload::TimerCancel { timer_id } => {
                ensure!(self.timers.remove(timer_id).is_some(), "IV-18", "{timer_id} is not set");
            }
            Payload::Abort { target_effect_id, .. } => {
                ensure!(self.open.contains_key(target_effect_id), "SC-34", "{target_effect_id} is not open");
            }
        }
        if effect.class != Class::OneWay {
            self.open.insert(id.clone(), effect.clone());
        }
        Ok(())
    }

    /// Every call of a request has its one result directly behind it, and the tools stay what they were.
    fn request(&mut self, request: &Value, from: Option<usize>) -> Check {
        let messages = request["messages"].as_array().unwrap();
        match from {
            Some(from) => {
                ensure!(
                    from <= self.conversation.len(),
                    "WR-05",
                    "from {from} of {}",
                    self.conversation.len()
                );
                self.conversation.truncate(from);
                self.conversation.extend(messages.iter().cloned());
            }
            None => {
                ensure!(messages.starts_with(&self.conversation), "IV-03", "the conversation was changed");
                self.conversation = messages.clone();
            }
        }
        for (id, (_, stage)) in &self.works {
            let told = |message: &&Value| {
                let text = message["content"].as_str().unwrap_or_default();
                message["role"] == "user" && text.contains(&format!("went on in the background as `{id}`"))
            };
            let count = self.conversation.iter().filter(told).count();
            // The host may have taken it instead.
            ensure!(
                count <= usize::from(*stage == "delivered"),
                "IV-88",
                "{id} is {stage}, told {count} times"
            );
        }
        let mut batches = self.batches.iter();
        let mut messages = self.conversation.iter().peekable();
        while let Some(message) = messages.next() {
            let texts = message["content"].as_str().is_none_or(|text| !text.is_empty());
            ensure!(texts, "IV-26", "{message} has an empty text");
            ensure!(message["role"] != "tool", "IV-03", "{message} answers nothing");
            let Some(calls) = message["tool_calls"].as_array() else { continue };
            let batch = batches.next().ok_or("IV-03: more batches than there were")?;
            ensure!(batch.len() == calls.len(), "IV-01", "{} calls, {} asked for", calls.len(), batch.len());
            for (call, call_id) in calls.iter().zip(batch) {
                let arguments = call["function"]["arguments"].as_str().unwrap();
                let object = serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object());
                ensure!(object, "IV-32", "{arguments} is replayed");
                let answer = messages.next().ok_or("IV-03: a call without its result")?;
                ensure!(answer["tool_call_id"] == call["id"], "IV-02", "{answer} answers {call}");
                let seen = &self.calls[call_id];
                ensure!(seen.over && seen.told, "IV-01", "{call_id} is not over");
                let shown = answer["content"].as_str().unwrap();
                let has_mark = shown.starts_with("Error (");
                ensure!(
                    shown.ends_with(&seen.content) || shown.contains(&seen.content),
                    "IV-06",
                    "{shown:?}"
                );
                ensure!(has_mark == seen.code.is_some(), "WR-08", "{call_id}: {shown:?}");
            }
            ensure!(messages.peek().is_none_or(|next| next["role"] != "tool"), "IV-03", "too many results");
        }
        ensure!(batches.next().is_none(), "IV-01", "a batch is not in the request");
        // A host that keeps the messages keeps the tools as well: they are not sent to it again.
        if from.is_some() && !self.tools.is_empty() && request.get("tools").is_none() {
            return Ok(());
        }
        let names = request["tools"].as_array().into_iter().flatten();
        let names: Vec<String> =
            names.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect();
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let is_name = |name: &String| (1..=64).contains(&name.len()) && name.chars().all(legal);
        ensure!(names.iter().all(is_name), "IV-22", "{names:?}");
        ensure!(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "IV-22", "{names:?}");
        ensure!(names.starts_with(&self.tools), "IV-24", "{names:?} after {:?}", self.tools);
        self.tools = names;
        Ok(())
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

    fn files(&mut self, session: &Session, run: &Run, output: &Output, host_wrote: bool) -> Check {
        let tree = &session.core.workspace;
        for (path, digest) in &self.records {
            ensure!(
                tree.file(path).is_some_and(|file| file.sha256() == *digest),
                "IV-04",
                "{path} was changed"
            );
        }
        for root in Roots::default().visible() {
            ensure!(matches!(tree.root(root), Some(Entry::Directory(_))), "IV-61", "{root} is gone");
        }
        ensure!(contents(tree, "skills").is_empty(), "IV-60", "skills were changed");
        let waits = run.profile.tools.aggregate_result_char_limit.is_some();
        // Reads and changes in the order in which they were announced.
        for event in &output.events {
            let Event::Journal(event) = event else { continue };
            let written = matches!(event.kind.as_str(), "workspace_file_written" | "workspace_patch_applied");
            let told = facts(&event.payload);
            if written {
                let change = &run.changes.list()[self.changes];
                self.changes += 1;
                ensure!(told["changeId"] == change.change_id.as_str(), "FC-40", "{change:?}");
                let before = change.sha256_before.as_ref().map(|digest| digest.parse::<Digest>().unwrap());
                let known = self.known.get(&change.path).copied().flatten();
                // With a limit for the whole batch, reads are announced after the changes that followed them.
                if change.operation == FileOperation::Modify && !waits {
                    ensure!(known == before, "IV-64", "{change:?} of a file known as {known:?}");
                }
                let after = change.sha256_after.as_ref().map(|digest| digest.parse::<Digest>().unwrap());
                if change.operation != FileOperation::Append || known == before {
                    self.known.insert(change.path.clone(), after);
                }
            }
            if event.kind == "tool_result_stored" && told["status"] == "ok" {
                self.read(session, &told);
            }
        }
        let announced = run.changes.list().len() == self.changes;
        ensure!(announced || waits, "IV-69", "a change that nobody was told of");
        let _ = host_wrote;
        Ok(())
    }

    /// A read of a file: its audit file says which, and the text what was seen.
    fn read(&mut self, session: &Session, told: &Value) {
        let path = WorkspacePath::parse(told["resultRef"].as_str().unwrap()).unwrap();
        let record: Value =
            serde_json::from_str(session.core.workspace.file(&path).unwrap().text().unwrap()).unwrap();
        if record["toolId"] != "builtin:workspace.read_file" {
            return;
        }
        let rows: Vec<&str> = record["content"].as_str().unwrap().lines().skip(1).collect();
        let text: Vec<&str> =
            rows.iter().filter_map(|row| row.split_once(" | ")).map(|(_, text)| text).collect();
        let file = record["content"].as_str().unwrap().split(' ').next().unwrap();
        self.known.insert(file.to_owned(), Some(Digest::of(text.join("\n").as_bytes())));
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

    /// Undoes all changes, newest first: the files are those of the beginning (IV-68).
    pub fn undo(&self, session: &Session, beginning: &BTreeMap<String, String>) -> Check {
        let changes = &session.runs["run_1"].changes;
        let mut files = contents(&session.core.workspace, "output");
        for change in changes.list().iter().rev() {
            let here = files.remove(&change.path).map(|text| Digest::of(text.as_bytes()).to_string());
            ensure!(here == change.sha256_after, "IV-68", "{change:?} is not what is there");
            if let Some(before) = &change.sha256_before {
                let content = changes.content(&before.parse().unwrap()).ok_or("IV-63: a content is lost")?;
                files.insert(change.path.clone(), content.text().unwrap().to_owned());
            }
        }
        ensure!(files == *beginning, "IV-68", "{files:?} is not {beginning:?}");
        Ok(())
    }
}

/// The text files below a root.
pub fn contents(tree: &Tree, root: &str) -> BTreeMap<String, String> {
    let root = WorkspacePath::parse(root).unwrap();
    let files = Walk::below(tree, &root, usize::MAX).filter_map(|found| match found.entry {
        Entry::File(file) => Some((found.path.to_string(), file.text().unwrap_or_default().to_owned())),
        Entry::Directory(_) => None,
    });
    files.collect()
}

fn is_broken(session: &Session, call_id: &str) -> bool {
    let mut calls = session.runs["run_1"].batch.calls.iter();
    calls.any(|open| open.call.call_id == call_id && open.call.arguments == Wire::Text(BROKEN.into()))
}

/// A long result: a preview of it, and all of it in a file (IV-70, IV-71).
fn projected(session: &Session, record: &Value) -> Check {
    let content = record["content"].as_str().unwrap();
    let readable = record["structured"]["path"].as_str().unwrap();
    ensure!(content.contains("NOT the whole"), "IV-71", "{content:?} does not say that it is cut");
    ensure!(content.contains(readable), "IV-70", "{content:?} does not say where the rest is");
    ensure!(content.chars().count() <= 3_000 + 900, "IV-70", "{} characters", content.chars().count());
    let file = session.core.workspace.file(&WorkspacePath::parse(readable).unwrap()).unwrap();
    let text = file.text().unwrap().replace('\n', "");
    ensure!(
        record["structured"]["charCount"] == text.chars().count(),
        "IV-70",
        "the file has another length"
    );
    Ok(())
}
