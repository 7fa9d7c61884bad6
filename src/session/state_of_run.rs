//! A run as it is written down.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde::de::value::Error;
use serde_json::{Value, json};

use super::blobs::Blobs;
use super::builtins;
use super::paged::{self, Paged, Pages, blob, corrupt, misshapen, read_back};
use super::run_state::{Phase, Purpose, Run, Sent};
use super::start::{codec, roots, wire_choice};
use super::task::Task;
use super::terms::{Said, Terms};
use super::timers::Timers;
use crate::catalog::{Profile, Snapshot, Turn};
use crate::permission::Permitted;
use crate::protocol::{
    Capabilities, Facts, FactsWriter, Fault, Fields, FileChange, JournalEvent, Mutant, Scenario, SortedMap,
    SortedSet, Unwritable, json_text, misfit,
};
use crate::run::history::Kept;
use crate::schedule::LoopGuard;
use crate::wire::Usage;
use crate::workspace::{Changes, ReadState, Touches};

/// What a run was started with, and never changes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    scenario: Scenario,
    seed: String,
    driven: bool,
    target: Arc<Value>,
    model: Option<Value>,
    capabilities: Capabilities,
    codec: String,
    profile: Value,
    tools: Value,
}

/// A run. Opaque members are those that are read by their own rules.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunState {
    id: Arc<str>,
    number: u64,
    session_id: String,
    invocation_id: Arc<str>,
    /// Digest of what it was started with.
    given: String,
    turn: Value,
    round: u32,
    history: Pages<Kept>,
    sent: Sent,
    pending: Sent,
    journal: Pages<Arc<JournalEvent>>,
    usage: Usage,
    drift: u32,
    guard: LoopGuard,
    phase: Facts,
    batch: Facts,
    timers: Timers,
    read_state: ReadState,
    changes: Pages<FileChange>,
    open: SortedMap<String, Purpose>,
    expired: SortedSet<String>,
    #[serde(skip_serializing_if = "SortedSet::is_empty")]
    orphaned: SortedSet<String>,
    #[serde(skip_serializing_if = "SortedSet::is_empty")]
    interrupted: SortedSet<Arc<str>>,
    cancelling: bool,
    continued: u32,
    /// What the host said of the terms it works under.
    terms: Said,
    appends: SortedSet<String>,
    /// Digests of what was written and is told to the store with the next event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    new_blobs: Vec<String>,
    storage_lost: bool,
    lost: Option<Fault>,
    /// What programs that still run did to files, by their calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    touched: Vec<FileChange>,
    /// Work in the background.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    tasks: SortedMap<String, Facts>,
}

impl Given {
    fn read(value: Value) -> Result<Self, Error> {
        let mut m = Fields::of(value, "struct Given")?;
        let given = Self {
            scenario: m.need_or("scenario", Scenario::Chat),
            seed: m.need("seed"),
            driven: m.need("driven"),
            target: m.need("target"),
            model: m.get("model"),
            capabilities: m.need("capabilities"),
            codec: m.need("codec"),
            profile: m.need("profile"),
            tools: m.need("tools"),
        };
        m.end(given)
    }
}

impl Run {
    /// Whether it has ended and waits for nothing any more.
    pub fn is_over(&self) -> bool {
        let waits = !(self.open.is_empty() && self.appends.is_empty() && self.expired.is_empty());
        matches!(self.phase, Phase::Ended(_)) && !waits
    }

    /// Whether it has ended, with everything of it kept that is to be kept; late receipts may still come.
    pub fn is_closed(&self) -> bool {
        matches!(self.phase, Phase::Ended(_)) && self.open.is_empty() && self.appends.is_empty()
    }

    /// Digests of the contents of files it changed.
    pub fn contents(&self) -> impl Iterator<Item = String> {
        let touched = self.touched().flat_map(|(_, touches)| touches.contents()).map(|file| file.sha256());
        self.changes.contents().keys().copied().chain(touched).map(|digest| digest.to_string())
    }

    /// Digests of images in results that are not stored yet.
    fn images(&self) -> impl Iterator<Item = String> {
        self.tasks.values().flat_map(Task::images).cloned()
    }

    /// Digests of all blobs that a snapshot needs of it.
    pub fn needed(&mut self) -> Vec<String> {
        let mut needed: Vec<String> =
            self.contents().chain(self.given.clone()).chain(self.over.clone()).chain(self.images()).collect();
        for sealed in [self.history.sealed(), self.journal.sealed(), &mut self.change_pages] {
            needed.extend(sealed.pages().iter().cloned());
        }
        needed
    }

