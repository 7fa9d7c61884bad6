use super::*;
use crate::identity::ToolId;
use crate::protocol::SortedSet;

const EXAMPLE: &str = include_str!("profile_example.json");

fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap()
}

/// The example with one member changed, by its JSON pointer; `null` takes it away.
fn example_with(pointer: &str, value: Value) -> Value {
    let mut document = example();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        parent.shift_remove(name);
    } else {
        parent.insert(name.into(), value);
    }
    document
}

#[test]
fn the_example_is_written_as_it_was_read() {
    let profile = Profile::decode(&example()).unwrap();
    assert_eq!(profile.encode().to_string(), example().to_string());
}

#[test]
fn a_short_profile_has_the_defaults_of_the_example() {
    let short = json!({"id": " default-writer ", "displayName": "Writer", "description": "Writes the next scene.",
        "tools": {"allow": example()["tools"]["allow"]}});
    let mut wanted = example();
    wanted["tools"]["policy"] = json!({});
    wanted["tools"]["toolDescriptions"] = json!({});
    assert_eq!(Profile::decode(&short).unwrap().encode(), wanted);
}

#[test]
fn a_new_profile_allows_what_the_example_allows_of_builtins() {
    let mut wanted = example()["tools"]["allow"].as_array().unwrap().clone();
    wanted.pop();
    let encoded = Profile::new_default().encode();
    assert_eq!(encoded["tools"]["allow"], Value::Array(wanted));
    assert_eq!(Profile::decode(&encoded).unwrap(), Profile::new_default());
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    let cases = [
        ("/run/parallelLimit", json!(17)),
        ("/run/parallelLimit", json!(-1)),
        ("/run/parallelLimit", json!(1.5)),
        ("/run/parallelLimit", json!("5")),
        ("/run/lanes", json!("open")),
        ("/run/unknownOutcome", json!("retry")),
        ("/run/presentation", json!("hidden")),
        ("/run/modelRetry/maxRetries", json!(11)),
        ("/run/modelRetry/intervalMs", json!(60_001)),
        ("/permissions/askTimeoutMs", json!(4_999)),
        ("/permissions/askTimeoutMs", json!(3_600_001)),
        ("/permissions/mode", json!("god")),
        ("/exposure/searchLimit", json!(0)),
        ("/exposure/searchLimit", json!(21)),
        ("/exposure/searchThreshold", json!(-1)),
        ("/exposure/mode", json!("all")),
        ("/exposure/activation", json!("run")),
        ("/tools/argumentRepair", json!("brave")),
        ("/tools/order", json!("random")),
        ("/tools/externalResultInlineCharLimit", json!(0)),
        ("/tools/aggregateResultCharLimit", json!(0)),
        ("/delegation/maxConcurrentInvocations", json!(0)),
        ("/delegation/maxHandoffDepth", json!(0)),
        ("/context/initialChatHistoryMessages", json!(-2)),
        ("/context/colour", json!(1)),
        ("/preset/mode", json!("x")),
        ("/model/mode", json!("x")),
        ("/instructions/agentSystemPrompt", json!(7)),
        ("/displayName", json!(7)),
    ];
    for (pointer, value) in cases {
        let fault = Profile::decode(&example_with(pointer, value.clone())).unwrap_err();
        assert_eq!(fault.code, Code::AgentProfileInvalid, "{pointer} {value}");
        let path = pointer.trim_start_matches('/').replace('/', ".");
        assert!(fault.message.contains(&path), "{path}: {}", fault.message);
    }
    let deep = [
        ("/workspace/visibleRoots", json!(["output", "secret"]), "workspace.visibleRoots[1]"),
        ("/workspace/writableRoots", json!(["skills"]), "workspace.writableRoots[0]"),
        ("/tools/allow", json!(["dice.roll"]), "tools.allow[0]"),
        ("/tools/policy", json!({"*": "maybe"}), "tools.policy.*"),
        ("/tools/toolDescriptions", json!({"dice": {}}), "tools.toolDescriptions.dice"),
        ("/tools/toolDescriptions", json!({"a:b": {"title": "x"}}), "tools.toolDescriptions.a:b.title"),
        ("/output/artifacts", json!([{"id": "x"}]), "output.artifacts[0].path"),
        ("/tools/allow", Value::Null, "tools.allow"),
        ("/tools", Value::Null, "tools"),
        ("/displayName", Value::Null, "displayName"),
    ];
    for (pointer, value, path) in deep {
        assert_eq!(member(Profile::decode(&example_with(pointer, value))), path);
    }
}

