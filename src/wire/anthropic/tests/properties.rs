use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::history::{call, view};
use super::{CODEC, begin, body, close, end, input, piece, stop};
use crate::arguments::{ToolArguments, decode, read};
use crate::protocol::{Call, Wire};
use crate::wire::tests::{asked, assistant, parsed, rendered};
use crate::wire::{Assistant, Choice, Delta, Entry, ReplyCall, ResultPart, Stream};

/// A block of a reply for the generators.
#[derive(Clone, Debug)]
enum Block {
    Text(String),
    Thinking(String),
    Redacted(String),
    Call(String, String),
    Server(String),
}

/// JSON text of an object that reads.
fn object() -> impl Strategy<Value = String> {
    let members = prop::collection::btree_map("[a-z_]{0,3}", any::<String>(), 0..4);
    members.prop_map(|members| json!(members).to_string())
}

fn block() -> impl Strategy<Value = Block> {
    prop_oneof![
        any::<String>().prop_map(Block::Text),
        any::<String>().prop_map(Block::Thinking),
        any::<String>().prop_map(Block::Redacted),
        ("[a-z_]{1,8}", object()).prop_map(|(name, input)| Block::Call(name, input)),
        object().prop_map(Block::Server),
    ]
}

/// Cuts a text into pieces at places that the numbers choose.
fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut places: Vec<usize> =
        cuts.iter().map(|cut| cut % (chars.len() + 1)).chain([0, chars.len()]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| chars[pair[0]..pair[1]].iter().collect()).collect()
}

impl Block {
    fn whole(&self, index: usize) -> Value {
        let object = |text: &String| read(text).unwrap();
        match self {
            Block::Text(text) => json!({"type": "text", "text": text}),
            Block::Thinking(text) => json!({"type": "thinking", "thinking": text, "signature": text}),
            Block::Redacted(data) => json!({"type": "redacted_thinking", "data": data}),
            Block::Call(name, input) => {
                json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": object(input)})
            }
            Block::Server(input) => {
                json!({"type": "server_tool_use", "id": "s", "name": "search", "input": object(input)})
            }
        }
    }

    /// The events of the block, cut as the numbers say.
    fn events(&self, at: usize, cuts: &[usize]) -> Vec<Value> {
        let index = at as u64;
        let mut opened = self.whole(at);
        let mut said: Vec<Value> = Vec::new();
        match self {
            Block::Text(text) => {
                opened["text"] = json!("");
                said.extend(
                    pieces(text, cuts)
                        .iter()
                        .map(|text| piece(index, json!({"type": "text_delta", "text": text}))),
                );
            }
            Block::Thinking(text) => {
                (opened["thinking"], opened["signature"]) = (json!(""), json!(""));
                said.extend(
                    pieces(text, cuts)
                        .iter()
                        .map(|text| piece(index, json!({"type": "thinking_delta", "thinking": text}))),
                );
                said.push(piece(index, json!({"type": "signature_delta", "signature": text})));
            }
            Block::Redacted(_) => {}
            Block::Call(_, text) | Block::Server(text) => {
                opened["input"] = json!({});
                said.extend(pieces(text, cuts).iter().map(|text| input(index, text)));
            }
        }
        [vec![begin(index, opened)], said, vec![close(index)]].concat()
    }
}

fn decoded(calls: &[ReplyCall]) -> Vec<(Option<&str>, &str, ToolArguments, bool)> {
    calls
        .iter()
        .map(|call| (call.provider_id.as_deref(), call.name.as_str(), decode(&call.arguments), call.cut))
        .collect()
}

