//! The whole state, out and in (WS-21, RN-13). The state bytes are small: files, what runs were started with, pages
//! of their history and journal, and runs that are over are blobs, named by digest and handed over out of band, once.

use std::sync::Arc;

use serde::Serialize;
use serde::de::value::Error;
use serde_json::Value;

use super::Session;
use super::blobs::Blobs;
use super::paged::{blob, corrupt, misshapen, shaped};
use super::state_of_run::{self, RunState};
use super::task::Task;
use crate::arguments;
use crate::catalog::Profile;
use crate::permission::{Denials, Grants, Hooks};
use crate::protocol::digest::sha256_hex;
use crate::protocol::{Code, Facts, Fault, Fields, SortedMap, SortedSet, Unwritable, json_text, limits};
use crate::workspace::{Digest, Limits, Tree};

const SCHEMA_VERSION: u64 = 1;
const KIND: &str = "handrail.runSnapshot";
/// How a snapshot begins. The digest behind it is that of the members behind the digest.
const HEAD: &str = r#"{"schemaVersion":1,"kind":"handrail.runSnapshot","sha256":""#;
const DIGEST_CHARS: usize = 64;

/// What follows the head.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    now: u64,
    effects: u64,
    runs_started: u64,
    snapshots: u64,
    checkpoints: u64,
    #[serde(skip_serializing_if = "is_default")]
    approvals: u64,
    /// What persons have allowed for a while.
    #[serde(skip_serializing_if = "is_default")]
    grants: Grants,
    /// What they have denied and the host could not keep.
    #[serde(skip_serializing_if = "is_default")]
    denials: Denials,
    /// The hooks, as they were registered.
    #[serde(skip_serializing_if = "Value::is_null")]
    hooks: Value,
    /// Work in the background of sessions without a run.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    tasks: SortedMap<String, Facts>,
    /// Ids of sessions that were deleted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deleted: Vec<String>,
    /// Digest of the list of registrations.
    registrations: String,
    /// Digest of the list of kept profiles.
    profiles: String,
    /// Digest of the workspace's root listing.
    workspace: String,
    /// Runs that go on, or that still wait for a receipt.
    runs: Vec<RunState>,
    /// Digests of the runs that are over, by their ids.
    ended: SortedMap<Arc<str>, String>,
}

impl State {
    /// Reads it. The members stand in the order in which they are written.
    fn read(value: Value) -> Result<Self, Error> {
        let mut m = Fields::of(value, "struct State")?;
        let state = Self {
            now: m.need("now"),
            effects: m.need("effects"),
            runs_started: m.need("runsStarted"),
            snapshots: m.need("snapshots"),
            checkpoints: m.need("checkpoints"),
            approvals: m.get("approvals"),
            grants: m.get("grants"),
            denials: m.get("denials"),
            hooks: m.get("hooks"),
            tasks: m.get("tasks"),
            deleted: m.get("deleted"),
            registrations: m.need("registrations"),
            profiles: m.need("profiles"),
            workspace: m.need("workspace"),
            runs: m.need_by("runs", RunState::list),
            ended: m.need("ended"),
        };
        m.end(state)
    }
}

/// What the last snapshot came to.
#[derive(Default)]
pub(super) struct HandedOut {
    /// The workspace then.
    workspace: Option<Tree>,
    /// Digests of the lists of registrations and of profiles, until one changes.
    pub registrations: Option<String>,
    /// See `registrations`.
    pub profiles: Option<String>,
    /// What it needs and the one before did not.
    fresh: Vec<String>,
    /// Listings of directories and the files in them, as far as they were named. Beside the other blobs, because the
    /// next snapshot does not need them all.
    files: Blobs,
}

