//! Batches as a whole: many calls, and the limit for all their results together.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, effects, facts, journal, receipt, reply, restored, start};
use crate::protocol::digest::sha256_hex;
use crate::protocol::{Event, Input, Output, Payload, ReceiptOutcome};

fn tools(traits: &Value) -> Value {
    json!({"type": "registerTools", "tools": [{
        "extensionId": "x", "name": "get", "description": "A tool.", "inputSchema": {"type": "object"}, "traits": traits,
    }]})
}

fn profile(tools: Value) -> Value {
    let mut allow = json!({"allow": [
        "extension/x:get", "builtin:workspace.read_file", "builtin:workspace.write_file",
        "builtin:workspace.apply_patch",
    ]});
    allow.as_object_mut().unwrap().extend(tools.as_object().cloned().unwrap_or_default());
    json!({"schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P", "tools": allow})
}

fn answer(session: &mut Session, output: &Output, payload: Value) -> Output {
    let asked = effects(output).remove(0);
    session.step(vec![Input::Receipt(receipt(&asked, ReceiptOutcome::Ok, payload))], 1)
}

#[test]
fn a_thousand_calls_of_one_reply() {
    let mut session = Session::new();
    let output = session.step(
        vec![command(tools(&json!({"parallel": true}))), start(json!({"profile": profile(json!({}))}))],
        1,
    );
    let calls: Vec<Value> = (0..1_000)
        .map(|n| match n % 4 {
            0 => call(&format!("c{n}"), "nothing_like_it", "{}"),
            1 => call(&format!("c{n}"), "get", "{\"n\":"),
            _ => call(&format!("c{n}"), "get", "{}"),
        })
        .collect();
    let mut output = answer(&mut session, &output, reply(json!(calls)));
    let mut open = effects(&output);
    let mut answered = 0;
    while matches!(open.first().map(|effect| &effect.payload), Some(Payload::ExtensionCall { .. })) {
        assert!(open.len() <= 5);
        answered += open.len();
        let receipts = open.iter().map(|effect| receipt(effect, ReceiptOutcome::Ok, json!({"value": 1})));
        output = session.step(receipts.map(Input::Receipt).collect(), 1);
        open = effects(&output);
    }
    assert_eq!(answered, 500);
    let Payload::ModelRequest { request, .. } = &open[0].payload else { panic!("the model is not asked") };
    let request = facts(request);
    let ids: Vec<&str> = request["messages"].as_array().unwrap()[2..]
        .iter()
        .map(|message| message["tool_call_id"].as_str().unwrap())
        .collect();
    let wanted: Vec<String> = (0..1_000).map(|n| format!("c{n}")).collect();
    assert_eq!(ids, wanted);
}

