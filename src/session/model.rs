//! Asking the model: request, stream, reply, and another try.

use std::sync::Arc;

use serde_json::Value;

use super::active::Active;
use super::run_state::{Asked, Ending, Phase, Purpose as OpenFor, Sent};
use super::timers::Purpose;
use crate::permission::Point;
use crate::protocol::{
    Call, Class, Code, FactsWriter, Fault, Level, Mutant, Payload, Receipt, ReceiptOutcome, facts, limits,
};
use crate::run::drift;
use crate::run::history::{self, Kept};
use crate::wire::{
    self, Assistant, Codec, Delta, Entry, Message, ModelFault, Reply, ReplyCall, Request, ResultView, Stop,
    Tool,
};
use crate::workspace::WorkspacePath;

impl Active<'_> {
    /// Begins the next step.
    pub fn next_step(&mut self, done: Option<bool>) {
        // A host that drives the model itself may stop here: what it is told at an end nobody may hear.
        if done != Some(true) && !self.deliver(done) {
            return;
        }
        self.run.round += 1;
        self.ask(1, false, done);
    }

    pub(super) fn ask(&mut self, attempt: u32, truncated: bool, done: Option<bool>) {
        let incremental = self.run.capabilities.incremental;
        let mut from = if incremental { self.run.sent } else { Sent::default() };
        let mut messages = self.messages(from.entries);
        // A host that drives the model itself appends what it gets; nothing of before can be sent again.
        if self.run.codec.joins() && !self.run.driven {
            let begin = self.joined_from(from.entries, &messages);
            if begin < from.entries {
                from = Sent { entries: begin, messages: from.messages.saturating_sub(1), ..from };
                messages = self.messages(begin);
            }
        }
        let tools = if from.lasting { Vec::new() } else { self.run.codec.tools(&self.offered()) };
        if from.lasting && self.run.codec.joins() {
            messages.retain(|message| message.role() != "system");
        }
        let Request { mut body, messages: added } =
            self.run.codec.request(messages, &tools, &self.run.choice);
        if self.run.codec == Codec::Neutral {
            body.member("snapshotId", self.run.tools.id());
        }
        body.maybe("model", self.run.model.as_ref());
        let payload = Payload::ModelRequest {
            round: self.run.round,
            codec: self.run.codec.name().to_owned(),
            request: body.end(),
            stream: self.run.profile.run.stream,
            messages_from: incremental.then_some(from.messages),
            done,
        };
        let effect_id = self.effect(Class::Pure, None, None, payload);
        // What this request carries counts as sent only when it is answered: a failed one is sent again.
        self.run.pending =
            Sent { entries: self.run.history.len(), messages: from.messages + added, lasting: true };
        if attempt == 1 {
            self.note(
                "model_request_created",
                facts!({"round": self.run.round, "codec": self.run.codec.name(), "effectId": effect_id}),
            );
        }
        self.note(
            "model_call_attempt_started",
            facts!({"round": self.run.round, "attempt": attempt, "effectId": effect_id}),
        );
        self.run.open.insert(effect_id.clone(), OpenFor::Model);
        self.run.phase = Phase::Model(Box::new(Asked {
            effect_id,
            attempt,
            truncated,
            stream: None,
            announced: Vec::new(),
        }));
    }

    /// The kept conversation from an entry on, as provider messages. Images are read for this request (WR-16).
    fn messages(&self, from: usize) -> Vec<Message> {
        let (workspace, codec) = (&self.core.workspace, self.run.codec);
        let read = |path: &str| {
            let path = WorkspacePath::parse(path).ok()?;
            let file = workspace.file(&path)?;
            Some(if codec.sends_paths() { Arc::default() } else { file.shared() })
        };
        let read: Option<history::Read> = match self.run.capabilities.images {
            Some(true) => Some(&read),
            _ => None,
        };
        let kept = self.run.history.items().get(from..).unwrap_or_default();
        let mut entries: Vec<_> = kept.iter().map(|kept| kept.entry(read)).collect();
        for entry in &mut entries {
            match entry {
                Entry::Assistant(said) if codec.renames() => {
                    for call in &mut said.to_mut().calls {
                        if let Some(binding) = self.run.tools.resolve(&call.name) {
                            codec.arguments_to_wire(&binding.descriptor().input_schema, &mut call.arguments);
                        }
                    }
                }
                Entry::Results(results) if !self.run.interrupted.is_empty() => {
                    let taken = std::mem::take(results).into_iter();
                    let is_one = |result: &ResultView| self.run.interrupted.contains(&*result.call_id);
                    *results = taken.map(|one| if is_one(&one) { one.interrupted() } else { one }).collect();
                }
                _ => {}
            }
        }
        codec.messages(&entries)
    }

    /// The first entry before `from` that these messages go on with, as they have the same role; `from` if the
    /// message before them is another's.
    fn joined_from(&self, from: usize, messages: &[Message]) -> usize {
        let Some(next) = messages.first().map(Message::role) else { return from };
        let mut begin = from;
        for (at, kept) in self.run.history.items().iter().enumerate().take(from).rev() {
            // Images do not matter for who speaks.
            match self.run.codec.messages(&[kept.entry(None)]).first().map(Message::role) {
                None => {}
                Some("system") => {}
                Some(said) if said == next => begin = at,
                Some(_) => break,
            }
        }
        begin
    }

    /// A piece of a streamed reply.
    pub fn model_chunk(&mut self, chunk: &Value) {
        let codec = self.run.codec;
        let Phase::Model(asked) = &mut self.run.phase else { return };
        let deltas = asked.stream.get_or_insert_with(|| codec.stream()).push(chunk);
        let mut announced = std::mem::take(&mut asked.announced);
        for delta in deltas {
            match delta {
                Delta::Begin { index, provider_id, name } => {
                    let call_id = self.call_id(provider_id.as_deref(), index);
                    self.live("tool_begin", || facts!({"callId": call_id, "name": name, "index": index}));
                    announced.push(call_id);
                }
                Delta::Arguments { index, text } => {
                    let call_id = announced.get(index);
                    self.live("tool_update", || facts!({"callId": call_id, "argsDelta": text}));
                }
                Delta::Text(text) => self.live("model_delta", || facts!({"text": text})),
            }
        }
        if let Phase::Model(asked) = &mut self.run.phase {
            asked.announced = announced;
        }
    }

    /// The tools that are sent in this step, in their order (WR-04).
    fn offered(&self) -> Vec<Tool> {
        let mut offered: Vec<Tool> = self
            .run
            .turn
            .tools()
            .iter()
            .filter_map(|id| self.run.tools.get(id))
            .map(|binding| Tool {
                name: binding.alias().to_owned(),
                description: binding.descriptor().description.clone().unwrap_or_default(),
                input_schema: binding.descriptor().input_schema.clone(),
            })
            .collect();
        if Mutant::ToolsReordered.is_on() && self.run.round > 1 {
            offered.reverse();
        }
        if Mutant::LiveCatalog.is_on() {
            for (tool, id) in offered.iter_mut().zip(self.run.turn.tools()) {
                let now = self.core.catalog.get(id).and_then(|entry| entry.descriptor().description.clone());
                tool.description = now.unwrap_or_default();
            }
        }
        offered
    }

    fn call_id(&self, provider_id: Option<&str>, index: usize) -> String {
        wire::call_id(provider_id, self.run.round, index, |id| self.run.call_ids.contains(id))
    }

    /// The end of a model request. `reply`: what the model replied, where that is not in the payload.
    pub fn model_receipt(&mut self, receipt: Receipt, reply: Option<Box<Result<Reply, ModelFault>>>) {
        let Phase::Model(asked) = std::mem::replace(&mut self.run.phase, Phase::Between) else { return };
        let effect_id = asked.effect_id.clone();
        let answer = match receipt.outcome {
            ReceiptOutcome::Ok => {
                let in_payload = receipt.payload.as_ref().and_then(|payload| payload.get("reply"));
                let in_payload = in_payload.filter(|reply| !reply.is_null());
                let reply = match reply {
                    Some(reply) => Some(*reply),
                    None => in_payload.map(|reply| self.run.codec.parse(reply)),
                };
                match (reply, asked.stream) {
                    (Some(reply), _) => reply,
                    (None, Some(stream)) => stream.finish(),
                    (None, None) => Err(ModelFault::new(
                        Code::ModelReplyIncomplete,
                        "the receipt holds no reply, and no stream came before it",
                    )),
                }
            }
            _ => {
                let error = receipt.error.unwrap_or_default();
                let retryable = error.retryable.unwrap_or(true);
                let message =
                    if error.message.is_empty() { "the model request failed" } else { &error.message };
                let fault = ModelFault::new(Code::ModelRequestFailed, message);
                return self.model_failed(
                    &effect_id,
                    asked.attempt,
                    asked.truncated,
                    fault,
                    retryable,
                    error.retry_after_ms.unwrap_or(0),
                );
            }
        };
        match answer {
            Ok(reply) => self.reply(&effect_id, reply, &asked.announced),
            Err(fault)
                if fault.code == Code::ModelOutputTruncated && !asked.truncated && !self.run.driven =>
            {
                self.attempt_failed(&effect_id, asked.attempt, &fault);
                self.ask(asked.attempt + 1, true, None);
            }
            Err(fault) => {
                let retryable = matches!(fault.code, Code::ModelInvalidToolCall | Code::ModelReplyIncomplete);
                self.model_failed(&effect_id, asked.attempt, asked.truncated, fault, retryable, 0);
            }
        }
    }

    fn attempt_failed(&mut self, effect_id: &str, attempt: u32, fault: &ModelFault) {
        if let Some(usage) = &fault.usage {
            self.run.usage.add(usage);
        }
        let payload = facts!({
            "round": self.run.round,
            "attempt": attempt,
            "effectId": effect_id,
            "code": fault.code,
            "message": fault.message,
        });
        self.journal(Level::Warn, "model_call_attempt_failed", payload);
    }

    /// A failed attempt: again after a while, or the closing path (RN-05). A host that drives the model itself
    /// decides alone, so it is asked again at once.
    fn model_failed(
        &mut self,
        effect_id: &str,
        attempt: u32,
        truncated: bool,
        fault: ModelFault,
        retryable: bool,
        retry_after_ms: u64,
    ) {
        self.attempt_failed(effect_id, attempt, &fault);
        if self.run.driven {
            return self.ask(attempt + 1, false, Some(false));
        }
        let retry = self.run.profile.run.model_retry.clone();
        if !retryable || u64::from(attempt) > retry.max_retries {
            return self.fail(Fault::new(fault.code, fault.message));
        }
        let at =
            self.core.now.saturating_add(retry.interval_ms.max(retry_after_ms.min(limits::RETRY_AFTER_MS)));
        self.note(
            "model_call_retry_scheduled",
            facts!({"round": self.run.round, "attempt": attempt + 1, "at": at}),
        );
        self.run.phase = Phase::Retry { attempt, truncated };
        self.run.timers.set(at, Purpose::Retry);
    }

    /// The retry timer rang.
    pub fn retry(&mut self) {
        if let Phase::Retry { attempt, truncated } = self.run.phase {
            self.ask(attempt + 1, truncated, None);
        }
    }

    fn reply(&mut self, effect_id: &str, reply: Reply, announced: &[String]) {
        self.run.sent = self.run.pending;
        if let Some(usage) = &reply.usage {
            self.run.usage.add(usage);
        }
        let mut calls = Vec::with_capacity(reply.calls.len());
        for (index, call) in reply.calls.into_iter().enumerate() {
            let own = wire::own_id(call.provider_id.as_deref(), self.run.round, index);
            let mut call_id: Arc<str> = own.into();
            if !self.run.call_ids.insert(call_id.clone()) {
                call_id = wire::repeated_id(&call_id, |id| self.run.call_ids.contains(id)).into();
                self.run.call_ids.insert(call_id.clone());
            }
            let ReplyCall { provider_id, name, mut arguments, cut } = call;
            if let Some(binding) = self.run.tools.resolve(&name) {
                let schema = &binding.descriptor().input_schema;
                self.run.codec.arguments_from_wire(schema, &mut arguments);
            }
            calls.push(Call { call_id, provider_id, name: name.into(), arguments, cut });
        }
        self.note(
            "model_response_stored",
            facts!({"round": self.run.round, "effectId": effect_id, "calls": calls.len(), "textBytes": reply.text.len()}),
        );
        self.note("model_completed", facts!({"round": self.run.round, "usage": reply.usage}));
        let said = Assistant { text: reply.text, calls, provider_state: reply.provider_state };
        if !said.calls.is_empty() {
            return self.open_batch(said, announced);
        }
        let text = said.text.clone();
        let is_empty = text.trim().is_empty() && said.provider_state.is_none();
        let goes_on = reply.stop == Stop::Paused && !is_empty;
        self.run.history.push(Kept::Assistant(said));
        if self.run.driven {
            return self.next_step(Some(!goes_on));
        }
        if goes_on {
            return self.next_step(None);
        }
        if !text.trim().is_empty() {
            if self.call_run_hooks(Point::RunStop, &text) {
                return;
            }
            let mut payload = FactsWriter::default();
            payload.member("text", &text);
            return self.end(Ending::Completed, payload);
        }
        self.drifted();
    }

    /// An empty reply (FN-14): the model is reminded, and after twenty reminders the run fails.
    pub(super) fn drifted(&mut self) {
        self.run.drift += 1;
        if self.run.drift > drift::MAX_ATTEMPTS && !Mutant::NudgedForever.is_on() {
            return self.fail(Fault::new(
                Code::ModelToolCallRequired,
                "the model kept replying with neither text nor tool calls",
            ));
        }
        self.note(
            "drift_recovery_attempted",
            facts!({
                "attempt": self.run.drift,
                "maxAttempts": drift::MAX_ATTEMPTS,
                "round": self.run.round,
                "committedCount": 0,
                "reasonCode": Code::ModelToolCallRequired,
            }),
        );
        self.run.history.push(Kept::User(drift::NUDGE.to_owned()));
        self.next_step(None);
    }
}
