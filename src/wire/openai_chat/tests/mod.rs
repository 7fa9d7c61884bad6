mod properties;

use serde_json::{Value, json};

use crate::protocol::{Call, Code, EMPTY_TEXT, Wire};
use crate::wire::tests::{asked, assistant, parsed, rendered};
use crate::wire::{
    Assistant, Choice, Codec, Delta, Entry, Message, ModelFault, Reply, ResultPart, ResultView, Stop, Tool,
    Usage,
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
        assert_eq!(code(&parsed(CODEC, &body)), expected, "{body}");
    }
    let refusal = parsed(CODEC, &body(json!({"refusal": "I will not."}), "stop")).unwrap_err();
    assert_eq!(refusal.message, "I will not.");
}

#[test]
fn the_last_call_of_a_cut_reply_does_not_run() {
    let message = json!({"tool_calls": [entry("a", "f", "{}"), entry("b", "g", "{}")]});
    let whole = parsed(CODEC, &body(message, "length")).unwrap();
    assert_eq!(whole.stop, Stop::Length);
    assert_eq!(whole.calls.iter().map(|call| call.cut).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn text_may_come_in_parts() {
    let content = json!([{"type": "text", "text": "a"}, {"type": "audio"}, {"type": "text", "text": "b"}]);
    assert_eq!(parsed(CODEC, &body(json!({"content": content}), "stop")).unwrap().text, "ab");
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
    let reply = parsed(CODEC, &body(message, "tool_calls")).unwrap();
    let call = Call {
        call_id: "a".into(),
        provider_id: Some("a".into()),
        name: "f".into(),
        arguments: Wire::Absent,
        cut: false,
    };
    let said = Assistant { text: String::new(), calls: vec![call], provider_state: reply.provider_state };
    let messages = rendered(CODEC, &[assistant(said)]);
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
        let body = asked(CODEC.request(vec![], &sent, &choice));
        assert_eq!(body["tool_choice"], expected);
        assert_eq!(body["tools"], json!(sent));
        let body = asked(CODEC.request(vec![], &[], &choice));
        assert_eq!(
            body.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["messages"],
            "no tools, no choice (WR-04)"
        );
    }
}

fn view(call_id: &str, provider_id: Option<&str>, parts: Vec<ResultPart<'static>>) -> ResultView<'static> {
    ResultView {
        call_id: call_id.to_owned().into(),
        provider_id: provider_id.map(|id| id.to_owned().into()),
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
    let text = |text: &'static str| vec![ResultPart::Text(text.into())];
    let history = [
        Entry::System("Be kind.".into()),
        Entry::User("".into()),
        Entry::User("Go.".into()),
        assistant(Assistant { text: "Hm.".into(), ..Assistant::default() }),
        assistant(Assistant::default()),
        assistant(Assistant {
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
    let sent = CODEC.messages(&history);
    assert_eq!(sent.iter().map(Message::json).collect::<Vec<_>>(), expected);
}

#[test]
fn results_say_what_they_are() {
    let image = |data: &str| ResultPart::Image {
        path: "i".into(),
        mime_type: "image/png".into(),
        base64: data.into(),
    };
    let shown = |view: ResultView| rendered(CODEC, &[Entry::Results(vec![view])])[0]["content"].clone();
    assert_eq!(shown(view("a", None, vec![])), EMPTY_TEXT);
    assert_eq!(shown(view("a", None, vec![ResultPart::Text("".into())])), EMPTY_TEXT);
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
    let messages = rendered(CODEC, &[results, Entry::User("next".into())]);
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
        let history = [assistant(said), Entry::Results(vec![view(&call_id, provider_id, vec![])])];
        let messages = rendered(CODEC, &history);
        let sent = &messages[0]["tool_calls"][0];
        assert_eq!(sent["id"], messages[1]["tool_call_id"], "a call and its result have the same id");
        assert_eq!(sent["id"] == json!(provider_id), own, "{call_id}");
        assert!(sent["id"].as_str().unwrap().chars().count() <= 64);
        assert_eq!(sent["function"]["name"], "workspace_read_file_");
    }
}

/// What is read piece by piece is what a tree of it would say: of members with one name the last counts, whole.
#[test]
fn members_that_come_twice() {
    let cases = [
        (r#"{"choices":[],"choices":[{"message":{"content":"a","content":"b"}}]}"#, "b", ""),
        (r#"{"choices":[{"message":{"content":"a"},"message":{"content":["x",{"text":"c"}]}}]}"#, "c", ""),
        (
            r#"{"choices":[{"index":1,"message":{"content":"a"}},{"index":1.0,"message":{"content":"b"}}]}"#,
            "b",
            "",
        ),
        (
            r#"{ "choices" : [ 5 , { } ] , "choices" : [ { "message" : { "tool_calls" : 5 , "tool_calls" : [
                { "id" : "a" , "function" : { "name" : "x" , "arguments" : "1" } , "id" : "b" , "more" : [ { } ] ,
                  "function" : { "n\u0061me" : "f" , "other" : null } } ] } , "index" : null } ] , "usage" : [ ] }"#,
            "",
            "b f Absent",
        ),
        (
            r#"{"choices":[{"message":{"content":"t","tool_calls":[{"id":"a","function":{"name":"f","arguments":{"a":1.50}}}]}}]}"#,
            "t",
            r#"a f Json(Object {"a": Number(1.50)})"#,
        ),
    ];
    let read =
        |text| CODEC.read(&mut crate::arguments::Reader::within(text, crate::protocol::limits::JSON_DEPTH));
    for (body, text, calls) in cases {
        let reply = read(body).unwrap().unwrap();
        let made: Vec<String> = reply
            .calls
            .iter()
            .map(|call| {
                format!("{} {} {:?}", call.provider_id.as_deref().unwrap(), call.name, call.arguments)
            })
            .collect();
        assert_eq!((reply.text.as_str(), made.join(" ").as_str()), (text, calls), "{body}");
        let tree = crate::arguments::read(body).unwrap();
        assert_eq!(parsed(CODEC, &tree), Ok(reply), "{body}");
    }
    let no_json = [
        "",
        "{",
        r#"{"choices":[{"message":{"content":"#,
        "[[[",
        r#"{"choices":[,,,"#,
        r#"{"choices":[{"message":{"tool_calls":[{},]}}]}"#,
        r#"{"choices":[{"message":{"tool_calls":[{}{}]}}]}"#,
        r#"{"choices":[{"message":{"tool_calls":[{"function":{"name":"f""arguments":1}}]}}]}"#,
        r#"{"choices":[{"message":{"content":"a"},}]}"#,
        r#"{"choices":[{"message"{}}]}"#,
        r#"{"choices":[{]}"#,
        r#"{"choices":[}"#,
    ];
    for text in no_json {
        assert!(crate::arguments::read(text).is_err(), "{text}");
        assert!(read(text).is_none(), "{text}");
    }
}
