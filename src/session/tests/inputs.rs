//! What is not understood or refused is said, and changes nothing.

use serde_json::{Value, json};

use super::super::Session;
use super::script::pins;
use super::{call, command, effects, read_cases, receipt, reply, start, weather};
use crate::protocol::limits::{INPUT_DEPTH, JSON_DEPTH};
use crate::protocol::{Code, Payload, ReceiptOutcome};

/// A session with a run that waits for the model.
fn running() -> Session {
    let mut session = Session::new();
    session.step(vec![command(weather()), start(json!({}))], 1);
    session
}

#[test]
fn an_input_that_is_not_understood_is_named_and_nothing_happens() {
    for case in read_cases("faults.json") {
        let mut session = running();
        let before = session.snapshot().unwrap();
        // A good input before a bad one is not taken either.
        let text = match case["text"].as_str() {
            Some(text) => text.to_owned(),
            None => case["in"].to_string(),
        };
        let fault = session.step_text(&text, 99).expect_err(&text);
        assert_eq!(fault.code, Code::InputInvalid, "{text}");
        for part in case["says"].as_array().unwrap() {
            assert!(fault.message.contains(part.as_str().unwrap()), "{text}: {}", fault.message);
        }
        assert_eq!(session.snapshot().unwrap(), before, "{text}");
    }
}

#[test]
fn a_good_input_beside_a_bad_one_is_not_taken() {
    let mut session = running();
    let before = session.snapshot().unwrap();
    let text =
        json!([{"command": {"type": "cancelRun", "runId": "run_1"}}, {"command": {"type": "cancelRun"}}]);
    assert!(session.step_text(&text.to_string(), 99).unwrap_err().message.contains("inputs[1].command"));
    assert_eq!(session.snapshot().unwrap(), before);
}

#[test]
fn a_refused_command_leaves_no_state() {
    for case in read_cases("refusals.json") {
        let mut session = running();
        let before = session.snapshot().unwrap();
        let output = session.step(vec![command(case["command"].clone())], 1);
        let reply = &output.replies[0];
        assert!(!reply.ok, "{case}: {reply:?}");
        if let Some(code) = case["code"].as_str() {
            assert_eq!(reply.code.unwrap().as_str(), code, "{case}: {reply:?}");
        }
        for part in case["says"].as_array().unwrap() {
            let message = reply.message.as_deref().unwrap();
            assert!(message.contains(part.as_str().unwrap()), "{case}: {message}");
        }
        assert!(output.effects.is_empty() && output.events.is_empty(), "{case}");
        assert_eq!(session.snapshot().unwrap(), before, "{case}");
    }
}

#[test]
fn halves_of_surrogate_pairs_become_replacement_characters() {
    let mut session = running();
    let text = r#"[
        {"command":{"type":"workspace.write","path":"output/a.md","text":"a \ud83d b \ud83d\ude00"}},
        {"receipt":{"effectId":"e1","outcome":"ok","payload":{"reply":{"choices":[{"finish_reason":"tool_calls","message":{
            "tool_calls":[
                {"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"\\ud83d\"}"}},
                {"id":"b","function":{"name":"get_weather","arguments":"{\"city\":\"\\ud83d\\ude00\"}"}}]}}]}}}}]"#;
    let output: Value = serde_json::from_str(&session.step_text(text, 1).unwrap()).unwrap();
    // The arguments of a call are not mended: half a character there is the model's fault.
    assert_eq!(output["effects"][0]["callId"], "b");
    assert_eq!(output["effects"][0]["payload"]["args"], json!({"city": "😀"}));
    let text = r#"[{"receipt":{"effectId":"e2","outcome":"ok","payload":{"value":"sun \udc00"}}}]"#;
    let output: Value = serde_json::from_str(&session.step_text(text, 1).unwrap()).unwrap();
    let messages = output["effects"][0]["payload"]["request"]["messages"].clone();
    assert!(messages[2]["content"].as_str().unwrap().starts_with("Error (tool.invalid_arguments)"));
    assert_eq!(messages[3]["content"], "sun \u{fffd}");
    let read = session.step(vec![command(json!({"type": "workspace.read", "path": "output/a.md"}))], 1);
    assert_eq!(read.replies[0].value, Some(json!({"text": "a \u{fffd} b 😀"})));
}

/// A JSON text of lists inside one another.
fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn a_value_may_be_as_deep_as_json_may_and_the_envelope_comes_on_top() {
    let deep = |depth| {
        format!(
            r#"[{{"receipt":{{"effectId":"e2","outcome":"ok","payload":{{"value":{}}}}}}}]"#,
            nested(depth)
        )
    };
    for (depth, ends) in [(JSON_DEPTH, "ok"), (JSON_DEPTH + 1, "error"), (INPUT_DEPTH, "fault")] {
        let mut session = running();
        let asked = reply(json!([call("a", "get_weather", "{\"city\":\"Oslo\"}")]));
        let first = session.step(vec![], 1);
        assert!(first.effects.is_empty());
        let mut output = session.step(
            vec![crate::protocol::Input::Receipt(crate::protocol::Receipt {
                effect_id: "e1".into(),
                outcome: ReceiptOutcome::Ok,
                payload: Some(asked),
                error: None,
                stopped: false,
                discarded: None,
            })],
            1,
        );
        assert!(matches!(output.effects.remove(0).payload, Payload::ExtensionCall { .. }));
        let before = session.snapshot().unwrap();
        let stepped = session.step_text(&deep(depth), 1);
        let Ok(output) = stepped else {
            assert_eq!((ends, session.snapshot().unwrap()), ("fault", before));
            continue;
        };
        let output: Value = serde_json::from_str(&output).unwrap();
        let stored = &output["events"][0];
        assert_eq!(
            (&stored["type"], &stored["payload"]["status"]),
            (&json!("tool_result_stored"), &json!(ends))
        );
        // However deep: it can be written down and read back.
        super::restored(&mut session);
    }
}

