//! The model requests, in one form for both wire formats.

use handrail::protocol::Payload;
use serde_json::Value;

use super::Story;

/// What the model is asked.
pub struct Request {
    pub at: usize,
    /// Where it was told that it is made. What is told behind that, in the same step, is not in it.
    pub made: usize,
    pub round: u64,
    /// For a host that drives the model: its step follows no calls.
    pub done: bool,
    /// The whole conversation, also where only what is new was sent.
    pub messages: Vec<Message>,
    pub tools: Vec<Value>,
}

/// One message.
#[derive(Clone, PartialEq)]
pub struct Message {
    pub role: String,
    pub text: String,
    /// The calls of an assistant: id, name, arguments as they are replayed.
    pub calls: Vec<(String, String, Value)>,
    /// The call that a result answers.
    pub answers: Option<String>,
    /// The error mark of a result, where the format has one.
    pub is_error: Option<bool>,
}

impl Request {
    /// The names of the tools that are offered.
    pub fn names(&self) -> Vec<&str> {
        self.tools.iter().filter_map(name).collect()
    }
}

fn name(tool: &Value) -> Option<&str> {
    tool["function"]["name"].as_str().or(tool["name"].as_str())
}

pub fn requests(story: &Story<'_>) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    for (at, effect) in story.effects() {
        let Payload::ModelRequest { round, request, messages_from, done, .. } = &effect.payload else {
            continue;
        };
        let request: Value = serde_json::from_str(request.text()).unwrap();
        let (mut messages, mut tools) = match requests.last() {
            Some(last) if messages_from.is_some() => (last.messages.clone(), last.tools.clone()),
            _ => Default::default(),
        };
        messages.truncate(messages_from.unwrap_or_default());
        messages.extend(request["messages"].as_array().into_iter().flatten().map(message));
        if let Some(sent) = request["tools"].as_array() {
            tools.clone_from(sent);
        }
        let made = story
            .told("model_call_attempt_started")
            .find(|(_, facts)| facts["effectId"] == effect.effect_id.as_str());
        let made = made.map_or(at, |(made, _)| made);
        // An attempt that failed is made again in the same step.
        let step = requests.last().filter(|last| last.round == u64::from(*round)).map(|last| last.done);
        let done = step.unwrap_or(*done == Some(true));
        requests.push(Request { at, made, round: u64::from(*round), done, messages, tools });
    }
    requests
}

fn message(message: &Value) -> Message {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = message["parts"].as_array().or(message["content"].as_array());
    let texts = parts.into_iter().flatten().filter_map(|part| part["text"].as_str());
    let said: Vec<&str> = message["content"].as_str().into_iter().chain(texts).collect();
    let chat = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
        let arguments = &call["function"]["arguments"];
        let object = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
        (text(&call["id"]), text(&call["function"]["name"]), object.unwrap_or_else(|| arguments.clone()))
    });
    let neutral = parts.into_iter().flatten().filter(|part| part["type"] == "call");
    let neutral = neutral.map(|part| (text(&part["id"]), text(&part["name"]), part["args"].clone()));
    let is_result = message["role"] == "tool";
    let id = message["tool_call_id"].as_str().or(message["id"].as_str());
    Message {
        role: text(&message["role"]),
        text: said.join("\n\n"),
        calls: chat.chain(neutral).collect(),
        answers: id.filter(|_| is_result).map(str::to_owned),
        is_error: message["isError"].as_bool(),
    }
}
