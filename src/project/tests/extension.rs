use serde_json::{Value, json};

use crate::project::*;
use crate::protocol::{Code, EMPTY_TEXT, Outcome, Part, Receipt, ReceiptError, ReceiptOutcome, Status};

fn receipt(outcome: ReceiptOutcome, stopped: bool) -> Receipt {
    Receipt { effect_id: "e1".into(), outcome, payload: None, error: None, stopped, discarded: None }
}

fn ok(payload: Value) -> Receipt {
    Receipt { payload: Some(payload), ..receipt(ReceiptOutcome::Ok, false) }
}

fn failed(code: &str, message: &str) -> Receipt {
    let error = ReceiptError { code: code.into(), message: message.into(), ..ReceiptError::default() };
    Receipt { error: Some(error), ..receipt(ReceiptOutcome::Failed, false) }
}

fn blocks(value: Value, images: &[&str]) -> Outcome {
    let call = ExtensionCall { returns: Returns::Blocks, ..ExtensionCall::default() };
    extension(&ok(json!({"value": value, "images": images})), &call)
}

#[test]
fn every_receipt_has_its_ending() {
    use ReceiptOutcome::*;
    let user = Some(Stop::User);
    let cascade = Some(Stop::Failure("build"));
    let timeout = Some(Stop::Timeout);
    let cases = [
        (Failed, false, None, Status::Error, Code::ExtensionToolError),
        (Failed, true, user, Status::Error, Code::ExtensionToolError),
        (NotSent, false, None, Status::Error, Code::ExtensionToolUnavailable),
        (NotSent, false, user, Status::Cancelled, Code::ToolInterrupted),
        (NotSent, false, timeout, Status::TimedOut, Code::ToolTimeout),
        (Unknown, false, None, Status::Unknown, Code::ExtensionCallOutcomeUnknown),
        (Unknown, true, user, Status::Unknown, Code::ExtensionCallOutcomeUnknown),
        (Cancelled, true, user, Status::Cancelled, Code::ToolInterrupted),
        (Cancelled, true, cascade, Status::Cancelled, Code::ToolInterrupted),
        (Cancelled, true, None, Status::Cancelled, Code::ToolInterrupted),
        (Cancelled, true, timeout, Status::TimedOut, Code::ToolTimeout),
        (Cancelled, false, user, Status::Unknown, Code::ExtensionCallOutcomeUnknown),
        (TimedOut, true, None, Status::TimedOut, Code::ToolTimeout),
        (TimedOut, false, None, Status::Unknown, Code::ExtensionCallOutcomeUnknown),
    ];
    for (outcome, stopped, stop, status, code) in cases {
        let call =
            ExtensionCall { stop, timeout_ms: Some(60_000), partial: "half way", ..ExtensionCall::default() };
        let ended = extension(&receipt(outcome, stopped), &call);
        let what = format!("{outcome:?} stopped: {stopped} {stop:?}");
        assert_eq!((ended.status, ended.code), (status, Some(code)), "{what}");
        let text = ended.text();
        assert_eq!(text.contains("half way"), code != Code::ExtensionToolUnavailable, "{what}: {text}");
        assert_eq!(text.contains("Check"), status == Status::Unknown, "IV-17 {what}: {text}");
        assert_eq!(text.contains("60 seconds"), code == Code::ToolTimeout, "{what}: {text}");
        let structured = ended.structured.unwrap();
        assert_eq!(structured["error"]["code"], code.as_str());
        assert!(!structured["error"]["message"].as_str().unwrap().contains("half way"), "RS-03");
    }
    let call = ExtensionCall { stop: cascade, ..ExtensionCall::default() };
    assert!(extension(&receipt(Cancelled, true), &call).text().contains("`build` failed"));
    let late = ExtensionCall { stop: user, ..ExtensionCall::default() };
    assert_eq!(
        extension(&ok(json!({"value": 1})), &late).status,
        Status::Ok,
        "SC-34: the real result is kept"
    );
}

