use super::*;
use crate::identity::ToolId;

fn root(catalog: &Catalog, profile: &Profile, scenario: Scenario) -> Bound {
    bind(catalog, profile, scenario, InvocationKind::Root, None).unwrap()
}

fn aliases(bound: &Bound) -> Vec<&str> {
    bound.bindings.iter().map(Binding::alias).collect()
}

fn exposures(bound: &Bound) -> Vec<(&str, BindingExposure)> {
    bound.bindings.iter().map(|binding| (binding.alias(), binding.exposure())).collect()
}

/// `count` extension tools `t1`, `t2`, …, and their ids.
fn many(catalog: &mut Catalog, count: usize, more: Value) -> Vec<String> {
    let tools: Vec<Value> = (1..=count).map(|n| registration(&format!("t{n:02}"), more.clone())).collect();
    let registered = catalog.register(&tools, false).unwrap();
    registered.tool_ids.iter().map(ToString::to_string).collect()
}

#[test]
fn the_default_profile_binds_what_exists() {
    let all = root(&builtins(), &Profile::new_default(), Scenario::Session);
    let wanted = [
        "dice_roll",
        "workspace_list_files",
        "workspace_search_files",
        "workspace_read_file",
        "workspace_write_file",
        "workspace_apply_patch",
        "workspace_shell",
    ];
    assert_eq!(aliases(&all), wanted);
    assert!(all.diagnostics.is_empty() && all.notices.is_empty());
    assert_eq!(all.dynamic[0].alias(), "history_read_tool_result");

    let mut few = Catalog::new();
    few.add_builtin(tool("dice.roll")).unwrap();
    let few = root(&few, &Profile::new_default(), Scenario::Session);
    assert_eq!(aliases(&few), ["dice_roll"]);
    assert!(few.dynamic.is_empty());
    assert_eq!(few.diagnostics.len(), 6);
    assert!(few.diagnostics.iter().all(|diagnostic| diagnostic.code == Code::BuiltinToolUnavailable));
}

#[test]
fn features_come_after_the_allow_list_in_registry_order() {
    let mut catalog = builtins();
    catalog.register(&[registration("x", json!({}))], false).unwrap();
    let on = json!({"features": {"trash": true, "shellBackground": true, "multiEdit": true}});
    let tools =
        json!({"allow": ["extension/e:x", "builtin:dice.roll"], "deny": ["builtin:workspace.shell_cancel"]});
    let profile = profile(tools, on);
    let bound = bind(&catalog, &profile, Scenario::Chat, InvocationKind::ReturnChild, None).unwrap();
    let wanted =
        ["x", "dice_roll", "workspace_delete", "workspace_shell_status", "workspace_edit", "task_return"];
    assert_eq!(aliases(&bound), wanted);
}

#[test]
fn registry_order_does_not_look_at_the_list() {
    let mut catalog = builtins();
    let tools = [registration("b", json!({})), registration("a!", json!({})), registration("a?", json!({}))];
    catalog.register(&tools, false).unwrap();
    let ids = [
        "extension/e:b",
        "builtin:workspace.finish",
        "extension/e:a?",
        "builtin:chat.search",
        "extension/e:a!",
    ];
    let wanted = [
        ("builtin:chat.search", "chat_search"),
        ("builtin:workspace.finish", "workspace_finish"),
        ("extension/e:a!", "a_"),
        ("extension/e:a?", "a___2"),
        ("extension/e:b", "b"),
    ];
    for turn in 0..ids.len() {
        let mut allow = ids.to_vec();
        allow.rotate_left(turn);
        let profile = profile(json!({"allow": allow, "order": "registry"}), json!({}));
        assert_eq!(pairs(&root(&catalog, &profile, Scenario::Chat)), wanted);
    }
    let returning = profile(json!({"allow": ids, "order": "registry"}), json!({}));
    let bound = bind(&catalog, &returning, Scenario::Chat, InvocationKind::ReturnChild, None).unwrap();
    assert_eq!(aliases(&bound).last(), Some(&"task_return"));
}

