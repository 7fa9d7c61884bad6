//! The file port of a running command: who may use it and when, what becomes of what it did.

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, facts, receipt, reply, restored, start};
use crate::protocol::{Effect, Event, Input, Output, Payload, PortError, PortOp, PortReply, ReceiptOutcome};

/// A session in which the shell runs, and the effect of it.
fn running(more: Value) -> (Session, Effect) {
    let mut session = Session::new();
    let mut profile = super::profile();
    profile["tools"]["allow"].as_array_mut().unwrap().push("builtin:workspace.shell".into());
    profile["tools"]["allow"].as_array_mut().unwrap().push("builtin:workspace.apply_patch".into());
    let mut given = json!({"profile": profile, "files": {"output/a.md": "a", "output/gone.md": "g"}});
    given.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let output = session.step(vec![start(given)], 1);
    let calls = json!([
        call("r", "workspace_read_file", "{\"path\":\"output/a.md\"}"),
        call("s", "workspace_shell", "{\"command\":\"do it\"}"),
        call(
            "p",
            "workspace_apply_patch",
            "{\"path\":\"output/a.md\",\"old_string\":\"a\",\"new_string\":\"b\"}"
        ),
    ]);
    let output = session.step(vec![ok(model(&output), reply(calls))], 2);
    let effect = output.effects.iter().find(|effect| matches!(effect.payload, Payload::ShellExec { .. }));
    (session, effect.unwrap().clone())
}

fn model(output: &Output) -> &Effect {
    output.effects.iter().find(|effect| matches!(effect.payload, Payload::ModelRequest { .. })).unwrap()
}

fn ok(effect: &Effect, payload: Value) -> Input {
    Input::Receipt(receipt(effect, ReceiptOutcome::Ok, payload))
}

fn ran() -> Value {
    json!({"exitCode": 0, "stdout": "", "stderr": "", "stdoutTruncated": false, "stderrTruncated": false})
}

fn write<'a>(path: &'a str, text: &'a str) -> PortOp<'a> {
    PortOp::Write { path, bytes: text.as_bytes(), now: 5 }
}

/// What a command does in these tests.
const DONE: [PortOp<'static>; 8] = [
    PortOp::Write { path: "/output/a.md", bytes: b"changed", now: 3 },
    PortOp::Append { path: "/output/a.md", bytes: b"!", now: 4 },
    PortOp::Write { path: "/output/new.md", bytes: b"one", now: 5 },
    PortOp::Write { path: "/tmp/t", bytes: b"private", now: 6 },
    PortOp::Rename { from: "/tmp/t", to: "/scratch/t", now: 7 },
    PortOp::Remove { path: "/output/gone.md", recursive: false, now: 8 },
    PortOp::Write { path: "/output/brief.md", bytes: b"x", now: 9 },
    PortOp::Remove { path: "/output/brief.md", recursive: false, now: 10 },
];

fn changes(output: &Output) -> Value {
    let told = output.events.iter().filter_map(|event| match event {
        Event::Live(event) if event.kind == "tool_end" => Some(facts(&event.payload)),
        _ => None,
    });
    let of_shell = told.into_iter().find(|told| told["callId"] == "s").unwrap();
    let change = |change: &Value| json!([change["path"], change["operation"], change["callId"]]);
    of_shell["fileChanges"].as_array().unwrap().iter().map(change).collect()
}

#[test]
fn only_an_open_effect_of_a_program_has_a_port() {
    let (mut session, effect) = running(json!({}));
    for other in ["", "e1", "e99", "s"] {
        assert_eq!(
            session.file_port(other, PortOp::Stat { path: "/" }),
            Err(PortError::Cancelled),
            "{other}"
        );
    }
    let id = effect.effect_id.clone();
    assert_eq!(session.file_port(&id, write("/output/x", "x")), Ok(PortReply::Done));
    session.step(vec![ok(&effect, ran())], 9);
    let state = session.snapshot().unwrap();
    for op in DONE.into_iter().chain([PortOp::Read { path: "/output/x" }, PortOp::List { path: "/tmp" }]) {
        assert_eq!(session.file_port(&id, op), Err(PortError::Cancelled));
    }
    assert_eq!(session.snapshot().unwrap(), state);
}