#[test]
fn payloads_that_cannot_be_read() {
    let bad = [
        receipt(ReceiptOutcome::Ok, false),
        ok(json!(null)),
        ok(json!("text")),
        ok(json!([])),
        ok(json!({"value": 1, "images": "one"})),
        ok(json!({"value": 1, "images": [1]})),
    ];
    for receipt in bad {
        let outcome = extension(&receipt, &ExtensionCall::default());
        assert_eq!(
            (outcome.status, outcome.code),
            (Status::Unknown, Some(Code::EffectBadPayload)),
            "{receipt:?}"
        );
        assert!(outcome.text().contains("Check"));
    }
    for payload in [json!({}), json!({"images": null}), json!({"images": []})] {
        assert_eq!(extension(&ok(payload), &ExtensionCall::default()).text(), "null");
    }
}

#[test]
fn thrown_messages() {
    let outcome = |code: &str, message: &str| extension(&failed(code, message), &ExtensionCall::default());
    for (message, shown) in [
        ("no", "no"),
        ("", "This tool failed and gave no reason."),
        (" ", "This tool failed and gave no reason."),
    ] {
        assert_eq!(outcome("threw", message).text(), shown);
    }
    let exact = "é".repeat(2_000);
    assert_eq!(outcome("threw", &exact).text(), exact);
    let long = "é".repeat(2_001);
    let shown = outcome("threw", &long);
    assert_eq!(shown.text(), format!("{exact}\n[First 2,000 of 2,001 characters of the message.]"));
    assert_eq!(shown.structured.unwrap()["error"]["message"], long, "as it was thrown");

    let invalid = outcome("invalid_result", "The value holds a cycle at /a/b.");
    assert_eq!((invalid.status, invalid.code), (Status::Error, Some(Code::ToolInvalidResult)));
    assert!(invalid.text().contains("cannot be used: The value holds a cycle at /a/b. It did run"));
    assert!(outcome("invalid_result", "").text().contains("no JSON value"));
}