impl Session {
    /// The state as bytes. The same state gives the same bytes (IV-12). What it costs is what has changed since the
    /// last one.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, Fault> {
        let Self { core, runs, handed_out, .. } = self;
        let (blobs, fresh) = (&mut core.blobs, &mut handed_out.fresh);
        fresh.clear();
        handed_out.files = Blobs::default();
        for blob in core.workspace.blobs_since(handed_out.workspace.as_ref()) {
            let digest = blob.digest.to_string();
            handed_out.files.keep(&digest, blob.bytes);
            fresh.push(digest);
        }
        handed_out.workspace = Some(core.workspace.clone());
        let mut list = |kept: &mut Option<String>, items: &dyn Fn() -> Vec<Value>| match kept {
            Some(digest) => digest.clone(),
            None => {
                let digest = blobs.put(Value::Array(items()).to_string().into_bytes().into());
                fresh.push(digest.clone());
                kept.insert(digest).clone()
            }
        };
        let registrations = list(&mut handed_out.registrations, &|| core.catalog.registrations());
        let profiles =
            list(&mut handed_out.profiles, &|| core.profiles.values().map(Profile::encode).collect());
        let (mut going, mut ended) = (Vec::new(), SortedMap::new());
        for run in runs.values_mut() {
            if let Some(digest) = &run.over {
                ended.insert(run.id.clone(), digest.clone());
                continue;
            }
            let state = RunState::of(run, blobs)?;
            fresh.extend(run.take_fresh());
            if run.is_over() {
                let text = json_text(&state).map_err(|e| unwritten(&e))?;
                let digest = blobs.put(text.into_bytes().into());
                fresh.push(digest.clone());
                ended.insert(run.id.clone(), digest.clone());
                run.over = Some(digest);
            } else {
                going.push(state);
            }
        }
        fresh.extend(core.tasks.values().flat_map(Task::images).cloned());
        let state = State {
            now: core.now,
            effects: core.effects,
            runs_started: core.runs,
            snapshots: core.snapshots,
            checkpoints: core.checkpoints,
            approvals: core.approvals,
            grants: core.grants.clone(),
            denials: core.rules.denials.clone(),
            hooks: core.hooks_given.clone(),
            tasks: state_of_run::written(&core.tasks).map_err(|e| unwritten(&e))?,
            deleted: core.deleted.clone(),
            registrations,
            profiles,
            workspace: core.workspace.digest().to_string(),
            runs: going,
            ended,
        };
        let members = json_text(&state).map_err(|e| unwritten(&e))?.split_off(1);
        Ok(format!("{HEAD}{}\",{members}", sha256_hex(members.as_bytes())).into_bytes())
    }

    /// Digests of every blob that the last snapshot needs, in order. Costs all there is: who keeps what it was handed
    /// asks for [`Session::fresh_blobs`].
    pub fn snapshot_blobs(&mut self) -> Vec<String> {
        let handed_out = &mut self.handed_out;
        let mut needed: Vec<String> =
            handed_out.registrations.iter().chain(&handed_out.profiles).cloned().collect();
        for blob in handed_out.workspace.iter().flat_map(|tree| tree.blobs_since(None)) {
            let digest = blob.digest.to_string();
            handed_out.files.keep(&digest, blob.bytes);
            needed.push(digest);
        }
        for run in self.runs.values_mut() {
            needed.extend(run.needed());
        }
        needed.extend(self.core.tasks.values().flat_map(Task::images).cloned());
        in_order(needed)
    }

    /// Digests of the blobs that the last snapshot needs and the one before it did not, in order; after a restore,
    /// the one restored is the one before. Some may have been handed over earlier.
    pub fn fresh_blobs(&self) -> Vec<String> {
        in_order(self.handed_out.fresh.iter().cloned())
    }

    /// Bytes by digest: what was put, what an effect or a reply named, what the last snapshot needs.
    pub fn blob(&self, digest: &str) -> Option<std::sync::Arc<[u8]>> {
        self.handed_out.files.get(digest).cloned().or_else(|| self.core.bytes(digest))
    }

    /// Replaces the state by that of a snapshot, after its blobs were handed over. On a fault nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let state = read(bytes)?;
        let mut blobs = self.core.blobs.clone();
        let damaged = |fault: Fault| match fault.code {
            Code::StateSnapshotCorrupt => fault,
            _ => corrupt(fault.message),
        };
        let mut fresh = Session::new();
        let core = &mut fresh.core;
        let registrations: Vec<Value> = shaped(blob(&state.registrations, &blobs)?)?;
        core.catalog.register(&registrations, false).map_err(damaged)?;
        let profiles: Vec<Value> = shaped(blob(&state.profiles, &blobs)?)?;
        for profile in &profiles {
            let profile = Profile::decode(profile).map_err(damaged)?;
            core.profiles.insert(profile.id.clone(), profile);
        }
        let root = state.workspace.parse().map_err(|_| corrupt("workspace: no digest"))?;
        let fetch = |digest: &Digest| blobs.get(&digest.to_string()).cloned();
        core.workspace = Tree::from_blobs(&root, Limits::default(), fetch).map_err(damaged)?;
        core.now = state.now;
        core.effects = state.effects;
        core.runs = state.runs_started;
        core.snapshots = state.snapshots;
        core.checkpoints = state.checkpoints;
        core.approvals = state.approvals;
        core.grants = state.grants;
        core.rules.denials = state.denials;
        core.tasks = state_of_run::read(state.tasks).map_err(damaged)?;
        core.deleted = state.deleted;
        if !state.hooks.is_null() {
            core.hooks = Hooks::decode(&state.hooks).map_err(damaged)?;
            core.hooks_given = state.hooks;
        }
        for run in state.runs {
            let run = run.open(&blobs).map_err(damaged)?;
            fresh.runs.insert(run.id.clone(), Box::new(run));
        }
        for (id, digest) in state.ended {
            let run = RunState::read(blob(&digest, &blobs)?).map_err(misshapen)?;
            let mut run = run.open(&blobs).map_err(damaged)?;
            run.over = Some(digest);
            fresh.runs.insert(id, Box::new(run));
        }
        fresh.awake = fresh.runs.values().filter(|run| !run.is_over()).map(|run| run.id.clone()).collect();
        let changed: SortedSet<String> = fresh.runs.values().flat_map(|run| run.contents()).collect();
        // The workspace has these itself.
        for blob in fresh.core.workspace.blobs_since(None) {
            let digest = blob.digest.to_string();
            if !changed.contains(&digest) {
                blobs.remove(&digest);
            }
        }
        fresh.handed_out.workspace = Some(fresh.core.workspace.clone());
        fresh.handed_out.registrations = Some(state.registrations);
        fresh.handed_out.profiles = Some(state.profiles);
        fresh.core.blobs = blobs;
        *self = fresh;
        Ok(())
    }
}

