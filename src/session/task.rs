//! Work that goes on after its call was answered with a placeholder, as plain facts (chapter 05, section 6).

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::hooks::{HookRound, Over};
use super::ledger::OpenCall;
use crate::project::CallFiles;
use crate::protocol::digest::sha256_hex;
use crate::protocol::{
    BackgroundCommand, Code, Facts, FactsWriter, MovedBy, Record, Scenario, Status, StoppedBy, limits,
};

/// Characters of the digest in an id.
const ID_CHARS: usize = 16;

/// One piece of work.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Task {
    pub id: String,
    /// The number of its effect: the order in which calls began.
    pub number: u64,
    pub session_id: String,
    /// The run that began it; empty for work of the host's own that belongs to no run.
    pub run_id: Arc<str>,
    pub invocation_id: Arc<str>,
    pub scenario: Scenario,
    pub round: u32,
    /// The place of its call in the batch.
    pub index: u32,
    /// The call as it goes on: its effect, what it did to files, what it came to.
    pub open: OpenCall,
    /// The arguments it runs with.
    pub arguments: Map<String, Value>,
    /// Characters of a text that is shown whole; missing means all.
    pub limit: Option<usize>,
    pub moved_by: MovedBy,
    pub moved_at: u64,
    /// When something was last heard of it.
    pub touched_at: u64,
    pub stopped_by: Option<StoppedBy>,
    /// When it has had its time to answer after it was told to stop (SC-34).
    pub give_up_at: Option<u64>,
    /// The effect that is not waited for any more: its receipt is late (EF-06).
    pub given_up: Option<String>,
    pub exit_code: Option<i64>,
    /// It has ended, and hooks have yet to see its result.
    pub over: Option<Box<Over>>,
    /// The hooks that look at it.
    pub hooks: Option<HookRound>,
    /// What hooks want the model to know.
    pub heard: Vec<String>,
    pub status: Option<Status>,
    pub code: Option<Code>,
    /// The file of its result.
    pub result_ref: Option<Arc<str>>,
    pub delivered_at: Option<u64>,
}

/// The last of what a stream brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tail {
    text: String,
    dropped: u64,
}

/// What running work has put out so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Log {
    pub stdout: Tail,
    pub stderr: Tail,
    /// The progress of a function.
    pub text: Tail,
}

impl Tail {
    /// Adds a piece. What is not kept goes in large pieces, so that many small ones cost no more than one large one.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        if self.text.len() > 2 * limits::BACKGROUND_LOG_BYTES {
            let begin = self.begin();
            self.text.drain(..begin);
            self.dropped += begin as u64;
        }
    }

    /// What is kept.
    pub fn text(&self) -> &str {
        self.text.get(self.begin()..).unwrap_or_default()
    }

    /// Bytes that are not kept.
    pub fn dropped(&self) -> u64 {
        self.dropped + self.begin() as u64
    }

    fn begin(&self) -> usize {
        let begin = self.text.len().saturating_sub(limits::BACKGROUND_LOG_BYTES);
        (begin..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or_default()
    }
}

impl Log {
    /// Whether nothing has come.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes news of an effect in; gives the name of the stream and the text.
    pub fn hear<'a>(&mut self, data: &'a Value) -> Option<(&'static str, &'a str)> {
        let streams = [("stdout", &mut self.stdout), ("stderr", &mut self.stderr), ("text", &mut self.text)];
        for (name, stream) in streams {
            if let Some(piece) = data.get(name).and_then(Value::as_str) {
                stream.push(piece);
                return Some((name, piece));
            }
        }
        None
    }

    /// Takes in the whole output of a command that has ended: what was told before may lack its end.
    pub fn complete(&mut self, payload: &Value) {
        for (name, stream) in [("stdout", &mut self.stdout), ("stderr", &mut self.stderr)] {
            let Some(text) = payload.get(name).and_then(Value::as_str) else { continue };
            let told = stream.dropped + stream.text.len() as u64;
            *stream = Tail { text: text.to_owned(), dropped: told.saturating_sub(text.len() as u64) };
        }
    }

    /// The payload that the receipt of a command would have had.
    pub fn payload(&self, exit_code: Option<i64>) -> Value {
        json!({
            "exitCode": exit_code, "stdout": self.stdout.text(), "stderr": self.stderr.text(),
            "stdoutTruncated": self.stdout.dropped() > 0, "stderrTruncated": self.stderr.dropped() > 0,
        })
    }
}

/// The id of the work of a call (SC-45): no two effects of a runtime have the same id.
pub(crate) fn id_of(run_id: &str, call_id: &str, effect_id: &str) -> String {
    let digest = sha256_hex(format!("{run_id}\n{call_id}\n{effect_id}").as_bytes());
    format!("bg-{}", digest.get(..ID_CHARS).unwrap_or_default())
}

impl Task {
    /// Work that goes on from now, whose effect is open.
    pub fn new(id: String, session_id: String, open: OpenCall, moved_by: MovedBy, now: u64) -> Self {
        let effect = open.effect_id.as_deref().and_then(|id| id.strip_prefix('e'));
        Self {
            id,
            number: effect.and_then(|number| number.parse().ok()).unwrap_or_default(),
            session_id,
            run_id: "".into(),
            invocation_id: "".into(),
            scenario: Scenario::Session,
            round: 0,
            index: 0,
            open,
            arguments: Map::new(),
            limit: None,
            moved_by,
            moved_at: now,
            touched_at: now,
            stopped_by: None,
            give_up_at: None,
            given_up: None,
            exit_code: None,
            over: None,
            hooks: None,
            heard: Vec::new(),
            status: None,
            code: None,
            result_ref: None,
            delivered_at: None,
        }
    }

