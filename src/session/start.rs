//! The start of a run: everything is checked before anything changes (RN-01).

use std::sync::Arc;

use serde_json::{Value, json};

use super::Session;
use super::active::Active;
use super::builtins;
use super::judge::hopeless;
use super::paged::Paged;
use super::run_state::{Phase, Run, Sent};
use super::terms::{Said, Terms};
use super::timers::Timers;
use crate::catalog::{self, BindingExposure, Bound, Choice, InvocationKind, Profile, Snapshot, Turn};
use crate::permission::Point;
use crate::protocol::order::sort;
use crate::protocol::{Code, Fault, Output, Scenario, StartRun, facts, limits};
use crate::run::history::{self, Kept};
use crate::wire::{self, Codec};
use crate::workspace::{Changes, File, ReadState, Roots, WorkspacePath};

/// The one invocation of a run so far.
const INVOCATION: &str = "inv_1";
/// The session of those who name none.
pub(super) const DEFAULT_SESSION: &str = "default";

impl Session {
    /// Starts a run and asks the model for the first time.
    pub(crate) fn start_run(&mut self, start: StartRun, out: &mut Output) -> Result<Value, Fault> {
        let profile = self.profile_of(start.profile.as_ref())?;
        profile.check_start(true)?;
        if start.scenario == Scenario::Chat {
            return Err(Fault::new(
                Code::CommandInvalid,
                "scenario: expected \"session\"; chat runs are not in this version",
            ));
        }
        let session_id = start.session_id.clone().unwrap_or_else(|| DEFAULT_SESSION.to_owned());
        self.core.refuse_deleted(Some(&session_id))?;
        self.check_free(&session_id)?;
        let mut started = self.core.runs;
        let run_id: Arc<str> = match &start.run_id {
            Some(id) if self.runs.contains_key(id.as_str()) => {
                return Err(Fault::new(Code::CommandInvalid, format!("runId: {id} is taken")));
            }
            Some(id) => {
                // The id becomes a folder name.
                WorkspacePath::parse(id)
                    .ok()
                    .filter(|path| !path.as_str().contains('/') && path.as_str() == id)
                    .ok_or_else(|| {
                        Fault::new(Code::CommandInvalid, "runId: expected one plain path segment")
                    })?;
                id.as_str().into()
            }
            None => loop {
                started += 1;
                let id = format!("run_{started}");
                if !self.runs.contains_key(id.as_str()) {
                    break id.into();
                }
            },
        };
        let codec = codec(start.capabilities.codec.as_deref())?;
        let entries = history::opening(&start.prompt_messages, &start.messages)?;
        let said = Said::of(&start)?;
        let terms = Terms::new(said, &profile, &session_id, &run_id, INVOCATION)?;
        let mut bound = self.bind(&profile, &terms, &start)?;
        builtins::describe(&mut bound)?;
        let snapshots = self.core.snapshots + 1;
        let tools = Snapshot::new(&format!("snap_{snapshots}"), &bound)?.with_rules(builtins::rules);
        let choice = start.tool_choice.as_ref().map_or(Ok(Choice::Auto), |choice| choose(choice, &tools))?;
        // Loading on demand comes with the search tool; until then a deferred tool is sent like any other.
        let offered = tools.bindings().iter().filter(|b| b.exposure() != BindingExposure::Hidden);
        let turn = Turn::new(&tools, offered.map(|binding| binding.id().clone()).collect(), choice)?;
        let workspace = self.core.workspace.clone();
        for (path, text) in &start.files {
            if let Err(fault) = self.core.put_file(path, Arc::new(File::of_text(text.as_str()))) {
                self.core.workspace = workspace;
                return Err(Fault::new(fault.code, format!("files: {}", fault.message)));
            }
        }
        let mut history = Paged::default();
        entries.into_iter().for_each(|entry| history.push(entry));
        let run = Run {
            id: run_id.clone(),
            number: self.core.snapshots,
            session_id,
            invocation_id: INVOCATION.into(),
            terms,
            scenario: start.scenario,
            seed: start.seed,
            driven: start.driven,
            target: start.target.unwrap_or_else(|| json!({"kind": "session"})).into(),
            model: start.model,
            capabilities: start.capabilities,
            codec,
            roots: roots(&profile),
            names: tools.names().clone(),
            choice: wire_choice(&turn, &tools),
            tools,
            turn,
            round: 0,
            history,
            sent: Sent::default(),
            pending: Sent::default(),
            call_ids: Default::default(),
            journal: Paged::default(),
            usage: Default::default(),
            drift: 0,
            continued: 0,
            guard: Default::default(),
            phase: Phase::Between,
            batch: Default::default(),
            timers: Timers::default(),
            tasks: Default::default(),
            read_state: ReadState::default(),
            changes: Changes::default(),
            change_pages: Default::default(),
            open: Default::default(),
            expired: Default::default(),
            orphaned: Default::default(),
            interrupted: Default::default(),
            cancelling: false,
            appends: Default::default(),
            new_blobs: Vec::new(),
            unstored: Vec::new(),
            storage_lost: false,
            lost: None,
            given: None,
            fresh: Vec::new(),
            over: None,
            profile,
        };
        self.forget_ended_runs();
        (self.core.runs, self.core.snapshots) = (started, snapshots);
        self.runs.insert(run_id.clone(), Box::new(run));
        self.awake.insert(run_id.clone());
        let (diagnostics, notices) = (bound.diagnostics, bound.notices);
        self.work(&run_id, out, |active| active.begin());
        Ok(json!({
            "runId": run_id,
            "invocationId": INVOCATION,
            "diagnostics": diagnostics,
            "notices": notices,
        }))
    }

