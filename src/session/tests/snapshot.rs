//! Snapshots: damage is noticed, nothing is half-loaded, and what one costs is what has changed.

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, effects, receipt, reply, restored, said, start, weather};
use crate::protocol::{Code, Effect, Input, Output, Payload, ReceiptOutcome};

fn ok(effect: &Effect, payload: Value) -> Input {
    Input::Receipt(receipt(effect, ReceiptOutcome::Ok, payload))
}

/// Hands a session its blobs over and restores it.
fn hand_over(from: &mut Session, to: &mut Session) -> Vec<u8> {
    let state = from.snapshot().unwrap();
    for digest in from.snapshot_blobs() {
        to.put_blob(from.blob(&digest).unwrap().to_vec());
    }
    state
}

/// A session in the middle of a call.
fn midway() -> Session {
    let mut session = Session::new();
    let output = session.step(vec![command(weather()), start(json!({"files": {"output/a.md": "hello"}}))], 1);
    let calls = json!([
        call("r", "workspace_read_file", "{\"path\":\"output/a.md\"}"),
        call("w", "workspace_write_file", "{\"path\":\"output/a.md\",\"content\":\"bye\"}"),
        call("g", "get_weather", "{\"city\":\"Oslo\"}"),
    ]);
    session.step(vec![ok(&output.effects[0], reply(calls))], 1);
    session
}

#[test]
fn a_changed_byte_anywhere_is_noticed_and_nothing_is_loaded() {
    let mut session = midway();
    let mut other = Session::new();
    other.step(vec![start(json!({"sessionId": "other"}))], 7);
    let state = hand_over(&mut session, &mut other);
    let before = other.snapshot().unwrap();
    let mut refused = |bytes: &[u8], what: &str| {
        let fault = other.restore(bytes).expect_err(what);
        assert_eq!(other.snapshot().unwrap(), before, "{what}");
        fault
    };
    for at in (0..200).chain((200..state.len()).step_by(101)).chain([state.len() - 1]) {
        for changed in [state[at] ^ 1, b' ', 0xff] {
            let mut damaged = state.clone();
            damaged[at] = changed;
            if changed != state[at] {
                let fault = refused(&damaged, &format!("byte {at}"));
                let codes = [Code::StateSnapshotCorrupt, Code::StateSnapshotUnsupported];
                assert!(codes.contains(&fault.code), "byte {at}: {fault}");
            }
        }
    }
    for end in [0, 1, 50, 120, state.len() / 2, state.len() - 1] {
        assert_eq!(refused(&state[..end], "cut").code, Code::StateSnapshotCorrupt);
    }
    let text = String::from_utf8(state.clone()).unwrap();
    let newer = text.replacen("\"schemaVersion\":1", "\"schemaVersion\":2", 1);
    assert_eq!(refused(newer.as_bytes(), "newer").code, Code::StateSnapshotUnsupported);
    let foreign = text.replacen("handrail.runSnapshot", "handrail.agentProfile", 1);
    assert_eq!(refused(foreign.as_bytes(), "foreign").code, Code::StateSnapshotCorrupt);
    for nothing in ["", "{}", "[]", "null", "{\"kind\":\"handrail.runSnapshot\"}"] {
        let codes = [Code::StateSnapshotCorrupt, Code::StateSnapshotUnsupported];
        assert!(codes.contains(&refused(nothing.as_bytes(), nothing).code));
    }
    // The state is good all the same.
    other.restore(&state).unwrap();
    assert_eq!(other.snapshot().unwrap(), state);
}

#[test]
fn a_blob_that_was_not_handed_over_is_noticed() {
    let mut session = midway();
    let state = session.snapshot().unwrap();
    let digests = session.snapshot_blobs();
    assert!(digests.len() > 10);
    for missing in &digests {
        let (mut other, before) = (Session::new(), Session::new().snapshot().unwrap());
        for digest in digests.iter().filter(|digest| *digest != missing) {
            other.put_blob(session.blob(digest).unwrap().to_vec());
        }
        let fault = other.restore(&state).expect_err(missing);
        assert_eq!(fault.code, Code::StateSnapshotCorrupt, "{fault}");
        assert_eq!(other.snapshot().unwrap(), before);
    }
}