/// Digests, each once.
fn in_order(digests: impl IntoIterator<Item = String>) -> Vec<String> {
    digests.into_iter().collect::<SortedSet<_>>().into_iter().collect()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn unwritten(error: &Unwritable) -> Fault {
    Fault::new(Code::ToolInternalError, format!("the state cannot be written: {error}"))
}

/// The state in the bytes of a snapshot, if not one of them was changed since it was written.
fn read(bytes: &[u8]) -> Result<State, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|_| corrupt("the snapshot is no text"))?;
    let digest_and_members = text
        .strip_prefix(HEAD)
        .and_then(|rest| rest.split_at_checked(DIGEST_CHARS))
        .and_then(|(digest, rest)| Some((digest, rest.strip_prefix("\",")?)));
    let Some((digest, members)) = digest_and_members else { return Err(other_kind(text)) };
    if sha256_hex(members.as_bytes()) != digest {
        return Err(corrupt("the snapshot was changed after it was written, or cut"));
    }
    let value = arguments::read_within(&format!("{{{members}"), limits::SNAPSHOT_DEPTH)
        .map_err(|fault| corrupt(format!("the snapshot is no JSON: {fault}")))?;
    State::read(value).map_err(misshapen)
}

/// What is wrong with a text that does not begin as a snapshot of this version does.
fn other_kind(text: &str) -> Fault {
    let value = match arguments::read_within(text, limits::SNAPSHOT_DEPTH) {
        Ok(value) => value,
        Err(fault) => return corrupt(format!("the snapshot is no JSON: {fault}")),
    };
    if value.get("kind").and_then(Value::as_str) != Some(KIND) {
        return corrupt(format!("kind: expected {KIND}"));
    }
    match value.get("schemaVersion").and_then(Value::as_u64) {
        Some(SCHEMA_VERSION) => corrupt("the snapshot does not begin as one that was written here"),
        _ => {
            let message = format!("schemaVersion: this version reads {SCHEMA_VERSION}");
            Fault::new(Code::StateSnapshotUnsupported, message)
        }
    }
}
