use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{CODEC, body, call, chunk, end, view};
use crate::arguments::{ToolArguments, decode};
use crate::protocol::{Call, Wire};
use crate::wire::tests::{assistant, parsed, rendered};
use crate::wire::{Assistant, Delta, Entry, ProviderState, ResultPart, Stream};

/// A piece of a reply for the generators.
#[derive(Clone, Debug)]
struct Asked {
    name: String,
    arguments: Option<String>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let arguments = prop_oneof![
        Just("{}".to_owned()),
        Just(String::new()),
        any::<String>(),
        prop::collection::btree_map("[a-z]{1,3}", any::<String>(), 0..4)
            .prop_map(|map| json!(map).to_string()),
    ];
    ("[a-z_]{1,8}", prop::option::of(arguments)).prop_map(|(name, arguments)| Asked { name, arguments })
}

/// Cuts a text into pieces at places that the numbers choose.
fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut places: Vec<usize> =
        cuts.iter().map(|cut| cut % (chars.len() + 1)).chain([0, chars.len()]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| chars[pair[0]..pair[1]].iter().collect()).collect()
}

fn finish(choice: u8) -> &'static str {
    ["stop", "tool_calls", "length", "content_filter"][usize::from(choice) % 4]
}

proptest! {
    /// A whole reply and every chunking of it are the same reply; the stream may be stored between any two chunks;
    /// the deltas show what the reply holds (WR-15, IV-89).
    #[test]
    fn whole_and_streamed_agree(
        text in any::<String>(),
        reasoning in prop::option::of(any::<String>()),
        refusal in prop::option::of("[a-z]{0,3}"),
        asked in prop::collection::vec(asked(), 0..5),
        same_id in any::<bool>(),
        end_choice in any::<u8>(),
        usage in prop::option::of((any::<u32>(), any::<u32>())),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
        turns in prop::collection::vec(any::<usize>(), 0..40),
    ) {
        let id = |index: usize| if same_id { "same".to_owned() } else { format!("call {index}") };
        let usage = usage.map(|(input, output)| json!({"prompt_tokens": input, "completion_tokens": output}));
        let mut message = Map::new();
        message.insert("role".into(), json!("assistant"));
        message.insert("content".into(), if text.is_empty() { Value::Null } else { json!(text) });
        message.extend(reasoning.iter().map(|text| ("reasoning_content".into(), json!(text))));
        message.extend(refusal.iter().map(|text| ("refusal".into(), json!(text))));
        let entries: Vec<Value> = asked.iter().enumerate().map(|(index, call)| {
            let mut function = json!({"name": call.name});
            if let Some(arguments) = &call.arguments {
                function["arguments"] = json!(arguments);
            }
            json!({"id": id(index), "type": "function", "function": function})
        }).collect();
        message.insert("tool_calls".into(), json!(entries));
        let mut whole = body(Value::Object(message), finish(end_choice));
        if let Some(usage) = &usage {
            whole["usage"] = usage.clone();
        }

        // One queue of pieces per text and per call; the queues are drained in an arbitrary order.
        let mut queues: Vec<Vec<Value>> = vec![pieces(&text, &cuts).into_iter().map(|piece| json!({"content": piece})).collect()];
        queues.extend(reasoning.iter().map(|text| {
            pieces(text, &cuts).into_iter().map(|piece| json!({"reasoning_content": piece})).collect()
        }));
        queues.extend(refusal.iter().map(|text| {
            pieces(text, &cuts).into_iter().map(|piece| json!({"refusal": piece})).collect()
        }));
        for (index, call) in asked.iter().enumerate() {
            let piece = |piece: Value| json!({"tool_calls": [piece]});
            let mut queue = vec![piece(json!({"index": index, "id": id(index), "function": {"name": call.name}}))];
            queue.extend(call.arguments.iter().flat_map(|text| pieces(text, &cuts)).map(|text| {
                piece(json!({"index": index, "function": {"arguments": text}}))
            }));
            queues.push(queue);
        }
        let mut stream = CODEC.stream();
        let mut deltas = stream.push(&chunk(json!({"role": "assistant", "content": null})));
        let mut turns = turns.into_iter().chain(std::iter::repeat(0));
        loop {
            queues.retain(|queue| !queue.is_empty());
            if queues.is_empty() {
                break;
            }
            let turn = turns.next().unwrap_or_default() % queues.len();
            deltas.extend(stream.push(&chunk(queues[turn].remove(0))));
            let stored = serde_json::to_string(&stream).unwrap();
            stream = serde_json::from_str::<Stream>(&stored).unwrap();
        }
        stream.push(&end(finish(end_choice)));
        if let Some(usage) = usage {
            stream.push(&json!({"choices": [], "usage": usage}));
        }
        let (whole, streamed) = (parsed(CODEC, &whole), stream.finish());
        prop_assert_eq!(&whole, &streamed);

        let Ok(reply) = whole else { return Ok(()) };
        let shown: String = deltas.iter().filter_map(|delta| match delta {
            Delta::Text(text) => Some(text.as_str()),
            _ => None,
        }).collect();
        prop_assert_eq!(&shown, &reply.text);
        let begun: Vec<&Delta> = deltas.iter().filter(|delta| matches!(delta, Delta::Begin { .. })).collect();
        prop_assert_eq!(begun.len(), reply.calls.len());
        for (number, begin) in begun.iter().enumerate() {
            let Delta::Begin { index, provider_id, .. } = begin else { panic!() };
            prop_assert_eq!(*index, number);
            let call = reply.calls.iter().find(|call| &call.provider_id == provider_id).unwrap();
            let shown: String = deltas.iter().filter_map(|delta| match delta {
                Delta::Arguments { index, text } if *index == number => Some(text.as_str()),
                _ => None,
            }).collect();
            let arrived = match &call.arguments {
                Wire::Text(text) => text.clone(),
                other => { prop_assert_eq!(other, &Wire::Absent); String::new() }
            };
            prop_assert_eq!(shown, arrived);
        }
    }

    /// What history replays comes back as the same calls with the same arguments (IV-89), always as objects (IV-32).
    #[test]
    fn what_is_rendered_parses(asked in prop::collection::vec(asked(), 1..5)) {
        let wire = |call: &Asked| call.arguments.clone().map_or(Wire::Absent, Wire::Text);
        let calls: Vec<Call> = asked.iter().enumerate()
            .map(|(index, asked)| call(&format!("c{index}"), None, &asked.name, wire(asked)))
            .collect();
        let said = Assistant { text: "x".into(), calls: calls.clone(), provider_state: None };
        let messages = rendered(CODEC, &[assistant(said)]);
        let reply = parsed(CODEC, &body(messages[0].clone(), "tool_calls")).unwrap();
        prop_assert_eq!(reply.calls.len(), calls.len());
        for (sent, back) in calls.iter().zip(&reply.calls) {
            prop_assert_eq!(&*sent.name, &*back.name);
            prop_assert_eq!(Some(&*sent.call_id), back.provider_id.as_deref());
            let object = match decode(&sent.arguments) {
                ToolArguments::Object(members) => members,
                ToolArguments::Invalid(_) => Map::new(),
            };
            prop_assert_eq!(decode(&back.arguments), ToolArguments::Object(object));
        }
    }

    /// Rendering piece by piece is rendering at once.
    #[test]
    fn rendering_is_incremental(kinds in prop::collection::vec(0_u8..5, 0..20), at in any::<usize>()) {
        let id = |index: usize| format!("call {}", index / 2);
        let entry = |(index, kind): (usize, &u8)| match kind {
            0 => Entry::System(format!("s{index}").into()),
            1 => Entry::User(if index % 3 == 0 { "".into() } else { format!("u{index}").into() }),
            2 => assistant(Assistant {
                calls: vec![call(&id(index), Some("same"), "f", Wire::Absent)],
                ..Assistant::default()
            }),
            3 => assistant(Assistant {
                text: "t".into(),
                calls: vec![],
                provider_state: Some(ProviderState { codec: CODEC, items: json!({"message": {"reasoning": "r"}}) }),
            }),
            _ => Entry::Results(vec![view(&id(index), Some("same"), vec![
                ResultPart::Image { path: "i".into(), mime_type: "image/png".into(), base64: String::new() },
            ])]),
        };
        let history: Vec<Entry> = kinds.iter().enumerate().map(entry).collect();
        let (first, rest) = history.split_at(at % (history.len() + 1));
        let parts = [CODEC.messages(first), CODEC.messages(rest)].concat();
        prop_assert_eq!(parts, CODEC.messages(&history));
    }

    /// No JSON breaks the reader, and only a whole and legal reply comes out of it.
    #[test]
    fn any_json_is_survived(chunks in prop::collection::vec(noise(), 0..8)) {
        let mut stream = CODEC.stream();
        for chunk in &chunks {
            stream.push(chunk);
            let _ = parsed(CODEC, chunk);
        }
        if let Ok(reply) = stream.finish() {
            prop_assert!(reply.calls.iter().all(|call| call.provider_id.is_some() && !call.name.is_empty()));
        }
    }
}

/// JSON made of the members that the codec looks at.
fn noise() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0_u64..3).prop_map(Value::from),
        Just(json!(-1)),
        Just(json!(u64::MAX)),
        "[a-c]{0,2}".prop_map(Value::from),
        Just(json!("length")),
    ];
    let names = ["choices", "delta", "message", "tool_calls", "index", "id", "function", "name", "arguments"];
    let more = ["content", "finish_reason", "usage", "refusal", "reasoning", "text"];
    let names: Vec<&str> = names.into_iter().chain(more).collect();
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(names.clone()), inner), 0..6).prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}
