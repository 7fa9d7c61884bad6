//! Lines played to the core, and what came of them.

use std::collections::BTreeMap;

use handrail::protocol::{Event, Output, PortOp, PortReply};
use handrail::session::Session;
use serde_json::{Value, json};

/// An image, as far as anybody looks.
const IMAGE: &[u8] = b"\x89PNG\r\n\x1a\n and so on";
const ROOTS: [&str; 7] = ["output", "scratch", "plan", "summaries", "persist", "skills", "tool-results"];

/// One line and what came of it.
pub struct Step {
    pub now: u64,
    pub line: Value,
    pub output: Output,
    /// What the file port answered, or refused.
    pub port: Option<Result<Option<String>, &'static str>>,
    /// The records that were stored, read at once: path and content.
    pub records: Vec<(String, Value)>,
}

/// Everything that was handed in and came out, and what could be read of it.
#[derive(Default)]
pub struct Transcript {
    pub steps: Vec<Step>,
    /// The files at the start of the run, and at its end.
    pub before: BTreeMap<String, String>,
    pub after: BTreeMap<String, String>,
    /// Contents by digest, as far as records name them.
    pub contents: BTreeMap<String, String>,
    /// How the outputs differ when the same is played again with restores.
    pub differs: Option<String>,
    /// The same without the loop guard, where it had nothing to say.
    pub unguarded: Option<String>,
}

/// A session, and what its host keeps beside it.
pub struct Stage {
    session: Session,
    /// A snapshot does not hold the rules (RN-13).
    rules: Vec<Value>,
}

impl Stage {
    pub fn new() -> (Self, String) {
        let mut session = Session::new();
        let image = session.put_blob(IMAGE.to_vec());
        (Self { session, rules: Vec::new() }, image)
    }

    /// Plays a line.
    pub fn play(&mut self, line: &Value) -> Step {
        let now = line["now"].as_u64().unwrap_or_default();
        let mut step =
            Step { now, line: line.clone(), output: Output::default(), port: None, records: Vec::new() };
        if let Some(port) = line.get("port") {
            step.port = Some(self.touch(&port["effectId"], &port["op"], now));
            return step;
        }
        step.output = self.step(std::slice::from_ref(line), now);
        for event in &step.output.events {
            let Event::Journal(event) = event else { continue };
            if event.kind == "tool_result_stored" {
                let told: Value = serde_json::from_str(event.payload.text()).unwrap();
                let path = told["resultRef"].as_str().unwrap().to_owned();
                let record = self.read(&path).and_then(|text| serde_json::from_str(&text).ok());
                step.records.push((path, record.unwrap_or_default()));
            }
        }
        step
    }

    /// Plays several lines at once.
    pub fn step(&mut self, lines: &[Value], now: u64) -> Output {
        let input = |line: &Value| {
            let kinds = ["command", "receipt", "progress", "tick"];
            let kind = kinds.into_iter().find(|kind| line.get(kind).is_some()).unwrap_or("tick");
            serde_json::from_value(json!({kind: line.get(kind).unwrap_or(&json!({}))})).unwrap()
        };
        let output = self.session.step(lines.iter().map(input).collect(), now);
        for (line, reply) in lines.iter().filter(|line| line.get("command").is_some()).zip(&output.replies) {
            if line["command"]["type"] == "rules.set" && reply.ok {
                self.rules = line["command"]["rules"].as_array().cloned().unwrap_or_default();
            }
        }
        for event in &output.events {
            // A rule that is kept after its run has ended is told live.
            let (kind, payload) = match event {
                Event::Journal(event) => (&*event.kind, &event.payload),
                Event::Live(event) => (event.kind, &event.payload),
            };
            match kind {
                "rule_saved" => {
                    let told: Value = serde_json::from_str(payload.text()).unwrap();
                    self.rules.retain(|rule| rule["id"] != told["rule"]["id"]);
                    self.rules.push(told["rule"].clone());
                }
                "run_completed" | "run_failed" | "run_cancelled" => {
                    self.rules.retain(|rule| rule["until"] != "turn");
                }
                _ => {}
            }
        }
        output
    }

