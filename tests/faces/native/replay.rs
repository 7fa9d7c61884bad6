//! Replays cases through the public API: a fresh session, a run whose host drives the model, and replies in the
//! shape of chat completions. Inputs are written as JSON, as a host writes them.

use handrail::protocol::{Effect, Event, Input, JournalEvent, Output, Payload, Receipt, ReceiptOutcome};
use handrail::session::{Session, drive};
use handrail::testing::case;
use serde_json::{Map, Value, json};

/// What a path outside the host's reach is refused with: such files cannot be there at all.
const UNREACHABLE: [&str; 2] = ["workspace.path_not_visible", "workspace.path_not_writable"];

/// A session and its run while a case runs.
pub struct Replay {
    pub session: Session,
    /// The time of the next step.
    pub now: u64,
    journal: Vec<JournalEvent>,
    /// The model request that waits for a reply.
    asked: Option<Effect>,
    run_id: String,
    calls: usize,
}

/// Sections added to the profile of a run, and options of its start.
#[derive(Default)]
pub struct Options {
    pub profile: Value,
    pub images: bool,
    pub tool_choice: Option<Value>,
}

/// The end of one call: its record, and what the model reads.
pub struct Ended {
    pub record: Value,
    pub shown: String,
}

impl Ended {
    /// `isError`, `code` and `structured`, as the cases name them.
    pub fn facts(&self) -> Value {
        let member = |name: &str| self.record[name].clone();
        json!({"isError": member("isError"), "code": member("errorCode"), "structured": member("structured")})
    }
}

/// An input of the session, from its JSON.
pub fn input(value: Value) -> Input {
    serde_json::from_value(value).expect("an input")
}

/// A receipt that says how an effect ended.
pub fn receipt(effect: &Effect, outcome: ReceiptOutcome, payload: Value) -> Receipt {
    let effect_id = effect.effect_id.clone();
    Receipt { effect_id, outcome, payload: Some(payload), error: None, stopped: false, discarded: None }
}

impl Replay {
    pub fn new() -> Self {
        Self {
            session: Session::new(),
            now: 0,
            journal: Vec::new(),
            asked: None,
            run_id: String::new(),
            calls: 0,
        }
    }

    /// One step; its effects are the caller's, what it tells is kept.
    pub fn step(&mut self, inputs: Vec<Input>) -> Output {
        let output = self.session.step(inputs, self.now);
        self.keep(&output);
        output
    }

    fn keep(&mut self, output: &Output) {
        for event in &output.events {
            if let Event::Journal(event) = event {
                self.journal.push(JournalEvent::clone(event));
            }
        }
        let asks = |effect: &&Effect| matches!(effect.payload, Payload::ModelRequest { .. });
        if let Some(request) = output.effects.iter().find(asks) {
            self.asked = Some(request.clone());
        }
    }

    /// What the journal of the session tells, in order.
    pub fn journal(&self) -> &[JournalEvent] {
        &self.journal
    }

    /// Takes over what was told before.
    pub fn take_journal(&mut self, before: &mut Replay) {
        self.journal.append(&mut before.journal);
    }

    /// The run that was heard of last.
    pub fn run_id(&self) -> String {
        self.journal.last().map(|event| event.run_id.to_string()).unwrap_or_default()
    }

    /// Performs a command and gives its value, or `code: message`.
    pub fn command(&mut self, command: Value) -> Result<Value, String> {
        let output = self.step(vec![input(json!({"command": command}))]);
        let reply = output.replies.into_iter().next().ok_or("no reply")?;
        match (reply.ok, reply.code) {
            (true, _) => Ok(reply.value.unwrap_or_default()),
            (false, Some(code)) => Err(format!("{code}: {}", reply.message.unwrap_or_default())),
            (false, None) => Err("refused without a code".into()),
        }
    }

    /// The ids of the tools this build has for sessions.
    pub fn tool_ids(&mut self) -> Result<Vec<String>, String> {
        let listing = self.command(json!({"type": "tools.list", "context": "session"}))?;
        let ids = listing["tools"].as_array().into_iter().flatten();
        Ok(ids.filter_map(|tool| tool["id"].as_str().map(str::to_owned)).collect())
    }