    /// Digests of those that the last snapshot needs and the one before it did not.
    pub fn take_fresh(&mut self) -> Vec<String> {
        let mut fresh: Vec<String> = self.fresh.drain(..).collect();
        fresh.extend(self.images());
        for sealed in [self.history.sealed(), self.journal.sealed(), &mut self.change_pages] {
            fresh.extend(sealed.take_fresh());
        }
        fresh
    }
}

fn given(run: &mut Run, blobs: &mut Blobs) -> Result<String, Fault> {
    if let Some(digest) = &run.given {
        return Ok(digest.clone());
    }
    let given = Given {
        scenario: run.scenario,
        seed: run.seed.clone(),
        driven: run.driven,
        target: run.target.clone(),
        model: run.model.clone(),
        capabilities: run.capabilities.clone(),
        codec: run.codec.name().to_owned(),
        profile: run.profile.encode(),
        tools: run.tools.encode(),
    };
    let text = json_text(&given).map_err(|e| unwritten(run, &e))?;
    let digest = blobs.put(text.into_bytes().into());
    run.fresh.push(digest.clone());
    Ok(run.given.insert(digest).clone())
}

/// What running programs did to files; the contents become blobs.
fn touched(run: &mut Run, blobs: &mut Blobs) -> Vec<FileChange> {
    let (mut fresh, mut touched) = (Vec::new(), Vec::new());
    for (author, touches) in run.touched() {
        for file in touches.contents() {
            let digest = file.sha256().to_string();
            blobs.keep(&digest, file.shared());
            fresh.push(digest);
        }
        touched.extend(touches.unfinished(author));
    }
    run.fresh.extend(fresh);
    touched
}

/// Pieces of work as they are written down.
pub(super) fn written(tasks: &SortedMap<String, Task>) -> Result<SortedMap<String, Facts>, Unwritable> {
    tasks.iter().map(|(id, task)| Ok((id.clone(), Facts::written(task)?))).collect()
}

/// The same read back.
pub(super) fn read(tasks: SortedMap<String, Facts>) -> Result<SortedMap<String, Task>, Fault> {
    tasks.into_iter().map(|(id, task)| Ok((id, read_back(&task)?))).collect()
}

fn unwritten(run: &Run, error: &Unwritable) -> Fault {
    corrupt(format!("the run {} cannot be written: {error}", run.id))
}

/// A permitted call that waits for its place goes on by its leave after a restore, whatever mode came meanwhile.
fn keep_leaves(run: &mut Run) {
    for open in &mut run.batch.calls {
        let Some(leave) = open.permitted.as_ref().map(Permitted::leave) else { continue };
        open.passage.get_or_insert_default().leave.get_or_insert(leave);
    }
}

impl RunState {
    /// Reads one. The members stand in the order in which they are written.
    pub(super) fn read(value: Value) -> Result<Self, Error> {
        let mut m = Fields::of(value, "struct RunState")?;
        let state = Self {
            id: m.need("id"),
            number: m.need("number"),
            session_id: m.need("sessionId"),
            invocation_id: m.need("invocationId"),
            given: m.need("given"),
            turn: m.need("turn"),
            round: m.need("round"),
            history: m.need("history"),
            sent: m.need("sent"),
            pending: m.need("pending"),
            journal: m.need("journal"),
            usage: m.need("usage"),
            drift: m.need("drift"),
            guard: m.get("guard"),
            phase: m.need_or("phase", FactsWriter::default().end()),
            batch: m.need_or("batch", FactsWriter::default().end()),
            timers: m.need("timers"),
            read_state: m.need("readState"),
            changes: m.need("changes"),
            open: m.need("open"),
            expired: m.need("expired"),
            orphaned: m.get("orphaned"),
            interrupted: m.get("interrupted"),
            cancelling: m.need("cancelling"),
            continued: m.get("continued"),
            terms: m.get("terms"),
            appends: m.need("appends"),
            new_blobs: m.get("newBlobs"),
            storage_lost: m.need("storageLost"),
            lost: m.get("lost"),
            touched: m.get("touched"),
            tasks: m.get("tasks"),
        };
        m.end(state)
    }

    /// Reads a list of them.
    pub(super) fn list(value: Value) -> Result<Vec<Self>, Error> {
        let Value::Array(states) = value else { return Err(misfit(&value, &"a sequence")) };
        let mut list = Vec::with_capacity(states.len());
        for state in states {
            list.push(Self::read(state)?);
        }
        Ok(list)
    }