#[test]
fn zero_parallel_calls_read_as_one_and_null_switches_limits_off() {
    let profile = Profile::decode(&example_with("/run/parallelLimit", json!(0))).unwrap();
    assert_eq!(profile.run.parallel_limit, 1);
    let mut document = example();
    document["context"]["toolResultWindowChars"] = Value::Null;
    assert_eq!(Profile::decode(&document).unwrap().context.tool_result_window_chars, None);
}

#[test]
fn every_mode_and_synonym_is_kept_as_it_is() {
    for mode in ["read-only", "accept-edits", "full_access", "plan", "bypass", "full-access", "dontAsk"] {
        let profile = Profile::decode(&example_with("/permissions/mode", json!(mode))).unwrap();
        assert_eq!(profile.permissions.mode.as_deref(), Some(mode));
    }
}

#[test]
fn ids() {
    let id = |id: &str| Profile::decode(&example_with("/id", json!(id)));
    assert_eq!(id("  a_b-9\n").unwrap().id, "a_b-9");
    assert_eq!(id(&"a".repeat(128)).unwrap().id.len(), 128);
    assert_eq!(code(id(" ")), Code::AgentProfileIdEmpty);
    assert_eq!(code(id(&"a".repeat(129))), Code::AgentProfileIdTooLong);
    for bad in ["A", "a b", "é", "a.b"] {
        assert_eq!(code(id(bad)), Code::AgentProfileIdInvalid, "{bad}");
    }
    assert_eq!(code(Profile::decode(&example_with("/id", Value::Null))), Code::AgentProfileIdEmpty);
}

#[test]
fn versions_and_kinds() {
    let version = |version: Value| Profile::decode(&example_with("/schemaVersion", version));
    assert_eq!(code(version(json!(6))), Code::AgentProfileSchemaUnsupported);
    assert_eq!(code(version(json!(0))), Code::AgentProfileInvalid);
    assert_eq!(code(version(json!("5"))), Code::AgentProfileInvalid);
    assert!(version(Value::Null).is_ok());
    let kind = |kind: &str| Profile::decode(&example_with("/kind", json!(kind)));
    assert_eq!(kind("older.agentProfile").unwrap().encode()["kind"], "handrail.agentProfile");
    assert_eq!(member(kind("handrail.agentProfiles")), "kind");
}

#[test]
fn a_profile_of_the_first_schema() {
    let old = json!({
        "schemaVersion": 1, "kind": "x.agentProfile", "id": "p", "displayName": "P", "plan": {"steps": 3},
        "tools": {
            "allow": ["workspace.read_file", "skill.read", "mcp/x:skill.read", "builtin:workspace.read_file", "agent.list"],
            "deny": ["skill.list", "dice.roll"], "maxRounds": 80, "maxCallsPerRun": 1, "maxCallsPerTool": {},
            "toolDescriptions": {"dice.roll": {"description": "d"}, "builtin:dice.roll": {}, "skill.read": {}}
        },
        "skills": {"maxReadCharsPerCall": 1, "maxReadCharsPerRun": 2},
        "delegation": {"maxInvocationsPerRun": 1, "resultBudgetTokens": 2, "allowNestedDelegation": true, "canDelegate": true},
        "workspace": {"visibleRoots": ["output", "skills"]}
    });
    let document = Profile::decode(&old).unwrap().encode();
    let tools = &document["tools"];
    assert_eq!(tools["allow"], json!(["builtin:workspace.read_file", "mcp/x:skill.read"]));
    assert_eq!(tools["deny"], json!(["builtin:dice.roll"]));
    assert_eq!(tools["toolDescriptions"], json!({"builtin:dice.roll": {"description": "d"}}));
    assert_eq!(document["workspace"]["visibleRoots"], json!(["output", "skills", "tool-results"]));
    assert_eq!(document["delegation"]["canDelegate"], true);
    assert_eq!(document["run"]["directRunnable"], true);
    assert_eq!(Profile::decode(&document).unwrap().encode(), document);
}

