//! What goes out: tools, messages, results.

use serde_json::{Value, json};

use super::{CODEC, body, call as tool_use, text as block};
use crate::protocol::{Call, Code, EMPTY_TEXT, Wire};
use crate::wire::tests::{asked, assistant, parsed, rendered};
use crate::wire::{Assistant, Choice, Codec, Entry, ProviderState, ResultPart, ResultView, Tool};

fn tool(description: &str, schema: Value) -> Tool {
    Tool { name: "f".into(), description: description.into(), input_schema: schema }
}

pub(super) fn call(call_id: &str, provider_id: Option<&str>, name: &str, arguments: Wire) -> Call {
    let provider_id = provider_id.map(Into::into);
    Call { call_id: call_id.into(), provider_id, name: name.into(), arguments, cut: false }
}

pub(super) fn view(call_id: &str, parts: Vec<ResultPart<'static>>) -> ResultView<'static> {
    ResultView {
        call_id: call_id.to_owned().into(),
        provider_id: Some(call_id.to_owned().into()),
        name: "f".into(),
        is_error: false,
        code: None,
        parts,
    }
}

fn text(text: &str) -> ResultPart<'_> {
    ResultPart::Text(text.into())
}

fn image(base64: &str) -> ResultPart<'static> {
    ResultPart::Image { path: "p".into(), mime_type: "image/png".into(), base64: base64.into() }
}

fn says(text: &str) -> Entry<'static> {
    assistant(Assistant { text: text.into(), ..Assistant::default() })
}