    pub(super) fn of(run: &mut Run, blobs: &mut Blobs) -> Result<RunState, Fault> {
        keep_leaves(run);
        Ok(RunState {
            id: run.id.clone(),
            number: run.number,
            session_id: run.session_id.clone(),
            invocation_id: run.invocation_id.clone(),
            given: given(run, blobs)?,
            turn: json!(run.turn),
            round: run.round,
            history: run.history.seal(blobs)?,
            sent: run.sent,
            pending: run.pending,
            journal: run.journal.seal(blobs)?,
            usage: run.usage,
            drift: run.drift,
            guard: run.guard.clone(),
            phase: Facts::written(&run.phase).map_err(|e| unwritten(run, &e))?,
            batch: Facts::written(&run.batch).map_err(|e| unwritten(run, &e))?,
            timers: run.timers.clone(),
            read_state: run.read_state.clone(),
            changes: run.change_pages.seal(run.changes.list(), blobs)?,
            open: run.open.clone(),
            expired: run.expired.clone(),
            orphaned: run.orphaned.clone(),
            interrupted: run.interrupted.clone(),
            cancelling: run.cancelling,
            continued: run.continued,
            terms: run.terms.said.clone(),
            appends: run.appends.clone(),
            new_blobs: run.new_blobs.clone(),
            storage_lost: run.storage_lost,
            lost: run.lost.clone(),
            touched: touched(run, blobs),
            tasks: written(&run.tasks).map_err(|e| unwritten(run, &e))?,
        })
    }

    pub(super) fn open(self, blobs: &Blobs) -> Result<Run, Fault> {
        let given = Given::read(blob(&self.given, blobs)?).map_err(misshapen)?;
        let profile = Profile::decode(&given.profile)?;
        let tools = Snapshot::decode(&given.tools)?.with_rules(builtins::rules);
        let turn = Turn::decode(&self.turn, &tools)?;
        let history: Paged<Kept> = Paged::open(self.history, blobs)?;
        let mut batch: super::ledger::Batch = read_back(&self.batch)?;
        let mut tasks = read(self.tasks)?;
        let calls = batch.calls.iter_mut().chain(tasks.values_mut().map(|task| &mut task.open));
        for open in calls.filter(|open| open.effect_id.is_some()) {
            let mut touches = Touches::default();
            for change in self.touched.iter().filter(|change| *change.call_id == *open.call.call_id) {
                touches.resume(change, |digest| blobs.get(&digest.to_string()).cloned())?;
            }
            open.open_port(touches);
        }
        let said = history.items().iter().filter_map(|entry| match entry {
            Kept::Assistant(said) => Some(said),
            _ => None,
        });
        // The open batch is not part of the history yet.
        let calls = said.chain([&batch.said]).flat_map(|said| &said.calls);
        let mut call_ids = BTreeSet::new();
        call_ids.extend(calls.map(|call| call.call_id.clone()));
        let (changes, change_pages) = paged::open(self.changes, blobs)?;
        let terms = Terms::new(self.terms, &profile, &self.session_id, &self.id, &self.invocation_id)?;
        Ok(Run {
            terms,
            continued: self.continued,
            roots: roots(&profile),
            names: tools.names().clone(),
            choice: wire_choice(&turn, &tools),
            codec: codec(Some(&given.codec))?,
            phase: read_back(&self.phase)?,
            batch,
            tasks,
            journal: Paged::open(self.journal, blobs)?,
            id: self.id,
            number: self.number,
            unstored: Vec::new(),
            session_id: self.session_id,
            invocation_id: self.invocation_id,
            scenario: given.scenario,
            seed: given.seed,
            driven: given.driven,
            target: given.target,
            model: given.model,
            capabilities: given.capabilities,
            turn,
            round: self.round,
            sent: self.sent,
            pending: self.pending,
            usage: self.usage,
            drift: self.drift,
            guard: self.guard,
            timers: self.timers,
            read_state: self.read_state,
            change_pages,
            changes: Changes::restore(changes, |digest| blobs.get(&digest.to_string()).cloned())?,
            open: self.open,
            expired: if Mutant::RestoreForgets.is_on() { Default::default() } else { self.expired },
            orphaned: self.orphaned,
            interrupted: self.interrupted,
            cancelling: self.cancelling,
            appends: self.appends,
            storage_lost: self.storage_lost,
            new_blobs: self.new_blobs,
            lost: self.lost,
            given: Some(self.given),
            fresh: Vec::new(),
            over: None,
            profile,
            tools,
            history,
            call_ids,
        })
    }
}