#[test]
fn a_snapshot_that_was_made_up_refuses_as_a_whole() {
    let mut session = midway();
    let mut other = Session::new();
    let state = String::from_utf8(hand_over(&mut session, &mut other)).unwrap();
    let members: Value = serde_json::from_str(&state).unwrap();
    let changes: [(&str, Value); 10] = [
        ("/runs/0/phase", json!("dancing")),
        ("/runs/0/given", json!("00")),
        ("/runs/0/turn/snapshotId", json!("snap_9")),
        ("/runs/0/batch/plan", json!({})),
        ("/runs/0/journal/levels", json!([["00"]])),
        ("/runs/0/journal/entries", json!(5)),
        ("/runs/0/round", json!("one")),
        ("/registrations", json!("00")),
        ("/workspace", json!("")),
        ("/now", json!(-1)),
    ];
    for (place, value) in changes {
        let mut changed = members.clone();
        *changed.pointer_mut(place).unwrap() = value;
        let members = changed.as_object_mut().unwrap();
        for name in ["schemaVersion", "kind", "sha256"] {
            members.shift_remove(name);
        }
        let members = changed.to_string().split_off(1);
        let digest = crate::protocol::digest::sha256_hex(members.as_bytes());
        let text =
            format!(r#"{{"schemaVersion":1,"kind":"handrail.runSnapshot","sha256":"{digest}",{members}"#);
        let before = other.snapshot().unwrap();
        assert_eq!(other.restore(text.as_bytes()).unwrap_err().code, Code::StateSnapshotCorrupt, "{place}");
        assert_eq!(other.snapshot().unwrap(), before, "{place}");
    }
}

#[test]
fn a_lost_run_stays_lost_over_a_restore() {
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {"allow": ["extension/weather:get_weather"]}, "run": {"unknownOutcome": "end"},
    });
    let mut session = Session::new();
    let mut weather = weather();
    weather["tools"][0]["traits"] = json!({"parallel": true});
    let output = session.step(vec![command(weather), start(json!({"profile": profile}))], 1);
    let arguments = "{\"city\":\"Oslo\"}";
    let calls = json!([call("a", "get_weather", arguments), call("b", "get_weather", arguments)]);
    let output = session.step(vec![ok(&output.effects[0], reply(calls))], 1);
    let unknown = receipt(&output.effects[0], ReceiptOutcome::Unknown, json!({}));
    session.step(vec![Input::Receipt(unknown)], 1);
    let mut session = restored(&mut session);
    let output = session.step(vec![ok(&output.effects[1], json!({"value": 1}))], 1);
    assert_eq!(super::journal(&output).last().map(String::as_str), Some("run_failed"));
}

#[test]
fn what_the_store_does_not_know_yet_it_is_told_after_a_restore() {
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {
            "allow": ["builtin:workspace.shell", "extension/weather:get_weather"], "aggregateResultCharLimit": 6_000,
        },
        "run": {"lanes": "free"},
    });
    let last_step = |restores: bool| {
        let mut session = Session::new();
        let mut weather = weather();
        weather["tools"][0]["traits"] = json!({"parallel": true});
        let more = json!({"profile": profile, "capabilities": {"store": true}});
        let output = session.step(vec![command(weather), start(more)], 1);
        let calls = reply(json!([
            call("s", "workspace_shell", "{\"command\":\"seq 9999\"}"),
            call("g", "get_weather", "{\"city\":\"Oslo\"}"),
        ]));
        let output = session.step(vec![ok(&effects(&output)[0], calls)], 1);
        let [shell, weather] = effects(&output).try_into().unwrap();
        // The whole output goes to a file now; nothing is told before the batch is over.
        let ran = json!({
            "exitCode": 0, "stdout": "line\n".repeat(20_000), "stderr": "",
            "stdoutTruncated": false, "stderrTruncated": false,
        });
        assert!(super::journal(&session.step(vec![ok(&shell, ran)], 1)).is_empty());
        if restores {
            session = restored(&mut session);
        }
        serde_json::to_string(&session.step(vec![ok(&weather, json!({"value": 1}))], 1)).unwrap()
    };
    assert_eq!(last_step(false), last_step(true));
}

/// A run whose host drives the model: each turn is one call and its result.
struct Talk {
    session: Session,
    asked: Effect,
    turn: usize,
}