#[test]
fn tools_and_choice() {
    let sent = |schema: Value| CODEC.tools(&[tool("Does.", schema)])[0].to_string();
    let cases = [
        (json!({"type": "object", "properties": {}}), r#"{"type":"object","properties":{}}"#),
        (json!({"additionalProperties": false}), r#"{"additionalProperties":false,"type":"object"}"#),
        (json!({"type": ["object", "null"]}), r#"{"type":"object"}"#),
        (json!(true), r#"{"type":"object"}"#),
    ];
    for (schema, expected) in cases {
        let expected = format!(r#"{{"name":"f","description":"Does.","input_schema":{expected}}}"#);
        assert_eq!(sent(schema), expected);
    }
    let tools = CODEC.tools(&[tool("Does.", json!({"type": "object"}))]);
    let choices = [
        (Choice::None, json!({"type": "none"})),
        (Choice::Auto, json!({"type": "auto"})),
        (Choice::Required, json!({"type": "any"})),
        (Choice::Specific("f".into()), json!({"type": "tool", "name": "f"})),
    ];
    for (choice, expected) in choices {
        let body = asked(CODEC.request(vec![], &tools, &choice));
        assert_eq!((&body["tool_choice"], &body["tools"]), (&expected, &json!(tools)));
        let body = asked(CODEC.request(vec![], &[], &choice));
        assert_eq!(
            body.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["messages"],
            "no tools, no choice (WR-04)"
        );
    }
}

#[test]
fn combinations_at_the_root_are_told_in_words() {
    let inner = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    let schema = json!({
        "type": "object", "properties": {"a": inner}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        "oneOf": [true],
    });
    let sent = &CODEC.tools(&[tool("Does.", schema)])[0];
    assert_eq!(sent["input_schema"], json!({"type": "object", "properties": {"a": inner}}));
    let expected = "Does.\n\nThe arguments must match exactly one of these JSON schemas: [true]\n\n\
        The arguments must match at least one of these JSON schemas: [{\"required\":[\"a\"]},{\"required\":[\"b\"]}]";
    assert_eq!(sent["description"], expected);
}

#[test]
fn names_of_properties_that_the_provider_would_refuse() {
    let long = "x".repeat(65);
    let schema = json!({
        "properties": {"a b": {"type": "number"}, "a_b": {}, "a/b": {"properties": {"c d": {}}}, "": {}, "好": {}, long.as_str(): {}, "__proto__": {}},
        "required": ["a b", "a_b", "a/b"],
    });
    let sent = CODEC.tools(&[tool("Does.", schema.clone())])[0]["input_schema"].clone();
    let names: Vec<&String> = sent["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["a_b__2", "a_b", "a_b__3", "_", "___2", &"x".repeat(64), "__proto__"]);
    assert_eq!(sent["required"], json!(["a_b__2", "a_b", "a_b__3"]));
    assert_eq!(
        sent["properties"]["a_b__3"],
        json!({"properties": {"c d": {}}}),
        "only the root is looked at"
    );

    let there = |arguments: Wire| {
        let mut wire = arguments;
        CODEC.arguments_from_wire(&schema, &mut wire);
        wire
    };
    let own = json!({"a_b": 1, "a b": 2, "a/b": 3, "other": 4});
    let wire = json!({"a_b": 1, "a_b__2": 2, "a_b__3": 3, "other": 4});
    assert_eq!(there(Wire::Json(wire.clone())), Wire::Json(own.clone()));
    assert_eq!(there(Wire::Text(wire.to_string())), Wire::Json(own.clone()));
    // The schema's own names are taken too, and nothing replaces them.
    let both = json!({"a b": 2, "a_b__2": 5});
    assert_eq!(there(Wire::Json(both.clone())), Wire::Json(both));
    // What cannot be read stays as it came, for the refusal to show.
    assert_eq!(there(Wire::Text("{\"a_b__2\":".into())), Wire::Text("{\"a_b__2\":".into()));
    let mut back = Wire::Json(own);
    CODEC.arguments_to_wire(&schema, &mut back);
    assert_eq!(back, Wire::Json(wire));
    // A schema without such names, and another codec, leave arguments alone.
    let mut same = Wire::Text(" {\"x\":1} ".into());
    CODEC.arguments_from_wire(&json!({"properties": {"x": {}}}), &mut same);
    Codec::OpenaiChat.arguments_from_wire(&schema, &mut same);
    assert_eq!(same, Wire::Text(" {\"x\":1} ".into()));
}

#[test]
fn roles_alternate_and_system_stands_apart() {
    let said = Assistant {
        text: "Hm.".into(),
        calls: vec![call("a", Some("a"), "f", Wire::Text(r#" {"b":1.0, "a":[2]} "#.into()))],
        ..Assistant::default()
    };
    let history = [
        Entry::System("Be kind.".into()),
        Entry::User(" \n".into()),
        Entry::User("Go.".into()),
        Entry::System("Be brief.".into()),
        Entry::User("On.".into()),
        says(""),
        says("First."),
        assistant(said),
        Entry::Results(vec![view("a", vec![text("done")])]),
        Entry::User("And now?".into()),
    ];
    let tools = CODEC.tools(&[tool("", json!({}))]);
    let sent = asked(CODEC.request(CODEC.messages(&history), &tools, &Choice::Auto));
    let expected = json!({
        "system": [block("Be kind."), block("Be brief.")],
        "messages": [
            {"role": "user", "content": [block("Go."), block("On.")]},
            {"role": "assistant", "content": [block("First."), block("Hm."),
                {"type": "tool_use", "id": "a", "name": "f", "input": {"b": 1.0, "a": [2]}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "done"}, block("And now?")]},
        ],
        "tools": tools,
        "tool_choice": {"type": "auto"},
    });
    assert_eq!(sent.to_string(), expected.to_string());
}

#[test]
fn what_was_kept_goes_back_to_the_same_codec() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let content = json!([thinking, block("a"), tool_use("c", "f", json!({})), {"type": "redacted_thinking", "data": "x"}]);
    let reply = parsed(CODEC, &body(content, "tool_use")).unwrap();
    let said = Assistant {
        text: reply.text,
        calls: vec![call("c", Some("c"), "f", Wire::Absent)],
        provider_state: reply.provider_state,
    };
    let sent = rendered(CODEC, &[assistant(said.clone())]);
    let expected = json!([thinking, block("a"), {"type": "redacted_thinking", "data": "x"}, tool_use("c", "f", json!({}))]);
    assert_eq!(sent[0]["content"], expected, "calls come last, the rest as it was");
    let elsewhere = rendered(Codec::OpenaiChat, &[assistant(said)]);
    assert_eq!(
        elsewhere[0],
        json!({"role": "assistant", "content": "a", "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]})
    );

    // What another codec kept is not looked at; what nothing but thinking is left of is no message.
    let kept = |codec, items: Value| {
        let provider_state = Some(ProviderState { codec, items });
        rendered(CODEC, &[assistant(Assistant { text: "t".into(), calls: vec![], provider_state })])
    };
    assert_eq!(kept(Codec::Neutral, json!([block("other")]))[0]["content"], json!([block("t")]));
    assert_eq!(kept(CODEC, json!([block("x"), thinking]))[0]["content"], json!([block("x")]));
    assert_eq!(kept(CODEC, json!([thinking])), [] as [Value; 0]);
}

#[test]
fn results_say_what_they_are() {
    let shown = |view: ResultView| rendered(CODEC, &[Entry::Results(vec![view])])[0]["content"][0].clone();
    assert_eq!(shown(view("a", vec![]))["content"], EMPTY_TEXT);
    assert_eq!(shown(view("a", vec![text("")]))["content"], EMPTY_TEXT);
    let sent = |base64: &str| json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64}});
    let pictured = shown(view("a", vec![image("QQ=="), text(""), text("between"), image("Qg==")]));
    assert_eq!(pictured["content"], json!([sent("QQ=="), block("between"), sent("Qg==")]));
    assert_eq!(pictured.get("is_error"), None);

    // Beside an error there may only be text: its images stand behind all results, those of others in their place.
    let failed =
        |id: &str, parts| ResultView { is_error: true, code: Some(Code::ToolTimeout), ..view(id, parts) };
    let batch = vec![
        failed("a", vec![text("Too slow."), image("QQ==")]),
        view("b", vec![image("Qg==")]),
        failed("c", vec![ResultPart::OmittedImage("left out".into())]),
    ];
    let content = rendered(CODEC, &[Entry::Results(batch)])[0]["content"].clone();
    let expected = json!([
        {"type": "tool_result", "tool_use_id": "a", "is_error": true,
            "content": "Too slow.\n\n[Image 1 of this result: image attached below.]"},
        {"type": "tool_result", "tool_use_id": "b", "content": [sent("Qg==")]},
        {"type": "tool_result", "tool_use_id": "c", "is_error": true, "content": "left out"},
        block("Image 1 of the result of call 1, `f`:"),
        sent("QQ=="),
    ]);
    assert_eq!(content, expected);
}

#[test]
fn ids_and_names_that_the_provider_would_refuse() {
    let cases = [
        ("toolu_1-A", Some("toolu_1-A"), true),
        ("c1-0", None, true),
        ("call:1", Some("call:1"), false),
        ("灯", Some("灯"), false),
        ("a~2", Some("a"), false),
    ];
    for (call_id, provider_id, own) in cases {
        let said = Assistant {
            calls: vec![call(call_id, provider_id, "workspace.read file!", Wire::Absent)],
            ..Assistant::default()
        };
        let result =
            ResultView { provider_id: provider_id.map(|id| id.to_owned().into()), ..view(call_id, vec![]) };
        let messages = rendered(CODEC, &[assistant(said), Entry::Results(vec![result])]);
        let sent = &messages[0]["content"][0];
        assert_eq!(
            sent["id"], messages[1]["content"][0]["tool_use_id"],
            "a call and its result have the same id"
        );
        assert_eq!(sent["id"] == json!(provider_id.unwrap_or(call_id)), own, "{call_id}");
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!(sent["id"].as_str().unwrap().chars().all(legal));
        assert_eq!(sent["name"], "workspace_read_file_");
    }
}
