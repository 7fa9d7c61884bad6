use proptest::prelude::*;
use serde_json::{Value, json};

use crate::arguments::decode;
use crate::protocol::{Call, Code, EMPTY_TEXT, Wire};
use crate::wire::tests::{asked, assistant, parsed, rendered};
use crate::wire::{
    Assistant, Choice, Codec, Delta, Entry, ModelFault, Reply, ResultPart, ResultView, Stop, Tool, Usage,
};

const CODEC: Codec = Codec::Neutral;

fn streamed(pieces: &[Value]) -> Result<Reply, ModelFault> {
    let mut stream = CODEC.stream();
    for piece in pieces {
        stream.push(piece);
    }
    stream.finish()
}

fn code(reply: Result<Reply, ModelFault>) -> Option<Code> {
    reply.err().map(|fault| fault.code)
}

#[test]
fn requests() {
    let call = Call {
        call_id: "call_a".into(),
        provider_id: None,
        name: "f".into(),
        arguments: Wire::Text(" {\"x\":1.0} ".into()),
        cut: false,
    };
    let result = |is_error, parts| {
        let (call_id, name) = ("call_a".into(), "f".into());
        ResultView { call_id, provider_id: None, name, is_error, code: Some(Code::ToolTimeout), parts }
    };
    let image = ResultPart::Image {
        path: "tool-results/i".into(),
        mime_type: "image/png".into(),
        base64: String::new(),
    };
    let omitted = ResultPart::OmittedImage("left out".into());
    let history = [
        Entry::System("Be kind.".into()),
        Entry::User("".into()),
        Entry::User("Go.".into()),
        assistant(Assistant { text: "Hm.".into(), calls: vec![call], ..Assistant::default() }),
        Entry::Results(vec![result(false, vec![ResultPart::Text("done".into()), image])]),
        assistant(Assistant::default()),
        Entry::Results(vec![result(true, vec![omitted]), result(false, vec![])]),
    ];
    let text = |text: &str| json!({"type": "text", "text": text});
    let tool = |is_error: bool, parts: Value| json!({"role": "tool", "id": "call_a", "name": "f", "isError": is_error, "parts": parts});
    let expected = [
        json!({"role": "system", "parts": [text("Be kind.")]}),
        json!({"role": "user", "parts": [text("Go.")]}),
        json!({"role": "assistant", "parts": [text("Hm."), {"type": "call", "id": "call_a", "name": "f", "args": {"x": 1.0}}]}),
        tool(
            false,
            json!([text("done"), {"type": "image", "path": "tool-results/i", "mimeType": "image/png"}]),
        ),
        tool(true, json!([text("left out")])),
        tool(false, json!([text(EMPTY_TEXT)])),
    ];
    let messages = rendered(CODEC, &history);
    assert_eq!(json!(messages).to_string(), json!(expected).to_string());

    let schema = json!({"$schema": "x", "anyOf": [true]});
    let tools =
        CODEC.tools(&[Tool { name: "f".into(), description: "Does.".into(), input_schema: schema.clone() }]);
    assert_eq!(tools, [json!({"name": "f", "description": "Does.", "inputSchema": schema})]);
    let choices = [
        (Choice::None, json!("none")),
        (Choice::Auto, json!("auto")),
        (Choice::Required, json!("required")),
        (Choice::Specific("f".into()), json!({"specific": "f"})),
    ];
    for (choice, expected) in choices {
        let body = asked(CODEC.request(CODEC.messages(&history), &tools, &choice));
        assert_eq!((&body["choice"], &body["tools"]), (&expected, &json!(tools)));
        let body = asked(CODEC.request(CODEC.messages(&history), &[], &choice));
        assert_eq!(
            body.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["messages"],
            "no tools, no choice (WR-04)"
        );
    }
}

#[test]
fn replies() {
    let call = |more: Value| {
        let mut call = json!({"type": "call", "name": "f"});
        call.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        call
    };
    let (a, b) = (call(json!({"id": "a"})), call(json!({})));
    let text = json!({"type": "text", "text": "x"});
    let invalid = Some(Code::ModelInvalidToolCall);
    let cases = [
        (json!({}), invalid),
        (json!({"parts": "x"}), invalid),
        (json!({"parts": ["x"]}), invalid),
        (json!({"parts": [{"type": "call"}]}), invalid),
        (json!({"parts": [a, a]}), invalid),
        (json!({"parts": [text], "stop": "length"}), Some(Code::ModelOutputTruncated)),
        (json!({"parts": [text], "stop": "refusal"}), Some(Code::ModelProviderRefusal)),
        (json!({"parts": [a, b, b], "stop": "refusal"}), None),
        (json!({"parts": [text]}), None),
        (json!({"parts": [], "stop": "end"}), None),
    ];
    for (body, expected) in cases {
        assert_eq!(code(parsed(CODEC, &body)), expected, "{body}");
    }
    let opaque = json!({"type": "reasoning", "text": "not shown"});
    let parts = json!([
        opaque,
        text,
        call(json!({"args": "{}"})),
        call(json!({"args": {"x": 1}})),
        call(json!({"args": null}))
    ]);
    let usage = json!({"inputTokens": 3, "outputTokens": 4});
    let reply = parsed(CODEC, &json!({"parts": parts, "stop": "length", "usage": usage})).unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("x", Stop::Length));
    let arguments: Vec<_> = reply.calls.iter().map(|call| (call.arguments.clone(), call.cut)).collect();
    let wires = [Wire::Text("{}".into()), Wire::Json(json!({"x": 1})), Wire::Json(Value::Null)];
    assert_eq!(arguments, wires.into_iter().zip([false, false, true]).collect::<Vec<_>>());
    assert_eq!(
        reply.usage,
        Some(Usage { input_tokens: 3, output_tokens: 4, total_tokens: 7, ..Usage::default() })
    );
    let said = Assistant { text: reply.text, calls: vec![], provider_state: reply.provider_state };
    assert_eq!(rendered(CODEC, &[assistant(said)]), [json!({"role": "assistant", "parts": [opaque, text]})]);
}