#[test]
fn plain_values() {
    let outcome = |value: Value, images: &[&str]| {
        extension(&ok(json!({"value": value, "images": images})), &ExtensionCall::default())
    };
    assert_eq!(outcome(json!({"text": "hi"}), &[]).text(), r#"{"text":"hi"}"#, "RS-30: data is not mistaken");
    let exact: Value = serde_json::from_str(r#"{"n":1.50,"big":12345678901234567890123}"#).unwrap();
    assert_eq!(outcome(exact, &[]).text(), r#"{"n":1.50,"big":12345678901234567890123}"#);
    for blank in ["", " \n"] {
        let nothing = outcome(json!(blank), &[]);
        assert_eq!((nothing.text().as_str(), nothing.structured), (EMPTY_TEXT, Some(json!(blank))));
        let pictured = outcome(json!(blank), &["d1", "d2"]);
        assert_eq!(pictured.parts, [Part::Image { image: 0 }, Part::Image { image: 1 }]);
    }
    let pictured = outcome(json!("two"), &["d1", "d2"]);
    let text = Part::Text { text: "two".into() };
    assert_eq!(pictured.parts, [text, Part::Image { image: 0 }, Part::Image { image: 1 }]);
    assert_eq!(pictured.images, ["d1", "d2"]);
}

#[test]
fn declared_output() {
    let check = |value: &Value| value.get("n").is_none().then(|| "`n` is missing".to_owned());
    let call = |returns| ExtensionCall { returns, output_problem: Some(&check), ..ExtensionCall::default() };
    let mismatch = extension(&ok(json!({"value": {"m": 1}, "images": ["d"]})), &call(Returns::Json));
    assert_eq!(mismatch.code, Some(Code::ToolInvalidResult));
    assert!(mismatch.text().contains("`n` is missing"));
    assert_eq!(mismatch.structured, Some(json!({"m": 1})), "RS-37");
    assert!(mismatch.images.is_empty());
    assert_eq!(extension(&ok(json!({"value": {"n": 1}})), &call(Returns::Json)).status, Status::Ok);

    let blocks = |value: Value| extension(&ok(json!({"value": value})), &call(Returns::Blocks));
    assert_eq!(blocks(json!({"text": "t", "structured": {"n": 1}})).status, Status::Ok);
    assert_eq!(blocks(json!({"text": "t", "structured": {}})).code, Some(Code::ToolInvalidResult));
    assert_eq!(blocks(json!({"text": "t"})).code, Some(Code::ToolInvalidResult));
}

#[test]
fn block_shapes() {
    assert_eq!(blocks(json!("hi"), &[]).text(), "hi");
    let outcome = blocks(json!({"text": "hi", "other": 1}), &[]);
    assert_eq!((outcome.text().as_str(), outcome.structured), ("hi", None));

    let full = json!({
        "content": [
            {"type": "text", "text": "a"}, {"type": "image", "image": 2}, {"type": "text", "text": ""},
            {"type": "image", "image": 0}, {"type": "text", "text": "b"},
        ],
        "structured": [1], "display": {"kind": "plain", "title": "T"}, "terminate": true,
        "extraMessages": [{"role": "user", "text": "m"}, {"text": "n"}],
    });
    let outcome = blocks(full, &["d0", "d1", "d2"]);
    assert_eq!(outcome.status, Status::Ok);
    assert_eq!(outcome.text(), "a\n\nb");
    assert_eq!(outcome.images, ["d2", "d0", "d1"], "in the order of their parts, unnamed ones last");
    let places: Vec<usize> = outcome
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Image { image } => Some(*image),
            Part::Text { .. } => None,
        })
        .collect();
    assert_eq!(places, [0, 1, 2]);
    assert_eq!(outcome.structured, Some(json!([1])));
    assert_eq!(outcome.display.unwrap()["kind"], "plain");
    assert!(outcome.terminate);
    let extra: Vec<&str> = outcome.extra_messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(extra, ["m", "n"]);

    assert_eq!(blocks(json!({"content": []}), &[]).text(), EMPTY_TEXT);
    assert!(blocks(json!({"content": []}), &["d0"]).text().is_empty());
}

#[test]
fn blocks_may_say_that_they_failed() {
    let outcome = blocks(json!({"ok": false, "text": "No such city.", "structured": 1}), &["d0"]);
    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::ExtensionToolError)));
    assert_eq!(outcome.text(), "No such city.");
    assert!(outcome.images.is_empty());
    let error = json!({"error": {"code": "extension.tool_error", "message": "No such city."}});
    assert_eq!(outcome.structured, Some(error));
    assert_eq!(blocks(json!({"ok": true, "text": "fine"}), &[]).status, Status::Ok);
}

#[test]
fn other_shapes_are_refused_under_blocks() {
    let cases = [
        (json!(null), "expected a string"),
        (json!(5), "expected a string"),
        (json!([]), "expected a string"),
        (json!({}), "expected a string"),
        (json!({"text": 5}), "`text`"),
        (json!({"content": "x"}), "`content`"),
        (json!({"text": "a", "content": []}), "exclude each other"),
        (json!({"content": ["x"]}), "`content[0].type`"),
        (json!({"content": [{"type": "video"}]}), "`content[0].type`"),
        (json!({"content": [{"type": "text", "text": "a"}, {"type": "text"}]}), "`content[1].text`"),
        (json!({"content": [{"type": "image"}]}), "`content[0]` names no image"),
        (json!({"content": [{"type": "image", "image": 1}]}), "`content[0]` names no image"),
        (json!({"text": "a", "ok": "no"}), "`ok`"),
        (json!({"text": "a", "terminate": 1}), "`terminate`"),
        (json!({"text": "a", "display": "x"}), "`display`"),
        (json!({"text": "a", "extraMessages": {}}), "`extraMessages`"),
        (json!({"text": "a", "extraMessages": [{"role": "system", "text": "m"}]}), "`extraMessages[0]`"),
    ];
    for (value, problem) in cases {
        let outcome = blocks(value.clone(), &["d0"]);
        assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::ToolInvalidResult)), "{value}");
        assert!(outcome.text().contains(problem), "{value}: {}", outcome.text());
    }
    let call = ExtensionCall { returns: Returns::Blocks, ..ExtensionCall::default() };
    assert_eq!(extension(&ok(json!({})), &call).code, Some(Code::ToolInvalidResult), "undefined is no block");
}