proptest! {
    /// A whole reply and every chunking of it are the same reply; the stream may be stored between any two events;
    /// the deltas show what the reply holds (WR-15, IV-89).
    #[test]
    fn whole_and_streamed_agree(
        blocks in prop::collection::vec(block(), 0..6),
        end_choice in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
        turns in prop::collection::vec(any::<usize>(), 0..60),
    ) {
        let reason = ["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn"][end_choice.index(5)];
        let content: Vec<Value> = blocks.iter().enumerate().map(|(index, block)| block.whole(index)).collect();
        let whole = parsed(CODEC, &body(json!(content), reason));

        // The blocks are interleaved in an arbitrary order, with pings and strangers between.
        let mut queues: Vec<Vec<Value>> =
            blocks.iter().enumerate().map(|(index, block)| block.events(index, &cuts)).collect();
        let mut stream = CODEC.stream();
        let mut deltas = Vec::new();
        let mut start = body(json!([]), "");
        start["stop_reason"] = Value::Null;
        stream.push(&json!({"type": "message_start", "message": start}));
        let mut turns = turns.into_iter().chain(std::iter::repeat(0));
        loop {
            queues.retain(|queue| !queue.is_empty());
            if queues.is_empty() {
                break;
            }
            let turn = turns.next().unwrap_or_default();
            let at = turn % queues.len();
            deltas.extend(stream.push(&queues[at].remove(0)));
            if turn % 3 == 1 {
                prop_assert_eq!(stream.push(&json!({"type": "ping"})), []);
                prop_assert_eq!(stream.push(&json!({"type": "telepathy", "index": turn})), []);
            }
            let stored = serde_json::to_value(&stream).unwrap();
            stream = crate::protocol::from_tree::<Stream>(stored).unwrap();
        }
        stream.push(&end(reason));
        stream.push(&stop());
        let streamed = stream.finish();

        prop_assert_eq!(whole.as_ref().err(), streamed.as_ref().err());
        let (Ok(whole), Ok(streamed)) = (whole, streamed) else { return Ok(()) };
        prop_assert_eq!(decoded(&whole.calls), decoded(&streamed.calls));
        prop_assert_eq!(
            (&whole.text, whole.stop, &whole.provider_state, whole.usage),
            (&streamed.text, streamed.stop, &streamed.provider_state, streamed.usage)
        );
        let begun = deltas.iter().filter(|delta| matches!(delta, Delta::Begin { .. })).count();
        prop_assert_eq!(begun, whole.calls.len());
        for call in &streamed.calls {
            let number = deltas.iter().find_map(|delta| match delta {
                Delta::Begin { index, provider_id, .. } if *provider_id == call.provider_id => Some(*index),
                _ => None,
            });
            let shown: String = deltas.iter().filter_map(|delta| match delta {
                Delta::Arguments { index, text } if Some(*index) == number => Some(text.as_str()),
                _ => None,
            }).collect();
            prop_assert_eq!(Wire::Text(shown), call.arguments.clone());
        }
    }

    /// What history replays comes back as the same calls with the same arguments (IV-89), always as objects (IV-32).
    #[test]
    fn what_is_rendered_parses(asked in prop::collection::vec(("[a-z_]{1,8}", any::<String>()), 1..5)) {
        let calls: Vec<Call> = asked.iter().enumerate()
            .map(|(index, (name, text))| call(&format!("c{index}"), None, name, Wire::Text(text.clone())))
            .collect();
        let said = Assistant { text: "x".into(), calls: calls.clone(), provider_state: None };
        let messages = rendered(CODEC, &[assistant(said)]);
        let reply = parsed(CODEC, &messages[0]).unwrap();
        prop_assert_eq!(reply.calls.len(), calls.len());
        for (sent, back) in calls.iter().zip(&reply.calls) {
            prop_assert_eq!((&*sent.name, Some(&*sent.call_id)), (&*back.name, back.provider_id.as_deref()));
            let object = match decode(&sent.arguments) {
                ToolArguments::Object(members) => members,
                ToolArguments::Invalid(_) => Map::new(),
            };
            prop_assert_eq!(decode(&back.arguments), ToolArguments::Object(object));
        }
    }

    /// Whatever a history holds, roles alternate, no message is empty, and results come first (WR-42).
    #[test]
    fn requests_are_legal(kinds in prop::collection::vec(0_u8..6, 0..20)) {
        let entry = |(index, kind): (usize, &u8)| match kind {
            0 => vec![Entry::System(format!("s{index}").into())],
            1 => vec![Entry::User((" ".repeat(index % 2) + if index % 3 == 0 { "" } else { "u" }).into())],
            2 => vec![assistant(Assistant::default())],
            3 => vec![assistant(Assistant { text: "t".into(), ..Assistant::default() })],
            _ => {
                let id = format!("c{index}");
                let calls = vec![call(&id, Some("same"), "f", Wire::Absent)];
                let image = ResultPart::Image { path: "i".into(), mime_type: "image/png".into(), base64: "QQ==".into() };
                let mut result = view(&id, vec![image]);
                result.is_error = *kind == 5;
                vec![assistant(Assistant { calls, ..Assistant::default() }), Entry::Results(vec![result])]
            }
        };
        let history: Vec<Entry> = kinds.iter().enumerate().flat_map(entry).collect();
        let body = asked(CODEC.request(CODEC.messages(&history), &[], &Choice::Auto));
        let messages = body["messages"].as_array().unwrap();
        for (at, message) in messages.iter().enumerate() {
            prop_assert_ne!(message.get("role"), at.checked_sub(1).and_then(|before| messages[before].get("role")));
            let kinds: Vec<&str> =
                message["content"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap()).collect();
            prop_assert!(!kinds.is_empty());
            let results = kinds.iter().filter(|kind| **kind == "tool_result").count();
            prop_assert!(kinds[..results].iter().all(|kind| *kind == "tool_result"), "{:?}", kinds);
            let calls = kinds.iter().filter(|kind| **kind == "tool_use").count();
            prop_assert!(kinds[kinds.len() - calls..].iter().all(|kind| *kind == "tool_use"), "{:?}", kinds);
        }
    }

    /// No JSON breaks the reader, and only a whole and legal reply comes out of it.
    #[test]
    fn any_json_is_survived(events in prop::collection::vec(noise(), 0..12)) {
        let mut stream = CODEC.stream();
        for event in &events {
            stream.push(event);
            let _ = parsed(CODEC, event);
        }
        if let Ok(reply) = stream.finish() {
            prop_assert!(events.iter().any(|event| event["type"] == "message_stop"));
            prop_assert!(reply.calls.iter().all(|call| call.provider_id.is_some() && !call.name.is_empty()));
        }
    }
}

/// JSON made of the members that the codec looks at, often an event.
fn noise() -> impl Strategy<Value = Value> {
    let words = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "error",
        "tool_use",
        "text",
        "thinking",
        "input_json_delta",
        "text_delta",
        "max_tokens",
        "a",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        (0_u64..3).prop_map(Value::from),
        Just(json!(-1)),
        Just(json!(u64::MAX)),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
    ];
    let names = [
        "type",
        "index",
        "content_block",
        "delta",
        "message",
        "usage",
        "content",
        "id",
        "name",
        "input",
        "text",
        "partial_json",
        "citation",
        "citations",
        "stop_reason",
        "error",
        "__proto__",
    ];
    let tree = leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(names.to_vec()), inner), 0..6).prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    });
    (prop::sample::select(words[..7].to_vec()), 0_u64..3, tree.clone(), tree).prop_map(|(kind, index, block, delta)| {
        json!({"type": kind, "index": index, "content_block": block, "delta": delta, "message": block, "error": delta})
    })
}
