use super::*;
use crate::identity::ToolId;

fn snapshot(bindings: Value) -> Result<Snapshot, Fault> {
    Snapshot::decode(&json!({"schemaVersion": 1, "id": "snap_1", "bindings": bindings}))
}

fn binding(id: &str, alias: &str, former: &[&str]) -> Value {
    json!({"descriptor": {"id": id, "inputSchema": {"type": "object"}, "formerNames": former}, "modelAlias": alias})
}

fn sample() -> Snapshot {
    snapshot(json!([
        binding("builtin:workspace.read_file", "workspace_read_file", &["read.file"]),
        binding("extension/e:a", "a", &["b", "workspace.read_file"]),
        binding("extension/e:b", "b", &[]),
        binding("extension/e:functions.a", "functions_a", &["c"]),
    ]))
    .unwrap()
}

#[test]
fn names_resolve_in_their_order() {
    let snapshot = sample();
    let cases = [
        ("a", Some("extension/e:a")),
        ("b", Some("extension/e:b")),
        ("c", Some("extension/e:functions.a")),
        ("workspace.read_file", Some("builtin:workspace.read_file")),
        ("read.file", Some("builtin:workspace.read_file")),
        ("functions.a", Some("extension/e:a")),
        ("default_api:workspace_read_file", Some("builtin:workspace.read_file")),
        ("functions.workspace.read_file", None),
        ("functions.c", None),
        ("functions.functions.a", None),
        ("functions.", None),
        ("", None),
        ("A", None),
        (" a", None),
        ("extension/e:a", None),
        ("dice.roll", None),
    ];
    for (called, wanted) in cases {
        assert_eq!(snapshot.resolve(called).map(|b| b.id().as_str()), wanted, "{called:?}");
    }
    let id = ToolId::parse("extension/e:b").unwrap();
    assert_eq!(snapshot.get(&id).map(Binding::alias), Some("b"));
    assert_eq!(snapshot.names().of("workspace.read_file"), Some("workspace_read_file"));
}

#[test]
fn dynamic_tools_are_bound_but_not_sent() {
    let document = json!({"schemaVersion": 1, "id": "s", "bindings": [binding("a:b", "b", &[])],
        "dynamic": [binding("builtin:history.read_tool_result", "history_read_tool_result", &[])]});
    let snapshot = Snapshot::decode(&document).unwrap();
    assert_eq!((snapshot.bindings().len(), snapshot.dynamic().len()), (1, 1));
    assert!(snapshot.resolve("history_read_tool_result").is_some());
    assert_eq!(snapshot.names().of("history.read_tool_result"), None);
    assert_eq!(Snapshot::decode(&snapshot.encode()).unwrap().encode(), snapshot.encode());
    let mut twice = document.clone();
    twice["dynamic"] = json!([binding("a:c", "b", &[])]);
    assert_eq!(code(Snapshot::decode(&twice)), Code::ToolSnapshotDuplicateAlias);
    assert!(sample().encode().get("dynamic").is_none());
}

#[test]
fn the_document_is_the_one_of_the_specification() {
    let document = json!({ "schemaVersion": 1, "id": "snap_1", "bindings": [
        { "descriptor": { "id": "builtin:workspace.read_file", "description": "…", "inputSchema": {"type":"object"},
            "annotations": {}, "traits": {"effect":"read"} },
          "modelAlias": "workspace_read_file", "exposure": "resident" },
        { "descriptor": { "id": "mcp/6f0c:ticket.create", "inputSchema": {"type":"object"}, "annotations": {} },
          "modelAlias": "mcp__tracker__ticket_create", "exposure": "deferred" } ] });
    assert_eq!(Snapshot::decode(&document).unwrap().encode().to_string(), document.to_string());
}

#[test]
fn a_bad_document_names_the_member() {
    let cases = [
        (json!([{"descriptor": {"id": "x"}, "modelAlias": "x"}]), "bindings[0].descriptor.id"),
        (
            json!([{"descriptor": {"id": "a:x", "color": 1}, "modelAlias": "x"}]),
            "bindings[0].descriptor.color",
        ),
        (json!([binding("a:x", "x.y", &[])]), "bindings[0].modelAlias"),
        (json!([binding("a:x", &"x".repeat(65), &[])]), "bindings[0].modelAlias"),
        (
            json!([{"descriptor": {"id": "a:x"}, "modelAlias": "x", "exposure": "shown"}]),
            "bindings[0].exposure",
        ),
        (json!([{"descriptor": {"id": "a:x"}}]), "bindings[0].modelAlias"),
        (json!({}), "bindings"),
    ];
    for (bindings, path) in cases {
        assert_eq!(code(snapshot(bindings.clone())), Code::ToolSnapshotInvalid, "{path}");
        assert_eq!(member(snapshot(bindings)), path);
    }
    assert_eq!(code(Snapshot::decode(&json!({"id": "s"}))), Code::ToolSnapshotSchemaUnsupported);
    assert_eq!(
        code(Snapshot::decode(&json!({"schemaVersion": 1, "bindings": []}))),
        Code::ToolSnapshotInvalid
    );
}

#[test]
fn a_contract_is_checked_when_it_is_made() {
    let snapshot = sample();
    let id = |text: &str| ToolId::parse(text).unwrap();
    let (a, b) = (id("extension/e:a"), id("extension/e:b"));
    let turn = Turn::new(&snapshot, vec![b.clone(), a.clone()], Choice::Specific(a.clone())).unwrap();
    assert_eq!(turn.tools(), [b.clone(), a.clone()]);
    let written = serde_json::to_value(&turn).unwrap();
    let wanted = json!({"snapshotId": "snap_1", "tools": [b, a], "choice": {"specific": "extension/e:a"}});
    assert_eq!(written, wanted);
    assert_eq!(Turn::decode(&written, &snapshot).unwrap(), turn);
    let unknown = Turn::new(&snapshot, vec![id("x:y")], Choice::Auto);
    assert_eq!(code(unknown), Code::ToolTurnToolNotInSnapshot);
}

#[test]
fn choices() {
    for word in ["none", "auto", "required"] {
        let choice = Choice::decode(&json!(word)).unwrap();
        assert_eq!(serde_json::to_value(&choice).unwrap(), json!(word));
    }
    for bad in
        [json!("any"), json!(null), json!({}), json!({"specific": "x"}), json!({"specific": "a:b", "x": 1})]
    {
        assert_eq!(code(Choice::decode(&bad)), Code::CommandInvalid, "{bad}");
    }
}