#[test]
fn numbers_of_a_schema_and_of_a_target_stay_what_they_are() {
    let mut session = Session::new();
    let big = "18446744073709552000";
    let text = format!(
        r#"[{{"command":{{"type":"registerTools","tools":[{{"extensionId":"x","name":"n","description":"d","inputSchema":
        {{"type":"object","properties":{{"n":{{"type":"integer","maximum":{big}}}}}}}}}]}}}},
        {{"command":{{"type":"startRun","scenario":"session","target":{{"n":{big},"m":1.10}},"profile":{{"schemaVersion":5,
        "kind":"handrail.agentProfile","id":"p","displayName":"P","tools":{{"allow":["extension/x:n"]}}}}}}}}]"#
    );
    let output = session.step_text(&text, 1).unwrap();
    assert!(output.contains(&format!("\"maximum\":{big}")), "{output}");
    let mut session = super::restored(&mut session);
    let asked = reply(json!([call("a", "n", "{\"n\":18446744073709551999}")]));
    let text = json!([{"receipt": {"effectId": "e1", "outcome": "ok", "payload": asked}}]).to_string();
    let output = session.step_text(&text, 1).unwrap();
    assert!(output.contains(&format!(r#""target":{{"n":{big},"m":1.10}}"#)), "{output}");
    assert!(output.contains(r#""args":{"n":18446744073709551999}"#), "{output}");
}

#[test]
fn the_journal_is_read_in_pages() {
    let mut session = running();
    let mut output = session.step(vec![start(json!({"sessionId": "t", "driven": true}))], 1);
    for _ in 0..300 {
        let asked = effects(&output).pop().unwrap();
        let blank = json!({"reply": {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}});
        output = session
            .step(vec![crate::protocol::Input::Receipt(receipt(&asked, ReceiptOutcome::Ok, blank))], 1);
    }
    let mut read = |more: Value| {
        let mut asked = json!({"type": "readEvents", "runId": "run_2"});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let value = session.step(vec![command(asked)], 1).replies.remove(0).value.unwrap();
        let events = value["events"].as_array().unwrap();
        let seqs: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert!(seqs.windows(2).all(|pair| pair[0] + 1 == pair[1]));
        (seqs.first().copied(), seqs.len(), value["more"] == true)
    };
    let all = 2 + 2 + 300 * 4;
    assert_eq!(read(json!({})), (Some(1), 500, true));
    assert_eq!(read(json!({"afterSeq": 500})), (Some(501), 500, true));
    assert_eq!(read(json!({"afterSeq": 1000})), (Some(1001), all - 1000, false));
    assert_eq!(read(json!({"afterSeq": all})), (None, 0, false));
    assert_eq!(read(json!({"afterSeq": u64::MAX})), (None, 0, false));
    assert_eq!(read(json!({"afterSeq": 10, "beforeSeq": 14})), (Some(11), 3, false));
    assert_eq!(read(json!({"afterSeq": 10, "beforeSeq": 14, "limit": 2})), (Some(11), 2, true));
    assert_eq!(read(json!({"beforeSeq": 0})), (None, 0, false));
    assert_eq!(read(json!({"beforeSeq": 1})), (None, 0, false));
    assert_eq!(read(json!({"afterSeq": 20, "beforeSeq": 10})), (None, 0, false));
    assert_eq!(read(json!({"limit": 99999})), (Some(1), 500, true));
    assert_eq!(read(json!({"invocationId": "inv_1", "limit": 1})), (Some(1), 1, true));
    assert_eq!(read(json!({"invocationId": "inv_2"})), (None, 0, false));
}

#[test]
fn old_profiles_are_kept_as_new_ones_and_keeping_them_again_changes_nothing() {
    let mut session = Session::new();
    let mut ask = |asked: Value| {
        let reply = session.step(vec![command(asked)], 1).replies.remove(0);
        assert!(reply.ok, "{reply:?}");
        reply.value.unwrap()["profile"].clone()
    };
    for case in read_cases("profiles.json") {
        let kept = ask(json!({"type": "profile.save", "profile": case["profile"]}));
        pins(&kept, &case["kept"]).unwrap_or_else(|problem| panic!("{}: profile{problem}", case["name"]));
        let loaded = ask(json!({"type": "profile.load", "id": kept["id"]}));
        let again = ask(json!({"type": "profile.save", "profile": loaded}));
        for other in [loaded, again] {
            assert_eq!(other.to_string(), kept.to_string(), "{}", case["name"]);
        }
    }
}
