//! The whole state, out and in (WS-21, RN-13). The state bytes are small: files, pages of the history and of the
//! journal, and earlier contents are blobs, named by digest and handed over out of band, once.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Session;
use super::blobs::Blobs;
use super::builtins;
use super::paged::{self, Paged, Pages};
use super::run_state::{Purpose, Run, Sent};
use super::start::{codec, roots, wire_choice};
use super::timers::Timers;
use crate::arguments;
use crate::catalog::{Profile, Snapshot, Turn};
use crate::protocol::{Capabilities, Code, Fault, FileChange, JournalEvent, Scenario};
use crate::run::history::Kept;
use crate::wire::Usage;
use crate::workspace::{Changes, Limits, ReadState, Tree};

const SCHEMA_VERSION: u64 = 1;
const KIND: &str = "handrail.runSnapshot";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct State {
    schema_version: u64,
    kind: String,
    now: u64,
    effects: u64,
    runs_started: u64,
    snapshots: u64,
    checkpoints: u64,
    registrations: Vec<Value>,
    profiles: Vec<Value>,
    /// Digest of the workspace's root listing.
    workspace: String,
    runs: Vec<RunState>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunState {
    id: String,
    session_id: String,
    invocation_id: String,
    scenario: Scenario,
    seed: String,
    driven: bool,
    target: Value,
    model: Option<Value>,
    capabilities: Capabilities,
    codec: String,
    profile: Value,
    tools: Value,
    turn: Value,
    round: u32,
    history: Pages<Kept>,
    sent: Sent,
    pending: Sent,
    journal: Pages<JournalEvent>,
    usage: Usage,
    drift: u32,
    phase: Value,
    batch: Value,
    timers: Timers,
    read_state: ReadState,
    changes: Pages<FileChange>,
    open: BTreeMap<String, Purpose>,
    expired: BTreeSet<String>,
    cancelling: bool,
    appends: BTreeSet<String>,
    storage_lost: bool,
}

fn corrupt(what: impl Into<String>) -> Fault {
    Fault::new(Code::StateSnapshotCorrupt, what)
}

impl Session {
    /// The state as bytes. The same state gives the same bytes (IV-12).
    pub fn snapshot(&mut self) -> Result<Vec<u8>, Fault> {
        let core = &mut self.core;
        let blobs = &mut core.blobs;
        for blob in core.workspace.blobs_since(self.handed_out.as_ref()) {
            blobs.keep(&blob.digest.to_string(), blob.bytes);
        }
        self.handed_out = Some(core.workspace.clone());
        let runs = self.runs.values_mut().map(|run| RunState::of(run, blobs)).collect::<Result<_, _>>()?;
        let state = State {
            schema_version: SCHEMA_VERSION,
            kind: KIND.to_owned(),
            now: core.now,
            effects: core.effects,
            runs_started: core.runs,
            snapshots: core.snapshots,
            checkpoints: core.checkpoints,
            registrations: core.catalog.registrations(),
            profiles: core.profiles.values().map(Profile::encode).collect(),
            workspace: core.workspace.digest().to_string(),
            runs,
        };
        serde_json::to_vec(&state).map_err(|e| corrupt(format!("the state cannot be written: {e}")))
    }

    /// Digests of every blob that the last snapshot needs, in order.
    pub fn snapshot_blobs(&self) -> Vec<String> {
        let whole = self.core.workspace.blobs_since(None);
        let mut needed: BTreeSet<String> = whole.iter().map(|blob| blob.digest.to_string()).collect();
        for run in self.runs.values() {
            needed.extend(run.history.pages().iter().cloned());
            needed.extend(run.journal.pages().iter().cloned());
            needed.extend(run.change_pages.iter().cloned());
            needed.extend(run.changes.contents().keys().map(ToString::to_string));
        }
        needed.into_iter().collect()
    }

    /// Replaces the state by that of a snapshot, after its blobs were handed over. On a fault nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let text = std::str::from_utf8(bytes).map_err(|_| corrupt("the snapshot is no text"))?;
        let value =
            arguments::read(text).map_err(|fault| corrupt(format!("the snapshot is no JSON: {fault}")))?;
        if value.get("kind").and_then(Value::as_str) != Some(KIND) {
            return Err(corrupt(format!("kind: expected {KIND}")));
        }
        if value.get("schemaVersion").and_then(Value::as_u64) != Some(SCHEMA_VERSION) {
            return Err(Fault::new(
                Code::StateSnapshotUnsupported,
                format!("schemaVersion: this version reads {SCHEMA_VERSION}"),
            ));
        }
        let state: State = serde_json::from_value(value).map_err(|e| corrupt(e.to_string()))?;
        let blobs = self.core.blobs.clone();
        let mut fresh = Session::new();
        let core = &mut fresh.core;
        core.catalog.register(&state.registrations, false)?;
        core.profiles = state
            .profiles
            .iter()
            .map(|profile| Profile::decode(profile).map(|profile| (profile.id.clone(), profile)))
            .collect::<Result<_, _>>()?;
        let root = state.workspace.parse().map_err(|_| corrupt("workspace: no digest"))?;
        core.workspace =
            Tree::from_blobs(&root, Limits::default(), |digest| blobs.get(&digest.to_string()).cloned())?;
        core.now = state.now;
        core.effects = state.effects;
        core.runs = state.runs_started;
        core.snapshots = state.snapshots;
        core.checkpoints = state.checkpoints;
        fresh.runs = state
            .runs
            .into_iter()
            .map(|run| run.open(&blobs).map(|run| (run.id.clone(), run)))
            .collect::<Result<_, _>>()?;
        fresh.core.blobs = blobs;
        *self = fresh;
        Ok(())
    }
}

