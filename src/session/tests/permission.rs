//! The truth table of chapter 04, section 5, through a whole session; what the room decides stands in its own tests.

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, effects, facts, receipt, reply, start};
use crate::protocol::{Effect, Event, Input, PortError, PortOp, ReceiptOutcome};

/// What became of the one call of a run: the verdict and its step.
fn judged(scene: &Value) -> (String, u64) {
    let mut session = Session::new();
    let tool = |name: &str, members: &Value| {
        let mut tool = json!({
            "extensionId": "x", "name": name, "description": "A tool.", "inputSchema": {"type": "object"},
        });
        tool.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap_or_default());
        tool
    };
    let tools = json!({"type": "registerTools", "tools": [tool("t", &scene["tool"])]});
    let rules = scene["rules"].as_array().cloned().unwrap_or_default();
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {
            "allow": [
                "builtin:workspace.read_file", "builtin:workspace.write_file", "builtin:workspace.shell",
                "extension/x:t",
            ],
            "policy": scene["policy"].as_object().cloned().unwrap_or_default(),
        },
        "permissions": {"mode": scene["mode"], "canPrompt": scene["canPrompt"] != false},
    });
    let begin = json!({"profile": profile, "subject": {"level": scene["level"].as_u64().unwrap_or(5)}});
    let inputs = vec![command(tools), command(json!({"type": "rules.set", "rules": rules})), start(begin)];
    let output = session.step(inputs, 1);
    assert!(output.replies.iter().all(|reply| reply.ok), "{:?}", output.replies);
    let said = scene["call"].as_array().cloned().unwrap_or_else(|| vec!["t".into(), json!({})]);
    let calls = json!([call("a", said[0].as_str().unwrap(), &said[1].to_string())]);
    let answer = receipt(&output.effects[0], ReceiptOutcome::Ok, reply(calls));
    let output = session.step(vec![Input::Receipt(answer)], 1);
    let decided = output.events.iter().find_map(|event| match event {
        Event::Journal(event) if event.kind == "permission_decided" => Some(facts(&event.payload)),
        _ => None,
    });
    let decided = decided.unwrap_or_else(|| panic!("{scene} is not decided"));
    (decided["verdict"].as_str().unwrap().to_owned(), decided["step"].as_u64().unwrap())
}

#[test]
fn the_truth_table_holds_through_a_session() {
    let rule = |id: &str, effect: &str| json!({"id": id, "effect": effect});
    let critical = json!({"permission": {"name": "x", "risk": ["critical"]}});
    let dangerous = json!({"permission": {"name": "x", "risk": ["dangerous"]}});
    let write = |path: &str| json!(["workspace_write_file", {"path": path, "content": ""}]);
    let table: [(u8, Value, &str, u64); 19] = [
        (1, json!({"mode": "full_access", "rules": [rule("a", "deny"), rule("b", "allow")]}), "deny", 3),
        (2, json!({"mode": "allow", "level": 2, "tool": critical}), "deny", 4),
        (3, json!({"mode": "full_access", "tool": critical, "rules": [rule("a", "allow")]}), "ask", 4),
        (4, json!({"mode": "allow", "call": ["workspace_read_file", {"path": "output/.env"}]}), "ask", 6),
        (
            5,
            json!({"mode": "full_access", "call": ["workspace_read_file", {"path": "output/.env"}]}),
            "allow",
            10,
        ),
        (6, json!({"mode": "manual", "canPrompt": false, "call": write("output/.env")}), "deny", 15),
        (7, json!({"mode": "read-only", "call": write("output/.git/config")}), "deny", 6),
        (8, json!({"mode": "allow", "tool": dangerous}), "ask", 7),
        (11, json!({"mode": "allow", "rules": [rule("a", "ask"), rule("b", "allow")]}), "ask", 9),
        (15, json!({"mode": "manual", "call": write("output/a.md")}), "allow", 13),
        (16, json!({"mode": "read-only", "call": write("output/a.md")}), "deny", 13),
        (17, json!({"mode": "files"}), "deny", 13),
        (18, json!({"mode": "manual"}), "ask", 13),
        (19, json!({"mode": null}), "allow", 10),
        (20, json!({"mode": "allow", "canPrompt": false, "policy": {"t": "ask"}}), "deny", 15),
        (23, json!({"mode": "allow", "level": 4}), "ask", 14),
        (26, json!({"mode": null, "level": 1}), "ask", 13),
        (
            27,
            json!({"mode": "manual", "rules": [{"id": "a", "effect": "allow", "tool": "extension/x:*"}]}),
            "allow",
            11,
        ),
        (
            28,
            json!({"mode": "allow", "rules": [{"id": "a", "effect": "deny", "pattern": "output/private/*"}],
            "call": write("output/./private/x")}),
            "deny",
            3,
        ),
    ];
    for (row, scene, verdict, step) in table {
        assert_eq!(judged(&scene), (verdict.to_owned(), step), "row {row}: {scene}");
    }
}

