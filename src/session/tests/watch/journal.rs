//! What the journal and the screens are told of calls, and that it goes with what is stored.

use serde_json::{Value, json};

use super::super::super::Session;
use super::super::facts;
use super::super::world::BROKEN;
use super::{Check, Seen, Watch};
use crate::protocol::{JournalEvent, Wire};
use crate::workspace::WorkspacePath;

impl Watch {
    pub(super) fn journal(&mut self, session: &Session, event: &JournalEvent) -> Check {
        self.seq += 1;
        ensure!(event.seq == self.seq, "IV-07", "{} follows {}", event.seq, self.seq - 1);
        ensure!(self.ended.is_none(), "IV-80", "{} after {:?}", event.kind, self.ended);
        let told = facts(&event.payload);
        let call_id = told["callId"].as_str().unwrap_or_default().to_owned();
        match &*event.kind {
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
            "run_completed" | "run_failed" | "run_cancelled" => self.ended = Some(event.kind.to_string()),
            _ => {}
        }
        Ok(())
    }

    /// Work in the background begins, ends and is delivered in this order, each once (IV-88).
    pub(super) fn work(&mut self, session: &Session, kind: &str, call_id: &str, told: &Value) -> Check {
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

    pub(super) fn stored(&mut self, session: &Session, call_id: &str, stored: &Value) -> Check {
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
            let limit =
                session.runs.get("run_1").unwrap().profile.tools.external_result_inline_char_limit as usize;
            ensure!(seen.content.chars().count() <= limit, "IV-70", "{call_id} is longer than {limit}");
        }
        self.records.insert(path, file.sha256());
        let code = seen.code.clone();
        // With a limit for the whole batch the results are stored in call order: the failure may come later.
        let waits = session.runs.get("run_1").unwrap().profile.tools.aggregate_result_char_limit.is_some();
        if code.as_deref() == Some("tool.skipped_after_failure") && !waits {
            let mut failed = self.batches.last().unwrap().iter().map(|id| &self.calls[id]).filter(|other| {
                let status = other.stored.as_ref().and_then(|stored| stored["status"].as_str());
                other.tool == "extension/x:k" && matches!(status, Some("error" | "timed_out" | "unknown"))
            });
            ensure!(failed.next().is_some(), "IV-54", "{call_id} was taken along by nobody");
        }
        Ok(())
    }

    pub(super) fn told(&mut self, told: &Value) -> Check {
        let seen = self.calls.get_mut(told["callId"].as_str().unwrap()).ok_or("EV-01: an end of nothing")?;
        let stored = seen.stored.as_ref().ok_or("EV-01: told before it is stored")?;
        ensure!(!seen.told && told["status"] == stored["status"], "IV-06", "{told} and {stored}");
        seen.told = true;
        Ok(())
    }

    pub(super) fn is_over(&self, call_id: &str) -> bool {
        self.calls.get(call_id).is_some_and(|seen| seen.over)
    }
}

fn is_broken(session: &Session, call_id: &str) -> bool {
    let mut calls = session.runs.get("run_1").unwrap().batch.calls.iter();
    calls.any(|open| *open.call.call_id == *call_id && open.call.arguments == Wire::Text(BROKEN.into()))
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