#[test]
fn streams() {
    let done = json!({"done": true, "stop": "calls"});
    let begin = |index, provider_id: Option<&str>| {
        let provider_id = provider_id.map(Into::into);
        Delta::Begin { index, provider_id, name: Some("f".into()) }
    };
    let mut stream = CODEC.stream();
    let mut push = |piece: Value| stream.push(&piece);
    assert_eq!(push(json!({"text": "Hm."})), [Delta::Text("Hm.".into())]);
    assert_eq!(push(json!({"index": 0, "name": "f"})), [begin(0, None)], "an id may never come");
    let arguments = Delta::Arguments { index: 1, text: "{".into() };
    assert_eq!(
        push(json!({"index": 1, "id": "b", "name": "f", "argsText": "{"})),
        [begin(1, Some("b")), arguments]
    );
    assert_eq!(push(json!({"index": 1, "argsText": "}"})), [Delta::Arguments { index: 1, text: "}".into() }]);
    assert_eq!(push(json!({"news": 1})), []);
    push(done.clone());
    let reply = stream.finish().unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("Hm.", Stop::Calls));
    let calls: Vec<_> =
        reply.calls.iter().map(|call| (call.provider_id.as_deref(), &call.arguments)).collect();
    assert_eq!(calls, [(None, &Wire::Absent), (Some("b"), &Wire::Text("{}".into()))]);

    assert_eq!(code(streamed(&[json!({"text": "x"})])), Some(Code::ModelReplyIncomplete));
    assert_eq!(
        code(streamed(&[json!({"text": "x"}), json!({"done": false})])),
        Some(Code::ModelReplyIncomplete)
    );
    assert_eq!(code(streamed(&[json!({"index": 0}), done])), Some(Code::ModelInvalidToolCall));
    assert_eq!(code(streamed(&[json!({"done": true, "stop": "length"})])), Some(Code::ModelOutputTruncated));
    assert_eq!(code(streamed(&[json!({"done": true})])), None);
}

proptest! {
    /// A whole reply and every chunking of it are the same reply (WR-15).
    #[test]
    fn whole_and_streamed_agree(
        text in any::<String>(),
        calls in prop::collection::vec((prop::option::of("[a-c]"), "[a-z]{0,3}", any::<String>()), 0..4),
        stop in prop::sample::select(vec!["end", "calls", "length", "refusal", "?"]),
        chars in 1_usize..5,
    ) {
        let pieces = |text: &str| {
            let chars_of: Vec<char> = text.chars().collect();
            chars_of.chunks(chars).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
        };
        let mut parts = vec![json!({"type": "text", "text": text})];
        let mut news: Vec<Value> = pieces(&text).iter().map(|text| json!({"text": text})).collect();
        for (index, (id, name, args)) in calls.iter().enumerate() {
            parts.push(json!({"type": "call", "id": id, "name": name, "args": args}));
            news.push(json!({"index": index, "id": id, "name": name}));
            news.extend(pieces(args).iter().map(|text| json!({"index": index, "argsText": text})));
        }
        news.push(json!({"done": true, "stop": stop}));
        let (whole, streamed) = (parsed(CODEC, &json!({"parts": parts, "stop": stop})), streamed(&news));
        prop_assert_eq!(whole.as_ref().err(), streamed.as_ref().err());
        let (Ok(whole), Ok(streamed)) = (whole, streamed) else { return Ok(()) };
        prop_assert_eq!((&whole.text, whole.stop, &whole.provider_state), (&streamed.text, streamed.stop, &streamed.provider_state));
        let seen = |reply: &Reply| -> Vec<_> {
            reply.calls.iter().map(|c| (c.provider_id.clone(), c.name.clone(), decode(&c.arguments), c.cut)).collect()
        };
        prop_assert_eq!(seen(&whole), seen(&streamed));
    }
}