fn tools() -> Input {
    command(json!({"type": "registerTools", "tools": [
        {"extensionId": "x", "name": "t", "description": "A tool.", "inputSchema": {"type": "object"}},
    ]}))
}

fn begin(session: &mut Session, hooks: Value, more: Value) -> Effect {
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {"allow": ["builtin:workspace.shell", "extension/x:t"]},
    });
    let mut members = json!({"profile": profile});
    members.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    let hooks = command(json!({"type": "registerHooks", "hooks": hooks}));
    let output = session.step(vec![tools(), hooks, start(members)], 1);
    effects(&output).remove(0)
}

fn step(session: &mut Session, effect: &Effect, payload: Value) -> Vec<Effect> {
    let output = session.step(vec![Input::Receipt(receipt(effect, ReceiptOutcome::Ok, payload))], 1);
    effects(&output)
}

fn calls(name: &str, arguments: Value) -> Value {
    reply(json!([call("a", name, &arguments.to_string())]))
}

/// Every file of the workspace and everything the model is sent.
fn readable(session: &Session, asked: &Effect) -> String {
    let files = super::watch::contents(&session.core.workspace, "tool-results");
    format!("{files:?}{}", json!(super::messages(asked)))
}

#[test]
fn what_a_hook_takes_out_reaches_no_file_and_no_request() {
    let secret = "TOKEN-4711";
    let long: String = (0..4_000).map(|n| format!("{n} {secret}\n")).collect();
    let redacts = json!({"result": {"content": "[taken out]"}, "context": "A secret was there."});
    let denies = json!({"decision": "deny", "context": "A secret was there."});
    for (name, says, left) in [
        ("t", &redacts, "[taken out]"),
        ("workspace_shell", &redacts, "[taken out]"),
        ("workspace_shell", &denies, "a check of this app holds back what it returned"),
    ] {
        let mut session = Session::new();
        let asked = begin(&mut session, json!([{"hookId": "h", "point": "after-run"}]), json!({}));
        let called = step(&mut session, &asked, calls(name, json!({"command": "x"}))).remove(0);
        let answer = json!({
            "value": {"text": long}, "exitCode": 0, "stdout": long, "stderr": "", "notes": [{"kind": "n", "data": secret}],
        });
        let hook = step(&mut session, &called, answer).remove(0);
        assert!(
            !super::watch::contents(&session.core.workspace, "tool-results")
                .values()
                .any(|text| text.contains(secret))
        );
        assert!(json!(hook).to_string().contains(secret));
        let asked = step(&mut session, &hook, says.clone()).remove(0);
        let shown = readable(&session, &asked);
        assert!(!shown.contains(secret), "{name}");
        assert!(shown.contains(left) && shown.contains("not from the tool: A secret was there."), "{name}");
        let record = super::watch::contents(&session.core.workspace, "tool-results");
        let record = record.values().find(|text| text.contains("\"content\"")).unwrap();
        let record: Value = serde_json::from_str(record).unwrap();
        let content = record["content"].as_str().unwrap();
        assert!(
            content.contains(left) && !content.contains("A secret"),
            "the notes are no part of the content"
        );
        let journal = session.step(vec![command(json!({"type": "readEvents", "runId": "run_1"}))], 1);
        let events = journal.replies[0].value.clone().unwrap();
        let told =
            events["events"].as_array().unwrap().iter().find(|event| event["type"] == "hook_completed");
        let original = session.blob(told.unwrap()["payload"]["original"].as_str().unwrap()).unwrap();
        assert!(String::from_utf8(original.to_vec()).unwrap().contains(secret));
    }
}