    /// Whether it is work of the host's own, which no call began (SC-47).
    pub fn is_adopted(&self) -> bool {
        self.moved_by == MovedBy::Host
    }

    /// What every event tells of it: its id, and its call if it has one.
    pub fn facts(&self) -> FactsWriter {
        let mut facts = FactsWriter::default();
        facts.member("id", &self.id);
        facts.maybe("callId", self.call_id());
        facts
    }

    fn call_id(&self) -> Option<&Arc<str>> {
        Some(&self.open.call.call_id).filter(|_| !self.is_adopted())
    }

    /// What is told of its beginning.
    pub fn started(&self, effect_id: &str) -> Facts {
        let mut facts = self.facts();
        facts.member("name", &self.open.call.name).member("effectId", effect_id);
        facts.end()
    }

    /// Takes news of it in; gives what is told of them.
    pub fn hear(&mut self, data: &Value, now: u64) -> Option<Facts> {
        self.touched_at = now;
        let mut facts = self.facts();
        let (stream, output) = self.open.log.hear(data)?;
        facts.member("stream", stream).member("output", output);
        Some(facts.end())
    }

    /// The effect that waits for its answer, as a host that takes over is told of it (RN-10).
    pub fn in_flight(&self, run_id: &str) -> Option<Value> {
        let effect_id = self.open.effect_id.as_ref()?;
        let kind = if self.is_adopted() { "background.adopt" } else { self.open.kind() };
        Some(json!({"effectId": effect_id, "runId": run_id, "kind": kind, "callId": self.call_id()}))
    }

    /// Whether its answer has yet to come.
    pub fn is_running(&self) -> bool {
        self.open.effect_id.is_some()
    }

    /// Whether its result is stored and the model has not been told.
    pub fn is_due(&self) -> bool {
        self.open.record.is_some() && self.delivered_at.is_none()
    }

    /// Where its files lie. What belongs to no run is written down by the one that stores it.
    pub fn files(&self, stored_by: &str) -> CallFiles {
        let run_id = if self.run_id.is_empty() { stored_by } else { &self.run_id };
        let call_id = &self.open.call.call_id;
        CallFiles::new(self.scenario, run_id, &self.invocation_id, self.round, call_id).background()
    }

    /// Keeps what a delivered result is remembered by.
    pub fn forget_result(&mut self, now: u64) {
        self.delivered_at = Some(now);
        self.open.record = None;
    }

    /// Digests of what its result needs.
    pub fn images(&self) -> impl Iterator<Item = &String> {
        self.over.iter().flat_map(|over| &over.outcome.images)
    }

    /// The command of the shell that it is, if it is one (SH-51).
    pub fn command(&self) -> Option<BackgroundCommand<'_>> {
        let log = &self.open.log;
        self.open.is_program().then(|| BackgroundCommand {
            command_id: &self.id,
            session_id: &self.session_id,
            command: self.arguments.get("command").and_then(Value::as_str).unwrap_or_default(),
            running: self.is_running(),
            exit_code: self.exit_code,
            stdout: log.stdout.text(),
            stderr: log.stderr.text(),
            stdout_dropped: log.stdout.dropped(),
            stderr_dropped: log.stderr.dropped(),
            started_at: self.open.started_at.unwrap_or(self.open.queued_at),
            ended_at: (!self.is_running()).then_some(self.open.ended_at),
            backgrounded_by: self.moved_by,
            stopped_by: self.stopped_by,
        })
    }

    /// What the host is told of it; the log and the result only if it asks for them.
    pub fn shown(&self, whole: bool) -> Value {
        let state = match () {
            () if self.is_running() && self.open.abort.is_some() => "stopping",
            () if self.is_running() => "running",
            () if self.delivered_at.is_some() => "delivered",
            () => "finished",
        };
        let open = &self.open;
        let mut members = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                members.insert(name.to_owned(), value);
            }
        };
        put("id", json!(self.id));
        put("sessionId", json!(self.session_id));
        put("runId", json!(Some(&self.run_id).filter(|id| !id.is_empty())));
        put("callId", json!(self.call_id()));
        put("toolId", json!(open.tool_id));
        put("name", json!(open.call.name));
        put("state", json!(state));
        put("movedBy", json!(self.moved_by));
        put("startedAt", json!(open.started_at));
        put("movedAt", json!(self.moved_at));
        put("touchedAt", json!(self.touched_at));
        if !self.is_running() {
            put("endedAt", json!(open.ended_at));
        }
        put("status", json!(self.status));
        put("errorCode", json!(self.code));
        put("stoppedBy", json!(self.stopped_by));
        put("exitCode", json!(self.exit_code));
        put("resultRef", json!(self.result_ref));
        if open.is_program() {
            put("command", self.arguments.get("command").cloned().unwrap_or_default());
        }
        if whole {
            put("content", json!(self.content()));
            let log = &open.log;
            for (name, stream) in [("stdout", &log.stdout), ("stderr", &log.stderr), ("text", &log.text)] {
                if *stream != Tail::default() {
                    put(name, json!({"text": stream.text(), "dropped": stream.dropped()}));
                }
            }
        }
        Value::Object(members)
    }

    /// The text of its result, once no hook may take something out of it any more and as long as it is not delivered.
    fn content(&self) -> Option<String> {
        let record: Option<&Record> = self.open.record.as_deref();
        record.map(|record| record.content.clone())
    }
}