#[test]
fn losing_the_plain_name_is_noticed() {
    let mut catalog = builtins();
    catalog
        .register(&[registration("dice roll", json!({})), registration("dice.roll", json!({}))], false)
        .unwrap();
    let allow = json!({"allow": ["extension/e:dice roll", "extension/e:dice.roll", "builtin:dice.roll"]});
    let bound = root(&catalog, &profile(allow, json!({})), Scenario::Chat);
    assert_eq!(aliases(&bound), ["dice_roll__2", "dice_roll__3", "dice_roll"]);
    let notices: Vec<_> = bound.notices.iter().map(|n| (n.tool_id.as_deref().unwrap(), n.code)).collect();
    let suffixed = Code::ToolAliasSuffixed;
    assert_eq!(notices, [("extension/e:dice roll", suffixed), ("extension/e:dice.roll", suffixed)]);
    assert!(bound.notices[0].message.contains("`builtin:dice.roll`"), "{}", bound.notices[0].message);
}

#[test]
fn a_selected_builtin_that_is_missing_still_keeps_its_name() {
    let mut catalog = Catalog::new();
    catalog.register(&[registration("workspace_shell", json!({}))], false).unwrap();
    let allow = json!({"allow": ["extension/e:workspace_shell", "builtin:workspace.shell"]});
    let bound = root(&catalog, &profile(allow, json!({})), Scenario::Chat);
    assert_eq!(aliases(&bound), ["workspace_shell__2"]);
}

#[test]
fn a_failing_override_drops_the_tool() {
    let allow = json!({"allow": ["builtin:dice.roll", "builtin:workspace.read_file"], "toolDescriptions": {
        "builtin:dice.roll": {"properties": {"zz": "x"}},
        "builtin:workspace.read_file": {"description": "Reads."}}});
    let bound = root(&builtins(), &profile(allow, json!({})), Scenario::Chat);
    assert_eq!(aliases(&bound), ["workspace_read_file"]);
    assert_eq!(bound.bindings[0].descriptor().description.as_deref(), Some("Reads."));
    assert_eq!(bound.diagnostics[0].code, Code::AgentToolOverrideInvalid);
    assert_eq!(bound.diagnostics[0].tool_id.as_deref(), Some("builtin:dice.roll"));
}

#[test]
fn missing_tools_of_servers_and_image_tools() {
    let mut catalog = builtins();
    catalog.register(&[registration("pic", json!({"returnsImages": true}))], false).unwrap();
    let profile = profile(json!({"allow": ["mcp/gone:x", "extension/e:pic"]}), json!({}));
    let codes = |images| -> Vec<Code> {
        let bound = bind(&catalog, &profile, Scenario::Chat, InvocationKind::Root, images).unwrap();
        bound.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    };
    assert_eq!(codes(None), [Code::McpToolUnavailable, Code::ExtensionToolNeedsImageInput]);
    assert_eq!(codes(Some(false)), [Code::McpToolUnavailable, Code::ExtensionToolNeedsImageInput]);
    assert_eq!(codes(Some(true)), [Code::McpToolUnavailable]);
}

#[test]
fn texts_that_come_later_stay_behind_those_of_the_profile() {
    let mut catalog = Catalog::new();
    let schema = json!({"inputSchema": {"type": "object", "properties": {"a": {}, "b": {}}}});
    catalog.register(&[registration("x", schema.clone()), registration("y", schema)], false).unwrap();
    let allow = json!({"allow": ["extension/e:x", "extension/e:y"],
        "toolDescriptions": {"extension/e:x": {"description": "mine", "properties": {"a": "mine"}}}});
    let mut bound = root(&catalog, &profile(allow, json!({})), Scenario::Chat);
    let later = DescriptionOverride::decode(
        &json!({"description": "later", "properties": {"a": "later", "b": "later"}}),
    );
    let later = later.unwrap();
    for id in ["extension/e:x", "extension/e:y", "extension/e:z"] {
        bound.describe(&ToolId::parse(id).unwrap(), &later).unwrap();
    }
    let texts = |n: usize| {
        let descriptor = bound.bindings[n].descriptor();
        let properties = &descriptor.input_schema["properties"];
        json!([descriptor.description, properties["a"]["description"], properties["b"]["description"]])
    };
    assert_eq!(texts(0), json!(["mine", "mine", "later"]));
    assert_eq!(texts(1), json!(["later", "later", "later"]));
    assert_eq!(bound.bindings[0].alias(), "x");
    assert!(catalog.callable(&bound.bindings[1]).is_some());
}