#[test]
fn a_program_is_refused_what_a_person_would_be_asked_about() {
    let rules =
        json!([{"id": "r", "effect": "deny", "tool": "workspace_read_file", "pattern": "output/private/*"}]);
    let files =
        json!({"output/.env": "k", "output/a/.ssh/id": "k", "output/private/x": "k", "output/b": "k"});
    let open = |more: Value| {
        let mut session = Session::new();
        session.step(vec![command(json!({"type": "rules.set", "rules": rules}))], 1);
        let mut members = json!({"files": files});
        members.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        let asked = begin(&mut session, json!([]), members);
        let mut called = step(&mut session, &asked, calls("workspace_shell", json!({"command": "x"})));
        if matches!(called[0].payload, crate::protocol::Payload::ShellAnalyze { .. }) {
            called = step(&mut session, &called[0], json!({"complete": true, "parts": []}));
        }
        let id = called[0].effect_id.clone();
        (session, id)
    };
    let denied = Err(PortError::Denied);
    let (mut session, id) = open(json!({}));
    let mut port = |op: PortOp<'_>| session.file_port(&id, op).map(|_| ());
    let now = 1;
    assert_eq!(port(PortOp::Read { path: "/output/.env" }), denied);
    assert_eq!(port(PortOp::Read { path: "//output/./.env" }), denied);
    assert_eq!(port(PortOp::Stat { path: "/output/.env" }), Ok(()));
    assert_eq!(port(PortOp::Read { path: "/output/private/x" }), denied);
    assert_eq!(port(PortOp::Copy { from: "/output/private", to: "/output/c", now }), denied);
    for (from, to) in [("/output/private", "/output/c"), ("/output/private/x", "/tmp/x")] {
        assert_eq!(port(PortOp::Rename { from, to, now }), denied, "{from}");
    }
    assert_eq!(port(PortOp::Copy { from: "/output/a", to: "/output/c", now }), denied);
    assert_eq!(port(PortOp::Rename { from: "/output/a", to: "/output/c", now }), denied);
    assert_eq!(port(PortOp::Rename { from: "/output/b", to: "/output/.bashrc", now }), denied);
    assert_eq!(port(PortOp::Remove { path: "/output/a", recursive: true, now }), denied);
    assert_eq!(port(PortOp::Mkdir { path: "/output/.git", recursive: true, now }), denied);
    assert_eq!(port(PortOp::Append { path: "/output/.git/config", bytes: b"x", now }), denied);
    assert_eq!(port(PortOp::Write { path: "/tmp/.env", bytes: b"x", now }), Ok(()));
    assert_eq!(port(PortOp::Write { path: "/output/d", bytes: b"x", now }), Ok(()));
    assert_eq!(port(PortOp::Read { path: "/output/b" }), Ok(()));
    let (mut session, id) = open(json!({"mode": "full_access"}));
    let mut port = |op: PortOp<'_>| session.file_port(&id, op).map(|_| ());
    assert_eq!(port(PortOp::Read { path: "/output/.env" }), Ok(()));
    assert_eq!(port(PortOp::Read { path: "/output/private/x" }), denied);
}

