//! The truth table of chapter 04, section 5, through a whole session; what the room decides stands in its own tests.

use serde_json::{Value, json};

use super::super::Session;
use super::{call, command, facts, receipt, reply, start};
use crate::protocol::{Event, Input, ReceiptOutcome};

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