#[test]
fn a_bound_tool_is_called_while_it_is_the_same() {
    let mut catalog = Catalog::new();
    let schema = |kind: &str| json!({"inputSchema": {"type": "object", "properties": {"q": {"type": kind}}}});
    catalog.register(&[registration("x", schema("string"))], false).unwrap();
    let texts = json!({"allow": ["extension/e:x"], "toolDescriptions": {"extension/e:x": {"properties": {"q": "t"}}}});
    let bound = root(&catalog, &profile(texts, json!({})), Scenario::Chat);
    let stored = Snapshot::decode(&Snapshot::new("s", &bound).unwrap().encode()).unwrap();
    let binding = &stored.bindings()[0];
    assert!(catalog.callable(binding).is_some());
    catalog.set_enabled(binding.id(), false).unwrap();
    assert!(catalog.callable(binding).is_none());
    catalog.register(&[registration("x", schema("string"))], false).unwrap();
    assert!(catalog.callable(binding).is_some());
    catalog.register(&[registration("x", schema("number"))], false).unwrap();
    assert!(catalog.callable(binding).is_none());
    catalog.unregister(&[binding.id().clone()]).unwrap();
    assert!(catalog.callable(binding).is_none());
}

#[test]
fn what_a_policy_switches_off_is_hidden() {
    let profile = profile(
        json!({"allow": ["builtin:dice.roll", "builtin:workspace.read_file"], "policy": {"dice*": "off"}}),
        json!({}),
    );
    let bound = root(&builtins(), &profile, Scenario::Chat);
    let wanted = [("dice_roll", BindingExposure::Hidden), ("workspace_read_file", BindingExposure::Resident)];
    assert_eq!(exposures(&bound), wanted);
    let snapshot = Snapshot::new("s", &bound).unwrap();
    assert_eq!(snapshot.names().of("dice.roll"), None);
    assert_eq!(snapshot.resident().count(), 1);
}

#[test]
fn deferral_begins_above_the_threshold() {
    let mut catalog = builtins();
    let mut allow = many(&mut catalog, 18, json!({}));
    for n in 1..=3 {
        let descriptor =
            Descriptor::decode(&json!({"id": format!("mcp/r:{n}"), "description": "x"})).unwrap();
        catalog.add_discovered(descriptor, "s").unwrap();
        allow.push(format!("mcp/r:{n}"));
    }
    let twenty = root(&catalog, &profile(json!({"allow": allow[..20]}), json!({})), Scenario::Chat);
    assert!(exposures(&twenty).iter().all(|(_, exposure)| *exposure == BindingExposure::Resident));
    assert_eq!(twenty.bindings.len(), 20);

    let more = root(&catalog, &profile(json!({"allow": allow}), json!({})), Scenario::Chat);
    let deferred: Vec<_> =
        exposures(&more).into_iter().filter(|(_, e)| *e == BindingExposure::Deferred).collect();
    assert_eq!(deferred.len(), 3);
    assert_eq!(aliases(&more).last(), Some(&"tool_search"));

    let denied = profile(json!({"allow": allow, "deny": ["builtin:tool.search"]}), json!({}));
    let denied = root(&catalog, &denied, Scenario::Chat);
    assert!(exposures(&denied).iter().all(|(_, exposure)| *exposure == BindingExposure::Resident));
    assert!(denied.diagnostics.is_empty());

    let off = profile(json!({"allow": allow, "policy": {"tool_search": "off"}}), json!({}));
    let off = root(&catalog, &off, Scenario::Chat);
    assert!(exposures(&off).iter().all(|(_, exposure)| *exposure != BindingExposure::Deferred));
}

