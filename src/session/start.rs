//! The start of a run: everything is checked before anything changes (RN-01).

use serde_json::{Value, json};

use super::Session;
use super::active::Active;
use super::paged::Paged;
use super::run_state::{Phase, Run, Sent};
use super::timers::Timers;
use crate::catalog::{self, Kind, Profile, Turn};
use crate::protocol::{Code, Fault, Message, Output, Scenario, StartRun};
use crate::run::history;
use crate::wire::Codec;
use crate::workspace::{ReadState, Roots, WorkspacePath};

impl Session {
    /// Starts a run and asks the model for the first time.
    pub(crate) fn start_run(&mut self, start: StartRun, out: &mut Output) -> Result<Value, Fault> {
        let profile = self.profile_of(start.profile.as_ref())?;
        if !profile.directly_runnable() {
            let message = format!("the profile {} cannot be started directly (run.directRunnable)", profile.id());
            return Err(Fault::new(Code::AgentProfileNotRunnable, message));
        }
        if start.scenario == Scenario::Chat {
            return Err(Fault::new(
                Code::CommandInvalid,
                "scenario: expected \"session\"; chat runs are not in this version",
            ));
        }
        let session_id = start.session_id.clone().unwrap_or_else(|| "default".to_owned());
        let busy = |run: &&Run| run.session_id == session_id && !matches!(run.phase, Phase::Ended(_));
        if let Some(run) = self.runs.values().find(busy) {
            let message = format!("the session {session_id} has a run already: {}", run.id);
            return Err(Fault::new(Code::AgentSessionBusy, message));
        }
        let run_id = match &start.run_id {
            Some(id) if self.runs.contains_key(id) => {
                return Err(Fault::new(Code::CommandInvalid, format!("runId: {id} is taken")));
            }
            Some(id) => {
                // The id becomes a folder name.
                WorkspacePath::parse(id)
                    .ok()
                    .filter(|path| !path.as_str().contains('/') && path.as_str() == id)
                    .ok_or_else(|| Fault::new(Code::CommandInvalid, "runId: expected one plain path segment"))?;
                id.clone()
            }
            None => self.fresh_run_id(),
        };
        let codec = Codec::by_name(start.capabilities.codec.as_deref().unwrap_or("openai-chat"))?;
        let roots = Roots::narrowed(profile.visible_roots(), profile.writable_roots());
        let entries = history::opening(&start.prompt_messages, &start.messages)?;
        let bound = catalog::bind(
            &self.core.catalog,
            &profile,
            start.scenario,
            Kind::Root,
            start.capabilities.images,
        )?;
        self.core.snapshots += 1;
        let tools = bound.into_snapshot(format!("snap_{}", self.core.snapshots));
        let turn = Turn::for_snapshot(&tools.snapshot, start.tool_choice.as_ref())?;
        let files: Vec<(WorkspacePath, String)> = start
            .files
            .iter()
            .map(|(path, text)| Ok((WorkspacePath::parse(path)?, text.clone())))
            .collect::<Result<_, crate::protocol::Refusal>>()
            .map_err(|refusal| Fault::new(refusal.code, refusal.message))?;
        let mut workspace = self.core.workspace.clone();
        for (path, text) in files {
            workspace
                .host_write(&path, text.into_bytes().into())
                .map_err(|refusal| Fault::new(refusal.code, format!("files: {}", refusal.message)))?;
        }
        self.core.workspace = workspace;
        let mut history = Paged::default();
        entries.into_iter().for_each(|entry| history.push(entry));
        let run = Run {
            id: run_id.clone(),
            session_id,
            invocation_id: "inv_1".to_owned(),
            scenario: start.scenario,
            seed: start.seed,
            driven: start.driven,
            target: start.target.unwrap_or_else(|| json!({"kind": "session"})),
            model: start.model,
            capabilities: start.capabilities,
            codec,
            roots,
            names: tools.snapshot.names(),
            tools: tools.snapshot,
            turn,
            round: 0,
            history,
            sent: Sent::default(),
            pending: Sent::default(),
            call_ids: Default::default(),
            journal: Paged::default(),
            usage: Default::default(),
            drift: 0,
            phase: Phase::Between,
            batch: Default::default(),
            timers: Timers::default(),
            read_state: ReadState::default(),
            open: Default::default(),
            expired: Default::default(),
            cancelling: false,
            appends: Default::default(),
            new_blobs: Vec::new(),
            storage_lost: false,
            lost: None,
            profile,
        };
        self.runs.insert(run_id.clone(), run);
        let (diagnostics, notices) = (tools.diagnostics, tools.notices);
        self.work(&run_id, out, |active| active.begin());
        Ok(json!({
            "runId": run_id,
            "invocationId": "inv_1",
            "diagnostics": diagnostics,
            "notices": notices,
        }))
    }

    fn fresh_run_id(&mut self) -> String {
        loop {
            self.core.runs += 1;
            let id = format!("run_{}", self.core.runs);
            if !self.runs.contains_key(&id) {
                return id;
            }
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
            json!({
                "sessionId": self.run.session_id,
                "scenario": self.run.scenario,
                "profileId": self.run.profile.id(),
            }),
        );
        let tools: Vec<String> = self.run.turn.tools().iter().map(ToString::to_string).collect();
        self.note(
            "context_assembled",
            json!({"messages": self.run.history.len(), "snapshotId": self.run.tools.id(), "tools": tools}),
        );
        self.next_step(self.run.driven.then_some(true));
    }
}

/// Whether a role is one the conversation can hold.
pub(crate) fn known_role(message: &Message) -> bool {
    matches!(message.role.as_str(), "system" | "user" | "assistant")
}