#[test]
fn later_schemas_keep_what_earlier_ones_lose() {
    let document = |version: u64| {
        let value = json!({"schemaVersion": version, "id": "p", "displayName": "P",
            "tools": {"allow": ["builtin:skill.read", "builtin:dice.roll"]}, "workspace": {"visibleRoots": ["output"]}});
        Profile::decode(&value).unwrap().encode()
    };
    assert_eq!(document(3)["tools"]["allow"], json!(["builtin:dice.roll"]));
    assert_eq!(document(4)["tools"]["allow"], json!(["builtin:skill.read", "builtin:dice.roll"]));
    assert_eq!(document(4)["workspace"]["visibleRoots"], json!(["output", "tool-results", "skills"]));
    assert_eq!(document(5)["workspace"]["visibleRoots"], json!(["output"]));
}

#[test]
fn the_longest_pattern_gives_the_tier() {
    let tools = json!({"allow": [], "policy": {"*": "ask", "mcp__*": "auto", "mcp/*": "off", "mcp__a__x": "off", "mcp__a__y": "ask"}});
    let profile = profile(tools, json!({}));
    let tier = |id: &str, alias: &str| profile.tier(&ToolId::parse(id).unwrap(), alias);
    assert_eq!(tier("builtin:dice.roll", "dice_roll"), Tier::Ask);
    assert_eq!(tier("mcp/r:z", "mcp__a__z"), Tier::Auto);
    assert_eq!(tier("mcp/r:x", "mcp__a__x"), Tier::Off);
    assert_eq!(tier("mcp/r:x", "other"), Tier::Off);
    assert_eq!(Profile::new_default().tier(&ToolId::parse("a:b").unwrap(), "b"), Tier::Auto);
}

#[test]
fn saving_checks_what_is_new() {
    let mut catalog = builtins();
    catalog.register(&[registration("x", json!({}))], false).unwrap();
    let none = SortedSet::new();
    let save = |tools: Value| profile(tools, json!({})).check_save(&none, &catalog);
    save(json!({"allow": ["extension/e:x", "builtin:dice.roll", "mcp/gone:x"]})).unwrap();
    let fault = save(json!({"allow": ["extension/e:a", "extension/e:x", "extension/e:b"]})).unwrap_err();
    assert_eq!(fault.code, Code::ExtensionToolUnavailable);
    assert_eq!(fault.details.unwrap()["toolIds"], json!(["extension/e:a", "extension/e:b"]));
    for unknown in
        ["builtin:dice.throw", "builtin:task.return", "builtin:workspace.edit", "builtin:tool.search"]
    {
        assert_eq!(code(save(json!({"allow": [unknown]}))), Code::AgentProfileUnknownTool, "{unknown}");
    }
    assert_eq!(code(save(json!({"allow": ["a:b", "a:b"]}))), Code::ToolCatalogDuplicateId);
    let texts =
        json!({"extension/e:x": {"properties": {"q": "x"}}, "extension/e:gone": {"properties": {"q": "x"}}});
    let saved = save(json!({"allow": [], "toolDescriptions": texts}));
    assert_eq!(code(saved), Code::ToolDescriptionOverrideUnknownProperty);
}

#[test]
fn what_cannot_be_started() {
    let with = |more: Value| profile(json!({"allow": []}), more);
    let unconfigured = with(json!({"model": {"mode": "requiresConfiguration"}}));
    assert_eq!(code(unconfigured.check_start(true)), Code::AgentProfileRequiresModel);
    let child = with(json!({"run": {"directRunnable": false}}));
    assert_eq!(code(child.check_start(true)), Code::AgentProfileNotRunnable);
    child.check_start(false).unwrap();
    Profile::new_default().check_start(true).unwrap();
}