impl RunState {
    fn of(run: &mut Run, blobs: &mut Blobs) -> Result<RunState, Fault> {
        let written = |value: Result<Value, serde_json::Error>| {
            value.map_err(|e| corrupt(format!("the run {} cannot be written: {e}", run.id)))
        };
        let phase = written(serde_json::to_value(&run.phase))?;
        let batch = written(serde_json::to_value(&run.batch))?;
        Ok(RunState {
            id: run.id.clone(),
            session_id: run.session_id.clone(),
            invocation_id: run.invocation_id.clone(),
            scenario: run.scenario,
            seed: run.seed.clone(),
            driven: run.driven,
            target: run.target.clone(),
            model: run.model.clone(),
            capabilities: run.capabilities.clone(),
            codec: run.codec.name().to_owned(),
            profile: run.profile.encode(),
            tools: run.tools.encode(),
            turn: json!(run.turn),
            round: run.round,
            history: run.history.seal(blobs)?,
            sent: run.sent,
            pending: run.pending,
            journal: run.journal.seal(blobs)?,
            usage: run.usage,
            drift: run.drift,
            phase,
            batch,
            timers: run.timers.clone(),
            read_state: run.read_state.clone(),
            changes: paged::seal(run.changes.list(), &mut run.change_pages, blobs)?,
            open: run.open.clone(),
            expired: run.expired.clone(),
            cancelling: run.cancelling,
            appends: run.appends.clone(),
            storage_lost: run.storage_lost,
        })
    }

    fn open(self, blobs: &Blobs) -> Result<Run, Fault> {
        let profile = Profile::decode(&self.profile)?;
        let tools = Snapshot::decode(&self.tools)?.with_rules(builtins::rules);
        let turn = Turn::decode(&self.turn, &tools)?;
        let history: Paged<Kept> = Paged::open(self.history, blobs)?;
        let call_ids = history
            .items()
            .iter()
            .flat_map(|entry| match entry {
                Kept::Assistant(said) => said.calls.as_slice(),
                _ => &[],
            })
            .map(|call| call.call_id.clone())
            .collect();
        Ok(Run {
            roots: roots(&profile),
            names: tools.names().clone(),
            choice: wire_choice(&turn, &tools),
            codec: codec(Some(&self.codec))?,
            phase: serde_json::from_value(self.phase).map_err(|e| corrupt(e.to_string()))?,
            batch: serde_json::from_value(self.batch).map_err(|e| corrupt(e.to_string()))?,
            journal: Paged::open(self.journal, blobs)?,
            id: self.id,
            session_id: self.session_id,
            invocation_id: self.invocation_id,
            scenario: self.scenario,
            seed: self.seed,
            driven: self.driven,
            target: self.target,
            model: self.model,
            capabilities: self.capabilities,
            turn,
            round: self.round,
            sent: self.sent,
            pending: self.pending,
            usage: self.usage,
            drift: self.drift,
            timers: self.timers,
            read_state: self.read_state,
            change_pages: self.changes.pages.clone(),
            changes: Changes::restore(paged::open(self.changes, blobs)?, |digest| {
                blobs.get(&digest.to_string()).cloned()
            })?,
            open: self.open,
            expired: self.expired,
            cancelling: self.cancelling,
            appends: self.appends,
            storage_lost: self.storage_lost,
            new_blobs: Vec::new(),
            lost: None,
            profile,
            tools,
            history,
            call_ids,
        })
    }
}