    /// Registers extension tools and gives their ids.
    pub fn register(&mut self, tools: Vec<Value>) -> Result<Vec<Value>, String> {
        let registered = self.command(json!({"type": "registerTools", "tools": tools}))?;
        Ok(registered["toolIds"].as_array().cloned().unwrap_or_default())
    }

    /// Puts files into the workspace; their content is a Text or `{hex}`.
    pub fn write(&mut self, files: &Value) -> Result<(), String> {
        for (path, content) in files.as_object().into_iter().flatten() {
            let mut write = json!({"type": "workspace.write", "path": path});
            match content["hex"].as_str() {
                Some(hex) => write["blob"] = self.session.put_blob(bytes(hex)).into(),
                None => write["text"] = case::text(content).into(),
            }
            match self.command(write) {
                Err(refused) if !UNREACHABLE.iter().any(|code| refused.starts_with(code)) => {
                    return Err(refused);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes directories. The host has no command for an empty one; what stays of a deleted file is one.
    pub fn make_directories(&mut self, paths: &Value) -> Result<(), String> {
        for path in paths.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let path = format!("{path}/file");
            self.command(json!({"type": "workspace.write", "path": path, "text": ""}))?;
            self.command(json!({"type": "workspace.delete", "path": path}))?;
        }
        Ok(())
    }

    /// Starts the run with these tools allowed.
    pub fn begin(&mut self, allow: Vec<Value>, options: Options) -> Result<(), String> {
        let mut profile = json!({
            "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "case", "displayName": "Case",
            "tools": {"allow": allow},
        });
        extend(&mut profile, options.profile);
        let mut start = json!({
            "type": "startRun", "scenario": "session", "profile": profile, "driven": true,
            "capabilities": {"images": options.images, "incremental": true},
            "messages": [{"role": "user", "text": "Go on."}],
        });
        if let Some(choice) = options.tool_choice {
            start["toolChoice"] = choice;
        }
        let started = self.command(start)?;
        self.run_id = started["runId"].as_str().unwrap_or_default().to_owned();
        Ok(())
    }

    /// The names of the tools the model is offered.
    pub fn names(&self) -> Vec<String> {
        let Some(Payload::ModelRequest { request, .. }) = self.asked.as_ref().map(|effect| &effect.payload)
        else {
            return Vec::new();
        };
        let request: Value = serde_json::from_str(request.text()).unwrap();
        let tools = request["tools"].as_array().into_iter().flatten();
        tools.filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned)).collect()
    }

    /// The receipt that hands over a reply with calls `{callId, callName, arguments: wire}`.
    pub fn reply(&mut self, calls: &[Value]) -> Result<Input, String> {
        let asked = self.asked.take().ok_or("the model was not asked")?;
        let reply = handrail::arguments::read(&reply_text(calls)).map_err(|fault| fault.to_string())?;
        Ok(Input::Receipt(receipt(&asked, ReceiptOutcome::Ok, json!({"reply": reply}))))
    }

    /// Hands over a reply and performs its calls with `perform`, until the model is asked again.
    pub fn handle(
        &mut self,
        calls: &[Value],
        mut perform: impl FnMut(&Effect) -> Receipt,
    ) -> Result<(), String> {
        let reply = self.reply(calls)?;
        let output = drive(&mut self.session, vec![reply], self.now, |effect| {
            matches!(effect.payload, Payload::ExtensionCall { .. }).then(|| perform(effect))
        });
        self.keep(&output);
        if self.asked.is_some() { Ok(()) } else { Err("the calls were not all answered".into()) }
    }

    /// One call with arguments as an object.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Result<Ended, String> {
        self.call_extension(name, arguments, |effect| receipt(effect, ReceiptOutcome::Ok, json!({})))
    }

    /// One call of an extension tool, whose function is `perform`.
    pub fn call_extension(
        &mut self,
        name: &str,
        arguments: &Value,
        perform: impl FnMut(&Effect) -> Receipt,
    ) -> Result<Ended, String> {
        self.calls += 1;
        let call_id = format!("case_{}", self.calls);
        let wire = json!({"json": arguments.to_string()});
        self.handle(&[json!({"callId": call_id, "callName": name, "arguments": wire})], perform)?;
        let Some(Payload::ModelRequest { request, .. }) = self.asked.as_ref().map(|effect| &effect.payload)
        else {
            return Err("the model was not asked again".into());
        };
        let request: Value = serde_json::from_str(request.text()).unwrap();
        let mut messages = request["messages"].as_array().into_iter().flatten();
        let answer = messages.find(|message| message["tool_call_id"] == call_id.as_str());
        let shown = answer.and_then(|message| message["content"].as_str()).ok_or("the call has no answer")?;
        let shown = shown.to_owned();
        Ok(Ended { record: self.record(&call_id)?, shown })
    }

