mod history;
mod properties;

use serde_json::{Value, json};

use crate::protocol::{Code, Wire};
use crate::wire::tests::parsed;
use crate::wire::{Codec, Delta, ModelFault, ProviderState, Reply, Stop, Usage};

const CODEC: Codec = Codec::Anthropic;

fn body(content: Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 2},
    })
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn begin(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn piece(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn input(index: u64, json: &str) -> Value {
    piece(index, json!({"type": "input_json_delta", "partial_json": json}))
}

fn close(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(stop_reason: &str) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": stop_reason}, "usage": {"output_tokens": 2}})
}

fn stop() -> Value {
    json!({"type": "message_stop"})
}

fn streamed(events: &[Value]) -> Result<Reply, ModelFault> {
    let mut stream = CODEC.stream();
    for event in events {
        stream.push(event);
    }
    stream.finish()
}

fn code(reply: &Result<Reply, ModelFault>) -> Option<Code> {
    reply.as_ref().err().map(|fault| fault.code)
}

#[test]
fn what_cannot_be_used() {
    let invalid = Some(Code::ModelInvalidToolCall);
    let good = call("a", "f", json!({}));
    let cases = [
        (json!({}), invalid),
        (json!("text"), invalid),
        (body(json!("text"), "end_turn"), invalid),
        (body(json!([5]), "end_turn"), invalid),
        (body(json!([{"text": "no type"}]), "end_turn"), invalid),
        (body(json!([call("", "f", json!({}))]), "tool_use"), invalid),
        (body(json!([call("a", "", json!({}))]), "tool_use"), invalid),
        (body(json!([good, call("a", "g", json!({}))]), "tool_use"), invalid),
        (body(json!([text("half")]), "max_tokens"), Some(Code::ModelOutputTruncated)),
        (body(json!([text("half")]), "model_context_window_exceeded"), Some(Code::ModelOutputTruncated)),
        (body(json!([text("I would")]), "refusal"), Some(Code::ModelProviderRefusal)),
        (json!({"type": "error", "error": {"type": "overloaded_error"}}), Some(Code::ModelReplyIncomplete)),
        // With calls, a refusal is no refusal; the end is judged by the calls, not by its name.
        (body(json!([good]), "refusal"), None),
        (body(json!([good]), "end_turn"), None),
        (body(json!([text("hm")]), "tool_use"), None),
        (body(json!([]), "end_turn"), None),
        (json!({"content": [text("hm")]}), None),
    ];
    for (body, expected) in cases {
        let reply = parsed(CODEC, &body);
        assert_eq!(code(&reply), expected, "{body}");
        if let (Err(fault), Some(_)) = (&reply, body.get("usage")) {
            assert_eq!(
                fault.usage.map(|usage| usage.total_tokens),
                Some(3),
                "what is of no use costs all the same"
            );
        }
    }
    let mut refused = body(json!([]), "refusal");
    refused["stop_details"] = json!({"type": "refusal", "explanation": "I will not."});
    assert_eq!(parsed(CODEC, &refused).unwrap_err().message, "I will not.");
}

#[test]
fn what_a_limit_breaks_off_does_not_run() {
    let (a, b) = (call("a", "f", json!({})), call("b", "g", json!({})));
    let cut = |content: Value| {
        let reply = parsed(CODEC, &body(content, "max_tokens")).unwrap();
        assert_eq!(reply.stop, Stop::Length);
        reply.calls.iter().map(|call| call.cut).collect::<Vec<_>>()
    };
    assert_eq!(cut(json!([a, b])), [false, true]);
    assert_eq!(cut(json!([a, b, text("and th")])), [false, false], "it was the text that was broken off");
    // A block that was never closed may be any.
    let events = [begin(0, a), begin(1, b), close(1), begin(2, text("and th")), end("max_tokens"), stop()];
    let reply = streamed(&events).unwrap();
    assert_eq!(reply.calls.iter().map(|call| call.cut).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_pause_is_no_end() {
    let content = json!([text("Let me see."), {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}]);
    let reply = parsed(CODEC, &body(content.clone(), "pause_turn")).unwrap();
    assert_eq!((reply.stop, reply.text.as_str()), (Stop::Paused, "Let me see."));
    assert_eq!(reply.provider_state, Some(ProviderState { codec: CODEC, items: content }));
    let reply = parsed(CODEC, &body(json!([call("a", "f", json!({}))]), "pause_turn")).unwrap();
    assert_eq!(reply.stop, Stop::Calls);
}

#[test]
fn opaque_blocks_are_kept_as_they_are() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let cited = json!({"type": "text", "text": "b", "citations": [{"cited_text": "x"}]});
    let new = json!({"type": "telepathy", "__proto__": {"waves": 3}});
    let content = json!([thinking, text("a"), cited, text("\n"), call("c", "f", json!({})), new]);
    let reply = parsed(CODEC, &body(content, "tool_use")).unwrap();
    assert_eq!(reply.text, "ab\n");
    assert_eq!(reply.provider_state.unwrap().items, json!([thinking, text("a"), cited, new]));
    // Text alone is not kept twice.
    let content = json!([text("a"), {"type": "text", "text": "b", "citations": null}]);
    assert_eq!(parsed(CODEC, &body(content, "end_turn")).unwrap().provider_state, None);
}

#[test]
fn token_figures() {
    let usage = |input_tokens, cached_input_tokens, output_tokens| Usage {
        input_tokens,
        output_tokens,
        total_tokens: input_tokens + output_tokens,
        cached_input_tokens,
        reasoning_tokens: 0,
    };
    let mut whole = body(json!([]), "end_turn");
    whole["usage"] = json!({"input_tokens": 5, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300,
        "output_tokens": 7, "server_tool_use": {"web_search_requests": 1}});
    assert_eq!(parsed(CODEC, &whole).unwrap().usage, Some(usage(325, 300, 7)));
    whole["usage"] = Value::Null;
    assert_eq!(parsed(CODEC, &whole).unwrap().usage, None);
    // What the last event says counts; what it leaves out or does not know is as it was.
    let start = json!({"type": "message_start", "message": {"usage":
        {"input_tokens": 5, "cache_read_input_tokens": 300, "output_tokens": 1}}});
    let last = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
        "usage": {"input_tokens": null, "output_tokens": 7}});
    assert_eq!(streamed(&[start.clone(), last, stop()]).unwrap().usage, Some(usage(305, 300, 7)));
    let cut = streamed(&[start]).unwrap_err();
    assert_eq!((cut.code, cut.usage), (Code::ModelReplyIncomplete, Some(usage(305, 300, 1))));
}

#[test]
fn streams_that_cannot_be_used() {
    let invalid = Some(Code::ModelInvalidToolCall);
    let incomplete = Some(Code::ModelReplyIncomplete);
    let open = || begin(0, call("a", "f", json!({})));
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let cases = [
        (vec![], incomplete),
        (vec![open(), close(0), end("tool_use")], incomplete),
        (vec![open(), error.clone(), close(0), end("tool_use"), stop()], incomplete),
        (vec![open(), begin(0, call("b", "g", json!({}))), end("tool_use"), stop()], invalid),
        (vec![open(), close(0), begin(0, text("x")), end("tool_use"), stop()], invalid),
        (vec![open(), close(0), input(0, "{}"), end("tool_use"), stop()], invalid),
        (vec![open(), input(1, "{}"), end("tool_use"), stop()], invalid),
        (vec![input(0, "{}"), stop()], invalid),
        (vec![json!({"type": "content_block_start", "content_block": text("")}), stop()], invalid),
        (
            vec![json!({"type": "content_block_start", "index": -1, "content_block": text("")}), stop()],
            invalid,
        ),
        (vec![json!({"type": "content_block_start", "index": 0}), stop()], invalid),
        (vec![begin(0, json!(7)), stop()], invalid),
        (vec![json!({"type": "content_block_delta", "index": 1.5}), stop()], invalid),
        (vec![open(), begin(1, call("a", "g", json!({}))), end("tool_use"), stop()], invalid),
        (vec![begin(0, json!({"type": "tool_use"})), end("tool_use"), stop()], invalid),
        // Nothing of all this counts once the message is over, or closes what was never opened.
        (vec![open(), close(0), end("tool_use"), stop(), error, open(), input(7, "x")], None),
        (vec![close(7), stop()], None),
    ];
    for (events, expected) in cases {
        assert_eq!(code(&streamed(&events)), expected, "{}", json!(events));
    }
    let events =
        [open(), json!({"type": "error", "error": {"type": "api_error", "message": "Out."}}), stop()];
    assert_eq!(streamed(&events).unwrap_err().message, "The provider reported api_error: Out.");
}

#[test]
fn streams_of_all_sorts() {
    let arguments = |events: &[Value]| streamed(events).unwrap().calls[0].arguments.clone();
    let open = |input: Value| begin(0, call("a", "f", input));
    let rest = || [close(0), end("tool_use"), stop()];
    let with = |events: &[Value]| arguments(&[events, &rest()].concat());
    let wire = |text: &str| Wire::Text(text.into());
    // The input a call is opened with counts only where no piece follows (WR-41).
    assert_eq!(with(&[open(json!({}))]), Wire::Absent);
    assert_eq!(with(&[open(json!({})), input(0, "")]), Wire::Absent);
    assert_eq!(with(&[open(json!({"x": 1}))]), Wire::Json(json!({"x": 1})));
    assert_eq!(with(&[open(json!({"x": 1})), input(0, "")]), Wire::Json(json!({"x": 1})));
    assert_eq!(with(&[open(json!({"x": 1})), input(0, "{\"x\""), input(0, ":2}")]), wire("{\"x\":2}"));
    assert_eq!(
        with(&[open(json!({})), input(0, "{\"x\": ")]),
        wire("{\"x\": "),
        "broken text stays what it is"
    );
    assert_eq!(with(&[open(json!({})), input(0, "{\"__proto__\": 1}")]), wire("{\"__proto__\": 1}"));
    assert_eq!(
        with(&[
            open(json!({})),
            json!({"type": "content_block_delta", "index": 0, "delta":
        {"type": "input_json_delta", "partial_json": {"x": 1}}})
        ]),
        Wire::Absent
    );

    // The order is that of the indexes, however large; what nobody knows changes nothing.
    let events = [
        json!({"type": "message_start", "message": {"content": [text("not this")], "role": "assistant"}}),
        json!({"type": "ping"}),
        json!({"type": "telepathy", "index": 0}),
        json!(null),
        json!("[DONE]"),
        begin(u64::MAX, call("b", "g", json!({}))),
        begin(3, text("Hel")),
        begin(7, call("a", "f", json!({}))),
        input(u64::MAX, "{}"),
        piece(3, json!({"type": "text_delta", "text": "lo"})),
        piece(3, json!({"type": "telepathy_delta"})),
        input(7, "{\"x\":"),
        json!({"type": "ping"}),
        input(7, "1}"),
        end("tool_use"),
        stop(),
    ];
    let reply = streamed(&events).unwrap();
    assert_eq!((reply.text.as_str(), reply.provider_state), ("Hello", None));
    let calls: Vec<_> = reply.calls.iter().map(|call| (call.name.as_str(), &call.arguments)).collect();
    assert_eq!(calls, [("f", &wire("{\"x\":1}")), ("g", &wire("{}"))]);
}

#[test]
fn opaque_blocks_grow_in_pieces() {
    let events = [
        begin(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        piece(0, json!({"type": "thinking_delta", "thinking": "Let "})),
        piece(0, json!({"type": "thinking_delta", "thinking": "me."})),
        piece(0, json!({"type": "signature_delta", "signature": "c2ln"})),
        close(0),
        begin(1, json!({"type": "redacted_thinking", "data": "eHl6"})),
        close(1),
        begin(2, json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}})),
        input(2, "{\"query\":"),
        input(2, "\"oslo\"}"),
        close(2),
        begin(3, json!({"type": "text", "text": ""})),
        piece(3, json!({"type": "citations_delta", "citation": {"cited_text": "x"}})),
        piece(3, json!({"type": "text_delta", "text": "Dry."})),
        piece(3, json!({"type": "citations_delta", "citation": {"cited_text": "y"}})),
        close(3),
        begin(4, json!({"type": "telepathy"})),
        piece(4, json!({"type": "telepathy_delta", "waves": "a"})),
        piece(4, json!({"type": "telepathy_delta", "waves": "b", "__proto__": [1]})),
        close(4),
        end("end_turn"),
        stop(),
    ];
    let reply = streamed(&events).unwrap();
    assert_eq!(reply.text, "Dry.");
    let expected = json!([
        {"type": "thinking", "thinking": "Let me.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "eHl6"},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "oslo"}},
        {"type": "text", "text": "Dry.", "citations": [{"cited_text": "x"}, {"cited_text": "y"}]},
        {"type": "telepathy", "waves": "ab", "__proto__": [1]},
    ]);
    assert_eq!(reply.provider_state.unwrap().items, expected);
}

#[test]
fn screens_are_told() {
    let mut stream = CODEC.stream();
    let mut push = |event: Value| stream.push(&event);
    let arguments = |index, text: &str| Delta::Arguments { index, text: text.into() };
    assert_eq!(push(begin(0, text("Hm"))), [Delta::Text("Hm".into())]);
    assert_eq!(push(piece(0, json!({"type": "text_delta", "text": "."}))), [Delta::Text(".".into())]);
    let begun =
        |index, id: &str| Delta::Begin { index, provider_id: Some(id.into()), name: Some("f".into()) };
    assert_eq!(push(begin(5, call("a", "f", json!({})))), [begun(0, "a")]);
    assert_eq!(push(begin(2, call("b", "f", json!({})))), [begun(1, "b")]);
    assert_eq!(push(input(5, "{")), [arguments(0, "{")]);
    assert_eq!(push(input(2, "")), []);
    assert_eq!(push(input(2, "{}")), [arguments(1, "{}")]);
    assert_eq!(push(begin(6, json!({"type": "thinking", "thinking": "hm"}))), []);
    assert_eq!(push(piece(6, json!({"type": "thinking_delta", "thinking": "secret"}))), []);
    assert_eq!(push(input(6, "{}")), []);
}