#[test]
fn what_goes_along_with_a_directory_is_protected_as_well_whatever_is_in_it_and_wherever_it_comes_from() {
    let files = json!({"output/a/deep/.GIT/config": "k", "output/b/c/.Agents/x": "k", "output/free/x": "k"});
    let now = 1;
    let remove = |path| PortOp::Remove { path, recursive: true, now };
    let mkdir = |path| PortOp::Mkdir { path, recursive: true, now };
    for mode in ["auto", "full_access"] {
        let mut session = Session::new();
        let asked = begin(&mut session, json!([]), json!({"files": files, "mode": mode}));
        let called = step(&mut session, &asked, calls("workspace_shell", json!({"command": "x"})));
        let id = called[0].effect_id.clone();
        let mut port = |op: PortOp<'_>| session.file_port(&id, op).map(|_| ());
        let expected = if mode == "auto" { Err(PortError::Denied) } else { Ok(()) };
        // What was made where nothing is protected comes in under the name of the directory that holds it.
        for made in ["/tmp/r/.git", "/tmp/s/.git/hooks", "/tmp/e"] {
            assert_eq!(port(mkdir(made)), Ok(()), "{made}");
        }
        assert_eq!(port(PortOp::Write { path: "/tmp/s/.git/hooks/x", bytes: b"x", now }), Ok(()));
        assert_eq!(port(PortOp::Rename { from: "/tmp/e", to: "/output/e", now }), Ok(()));
        for from in ["/tmp/r", "/tmp/s"] {
            assert_eq!(port(PortOp::Copy { from, to: "/output/copied", now }), expected, "{mode} {from}");
            if mode == "full_access" {
                assert_eq!(port(remove("/output/copied")), Ok(()));
            }
            assert_eq!(port(PortOp::Rename { from, to: "/output/moved", now }), expected, "{mode} {from}");
            if mode == "full_access" {
                assert_eq!(port(remove("/output/moved")), Ok(()));
            }
        }
        for path in ["/output/a/deep/.GIT/config", "/output/a/deep/.GIT", "/output/a", "/output/b"] {
            assert_eq!(port(remove(path)), expected, "{mode} {path}");
        }
        assert_eq!(port(remove("/output/free")), Ok(()));
        for root in ["/", "/output", "/scratch", "/tool-results", "/skills", "/persist"] {
            assert_eq!(port(remove(root)), Err(PortError::Denied), "{mode} {root}");
        }
    }
}

#[test]
fn a_rule_that_is_being_kept_outlives_its_run() {
    let mut session = Session::new();
    let asked = begin(&mut session, json!([]), json!({"mode": "manual"}));
    let question = step(&mut session, &asked, calls("t", json!({}))).remove(0);
    let saves = step(&mut session, &question, json!({"answer": "never"})).remove(0);
    let output = session.step(vec![command(json!({"type": "cancelRun", "runId": "run_1"}))], 1);
    assert_eq!(super::journal(&output).last().map(String::as_str), Some("run_cancelled"));
    let mut session = super::restored(&mut session);
    step(&mut session, &saves, json!({}));
    let asked = step_start(&mut session);
    let output = step(&mut session, &asked, calls("t", json!({})));
    // The next run's call is denied at once: the model is asked again.
    assert!(matches!(output[0].payload, crate::protocol::Payload::ModelRequest { .. }), "{output:?}");
}

fn step_start(session: &mut Session) -> Effect {
    let profile = json!({
        "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
        "tools": {"allow": ["extension/x:t"]},
    });
    effects(&session.step(vec![start(json!({"profile": profile}))], 1)).remove(0)
}

#[test]
fn what_forbids_for_a_turn_holds_while_another_run_goes_on() {
    let mut session = Session::new();
    let first = begin(&mut session, json!([]), json!({"sessionId": "a"}));
    let second = begin(&mut session, json!([]), json!({"sessionId": "b"}));
    let rules = json!([{"id": "r", "effect": "deny", "tool": "t", "until": "turn"}]);
    session.step(vec![command(json!({"type": "rules.set", "rules": rules}))], 1);
    assert!(step(&mut session, &first, super::said("Done.")).is_empty());
    let asked = step(&mut session, &second, calls("t", json!({}))).remove(0);
    assert!(matches!(asked.payload, crate::protocol::Payload::ModelRequest { .. }), "denied: {asked:?}");
    step(&mut session, &asked, super::said("Done."));
    let asked = step_start(&mut session);
    let called = step(&mut session, &asked, calls("t", json!({}))).remove(0);
    assert!(matches!(called.payload, crate::protocol::Payload::ExtensionCall { .. }), "{called:?}");
}

#[test]
fn a_deny_rule_about_commands_holds_for_what_a_person_is_asked_about() {
    let mut session = Session::new();
    let rules = |rules: Value| command(json!({"type": "rules.set", "rules": rules}));
    session.step(vec![rules(json!([{"id": "q", "effect": "ask", "tool": "workspace_shell"}]))], 1);
    let asked = begin(&mut session, json!([]), json!({}));
    let question =
        step(&mut session, &asked, calls("workspace_shell", json!({"command": "echo; rm x"}))).remove(0);
    session.step(vec![rules(json!([{"id": "d", "effect": "deny", "pattern": "rm *"}]))], 1);
    let taken_apart = step(&mut session, &question, json!({"answer": "once"})).remove(0);
    let parts = json!([{"kind": "program", "target": "echo"}, {"kind": "program", "target": "rm x"}]);
    let next = step(&mut session, &taken_apart, json!({"complete": true, "parts": parts})).remove(0);
    assert!(matches!(next.payload, crate::protocol::Payload::ModelRequest { .. }), "denied: {next:?}");
}