#[test]
fn a_command_that_was_told_to_stop_may_finish_its_writes_until_it_answers_or_is_given_up() {
    let (mut session, effect) = running(json!({}));
    let id = effect.effect_id;
    session.step(vec![command(json!({"type": "cancelRun", "runId": "run_1"}))], 9);
    assert_eq!(session.file_port(&id, write("/output/x", "x")), Ok(PortReply::Done));
    let output = session.step(vec![Input::Tick {}], 6_000);
    assert_eq!(changes(&output), json!([["output/x", "create", "s"]]));
    assert_eq!(session.file_port(&id, write("/output/x", "y")), Err(PortError::Cancelled));
}

#[test]
fn each_file_is_one_change_whatever_the_outcome() {
    let outcomes = [
        ReceiptOutcome::Ok,
        ReceiptOutcome::Failed,
        ReceiptOutcome::TimedOut,
        ReceiptOutcome::Cancelled,
        ReceiptOutcome::Unknown,
    ];
    for outcome in outcomes {
        let (mut session, effect) = running(json!({"capabilities": {"store": true}}));
        for op in DONE {
            assert_eq!(session.file_port(&effect.effect_id, op), Ok(PortReply::Done), "{op:?}");
        }
        let output = session.step(vec![Input::Receipt(receipt(&effect, outcome, ran()))], 20);
        let expected = json!([
            ["output/a.md", "modify", "s"],
            ["output/gone.md", "delete", "s"],
            ["output/new.md", "create", "s"],
            ["scratch/t", "create", "s"],
        ]);
        assert_eq!(changes(&output), expected, "{outcome:?}");
        let kinds: Vec<String> =
            super::journal(&output).into_iter().filter(|kind| kind.starts_with("work")).collect();
        let told = ["written", "deleted", "written", "written"].map(|what| format!("workspace_file_{what}"));
        assert_eq!(kinds, told);
        // The store gets what stood there before as well as what stands there now.
        let Payload::StoreAppend { blobs, .. } = &output.effects[0].payload else { panic!() };
        for text in ["a", "changed!", "g", "one", "private"] {
            let digest = crate::protocol::digest::sha256_hex(text.as_bytes());
            assert!(blobs.contains(&digest) && session.blob(&digest).is_some(), "{text}");
        }
        // A foreign change: the file was read, and is not any more (FC-06).
        let failed = output.events.iter().find_map(|event| match event {
            Event::Journal(event) if event.kind == "tool_call_failed" => {
                Some(facts(&event.payload)).filter(|told| told["callId"] == "p")
            }
            _ => None,
        });
        assert_eq!(failed.unwrap()["errorCode"], "workspace.patch_stale_file");
    }
}

#[test]
fn a_restored_session_goes_on_where_the_command_was() {
    let (mut session, effect) = running(json!({}));
    let mut twin = restored(&mut session);
    assert_eq!(twin.in_flight()[0]["kind"], "shell.exec");
    for op in DONE {
        let (here, there) = (session.file_port(&effect.effect_id, op), twin.file_port(&effect.effect_id, op));
        assert_eq!(here, there);
    }
    let state = session.snapshot().unwrap();
    assert_eq!(twin.snapshot().unwrap(), state);
    // Also one that comes from the middle of it: only `/tmp` is gone.
    let mut late = restored(&mut session);
    let op = write("/scratch/t", "again");
    for session in [&mut session, &mut twin, &mut late] {
        assert_eq!(session.file_port(&effect.effect_id, op), Ok(PortReply::Done));
    }
    let outputs = [&mut session, &mut twin, &mut late].map(|session| {
        let output = session.step(vec![ok(&effect, ran())], 20);
        (serde_json::to_string(&output).unwrap(), session.snapshot().unwrap())
    });
    assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2]);
}

