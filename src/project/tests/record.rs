use proptest::prelude::*;
use serde_json::{Value, json};

use crate::identity::ToolId;
use crate::project::*;
use crate::protocol::{
    Call, Code, EMPTY_TEXT, ExtraMessage, Meta, Outcome, Part, Scenario, Status, StoredImage, Wire,
};

fn call() -> Call {
    Call {
        call_id: "call_9".into(),
        provider_id: Some("call_9".into()),
        name: "f".into(),
        arguments: Wire::Absent,
        cut: false,
    }
}

fn stored(outcome: Outcome, images: usize) -> Stored {
    let image =
        |n: usize| StoredImage { path: format!("tool-results/{n}.png"), mime_type: "image/png".into() };
    let files = CallFiles::new(Scenario::Chat, "run_1", "inv_1", 3, "call_9");
    let (call, tool_id) = (call(), ToolId::parse("extension/x:f").unwrap());
    let facts = CallFacts {
        call: &call,
        tool_id: Some(&tool_id),
        invocation_id: &"inv_1".into(),
        round: 3,
        index: 0,
        parent_call_id: None,
        forwarded_to: None,
        files: &files,
        images: (0..images).map(image).collect(),
        heard: Vec::new(),
        file_changes: Vec::new(),
        meta: Meta { queued_at: 1, started_at: Some(2), ended_at: 3, truncated: false },
    };
    store(outcome, facts)
}

#[test]
fn a_record_in_full() {
    let mut outcome = Outcome::ok("Created ticket 41.", Some(json!({"number": 41})));
    outcome.parts.push(Part::Image { image: 0 });
    outcome.display = Some(json!({"kind": "plain"}));
    let record = stored(outcome, 1);
    let expected = json!({
        "callId": "call_9", "providerId": "call_9", "toolId": "extension/x:f", "name": "f",
        "invocationId": "inv_1", "round": 3, "index": 0, "parentCallId": null, "forwardedTo": null,
        "ok": true, "status": "ok", "isError": false, "errorCode": null, "content": "Created ticket 41.",
        "parts": [{"type": "text", "text": "Created ticket 41."}, {"type": "image", "image": 0}],
        "structured": {"number": 41}, "resourceRefs": [],
        "images": [{"path": "tool-results/0.png", "mimeType": "image/png"}],
        "notes": [], "extraMessages": [], "display": {"kind": "plain"}, "fileChanges": [], "terminate": false,
        "meta": {"queuedAt": 1, "startedAt": 2, "endedAt": 3, "truncated": false},
        "argumentsRef": "tool-args/inv_1/round-003-call_38e31b6d5c2a3a61.json",
        "resultRef": "tool-results/inv_1/round-003-call_38e31b6d5c2a3a61.json",
    });
    let hash = crate::protocol::digest::short_hash("call_9");
    let expected = expected.to_string().replace("38e31b6d5c2a3a61", &hash);
    assert_eq!(serde_json::to_value(&record).unwrap(), serde_json::from_str::<Value>(&expected).unwrap());
    let back: Stored = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    assert_eq!(back, record);
}

#[test]
fn blank_texts_and_lost_images() {
    let text = |text: &str| Part::Text { text: text.into() };
    let image = |image| Part::Image { image };
    let no_reason = "This tool failed and gave no reason.";
    // The parts of a success or a failure, how many images were stored, and the parts that stay.
    let cases = [
        (false, vec![text("a"), text(" "), text("b")], 0, vec![text("a"), text("b")]),
        (false, vec![text("")], 0, vec![text(EMPTY_TEXT)]),
        (false, vec![], 0, vec![text(EMPTY_TEXT)]),
        (false, vec![text(""), image(0)], 1, vec![image(0)]),
        (false, vec![image(0), image(1)], 1, vec![image(0)]),
        (false, vec![image(0)], 0, vec![text(EMPTY_TEXT)]),
        (true, vec![text("\n")], 0, vec![text(no_reason)]),
        (true, vec![image(0)], 1, vec![text(no_reason), image(0)]),
    ];
    for (failed, parts, images, expected) in cases {
        let outcome = match failed {
            true => Outcome::failure(Status::Error, Code::ToolTimeout, ""),
            false => Outcome::ok("", None),
        };
        let record = stored(Outcome { parts: parts.clone(), ..outcome }, images);
        assert_eq!(record.parts, expected, "{parts:?} {images}");
    }
}

