//! Hooks: which there are, and what their answers do.

use serde_json::json;

use super::*;
use crate::permission::{Heard, HookAnswer, Hooks, Point, apply_after, count_rewrite};
use crate::protocol::{Outcome, Part, Status};

fn decode(answer: Value) -> HookAnswer {
    HookAnswer::decode(&answer).unwrap()
}

#[test]
fn hooks_have_an_order_and_patterns() {
    let hooks = Hooks::decode(&json!([
        {"hookId": "late", "point": "PreToolUse", "order": 5},
        {"hookId": "first", "point": "before-permission", "order": -1, "include": ["extension/*"]},
        {"hookId": "second", "point": "before-permission", "order": -1, "exclude": ["t"]},
        {"hookId": "other", "point": "Stop"},
    ]))
    .unwrap();
    let ids = |tool: &str, alias: &str| -> Vec<String> {
        let tool = ToolId::parse(tool).unwrap();
        hooks.of_call(Point::BeforePermission, &tool, alias).map(|hook| hook.id.clone()).collect()
    };
    assert_eq!(ids("extension/e:t", "t"), ["first", "late"]);
    assert_eq!(ids("extension/e:u", "u"), ["first", "second", "late"]);
    assert_eq!(ids("mcp/m:u", "u"), ["second", "late"]);
    assert_eq!(hooks.at(Point::RunStop).count(), 1);
    let faults = [
        (json!([{"hookId": "a", "point": "sometimes"}]), "hooks[0].point"),
        (json!([{"point": "Stop"}]), "hooks[0].hookId"),
        (json!([{"hookId": "a", "point": "Stop", "order": 1.5}]), "hooks[0].order"),
        (json!([{"hookId": "a", "point": "Stop", "timeoutMs": 1}]), "hooks[0].timeoutMs"),
    ];
    for (hooks, member) in faults {
        let fault = Hooks::decode(&hooks).unwrap_err();
        assert!(fault.message.contains(&format!("`{member}`")), "{}", fault.message);
    }
}

#[test]
fn answers_of_hooks() {
    let answer =
        decode(json!({"decision": "ask", "reason": " ", "halt": null, "systemMessage": 1, "context": "c"}));
    assert_eq!(
        (answer.decision, answer.reason, answer.halt, answer.context.as_deref()),
        (Some(Word::Ask), None, false, Some("c"))
    );
    assert_eq!(decode(json!({})), HookAnswer::default());
    let exits = [(0, None, false), (2, Some(Word::Deny), false), (49, Some(Word::Deny), true)];
    for (code, word, halt) in exits {
        let answer = decode(json!({"exitCode": code}));
        assert_eq!((answer.decision, answer.halt), (word, halt), "{code}");
    }
    // Whatever else stands there.
    let answer = decode(json!({"exitCode": 49, "decision": "block", "args": []}));
    assert_eq!((answer.decision, answer.halt, answer.args), (Some(Word::Deny), true, None));
    let malformed = [
        json!(null),
        json!([]),
        json!({"decision": "review"}),
        json!({"decision": "block"}),
        json!({"reason": 5}),
        json!({"args": []}),
        json!({"halt": "yes"}),
        json!({"exitCode": 1}),
        json!({"exitCode": 0, "decision": "block"}),
        json!({"result": {"content": 1}}),
    ];
    for payload in malformed {
        assert!(HookAnswer::decode(&payload).is_err(), "{payload}");
    }
    let long = decode(json!({"context": "é".repeat(40_000)})).context.unwrap();
    assert!(long.len() <= 65_536 && long.len() > 65_500 && long.ends_with("[cut at 64 KiB]"));
}

