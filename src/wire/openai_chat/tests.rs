use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::arguments::{ToolArguments, decode};
use crate::protocol::{Call, Code, EMPTY_TEXT, Wire};
use crate::wire::{
    Assistant, Choice, Codec, Delta, Entry, ModelFault, ProviderState, Reply, ResultPart, ResultView, Stop,
    Stream, Tool, Usage,
};

const CODEC: Codec = Codec::OpenaiChat;

fn body(message: Value, finish_reason: &str) -> Value {
    json!({"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]})
}

fn chunk(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn end(finish_reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]})
}

fn streamed(chunks: &[Value]) -> Result<Reply, ModelFault> {
    let mut stream = CODEC.stream();
    for chunk in chunks {
        stream.push(chunk);
    }
    stream.finish()
}

fn code(reply: &Result<Reply, ModelFault>) -> Option<Code> {
    reply.as_ref().err().map(|fault| fault.code)
}

fn entry(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

#[test]
fn what_cannot_be_used() {
    let calls = |entries: Value| json!({"content": null, "tool_calls": entries});
    let good = entry("a", "f", "{}");
    let cases = [
        (json!({}), Some(Code::ModelInvalidToolCall)),
        (json!("text"), Some(Code::ModelInvalidToolCall)),
        (json!({"choices": []}), Some(Code::ModelInvalidToolCall)),
        (json!({"choices": [{"finish_reason": "stop"}]}), Some(Code::ModelInvalidToolCall)),
        (body(calls(json!("many")), "tool_calls"), Some(Code::ModelInvalidToolCall)),
        (body(calls(json!([5])), "tool_calls"), Some(Code::ModelInvalidToolCall)),
        (body(calls(json!([entry("", "f", "{}")])), "tool_calls"), Some(Code::ModelInvalidToolCall)),
        (body(calls(json!([entry("a", "", "{}")])), "tool_calls"), Some(Code::ModelInvalidToolCall)),
        (body(calls(json!([good, entry("a", "g", "{}")])), "tool_calls"), Some(Code::ModelInvalidToolCall)),
        (body(json!({"content": "half"}), "length"), Some(Code::ModelOutputTruncated)),
        (body(json!({"content": null}), "content_filter"), Some(Code::ModelProviderRefusal)),
        (body(json!({"content": null, "refusal": "no"}), "stop"), Some(Code::ModelProviderRefusal)),
        // With calls, a refusal is no refusal.
        (body(json!({"refusal": "no", "tool_calls": [good]}), "content_filter"), None),
        // The end is judged by the calls, not by its name (WR-20).
        (body(calls(json!([good])), "stop"), None),
        (body(json!({"content": "hm"}), "tool_calls"), None),
        (json!({"choices": [{"message": {"content": "hm"}}]}), None),
    ];
    for (body, expected) in cases {
        assert_eq!(code(&CODEC.parse(&body)), expected, "{body}");
    }
    let refusal = CODEC.parse(&body(json!({"refusal": "I will not."}), "stop")).unwrap_err();
    assert_eq!(refusal.message, "I will not.");
}

#[test]
fn the_last_call_of_a_cut_reply_does_not_run() {
    let message = json!({"tool_calls": [entry("a", "f", "{}"), entry("b", "g", "{}")]});
    let whole = CODEC.parse(&body(message, "length")).unwrap();
    assert_eq!(whole.stop, Stop::Length);
    assert_eq!(whole.calls.iter().map(|call| call.cut).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn text_may_come_in_parts() {
    let content = json!([{"type": "text", "text": "a"}, {"type": "audio"}, {"type": "text", "text": "b"}]);
    assert_eq!(CODEC.parse(&body(json!({"content": content}), "stop")).unwrap().text, "ab");
    assert_eq!(streamed(&[chunk(json!({"content": content})), end("stop")]).unwrap().text, "ab");
}

#[test]
fn streams_of_all_sorts() {
    let piece = |piece: Value| chunk(json!({"tool_calls": [piece]}));
    let call = |reply: &Reply, at: usize| (reply.calls[at].name.clone(), reply.calls[at].arguments.clone());
    let text = |text: &str| Wire::Text(text.into());

    // Without an index a new id opens a call; what has no id belongs to the last one (WR-21).
    let reply = streamed(&[
        piece(json!({"id": "a", "function": {"name": "f", "arguments": "{\"x\""}})),
        piece(json!({"function": {"arguments": ":1}"}})),
        piece(json!({"id": "b", "function": {"name": "g"}})),
        piece(json!({"id": "a", "function": {"arguments": " "}})),
        piece(json!({"id": "b", "function": {"arguments": "{}"}})),
        end("tool_calls"),
    ]);
    let reply = reply.unwrap();
    assert_eq!(call(&reply, 0), ("f".into(), text("{\"x\":1} ")));
    assert_eq!(call(&reply, 1), ("g".into(), text("{}")));

    // The id and the name are those of the first piece that has them; the order is that of the indexes.
    let reply = streamed(&[
        piece(json!({"index": 3, "function": {"name": "late", "arguments": "{"}})),
        piece(json!({"index": 1, "id": "a", "function": {"name": "f"}})),
        piece(json!({"index": 3, "id": "b", "function": {"arguments": "}"}})),
        piece(json!({"index": 1, "id": "other", "function": {"name": "other", "arguments": null}})),
        end("tool_calls"),
    ]);
    let reply = reply.unwrap();
    assert_eq!(call(&reply, 0), ("f".into(), Wire::Json(Value::Null)));
    assert_eq!(call(&reply, 1), ("late".into(), text("{}")));
    assert_eq!(reply.calls[0].provider_id.as_deref(), Some("a"));

    // Some servers send an object.
    let object = json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": {"q": 1}}});
    let reply = streamed(&[piece(object.clone()), end("stop")]).unwrap();
    assert_eq!(reply.calls[0].arguments, Wire::Json(json!({"q": 1})));
    let more = json!({"index": 0, "function": {"arguments": "{}"}});
    assert_eq!(code(&streamed(&[piece(object), piece(more), end("stop")])), Some(Code::ModelInvalidToolCall));

    // Noise between the chunks changes nothing.
    let reply = streamed(&[
        json!("[DONE]"),
        json!(null),
        json!({"choices": [{"index": 1, "delta": {"content": "another choice"}, "finish_reason": "stop"}]}),
        chunk(json!({"content": "hi"})),
        end("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
        json!("[DONE]"),
    ]);
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("hi", Stop::End));
    let usage = Usage { input_tokens: 3, output_tokens: 4, total_tokens: 7, ..Usage::default() };
    assert_eq!(reply.usage, Some(usage));

    let cut = [piece(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}))];
    assert_eq!(code(&streamed(&cut)), Some(Code::ModelReplyIncomplete));
    assert_eq!(code(&streamed(&[])), Some(Code::ModelReplyIncomplete));
    assert_eq!(code(&streamed(&[piece(json!({})), end("stop")])), Some(Code::ModelInvalidToolCall));
    assert_eq!(
        code(&streamed(&[chunk(json!({"refusal": "no"})), end("stop")])),
        Some(Code::ModelProviderRefusal)
    );
}

#[test]
fn a_call_is_announced_when_it_has_an_id() {
    let mut stream = CODEC.stream();
    let mut push = |piece: Value| stream.push(&chunk(json!({"tool_calls": [piece]})));
    let arguments = |index, text: &str| Delta::Arguments { index, text: text.into() };
    let begin = |index, id: &str, name: Option<&str>| Delta::Begin {
        index,
        provider_id: Some(id.into()),
        name: name.map(Into::into),
    };
    assert_eq!(push(json!({"index": 0, "function": {"name": "f", "arguments": "{\"a\""}})), []);
    assert_eq!(push(json!({"index": 1, "id": "b"})), [begin(0, "b", None)]);
    let late = push(json!({"index": 0, "id": "a", "function": {"arguments": ":1"}}));
    assert_eq!(late, [begin(1, "a", Some("f")), arguments(1, "{\"a\":1")]);
    assert_eq!(push(json!({"index": 0, "function": {"arguments": "}"}})), [arguments(1, "}")]);
    assert_eq!(push(json!({"index": 0, "function": {"arguments": ""}})), []);
}

#[test]
fn opaque_parts_go_back_to_the_same_codec() {
    let signature = json!({"google": {"thought_signature": "s"}});
    let mut call = entry("a", "f", "{}");
    call["extra_content"] = signature.clone();
    let message = json!({"content": null, "reasoning_content": "hm", "audio": null, "tool_calls": [call]});
    let reply = CODEC.parse(&body(message, "tool_calls")).unwrap();
    let call = Call {
        call_id: "a".into(),
        provider_id: Some("a".into()),
        name: "f".into(),
        arguments: Wire::Absent,
        cut: false,
    };
    let said = Assistant { text: String::new(), calls: vec![call], provider_state: reply.provider_state };
    let messages = CODEC.messages(&[Entry::Assistant(said)]);
    assert_eq!(messages[0]["reasoning_content"], "hm");
    assert_eq!(messages[0]["tool_calls"][0]["extra_content"], signature);
    assert_eq!(messages[0].get("audio"), None);
}

#[test]
fn tools_and_choice() {
    let tool = |schema: Value| Tool { name: "f".into(), description: "Does.".into(), input_schema: schema };
    let sent = CODEC.tools(&[
        tool(json!({"$schema": "x", "type": "object", "properties": {"$schema": {}}, "required": ["a"]})),
        tool(json!({"type": "object", "additionalProperties": false})),
    ]);
    let expected = [
        r#"{"type":"object","properties":{"$schema":{}},"required":["a"]}"#,
        r#"{"type":"object","additionalProperties":false,"properties":{}}"#,
    ];
    for (tool, schema) in sent.iter().zip(expected) {
        let expected = format!(
            r#"{{"type":"function","function":{{"name":"f","description":"Does.","parameters":{schema}}}}}"#
        );
        assert_eq!(tool.to_string(), expected);
    }
    let choices = [
        (Choice::None, json!("none")),
        (Choice::Auto, json!("auto")),
        (Choice::Required, json!("required")),
        (Choice::Specific("f".into()), json!({"type": "function", "function": {"name": "f"}})),
    ];
    for (choice, expected) in choices {
        let body = CODEC.request(vec![json!({})], &sent, &choice);
        assert_eq!(body["tool_choice"], expected);
        assert_eq!(body["tools"], json!(sent));
        let body = CODEC.request(vec![json!({})], &[], &choice);
        assert_eq!(body.keys().collect::<Vec<_>>(), ["messages"], "no tools, no choice (WR-04)");
    }
}

fn view(call_id: &str, provider_id: Option<&str>, parts: Vec<ResultPart>) -> ResultView {
    ResultView {
        call_id: call_id.into(),
        provider_id: provider_id.map(Into::into),
        name: "f".into(),
        is_error: false,
        code: None,
        parts,
    }
}

fn call(call_id: &str, provider_id: Option<&str>, name: &str, arguments: Wire) -> Call {
    let provider_id = provider_id.map(Into::into);
    Call { call_id: call_id.into(), provider_id, name: name.into(), arguments, cut: false }
}

#[test]
fn messages() {
    let text = |text: &str| vec![ResultPart::Text(text.into())];
    let history = [
        Entry::System("Be kind.".into()),
        Entry::User(String::new()),
        Entry::User("Go.".into()),
        Entry::Assistant(Assistant { text: "Hm.".into(), ..Assistant::default() }),
        Entry::Assistant(Assistant::default()),
        Entry::Assistant(Assistant {
            calls: vec![call("a", Some("a"), "f", Wire::Text(r#" {"b":1.0, "a":[2]} "#.into()))],
            ..Assistant::default()
        }),
        Entry::Results(vec![view("a", Some("a"), text("done"))]),
    ];
    let expected = [
        r#"{"role":"system","content":"Be kind."}"#,
        r#"{"role":"user","content":"Go."}"#,
        r#"{"role":"assistant","content":"Hm."}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"b\":1.0,\"a\":[2]}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"a","content":"done"}"#,
    ];
    let sent: Vec<String> = CODEC.messages(&history).iter().map(Value::to_string).collect();
    assert_eq!(sent, expected);
}

#[test]
fn results_say_what_they_are() {
    let image = |data: &str| ResultPart::Image { mime_type: "image/png".into(), base64: data.into() };
    let shown = |view: ResultView| CODEC.messages(&[Entry::Results(vec![view])])[0]["content"].clone();
    assert_eq!(shown(view("a", None, vec![])), EMPTY_TEXT);
    assert_eq!(shown(view("a", None, vec![ResultPart::Text(String::new())])), EMPTY_TEXT);
    let failed = |code| ResultView {
        is_error: true,
        code,
        ..view("a", None, vec![ResultPart::Text("No such file.".into())])
    };
    assert_eq!(shown(failed(Some(Code::ToolTimeout))), "Error (tool.timeout):\nNo such file.");
    assert_eq!(shown(failed(None)), "Error:\nNo such file.");

    let results = Entry::Results(vec![
        view("a", None, vec![image("QQ=="), ResultPart::Text("between".into()), image("Qg==")]),
        view("b", None, vec![ResultPart::OmittedImage("left out".into())]),
        view("c", None, vec![image("Qw==")]),
    ]);
    let messages = CODEC.messages(&[results, Entry::User("next".into())]);
    assert_eq!(messages.len(), 5, "three results, one carrier, one message");
    let first = "[Image 1 of this result: image attached below.]\n\nbetween\n\n[Image 2 of this result: image \
                 attached below.]";
    assert_eq!(messages[0]["content"], first);
    assert_eq!(messages[1]["content"], "left out");
    let carrier = messages[3]["content"].as_array().unwrap();
    let urls: Vec<&str> = carrier.iter().filter_map(|part| part["image_url"]["url"].as_str()).collect();
    let url = |data: &str| format!("data:image/png;base64,{data}");
    assert_eq!(urls, [url("QQ=="), url("Qg=="), url("Qw==")]);
    assert_eq!(carrier[4]["text"], "Image 1 of the result of call 3, `f`:");
    assert_eq!(messages[4]["content"], "next");
}

#[test]
fn ids_and_names_that_the_provider_would_refuse() {
    let long = "x".repeat(65);
    let cases = [
        ("x".repeat(64), Some("x".repeat(64)), true),
        ("灯".repeat(64), Some("灯".repeat(64)), true),
        (long.clone(), Some(long), false),
        ("a~2".into(), Some("a".into()), false),
    ];
    for (call_id, provider_id, own) in cases {
        let provider_id = provider_id.as_deref();
        let said = Assistant {
            calls: vec![call(&call_id, provider_id, "workspace.read file!", Wire::Absent)],
            ..Assistant::default()
        };
        let history = [Entry::Assistant(said), Entry::Results(vec![view(&call_id, provider_id, vec![])])];
        let messages = CODEC.messages(&history);
        let sent = &messages[0]["tool_calls"][0];
        assert_eq!(sent["id"], messages[1]["tool_call_id"], "a call and its result have the same id");
        assert_eq!(sent["id"] == json!(provider_id), own, "{call_id}");
        assert!(sent["id"].as_str().unwrap().chars().count() <= 64);
        assert_eq!(sent["function"]["name"], "workspace_read_file_");
    }
}

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
        let (whole, streamed) = (CODEC.parse(&whole), stream.finish());
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
            let Delta::Begin { index, provider_id, .. } = begin else { unreachable!() };
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
        let messages = CODEC.messages(&[Entry::Assistant(said)]);
        let reply = CODEC.parse(&body(messages[0].clone(), "tool_calls")).unwrap();
        prop_assert_eq!(reply.calls.len(), calls.len());
        for (sent, back) in calls.iter().zip(&reply.calls) {
            prop_assert_eq!(&sent.name, &back.name);
            prop_assert_eq!(Some(&sent.call_id), back.provider_id.as_ref());
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
            0 => Entry::System(format!("s{index}")),
            1 => Entry::User(if index % 3 == 0 { String::new() } else { format!("u{index}") }),
            2 => Entry::Assistant(Assistant {
                calls: vec![call(&id(index), Some("same"), "f", Wire::Absent)],
                ..Assistant::default()
            }),
            3 => Entry::Assistant(Assistant {
                text: "t".into(),
                calls: vec![],
                provider_state: Some(ProviderState { codec: CODEC, items: json!({"message": {"reasoning": "r"}}) }),
            }),
            _ => Entry::Results(vec![view(&id(index), Some("same"), vec![
                ResultPart::Image { mime_type: "image/png".into(), base64: String::new() },
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
            let _ = CODEC.parse(chunk);
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