/// The decisions that a step wrote down: action, verdict, step, reason.
fn decisions(output: &crate::protocol::Output) -> Vec<Value> {
    let told = output.events.iter().filter_map(|event| match event {
        Event::Journal(event) if event.kind == "permission_decided" => Some(facts(&event.payload)),
        _ => None,
    });
    told.map(|told| {
        json!([told["toolId"], told["action"], told["verdict"], told["step"], told["reasonCode"]])
    })
    .collect()
}

#[test]
fn what_is_not_said_in_time_or_not_said_well_counts_as_not_said() {
    let all = json!({"complete": true, "parts": [{"kind": "program", "target": "ls"}]});
    let half = json!({"complete": false, "parts": [{"kind": "program", "target": "ls"}]});
    let strange = json!({"complete": true, "parts": [{"kind": "else", "target": "ls"}]});
    let safe = json!({"verdict": "safe", "confidence": 1});
    let (shell, plain) = ("builtin:workspace.shell", "extension/x:t");
    let fine = json!([shell, "tool:workspace_shell", "allow", 13, "mode"]);
    let unsure = json!([shell, "tool:workspace_shell", "ask", 12, "tool"]);
    let passed = json!([plain, "tool:t", "allow", 14, "reviewer"]);
    let asked = json!([plain, "tool:t", "ask", 14, "mode"]);
    let (ok, failed, late) = (ReceiptOutcome::Ok, ReceiptOutcome::Failed, ReceiptOutcome::TimedOut);
    let cases = [
        ("workspace_shell", ok, &all, &fine),
        ("workspace_shell", ok, &half, &unsure),
        ("workspace_shell", ok, &strange, &unsure),
        ("workspace_shell", failed, &all, &unsure),
        ("workspace_shell", late, &all, &unsure),
        ("workspace_shell", ReceiptOutcome::NotSent, &all, &unsure),
        ("workspace_shell", ReceiptOutcome::Unknown, &all, &unsure),
        ("t", ok, &safe, &passed),
        ("t", failed, &safe, &asked),
        ("t", late, &safe, &asked),
    ];
    let open = |name: &str| {
        let mut session = Session::new();
        // A rule about some commands has them taken apart.
        let rules = json!([{"id": "r", "effect": "deny", "tool": "workspace_shell", "pattern": "rm *"}]);
        session.step(vec![command(json!({"type": "rules.set", "rules": rules}))], 1);
        let mode = if name == "t" { "auto" } else { "manual" };
        let profile = json!({
            "id": "p", "displayName": "P", "permissions": {"reviewer": true},
            "tools": {"allow": [shell, plain]},
        });
        let more = json!({"mode": mode, "capabilities": {"reviewer": true}, "profile": profile});
        let tool = json!({
            "extensionId": "x", "name": "t", "description": "A tool.", "inputSchema": {"type": "object"},
            "traits": {"classifierText": "A call"},
        });
        let register = command(json!({"type": "registerTools", "tools": [tool]}));
        let begun = session.step(vec![register, start(more)], 1);
        let answer = receipt(&begun.effects[0], ReceiptOutcome::Ok, calls(name, json!({"command": "ls"})));
        let output = session.step(vec![Input::Receipt(answer)], 1);
        let asked = effects(&output).remove(0);
        (session, asked)
    };
    for (name, outcome, payload, wanted) in cases {
        let (mut session, asked) = open(name);
        let output = session.step(vec![Input::Receipt(receipt(&asked, outcome, payload.clone()))], 1);
        assert_eq!(decisions(&output), std::slice::from_ref(wanted), "{name} {outcome:?} {payload}");
    }
    for (name, limit, wanted) in [("workspace_shell", 2_000, &unsure), ("t", 8_000, &asked)] {
        let (mut session, _) = open(name);
        assert_eq!(decisions(&session.step(vec![Input::Tick {}], limit)), Vec::<Value>::new(), "{name}");
        let output = session.step(vec![Input::Tick {}], limit + 1);
        assert_eq!(decisions(&output), std::slice::from_ref(wanted), "{name}");
    }
}