    /// The stored record of a call, from its file.
    pub fn record(&mut self, call_id: &str) -> Result<Value, String> {
        let stored = self.payloads("tool_result_stored").find(|payload| payload["callId"] == call_id);
        let path = stored.ok_or(format!("{call_id} has no result"))?["resultRef"].clone();
        let read = self.command(json!({"type": "workspace.read", "path": path}))?;
        case::json_text(read["text"].as_str().unwrap_or_default())
    }

    /// What the events of a type say, in order.
    pub fn payloads(&self, kind: &str) -> impl Iterator<Item = Value> {
        self.journal
            .iter()
            .filter(move |event| event.kind == kind)
            .map(|event| serde_json::from_str(event.payload.text()).unwrap())
    }

    /// The command that cancels the run.
    pub fn cancel(&self) -> Input {
        input(json!({"command": {"type": "cancelRun", "runId": self.run_id}}))
    }

    /// The command that stops one call.
    pub fn cancel_call(&self, call_id: &Value) -> Input {
        input(json!({"command": {"type": "cancelCall", "runId": self.run_id, "callId": call_id}}))
    }

    /// All text files of the workspace as one text, with their paths.
    pub fn everything(&mut self) -> Result<String, String> {
        let listing = self.command(json!({"type": "workspace.list"}))?;
        let mut everything = String::new();
        for entry in
            listing["entries"].as_array().into_iter().flatten().filter(|entry| entry["kind"] == "file")
        {
            let read = self.command(json!({"type": "workspace.read", "path": entry["path"]}))?;
            let text = read["text"].as_str().unwrap_or_default();
            everything.push_str(&format!("{}\n{text}\n", entry["path"].as_str().unwrap_or_default()));
        }
        Ok(everything)
    }

    /// The text files of the workspace, without what the runtime keeps there itself.
    pub fn files(&mut self) -> Result<Map<String, Value>, String> {
        let listing = self.command(json!({"type": "workspace.list"}))?;
        let mut files = Map::new();
        for entry in listing["entries"].as_array().into_iter().flatten() {
            let path = entry["path"].as_str().unwrap_or_default();
            if entry["kind"] == "file" && !path.starts_with("tool-results/") {
                let read = self.command(json!({"type": "workspace.read", "path": path}))?;
                files.insert(path.to_owned(), read["text"].clone());
            }
        }
        Ok(files)
    }
}

fn extend(profile: &mut Value, sections: Value) {
    if let (Some(members), Value::Object(sections)) = (profile.as_object_mut(), sections) {
        members.extend(sections);
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2).map(|at| hex.get(at..at + 2).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hex digits")).collect()
}

/// A reply as JSON text, so that arguments reach the core exactly as the case writes them.
fn reply_text(calls: &[Value]) -> String {
    let calls: Vec<String> = calls.iter().map(call_text).collect();
    let (message, reason) = match calls.is_empty() {
        true => (r#"{"role":"assistant","content":"Done."}"#.to_owned(), "stop"),
        false => {
            let calls = calls.join(",");
            (format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}}"#), "tool_calls")
        }
    };
    format!(r#"{{"choices":[{{"index":0,"message":{message},"finish_reason":"{reason}"}}]}}"#)
}

fn call_text(call: &Value) -> String {
    let arguments = wire_text(&call["arguments"]).map(|text| format!(r#","arguments":{text}"#));
    let (id, name, arguments) = (&call["callId"], &call["callName"], arguments.unwrap_or_default());
    format!(r#"{{"id":{id},"type":"function","function":{{"name":{name}{arguments}}}}}"#)
}

fn wire_text(wire: &Value) -> Option<String> {
    if let Some(json) = wire.get("json") {
        return Some(case::text(json));
    }
    wire.get("string").map(|text| Value::String(case::text(text)).to_string())
}