    fn touch(&mut self, effect_id: &Value, op: &Value, now: u64) -> Result<Option<String>, &'static str> {
        let text = |name: &str| op[name].as_str().unwrap_or_default();
        let (path, bytes) = (text("path"), text("text").as_bytes());
        let op = match text("op") {
            "write" => PortOp::Write { path, bytes, now },
            "append" => PortOp::Append { path, bytes, now },
            "remove" => PortOp::Remove { path, recursive: false, now },
            "rename" => PortOp::Rename { from: text("from"), to: text("to"), now },
            "list" => PortOp::List { path },
            _ => PortOp::Read { path },
        };
        match self.session.file_port(effect_id.as_str().unwrap_or_default(), op) {
            Ok(PortReply::Bytes(bytes)) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Ok(_) => Ok(None),
            Err(error) => Err(error.as_str()),
        }
    }

    /// A new session in place of the old one, made of its snapshot; says what is wrong with that (IV-12).
    pub fn restore(&mut self) -> Result<(), String> {
        let state = self.session.snapshot().map_err(|fault| fault.to_string())?;
        let mut fresh = Session::new();
        fresh.put_blob(IMAGE.to_vec());
        for digest in self.session.snapshot_blobs() {
            let bytes =
                self.session.blob(&digest).ok_or_else(|| format!("the blob {digest} is not there"))?;
            fresh.put_blob(bytes.to_vec());
        }
        fresh.restore(&state).map_err(|fault| fault.to_string())?;
        let again = fresh.snapshot().map_err(|fault| fault.to_string())?;
        if again != state {
            return Err(first_difference(&state, &again));
        }
        if fresh.in_flight() != self.session.in_flight() {
            return Err(format!("{} waits instead of {}", fresh.in_flight(), self.session.in_flight()));
        }
        self.session = fresh;
        let rules = json!({"command": {"type": "rules.set", "rules": self.rules}});
        let output = self.step(&[rules], 0);
        let taken = output.replies.iter().all(|reply| reply.ok);
        match taken && output.effects.is_empty() && output.events.is_empty() {
            true => Ok(()),
            false => Err(format!("a restored session does something by itself: {output:?}")),
        }
    }

    fn read(&mut self, path: &str) -> Option<String> {
        let output = self.step(&[json!({"command": {"type": "workspace.read", "path": path}})], 0);
        Some(output.replies.first()?.value.as_ref()?["text"].as_str()?.to_owned())
    }

    /// The text files below all roots.
    pub fn files(&mut self) -> BTreeMap<String, String> {
        let list = json!({"command": {"type": "workspace.list"}});
        let output = self.step(&[list], 0);
        let listed = output.replies.first().and_then(|reply| reply.value.clone()).unwrap_or_default();
        let entries = listed["entries"].as_array().cloned().unwrap_or_default();
        let paths = entries.iter().filter_map(|entry| entry["path"].as_str());
        let visible = paths.filter(|path| path.split('/').next().is_some_and(|root| ROOTS.contains(&root)));
        visible.filter_map(|path| Some((path.to_owned(), self.read(path)?))).collect()
    }

    /// A content that a record names.
    pub fn content(&self, digest: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.session.blob(digest)?).into_owned())
    }
}

/// Where two texts part.
pub fn first_difference(here: &[u8], there: &[u8]) -> String {
    let at = here.iter().zip(there).take_while(|(here, there)| here == there).count();
    let around = |bytes: &[u8]| {
        let part = &bytes[at.saturating_sub(120).min(bytes.len())..(at + 160).min(bytes.len())];
        String::from_utf8_lossy(part).into_owned()
    };
    format!("at {at}: …{}… instead of …{}…", around(there), around(here))
}