#[test]
fn who_keeps_what_is_fresh_can_restore_a_command_that_runs() {
    let (mut session, effect) = running(json!({}));
    let mut kept = std::collections::BTreeMap::new();
    let keep = |session: &mut Session, kept: &mut std::collections::BTreeMap<String, Vec<u8>>| {
        let state = session.snapshot().unwrap();
        for digest in session.fresh_blobs() {
            kept.insert(digest.clone(), session.blob(&digest).unwrap().to_vec());
        }
        let mut fresh = Session::new();
        kept.values().for_each(|bytes| drop(fresh.put_blob(bytes.clone())));
        fresh.restore(&state).unwrap();
        assert_eq!(fresh.snapshot().unwrap(), state);
    };
    keep(&mut session, &mut kept);
    let host = json!({"type": "workspace.write", "path": "output/host.md", "text": "by the host"});
    session.step(vec![command(host)], 3);
    for op in [write("/output/host.md", "1"), write("/output/host.md", "2"), write("/output/a.md", "3")] {
        session.file_port(&effect.effect_id, op).unwrap();
        keep(&mut session, &mut kept);
    }
    session.file_port(&effect.effect_id, write("/output/b.md", "4")).unwrap();
    let output = session.step(vec![ok(&effect, ran())], 20);
    let again = json!([call(
        "w",
        "workspace_write_file",
        "{\"path\":\"output/b.md\",\"content\":\"5\",\"mode\":\"append\"}"
    )]);
    session.step(vec![ok(model(&output), reply(again))], 21);
    keep(&mut session, &mut kept);
}

/// A session in which a command runs in the background.
fn moved() -> (Session, Effect) {
    let mut profile = super::profile();
    profile["tools"]["allow"].as_array_mut().unwrap().push("builtin:workspace.shell".into());
    profile["features"] = json!({"shellBackground": true});
    let mut session = Session::new();
    let files = json!({"output/a.md": "a", "output/gone.md": "g"});
    let output = session.step(vec![start(json!({"profile": profile, "files": files}))], 1);
    let calls = json!([call("s", "workspace_shell", "{\"command\":\"do it\",\"background\":true}")]);
    let output = session.step(vec![ok(model(&output), reply(calls))], 2);
    let effect = output.effects.iter().find(|effect| matches!(effect.payload, Payload::ShellExec { .. }));
    (session, effect.unwrap().clone())
}

/// The files that the journal of a step names, and the result of the command.
fn journaled(output: &Output) -> (Vec<String>, Option<Value>) {
    let told = output.events.iter().filter_map(|event| match event {
        Event::Journal(event) => Some((event.kind.clone(), facts(&event.payload))),
        Event::Live(_) => None,
    });
    let (mut files, mut finished) = (Vec::new(), None);
    for (kind, told) in told {
        if kind.starts_with("workspace_file_") {
            files.push(told["path"].as_str().unwrap().to_owned());
        }
        if kind == "background_finished" {
            finished = Some(told);
        }
    }
    (files, finished)
}

#[test]
fn a_command_in_the_background_keeps_its_port_until_it_ends() {
    let (mut session, effect) = moved();
    let mut twin = restored(&mut session);
    let id = effect.effect_id.clone();
    for (place, op) in DONE.into_iter().enumerate() {
        assert_eq!(session.file_port(&id, op), Ok(PortReply::Done));
        assert_eq!(twin.file_port(&id, op), Ok(PortReply::Done));
        if place == 3 {
            // Also one that comes from the middle of it, but for `/tmp`.
            let mut late = restored(&mut twin);
            assert_eq!(late.file_port(&id, write("/output/late", "x")), Ok(PortReply::Done));
        }
    }
    assert_eq!(session.snapshot().unwrap(), twin.snapshot().unwrap());
    let mut late = restored(&mut twin);
    for session in [&mut session, &mut late] {
        let output = session.step(vec![ok(&effect, ran())], 20);
        let (files, finished) = journaled(&output);
        assert_eq!(files, ["output/a.md", "output/gone.md", "output/new.md", "scratch/t"]);
        assert_eq!(finished.unwrap()["status"], "ok");
        assert_eq!(session.file_port(&id, write("/output/x", "y")), Err(PortError::Cancelled));
    }
    assert_eq!(session.snapshot().unwrap(), late.snapshot().unwrap());
}