impl Talk {
    fn new() -> Self {
        let mut session = Session::new();
        let capabilities = json!({"incremental": true});
        let output = session
            .step(vec![command(weather()), start(json!({"driven": true, "capabilities": capabilities}))], 1);
        Self { session, asked: output.effects[0].clone(), turn: 0 }
    }

    fn step(&mut self, inputs: Vec<Input>) -> Output {
        let output = self.session.step(inputs, 1);
        let asks = |effect: &&Effect| matches!(effect.payload, Payload::ModelRequest { .. });
        if let Some(asked) = output.effects.iter().find(asks) {
            self.asked = asked.clone();
        }
        output
    }

    fn turn(&mut self) {
        self.turn += 1;
        let city = json!({"city": format!("Oslo {}", self.turn)}).to_string();
        let said = reply(json!([call(&format!("c{}", self.turn), "get_weather", &city)]));
        let output = self.step(vec![ok(&self.asked.clone(), said)]);
        let called = effects(&output).remove(0);
        self.step(vec![ok(&called, json!({"value": {"celsius": 21}}))]);
    }

    /// Bytes of a snapshot, and of the blobs it adds.
    fn cost(&mut self) -> (usize, usize) {
        let state = self.session.snapshot().unwrap().len();
        let blobs = self.session.fresh_blobs();
        (state, blobs.iter().map(|digest| self.session.blob(digest).unwrap().len()).sum())
    }

    /// The mean of so many snapshots, one after each turn.
    fn mean_cost(&mut self, turns: usize) -> (usize, usize) {
        self.cost();
        let (mut states, mut blobs) = (0, 0);
        for _ in 0..turns {
            self.turn();
            let (state, fresh) = self.cost();
            states += state;
            blobs += fresh;
        }
        (states / turns, blobs / turns)
    }
}

#[test]
fn a_snapshot_costs_what_has_changed_however_long_the_history_is() {
    let mut talk = Talk::new();
    (0..100).for_each(|_| talk.turn());
    let early = talk.mean_cost(64);
    (0..1_000).for_each(|_| talk.turn());
    let late = talk.mean_cost(64);
    assert!(late.0 < early.0 * 3 / 2, "{} bytes of state at first, {} at the end", early.0, late.0);
    // Mostly two pages of listings, which hold some hundred files each, however many there are.
    assert!(
        early.1 < 100_000 && late.1 < 100_000,
        "{} bytes of blobs at first, {} at the end",
        early.1,
        late.1
    );
    restored(&mut talk.session);
}

#[test]
fn a_host_that_keeps_what_it_is_handed_can_restore_at_any_time() {
    let mut talk = Talk::new();
    let mut kept = std::collections::BTreeMap::new();
    for turn in 0..60 {
        talk.turn();
        let state = talk.session.snapshot().unwrap();
        for digest in talk.session.fresh_blobs() {
            kept.insert(digest.clone(), talk.session.blob(&digest).unwrap());
        }
        if turn % 7 == 0 {
            let mut other = Session::new();
            kept.values().for_each(|bytes| drop(other.put_blob(bytes.to_vec())));
            other.restore(&state).unwrap();
            assert!(other.snapshot().unwrap() == state && other.fresh_blobs().is_empty());
            talk.session = other;
        }
    }
}

#[test]
fn runs_that_are_over_cost_a_name() {
    let mut session = Session::new();
    session.step(vec![command(weather())], 1);
    let mut sizes = Vec::new();
    for _ in 0..20 {
        let output = session.step(vec![start(json!({}))], 1);
        session.step(vec![ok(&output.effects[0], said("Done."))], 1);
        sizes.push(session.snapshot().unwrap().len());
    }
    assert!(sizes[19] - sizes[1] < 18 * 100, "{sizes:?}");
    let mut session = restored(&mut session);
    let read = session.step(vec![command(json!({"type": "readEvents", "runId": "run_3"}))], 1);
    assert_eq!(read.replies[0].value.as_ref().unwrap()["events"].as_array().unwrap().len(), 7);
    let next = session.step(vec![start(json!({}))], 1);
    assert_eq!(next.replies[0].value.as_ref().unwrap()["runId"], "run_21");
}