#[test]
fn rewrites() {
    let args = object(json!({"a": 1, "b": {"c": 2}}));
    let rewrite = |answer: Value| decode(answer).rewrite(&args).map(Value::Object);
    assert_eq!(rewrite(json!({})), None);
    assert_eq!(rewrite(json!({"args": {"b": {"c": 2}, "a": 1}})), None);
    assert_eq!(rewrite(json!({"mergeArgs": {"b": {"d": 3}}})), Some(json!({"a": 1, "b": {"d": 3}})));
    assert_eq!(rewrite(json!({"args": {}, "mergeArgs": {"z": 1}})), Some(json!({"z": 1})));
    let mut rewrites = 0;
    for _ in 0..3 {
        count_rewrite(&mut rewrites).unwrap();
    }
    assert_eq!(count_rewrite(&mut rewrites).unwrap_err().code, Code::HookRewriteLoop);
}

#[test]
fn the_strictest_word_counts() {
    let mut heard = Heard::default();
    for answer in [
        json!({"decision": "ask", "reason": "one"}),
        json!({"decision": "allow", "reason": "two", "context": "x"}),
        json!({"context": "y"}),
    ] {
        heard.hear(&decode(answer));
    }
    assert_eq!((heard.word, heard.reason.as_deref(), heard.refusal()), (Some(Word::Ask), Some("one"), None));
    assert_eq!(heard.context, ["x", "y"]);
    heard.hear(&decode(json!({"decision": "deny", "reason": "Not today."})));
    let refusal = heard.refusal().unwrap();
    assert_eq!(refusal.code, Code::PermissionHookDenied);
    assert!(refusal.message.contains(": Not today. Do not"), "{}", refusal.message);
    let mut halted = Heard::default();
    halted.hear(&decode(json!({"halt": true, "reason": "stop"})));
    assert!(halted.halt && halted.refusal().is_some());
}

#[test]
fn what_a_hook_does_to_a_result() {
    let outcome = || Outcome::ok("the key is 42", Some(json!({"key": 42})));
    let after = |answer: Value, mut outcome: Outcome| {
        let notes = apply_after(&mut outcome, &decode(answer));
        (outcome, notes)
    };
    let (plain, notes) = after(json!({"context": "c", "result": {"append": "a"}}), outcome());
    assert_eq!(plain, outcome());
    assert_eq!(notes.len(), 2);
    assert!(notes[0].ends_with(": c") && notes[1].ends_with(": a"));
    let (redacted, _) = after(json!({"result": {"content": "the key is hidden"}}), outcome());
    assert_eq!(redacted.parts, [Part::Text { text: "the key is hidden".into() }]);
    assert_eq!(redacted.structured, None);
    let (failed, _) = after(json!({"result": {"isError": true}}), outcome());
    assert_eq!((failed.status, failed.code), (Status::Error, Some(Code::PermissionHookDenied)));
    let error = Outcome::failure(Status::Error, Code::ExtensionToolError, "secret");
    let (mended, _) = after(json!({"result": {"isError": false}}), error.clone());
    assert_eq!((mended.status, mended.code, mended.structured), (Status::Ok, None, None));
    let (hidden, _) = after(json!({"result": {"content": "hidden"}}), error);
    assert_eq!(
        hidden.structured,
        Some(json!({"error": {"code": "extension.tool_error", "message": "hidden"}}))
    );
    let image = || Outcome {
        parts: vec![Part::Image { image: 0 }, Part::Text { text: "seen".into() }],
        images: vec!["00".into()],
        ..outcome()
    };
    let (redacted, _) = after(json!({"result": {"content": "hidden"}}), image());
    assert_eq!(redacted.parts, [Part::Text { text: "hidden".into() }, Part::Image { image: 0 }]);
    let (denied, notes) = after(json!({"decision": "deny", "context": "c"}), image());
    assert_eq!((denied.status, denied.code), (Status::Denied, Some(Code::PermissionHookDenied)));
    assert!(denied.text().contains("holds back") && denied.images.is_empty(), "{}", denied.text());
    assert_eq!((denied.parts.len(), notes.len()), (1, 1));
    let unknown = Outcome::failure(Status::Unknown, Code::ExtensionCallOutcomeUnknown, "x");
    assert_eq!(after(json!({"result": {"isError": false}}), unknown.clone()).0, unknown);
}
