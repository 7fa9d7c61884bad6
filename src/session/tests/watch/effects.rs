//! What is asked for: in which order, of which class, and the conversation in it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::super::Session;
use super::super::facts;
use super::{Check, Watch};
use crate::protocol::{Class, Effect, Event, JournalEvent, Output, Payload};

impl Watch {
    /// What was written down goes to the store before it is acted on.
    pub(super) fn order(&mut self, output: &Output) -> Check {
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

    pub(super) fn effect(&mut self, session: &Session, effect: &Effect, was_over: bool) -> Check {
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
                self.request(&facts(request), *messages_from)?;
            }
            Payload::ExtensionCall { context, .. } => {
                ensure!(effect.class == Class::Effectful, "EF-03", "{id}");
                let call_id = effect.call_id.as_deref().unwrap();
                ensure!(*context.call_id == *call_id, "IV-10", "{call_id} and {}", context.call_id);
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
                let may_ask = session.runs.get("run_1").unwrap().terms.approver;
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
            Payload::ExtensionInspect { .. } => {
                ensure!(effect.class == Class::Pure, "EF-03", "{id}");
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
    pub(super) fn request(&mut self, request: &Value, from: Option<usize>) -> Check {
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
}