/// A run whose one batch gives texts of these lengths; what the model reads of each.
fn shown(limits: Value, lengths: &[usize], restores: bool) -> Vec<String> {
    let mut session = Session::new();
    let traits = json!({"parallel": true});
    let profile = profile(limits);
    let output = session.step(vec![command(tools(&traits)), start(json!({"profile": profile}))], 1);
    let calls: Vec<Value> = (0..lengths.len()).map(|n| call(&format!("c{n}"), "get", "{}")).collect();
    let mut output = answer(&mut session, &output, reply(json!(calls)));
    // The last one answers first.
    let mut open = effects(&output);
    while let Some(effect) = open.pop() {
        if restores {
            session = restored(&mut session);
        }
        let Payload::ExtensionCall { .. } = effect.payload else { break };
        let place: usize = effect.call_id.as_deref().unwrap().trim_start_matches('c').parse().unwrap();
        let text = "x".repeat(lengths[place]);
        output = session
            .step(vec![Input::Receipt(receipt(&effect, ReceiptOutcome::Ok, json!({"value": text})))], 1);
        open.extend(effects(&output));
    }
    let asked = effects(&output).pop().unwrap();
    let Payload::ModelRequest { request, .. } = asked.payload else { panic!("the model is not asked") };
    let messages = facts(&request)["messages"].as_array().unwrap()[2..].to_vec();
    let stored = output.events.iter().filter_map(|event| match event {
        Event::Journal(event) if event.kind == "tool_result_stored" => {
            facts(&event.payload)["callId"].as_str().map(str::to_owned)
        }
        _ => None,
    });
    if lengths.len() <= 5 && output.events.len() > lengths.len() * 3 {
        let wanted: Vec<String> = (0..lengths.len()).map(|n| format!("c{n}")).collect();
        assert_eq!(stored.collect::<Vec<_>>(), wanted, "stored in call order when the batch has settled");
    }
    messages.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn results_of_a_batch_that_are_too_long_together() {
    let cases: [(u64, &[usize], &[usize]); 5] = [
        // Under the limit: all inline.
        (20_000, &[9_000, 9_000, 2_000], &[]),
        // One over: the largest goes first, ties in call order.
        (20_000, &[9_000, 9_000, 2_001], &[0]),
        (20_000, &[8_000, 9_000, 7_000], &[1]),
        (12_000, &[8_000, 9_000, 7_000], &[0, 1, 2]),
        // What would not become shorter stays.
        (100, &[500, 400, 9_000], &[2]),
    ];
    for (limit, lengths, outside) in &cases {
        for restores in [false, true] {
            let shown = shown(json!({"aggregateResultCharLimit": limit}), lengths, restores);
            for (place, text) in shown.iter().enumerate() {
                let is_outside = text.starts_with("The result has");
                assert_eq!(is_outside, outside.contains(&place), "limit {limit}, {lengths:?}: {place}");
                assert!(is_outside || text.len() == lengths[place]);
            }
            if !outside.is_empty() && *limit >= 10_000 {
                assert!(shown.iter().map(String::len).sum::<usize>() <= *limit as usize, "limit {limit}");
            }
        }
    }
}

#[test]
fn a_result_over_its_own_limit_is_outside_whatever_the_batch_has() {
    let limits = json!({"aggregateResultCharLimit": 200_000, "externalResultInlineCharLimit": 5_000});
    let shown = shown(limits, &[5_000, 5_001], false);
    assert_eq!(shown[0].len(), 5_000);
    assert!(shown[1].starts_with("The result has 5,001 characters"), "{}", shown[1]);
}

#[test]
fn whatever_the_store_is_told_of_it_can_fetch() {
    let mut session = Session::new();
    session.step(
        vec![command(json!({"type": "workspace.write", "path": "output/a.md", "text": "of the host"}))],
        1,
    );
    let capabilities = json!({"store": true, "images": true});
    let profile = profile(json!({"externalResultInlineCharLimit": 100}));
    let mut output = session.step(
        vec![command(tools(&json!({}))), start(json!({"profile": profile, "capabilities": capabilities}))],
        1,
    );
    let image = session.put_blob(b"\x89PNG\r\n\x1a\n and so on".to_vec());
    let turns = [
        json!([
            call("a", "workspace_read_file", "{\"path\":\"output/a.md\"}"),
            call(
                "b",
                "workspace_apply_patch",
                "{\"path\":\"output/a.md\",\"old_string\":\"host\",\"new_string\":\"run\"}"
            ),
            call("c", "workspace_write_file", "{\"path\":\"output/b.md\",\"content\":\"new\"}")
        ]),
        json!([call("d", "get", "{}")]),
        json!([call(
            "e",
            "workspace_apply_patch",
            "{\"path\":\"output/a.md\",\"old_string\":\"run\",\"new_string\":\"end\"}"
        )]),
    ];
    let mut turns = turns.into_iter();
    let (mut handed, mut named) = (BTreeSet::new(), BTreeSet::new());
    // Before anything else of the step: that is where it stands.
    while let Some(append) = output.effects.first() {
        let Payload::StoreAppend { records, blobs } = &append.payload else { panic!("{append:?}") };
        for digest in blobs {
            assert_eq!(&sha256_hex(&session.blob(digest).unwrap()), digest);
            assert!(handed.insert(digest.clone()), "handed over twice");
        }
        named.extend(records.iter().flat_map(|record| digests(&facts(&record.payload))));
        let mut receipts = vec![receipt(append, ReceiptOutcome::Ok, json!({}))];
        for effect in &output.effects[1..] {
            match &effect.payload {
                Payload::ModelRequest { .. } => {
                    let said = turns.next().map_or_else(|| super::said("Done."), reply);
                    receipts.push(receipt(effect, ReceiptOutcome::Ok, said));
                }
                Payload::ExtensionCall { .. } => {
                    let payload = json!({"value": "y".repeat(500), "images": [image]});
                    receipts.push(receipt(effect, ReceiptOutcome::Ok, payload));
                }
                _ => {}
            }
        }
        output = session.step(receipts.into_iter().map(Input::Receipt).collect(), 1);
        if journal(&output).iter().any(|kind| kind == "run_completed") {
            assert!(
                matches!(output.effects[0].payload, Payload::StoreAppend { .. }),
                "the end is stored too"
            );
            break;
        }
    }
    // Both contents of each change, the audit files, the readable file and the image.
    for text in ["of the host", "of the run", "of the end", "new"] {
        assert!(handed.contains(&sha256_hex(text.as_bytes())), "{text}");
    }
    assert!(handed.contains(&sha256_hex("y".repeat(500).as_bytes())));
    assert!(handed.contains(&image));
    assert!(
        named.len() == 3 && named.is_subset(&handed),
        "{:?}",
        named.difference(&handed).collect::<Vec<_>>()
    );
}

/// The contents that a record of the journal names.
fn digests(facts: &Value) -> Vec<String> {
    let files = facts["files"].as_array().into_iter().flatten();
    files.filter_map(|file| file["sha256"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_audit_file_has_what_the_host_returned_and_what_it_remarked() {
    let mut session = Session::new();
    let profile = profile(json!({}));
    let output = session.step(vec![command(tools(&json!({}))), start(json!({"profile": profile}))], 1);
    let output = answer(&mut session, &output, reply(json!([call("a", "get", "{\"n\":1,}")])));
    let image = session.put_blob(b"\x89PNG\r\n\x1a\n and so on".to_vec());
    let remark = json!({"kind": "surrogates_replaced", "data": {"count": 2}});
    let payload = json!({"value": {"n": 1.10}, "images": [image], "notes": [remark, 5]});
    let output = answer(&mut session, &output, payload);
    let Event::Journal(stored) = &output.events[0] else { panic!("{output:?}") };
    let read = command(json!({"type": "workspace.read", "path": facts(&stored.payload)["resultRef"]}));
    let read = session.step(vec![read], 1).replies.remove(0).value.unwrap();
    let record: Value = serde_json::from_str(read["text"].as_str().unwrap()).unwrap();
    let path = record["images"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("tool-results/run_1/round-001-call_") && path.ends_with("-img-1.png"), "{path}");
    assert_eq!(record["raw"]["value"], json!({"n": 1.10}));
    assert_eq!(record["raw"]["images"], json!([{"path": path, "mimeType": "image/png"}]));
    let kinds: Vec<&Value> = record["notes"].as_array().unwrap().iter().map(|note| &note["kind"]).collect();
    assert_eq!(kinds, ["arguments_repaired", "surrogates_replaced"]);
    let read = session.step(vec![command(json!({"type": "workspace.read", "path": path}))], 1);
    assert_eq!(read.replies[0].value.as_ref().unwrap()["blob"], image.as_str());
}

#[test]
fn a_line_of_two_hundred_thousand_characters_is_read_to_its_end() {
    let text: String = (0..40_000).map(|number| format!("{number:05}")).collect();
    let mut session = Session::new();
    let output =
        session.step(vec![command(tools(&json!({}))), start(json!({"profile": profile(json!({}))}))], 1);
    let output = answer(&mut session, &output, reply(json!([call("a", "get", "{}")])));
    let mut output = answer(&mut session, &output, json!({"value": text}));
    let last = |output: &Output| {
        let Payload::ModelRequest { request, .. } = &effects(output)[0].payload else { panic!("{output:?}") };
        facts(request)["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
    };
    let shown = last(&output);
    let beginning = text.get(..3_000).unwrap();
    assert!(shown.starts_with("The result has 200,000 characters") && shown.ends_with(beginning));
    let place = shown.split_once("tool-results/").unwrap().1.split_once(".txt").unwrap().0;
    let path = format!("tool-results/{place}.txt");
    let (mut next, mut read, mut rows) = (Some(1), String::new(), 0);
    while let Some(first) = next {
        let asked = json!({"path": path, "start_line": first}).to_string();
        output = answer(
            &mut session,
            &output,
            reply(json!([call(&format!("r{first}"), "workspace_read_file", &asked)])),
        );
        let shown = last(&output);
        let hint = shown.rsplit_once("continue with start_line ");
        next = hint.map(|(_, line)| line.trim_end_matches('.').parse::<u64>().unwrap());
        for (_, line) in shown.lines().skip(1).filter_map(|row| row.split_once(" | ")) {
            assert!(line.len() <= 3_000);
            read.push_str(line);
            rows += 1;
        }
    }
    assert_eq!((rows, read), (67, text));
}

#[test]
fn twenty_reminders_and_no_more() {
    let mut session = Session::new();
    let mut output = session.step(vec![start(json!({}))], 1);
    // A step with a call in between does not reset the count.
    for turn in 0..22 {
        assert!(!journal(&output).iter().any(|kind| kind == "run_failed"), "after {turn} replies");
        let said = if turn == 10 {
            reply(json!([call("a", "dice_roll", "{\"formula\":\"d6\"}")]))
        } else {
            super::said(["", " ", "\n\u{3000}"][turn % 3])
        };
        output = answer(&mut session, &output, said);
    }
    let Some(Event::Journal(end)) = output.events.last() else { panic!("{output:?}") };
    let told = facts(&end.payload);
    assert_eq!((&*end.kind, &told["code"]), ("run_failed", &json!("model.tool_call_required")));
    assert_eq!(told["userRetryable"], true);
}
