//! One call, as far as the transcript tells of it.

use std::collections::BTreeMap;

use handrail::protocol::{Effect, Payload};
use serde_json::Value;

use super::{Story, What};

/// Where things happened to a call: places among the moments.
pub struct Call<'a> {
    pub id: String,
    pub name: String,
    /// Empty: an unknown name.
    pub tool: String,
    pub round: u64,
    /// Its place in its batch.
    pub place: usize,
    pub asked: usize,
    pub started: Vec<usize>,
    pub stored: Vec<usize>,
    /// Where it went to the background.
    pub moved: Vec<usize>,
    /// Where it was told that it is over, and whether it was completed.
    pub over: Vec<(usize, bool)>,
    /// What screens were told of its end.
    pub shown: Vec<(usize, Value)>,
    /// The status that was stored first.
    pub status: String,
    pub record: &'a Value,
    /// Where the record lies.
    pub path: String,
    pub effects: Vec<(usize, &'a Effect)>,
    /// What the model wrote: name and arguments.
    pub said: &'a Value,
    /// It was the last one of a reply that was cut off.
    pub cut: bool,
}

impl Call<'_> {
    /// The one effect that does it, if it went out.
    pub fn performed(&self) -> impl Iterator<Item = (usize, &Effect)> {
        self.effects.iter().map(|(at, effect)| (*at, *effect)).filter(|(_, effect)| performs(effect))
    }

    /// Its record went with its deleted session, in the step in which it was stored.
    pub fn is_gone(&self, story: &Story) -> bool {
        story.deleted.is_some() && !self.stored.is_empty() && self.record.is_null()
    }

    /// Its record is there to be looked at.
    pub fn is_kept(&self, story: &Story) -> bool {
        !self.stored.is_empty() && !self.is_gone(story)
    }

    pub fn is_extension(&self) -> bool {
        self.tool.starts_with("extension/")
    }

    pub fn code(&self) -> &str {
        self.record["errorCode"].as_str().unwrap_or_default()
    }

    pub fn text(&self) -> &str {
        self.record["content"].as_str().unwrap_or_default()
    }

    /// Where it left its lane; the end of time if it never did.
    pub fn settled(&self) -> usize {
        self.stored.first().copied().unwrap_or(usize::MAX)
    }
}

/// Whether an effect is the work of a call itself.
pub fn performs(effect: &Effect) -> bool {
    matches!(effect.payload, Payload::ExtensionCall { .. } | Payload::ShellExec { .. })
}

pub fn calls<'a>(story: &Story<'a>) -> Vec<Call<'a>> {
    let mut calls: Vec<Call<'a>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    // What the model said last, and how far it was asked for.
    let mut said: (&'a [Value], bool) = (&[], false);
    let mut round = (0, 0);
    for (at, moment) in story.moments.iter().enumerate() {
        match &moment.what {
            What::Input(line) => {
                if let Some(calls) = line["said"].as_array() {
                    said = (calls, line["cut"] == true);
                }
            }
            What::Told { kind: "tool_call_requested", facts, .. } => {
                let number = facts["round"].as_u64().unwrap_or_default();
                round = if round.0 == number { (number, round.1 + 1) } else { (number, 0) };
                let text = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
                places.insert(text("callId"), calls.len());
                calls.push(Call {
                    id: text("callId"),
                    name: text("name"),
                    tool: text("toolId"),
                    round: number,
                    place: round.1,
                    asked: at,
                    started: Vec::new(),
                    stored: Vec::new(),
                    moved: Vec::new(),
                    over: Vec::new(),
                    shown: Vec::new(),
                    status: String::new(),
                    record: &Value::Null,
                    path: String::new(),
                    effects: Vec::new(),
                    said: said.0.get(round.1).unwrap_or(&Value::Null),
                    cut: said.1 && round.1 + 1 == said.0.len(),
                });
            }
            What::Told { kind, facts, .. } => {
                let place = facts["callId"].as_str().and_then(|id| places.get(id));
                let Some(call) = place.map(|place| &mut calls[*place]) else { continue };
                match *kind {
                    "tool_call_started" => call.started.push(at),
                    "tool_call_backgrounded" => call.moved.push(at),
                    "tool_result_stored" => {
                        if call.stored.is_empty() {
                            call.status = facts["status"].as_str().unwrap_or_default().to_owned();
                            call.path = facts["resultRef"].as_str().unwrap_or_default().to_owned();
                            let mut records = story.transcript.steps[moment.step].records.iter();
                            let record = records.find(|(path, _)| *path == call.path);
                            call.record = record.map_or(&Value::Null, |(_, record)| record);
                        }
                        call.stored.push(at);
                    }
                    "tool_call_completed" => call.over.push((at, true)),
                    "tool_call_failed" => call.over.push((at, false)),
                    _ => {}
                }
            }
            What::Live { kind: "tool_end", facts } => {
                let place = facts["callId"].as_str().and_then(|id| places.get(id));
                if let Some(place) = place {
                    calls[*place].shown.push((at, facts.clone()));
                }
            }
            What::Effect(effect) => {
                let place = effect.call_id.as_ref().and_then(|id| places.get(&**id));
                if let Some(place) = place {
                    calls[*place].effects.push((at, effect));
                }
            }
            What::Live { .. } => {}
        }
    }
    calls
}