#[test]
fn a_command_in_the_background_that_is_stopped_loses_its_port_at_once() {
    let stops = [
        json!({"type": "cancelRun", "runId": "run_1"}),
        json!({"type": "background.cancel", "id": super::super::task::id_of("run_1", "s", "e2")}),
    ];
    for stop in stops {
        let (mut session, effect) = moved();
        let id = effect.effect_id.clone();
        assert_eq!(session.file_port(&id, write("/output/x", "x")), Ok(PortReply::Done));
        let output = session.step(vec![command(stop)], 9);
        let (files, finished) = journaled(&output);
        assert_eq!((files, &finished.unwrap()["status"]), (vec!["output/x".to_owned()], &json!("cancelled")));
        assert_eq!(session.file_port(&id, write("/output/x", "y")), Err(PortError::Cancelled));
        assert_eq!(
            restored(&mut session).in_flight(),
            json!([{
                "effectId": "e3", "runId": "run_1", "kind": "model.request",
            }])
            .as_array()
            .filter(|_| output.effects.len() == 1)
            .map_or(json!([]), |open| json!(open))
        );
    }
}

#[test]
fn a_command_that_was_let_through_with_a_protected_place_may_touch_that_and_no_other() {
    let parts = json!([
        {"kind": "read", "target": ".env"}, {"kind": "write", "target": "/output/.git/config"},
        {"kind": "program", "target": "cat .env"},
    ]);
    let rules = json!([{"id": "q", "effect": "ask", "tool": "workspace_shell", "pattern": "cat *"}]);
    let asks = |session: &mut Session| {
        let mut profile = super::profile();
        profile["tools"]["allow"].as_array_mut().unwrap().push("builtin:workspace.shell".into());
        profile["features"] = json!({"shellBackground": true});
        let files = json!({"output/.env": "a", "output/sub/.env": "b"});
        let given = json!({"profile": profile, "files": files, "mode": "allow"});
        let set = command(json!({"type": "rules.set", "rules": rules}));
        session.step(vec![set, start(given)], 1)
    };
    let touches = [
        ("/output/.env", false, true),
        ("/output/../output/.env", false, true),
        ("/output/.env", true, false),
        ("/output/sub/.env", false, false),
        ("/output/.git/config", true, true),
        ("/output/.git/index", true, false),
    ];
    let mut session = Session::new();
    let mut output = asks(&mut session);
    // The second time the answer for the session is remembered, and there is no question.
    for (round, background) in [(1, false), (2, true)] {
        let args = json!({"command": "cat .env", "workdir": "output", "background": background});
        let calls = json!([call(&format!("s{round}"), "workspace_shell", &args.to_string())]);
        output = session.step(vec![ok(model(&output), reply(calls))], 2);
        let analysis = output.effects[0].clone();
        output = session.step(vec![ok(&analysis, json!({"parts": parts, "complete": true}))], 3);
        if round == 1 {
            let asked = output.effects[0].clone();
            assert!(matches!(asked.payload, Payload::ApprovalRequest(_)), "{asked:?}");
            output = session.step(vec![ok(&asked, json!({"answer": "session"}))], 4);
        }
        let effects = output.effects.clone();
        let effect =
            effects.iter().find(|effect| matches!(effect.payload, Payload::ShellExec { .. })).unwrap();
        for restores in [false, true] {
            if restores {
                session = restored(&mut session);
                session.step(vec![command(json!({"type": "rules.set", "rules": rules}))], 4);
            }
            for (path, writes, allowed) in touches {
                let op = if writes { write(path, "x") } else { PortOp::Read { path } };
                let answer = session.file_port(&effect.effect_id, op);
                assert_eq!(answer != Err(PortError::Denied), allowed, "{path} {writes} in round {round}");
            }
        }
        if round == 1 {
            output = session.step(vec![ok(effect, ran())], 5);
        }
    }
}