#[test]
fn extra_messages_are_bounded() {
    let messages = |texts: &[usize]| Outcome {
        extra_messages: texts.iter().map(|chars| ExtraMessage { text: "é".repeat(*chars) }).collect(),
        ..Outcome::ok("x", None)
    };
    let lengths = |record: &Stored| -> Vec<usize> {
        record.extra_messages.iter().map(|message| message.text.chars().count()).collect()
    };
    let fine = stored(messages(&[8_000, 1, 1, 1]), 0);
    assert_eq!((lengths(&fine), fine.notes.len()), (vec![8_000, 1, 1, 1], 0));
    let over = stored(messages(&[8_001, 1, 1, 1, 9_000, 1]), 0);
    assert_eq!(lengths(&over), [8_000, 1, 1, 1]);
    assert_eq!(over.notes[0].kind, "extra_messages_limited");
    assert_eq!(over.notes[0].data, json!({"dropped": 2, "shortened": 1}));
}

#[test]
fn event_messages_are_short() {
    assert_eq!(stored(Outcome::ok("done", None), 0).event_message(), "done");
    let long = stored(Outcome::ok("é".repeat(301), None), 0).event_message();
    assert_eq!(long, format!("{}…", "é".repeat(300)));
    let externalised = json!({"externalized": true, "path": "tool-results/x.txt"});
    let mut failed = Outcome::failure(Status::Error, Code::McpToolError, "The result has …");
    failed.structured = Some(externalised.clone());
    assert_eq!(stored(failed, 0).event_message(), "The full error is in tool-results/x.txt.", "RS-45");
    assert_eq!(stored(Outcome::ok("fine", Some(externalised)), 0).event_message(), "fine");
}

#[test]
fn audit_files() {
    let members: Value = serde_json::from_str(r#"{"b":1.0,"a":12345678901234567890}"#).unwrap();
    let members = members.as_object().unwrap();
    let object = arguments_file(&call(), Arguments::Object(members), None);
    assert_eq!(object, r#"{"callId":"call_9","name":"f","arguments":{"b":1.0,"a":12345678901234567890}}"#);
    let invalid = arguments_file(&call(), Arguments::Invalid("{\"a\":"), None);
    assert_eq!(invalid, r#"{"callId":"call_9","name":"f","invalid":"{\"a\":"}"#);
    let repaired = arguments_file(&call(), Arguments::Invalid("{,}"), Some(members));
    let expected =
        r#"{"callId":"call_9","name":"f","invalid":"{,}","repaired":{"b":1.0,"a":12345678901234567890}}"#;
    assert_eq!(repaired, expected);

    let value: Value = serde_json::from_str(r#"{"n":1.50}"#).unwrap();
    let record = stored(Outcome::ok("x", Some(value.clone())), 0);
    let plain = result_file(&record, None);
    assert_eq!(plain, serde_json::to_string(&record).unwrap());
    let raw = json!({"value": value});
    let with_raw = result_file(&record, Some(&raw));
    assert_eq!(with_raw, format!(r#"{},"raw":{{"value":{{"n":1.50}}}}}}"#, plain.strip_suffix('}').unwrap()));
}

fn status() -> impl Strategy<Value = Status> {
    use Status::*;
    prop::sample::select(vec![Ok, Error, Denied, Cancelled, TimedOut, Skipped, Unknown, Backgrounded])
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let text = prop_oneof![Just(String::new()), Just("\n ".to_owned()), any::<String>()];
    let part = prop_oneof![
        text.prop_map(|text| Part::Text { text }),
        (0_usize..4).prop_map(|image| Part::Image { image }),
    ];
    prop::collection::vec(part, 0..5)
}

proptest! {
    /// IV-26, IV-76, and a code exactly with an error mark, whatever the tool made.
    #[test]
    fn records_are_in_order(
        status in status(), coded in any::<bool>(), parts in parts(), images in 0_usize..3,
    ) {
        let code = coded.then_some(Code::ToolTimeout);
        let record = stored(Outcome { status, code, parts, ..Outcome::ok("", None) }, images);
        prop_assert_eq!(record.ok, matches!(status, Status::Ok | Status::Backgrounded));
        prop_assert_eq!(record.is_error, !record.ok);
        prop_assert_eq!(record.error_code.is_some(), record.is_error);
        prop_assert!(!record.parts.is_empty());
        let texts: Vec<&str> = record.parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            Part::Image { image } => { assert!(*image < images); None }
        }).collect();
        prop_assert!(texts.iter().all(|text| !text.trim().is_empty()));
        prop_assert_eq!(&record.content, &texts.join("\n\n"));
        prop_assert!(!record.is_error || !texts.is_empty(), "an error says something");
    }
}