#[test]
fn deferral_looks_at_sizes_modes_and_declarations() {
    let mut catalog = builtins();
    let big = Descriptor::decode(&json!({"id": "mcp/r:big", "description": "x".repeat(45_000)})).unwrap();
    catalog.add_discovered(big, "s").unwrap();
    catalog
        .register(
            &[
                registration("later", json!({"deferred": true})),
                registration("never", json!({"traits": {"exposure": "hidden"}})),
                registration("tool_search", json!({})),
            ],
            false,
        )
        .unwrap();
    let offered = |allow: &[&str], mode: &str, alias: &str| -> (Vec<String>, Option<BindingExposure>) {
        let profile = profile(json!({"allow": allow}), json!({"exposure": {"mode": mode}}));
        let bound = root(&catalog, &profile, Scenario::Session);
        let exposure = exposures(&bound).into_iter().find(|(name, _)| *name == alias).map(|(_, e)| e);
        (aliases(&bound).into_iter().map(Into::into).collect(), exposure)
    };
    let (big, later, never) = (&["mcp/r:big"][..], &["extension/e:later"][..], &["extension/e:never"][..]);
    let search = |first: &str| vec![first.to_owned(), "tool_search".into()];
    use BindingExposure::{Deferred, Hidden, Resident};
    assert_eq!(offered(big, "auto", "mcp__s__big"), (search("mcp__s__big"), Some(Deferred)));
    assert_eq!(offered(big, "native", "mcp__s__big"), (vec!["mcp__s__big".into()], Some(Resident)));
    assert_eq!(offered(later, "native", "later"), (search("later"), Some(Deferred)));
    assert_eq!(offered(later, "auto", "later"), (search("later"), Some(Deferred)));
    assert_eq!(offered(never, "search", "never"), (search("never"), Some(Hidden)));
    assert_eq!(
        offered(big, "code", "mcp__s__big"),
        (vec!["mcp__s__big".into(), "tool_run_code".into()], Some(Deferred))
    );
    // The name of the search tool is taken only where the search tool is.
    let clash = &["extension/e:tool_search"][..];
    assert_eq!(offered(clash, "native", "tool_search").0, ["tool_search"]);
    assert_eq!(offered(clash, "search", "tool_search").0, ["tool_search__2", "tool_search"]);
}

#[test]
fn unknown_builtins_refuse_the_selection_even_when_denied() {
    let profile =
        profile(json!({"allow": ["builtin:x", "builtin:task.return"], "deny": ["builtin:x"]}), json!({}));
    let fault = bind(&builtins(), &profile, Scenario::Chat, InvocationKind::Root, None).unwrap_err();
    assert_eq!(fault.code, Code::AgentProfileUnknownTool);
    assert_eq!(fault.details.unwrap()["toolIds"], json!(["builtin:x", "builtin:task.return"]));
}

mod names {
    use proptest::prelude::*;

    use super::*;

    fn name() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab.]{1,2}",
            "(dice|task|tool)[._](roll|return|search)(__[23])?",
            "k{60,70}",
            "\\PC{1,70}"
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn aliases_are_legal_and_distinct(
            names in prop::collection::vec((name(), 0..3usize), 0..30),
            registry in any::<bool>(),
            child in any::<bool>(),
            first in 0..30usize,
        ) {
            let mut catalog = builtins();
            let mut allow = vec!["builtin:dice.roll".to_owned()];
            for (n, (name, source)) in names.iter().enumerate() {
                let id = if *source == 0 {
                    let id = ToolId::make(&format!("mcp/r{n}"), name).unwrap();
                    catalog.add_discovered(Descriptor::decode(&json!({"id": id})).unwrap(), name).unwrap();
                    id
                } else {
                    let tool = json!({"extensionId": format!("e{n}"), "name": name, "deferred": *source == 1});
                    let Ok(registered) = catalog.register(&[tool], false) else { continue };
                    registered.tool_ids[0].clone()
                };
                allow.push(id.to_string());
            }
            let first = first % allow.len();
            allow.rotate_left(first);
            let order = if registry { "registry" } else { "allow" };
            let profile = profile(json!({"allow": allow, "order": order}), json!({}));
            let kind = if child { InvocationKind::ReturnChild } else { InvocationKind::Root };
            let bound = bind(&catalog, &profile, Scenario::Chat, kind, None).unwrap();
            let snapshot = Snapshot::new("s", &bound).unwrap();
            for binding in snapshot.bindings().iter().chain(snapshot.dynamic()) {
                prop_assert!(crate::identity::is_call_name(binding.alias()), "{}", binding.alias());
                prop_assert_eq!(snapshot.resolve(binding.alias()), Some(binding));
                if let Some(builtin) = builtin_of(binding.id()) {
                    prop_assert_eq!(binding.alias(), builtin.call_name());
                }
            }
            prop_assert!(bound.bindings.len() >= allow.len());
            prop_assert_eq!(bind(&catalog, &profile, Scenario::Chat, kind, None).unwrap(), bound);
        }
    }
}