    /// A session has one run at a time (AU-04).
    pub(super) fn check_free(&self, session_id: &str) -> Result<(), Fault> {
        let busy = |run: &&Run| run.session_id == session_id && !matches!(run.phase, Phase::Ended(_));
        let Some(run) = self.awake().find(busy) else { return Ok(()) };
        let message = format!("the session {session_id} has a run already: {}", run.id);
        Err(Fault::new(Code::AgentSessionBusy, message))
    }

    /// The tools of a run. With `hideByMode` those that its mode would never let it call are left out like those that
    /// the profile denies (VS-05).
    fn bind(&self, profile: &Profile, terms: &Terms, start: &StartRun) -> Result<Bound, Fault> {
        let bind = |profile: &Profile| {
            let images = start.capabilities.images;
            catalog::bind(&self.core.catalog, profile, start.scenario, InvocationKind::Root, images)
        };
        let bound = bind(profile)?;
        if !profile.exposure.hide_by_mode {
            return Ok(bound);
        }
        let hidden = hopeless(&self.core, terms, profile, &bound);
        if hidden.is_empty() {
            return Ok(bound);
        }
        let mut narrower = profile.clone();
        narrower.tools.deny.extend(hidden);
        bind(&narrower)
    }

    /// Runs that have ended stay readable for a while.
    fn forget_ended_runs(&mut self) {
        let ended = self.runs.values().filter(|run| matches!(run.phase, Phase::Ended(_)));
        let mut oldest: Vec<(u64, Arc<str>)> = ended.map(|run| (run.number, run.id.clone())).collect();
        sort(&mut oldest, Ord::cmp);
        for (_, id) in oldest.iter().rev().skip(limits::ENDED_RUNS - 1) {
            self.runs.remove(id);
            self.awake.remove(id);
        }
    }

    fn profile_of(&self, given: Option<&Value>) -> Result<Profile, Fault> {
        match given {
            None => Ok(Profile::new_default()),
            Some(Value::String(id)) => match self.core.profiles.get(id) {
                Some(profile) => Ok(profile.clone()),
                None if id == "default" => Ok(Profile::new_default()),
                None => Err(Fault::new(
                    Code::AgentProfileInvalid,
                    format!("profile: no profile is kept under the id {id}"),
                )),
            },
            Some(profile) => Profile::decode(profile),
        }
    }
}

impl Active<'_> {
    fn begin(&mut self) {
        self.note(
            "run_created",
            facts!({
                "sessionId": self.run.session_id,
                "scenario": self.run.scenario,
                "profileId": self.run.profile.id,
            }),
        );
        let tools: Vec<String> = self.run.turn.tools().iter().map(ToString::to_string).collect();
        self.note(
            "context_assembled",
            facts!({"messages": self.run.history.len(), "snapshotId": self.run.tools.id(), "tools": tools}),
        );
        self.take_tasks();
        let said = self.run.history.items().iter().rev().find_map(|kept| match kept {
            Kept::User(text) => Some(text.clone()),
            _ => None,
        });
        if !self.call_run_hooks(Point::UserPrompt, &said.unwrap_or_default()) {
            self.next_step(self.run.driven.then_some(true));
        }
    }
}

/// A tool choice: `none`, `auto`, `required`, `{"specific": "<tool id>"}`, or `{"specific": "<call name>"}`.
fn choose(choice: &Value, tools: &Snapshot) -> Result<Choice, Fault> {
    let named = choice.get("specific").and_then(Value::as_str).and_then(|name| tools.resolve(name));
    match named {
        Some(binding) => Ok(Choice::Specific(binding.id().clone())),
        None => Choice::decode(choice),
    }
}

/// The tool choice of a step as the wire names it.
pub(super) fn wire_choice(turn: &Turn, tools: &Snapshot) -> wire::Choice {
    match turn.choice() {
        Choice::None => wire::Choice::None,
        Choice::Auto => wire::Choice::Auto,
        Choice::Required => wire::Choice::Required,
        Choice::Specific(id) => match tools.get(id) {
            Some(binding) => wire::Choice::Specific(binding.alias().to_owned()),
            None => wire::Choice::Auto,
        },
    }
}

/// The wire format with this name; the default one if none is named.
pub(super) fn codec(name: Option<&str>) -> Result<Codec, Fault> {
    let Some(name) = name else { return Ok(Codec::default()) };
    Codec::named(name).ok_or_else(|| {
        let known: Vec<&str> = Codec::ALL.iter().map(|codec| codec.name()).collect();
        let message = format!("capabilities.codec: expected one of {}, got {name}", known.join(", "));
        Fault::new(Code::CommandInvalid, message)
    })
}

/// The roots as the profile has them.
pub(super) fn roots(profile: &Profile) -> Roots {
    Roots::narrowed(Some(&profile.workspace.visible_roots), Some(&profile.workspace.writable_roots))
}
