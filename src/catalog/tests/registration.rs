use super::*;

fn register(value: Value) -> Result<Registered, Fault> {
    Catalog::new().register(&[value], false)
}

#[test]
fn a_registration_becomes_a_descriptor() {
    let mut catalog = Catalog::new();
    let value = json!({
        "extensionId": "notes", "name": "note_find", "title": "Find note", "description": "Find notes.",
        "inputSchema": {"type": "object", "required": ["query"], "properties": {"query": {"type": "string", "maxLength": 1e2}}},
        "traits": {"effect": "read", "parallel": "inspect", "timeoutMs": 20000, "resultBudget": {"chars": 9}},
        "permission": {"name": "notes:read", "target": {"query": "$.query"}, "risk": ["review"]},
        "summary": "Find notes: {query}", "contexts": ["session"], "returns": "blocks", "inspect": true,
        "formerNames": ["find_note"], "forward": {"to": "builtin:dice.roll"}
    });
    let registered = catalog.register(std::slice::from_ref(&value), false).unwrap();
    let id = &registered.tool_ids[0];
    assert_eq!((id.as_str(), registered.notices.len()), ("extension/notes:note_find", 0));
    let entry = catalog.get(id).unwrap();
    let descriptor = entry.descriptor();
    assert_eq!(descriptor.input_schema.to_string(), value["inputSchema"].to_string(), "untouched");
    assert_eq!(descriptor.traits.parallel, Parallel::Inspect);
    assert_eq!(descriptor.traits.result_budget, Some(ResultBudget::Chars(9)));
    assert!(entry.fits(Scenario::Session) && !entry.fits(Scenario::Chat));
    let Origin::Extension(function) = entry.origin() else { panic!("not an extension tool") };
    assert!(function.inspect && function.enabled && function.returns == Returns::Blocks);

    let written = serde_json::to_value(&**descriptor).unwrap();
    assert_eq!(&Descriptor::decode(&written).unwrap(), &**descriptor);
}

#[test]
fn no_schema_takes_no_arguments() {
    for more in [json!({}), json!({"inputSchema": {}})] {
        let mut catalog = Catalog::new();
        let id = catalog.register(&[registration("x", more)], false).unwrap().tool_ids.remove(0);
        let schema = &catalog.get(&id).unwrap().descriptor().input_schema;
        assert_eq!(schema.to_string(), r#"{"type":"object","properties":{}}"#);
    }
}

#[test]
fn synonyms_are_read_at_both_places() {
    for more in [
        json!({"timeout": 5, "deferred": true, "summarize": "S {x}", "returnsImages": true}),
        json!({"traits": {"timeout": 5, "deferred": true, "returnsImages": true}, "summary": "S {x}"}),
        json!({"traits": {"timeoutMs": 5, "exposure": "deferred", "returnsImages": true}, "timeout": 7, "summary": "S {x}", "summarize": "T"}),
    ] {
        let mut catalog = Catalog::new();
        let id = catalog.register(&[registration("x", more)], false).unwrap().tool_ids.remove(0);
        let descriptor = catalog.get(&id).unwrap().descriptor();
        let traits = &descriptor.traits;
        assert_eq!((traits.timeout_ms, traits.exposure), (Some(5), Exposure::Deferred));
        assert!(traits.returns_images);
        assert_eq!(descriptor.summary.as_deref(), Some("S {x}"));
    }
}

#[test]
fn what_is_not_declared_is_read_on_the_careful_side() {
    let traits = Traits::default();
    assert_eq!(traits.effect, EffectTrait::Exec);
    assert_eq!(traits.parallel, Parallel::No);
    assert!(!traits.cascades_on_failure);
    assert_eq!(serde_json::to_string(&traits).unwrap(), "{}");
}

#[test]
fn a_bad_registration_names_the_member() {
    use Code::{ExtensionRegistrationInvalid as Registration, ToolDescriptorInvalid as Descriptor};
    let cases = [
        (json!({"extensionId": "a b"}), Registration, "extensionId"),
        (json!({"extensionId": "x".repeat(129)}), Registration, "extensionId"),
        (json!({"name": ""}), Registration, "name"),
        (json!({"name": "é".repeat(129)}), Registration, "name"),
        (json!({"name": "a\nb"}), Registration, "name"),
        (json!({"contexts": []}), Registration, "contexts"),
        (json!({"contexts": ["group"]}), Registration, "contexts[0]"),
        (json!({"returns": "text"}), Registration, "returns"),
        (
            json!({"inputSchema": {"type": "object", "title": "x".repeat(256 * 1024)}}),
            Registration,
            "inputSchema",
        ),
        (json!({"inputSchema": {"properties": {}}}), Descriptor, "inputSchema.type"),
        (json!({"inputSchema": {"type": "array"}}), Descriptor, "inputSchema.type"),
        (json!({"inputSchema": {"type": ["object", "null"]}}), Descriptor, "inputSchema.type"),
        (json!({"inputSchema": null}), Descriptor, "inputSchema"),
        (json!({"outputSchema": "x"}), Descriptor, "outputSchema"),
        (json!({"execute": {}}), Descriptor, "execute"),
        (json!({"traits": {"effect": "wipe"}}), Descriptor, "traits.effect"),
        (json!({"traits": {"control": false}}), Descriptor, "traits.control"),
        (json!({"traits": {"bounded": "workspace"}}), Descriptor, "traits.bounded"),
        (json!({"traits": {"timeoutMs": 0}}), Descriptor, "traits.timeoutMs"),
        (json!({"traits": {"timeoutMs": 86_400_001}}), Descriptor, "traits.timeoutMs"),
        (json!({"traits": {"parallel": "maybe"}}), Descriptor, "traits.parallel"),
        (json!({"traits": {"resultBudget": {"chars": 0}}}), Descriptor, "traits.resultBudget.chars"),
        (json!({"traits": {"colour": 1}}), Descriptor, "traits.colour"),
        (json!({"permission": {"name": "a", "risk": ["mild"]}}), Descriptor, "permission.risk[0]"),
        (
            json!({"permission": {"name": "a", "parts": [{"name": "b", "effect": "x"}]}}),
            Descriptor,
            "permission.parts[0].effect",
        ),
        (json!({"permission": {}}), Descriptor, "permission.name"),
        (json!({"forward": {"to": "nowhere"}}), Descriptor, "forward.to"),
        (json!({"formerNames": [""]}), Descriptor, "formerNames"),
        (json!({"annotations": {"readOnlyHint": true}}), Descriptor, "annotations.readOnlyHint"),
    ];
    for (more, wanted, path) in cases {
        let value = registration("x", more.clone());
        assert_eq!(code(register(value.clone())), wanted, "{path}");
        assert_eq!(member(register(value)), path);
    }
    assert_eq!(code(register(json!(7))), Code::ToolDescriptorInvalid);
    assert_eq!(member(register(json!({"name": "x"}))), "extensionId");
    assert_eq!(
        member(Catalog::new().register(&[registration("x", json!({})), json!({"extensionId": 1})], false)),
        "[1].extensionId"
    );
}

#[test]
fn registering_again_replaces_unless_it_is_strict() {
    let mut catalog = Catalog::new();
    let tools = [registration("x", json!({})), registration("y", json!({}))];
    catalog.register(&tools, true).unwrap();
    let fault = catalog.register(&tools[..1], true).unwrap_err();
    assert_eq!(fault.code, Code::ExtensionDuplicateRegistration);
    assert!(fault.message.contains("extension/e:x"));
    let again = catalog.register(&[registration("x", json!({"description": "new"}))], false).unwrap();
    assert_eq!(again.notices[0].code, Code::ToolReplaced);
    assert_eq!(again.notices[0].tool_id.as_deref(), Some("extension/e:x"));
    let entry = catalog.get(&again.tool_ids[0]).unwrap();
    assert_eq!(entry.descriptor().description.as_deref(), Some("new"));
}

#[test]
fn registering_is_all_or_nothing() {
    let mut catalog = Catalog::new();
    let bad = registration("y", json!({"contexts": []}));
    assert!(catalog.register(&[registration("x", json!({})), bad], false).is_err());
    assert_eq!(catalog.iter().count(), 0);
}

#[test]
fn an_extension_has_at_most_512_tools() {
    let mut catalog = Catalog::new();
    let tools: Vec<Value> = (0..512).map(|n| registration(&format!("t{n}"), json!({}))).collect();
    catalog.register(&tools, true).unwrap();
    catalog.register(&tools[..3], false).unwrap();
    let one_more = [registration("more", json!({}))];
    assert_eq!(code(catalog.register(&one_more, false)), Code::ExtensionRegistrationInvalid);
    let other = json!({"extensionId": "e-", "name": "more"});
    catalog.register(&[other], false).unwrap();
}

#[test]
fn a_former_name_never_means_two_tools() {
    let former = |name: &str, was: &str| registration(name, json!({"formerNames": [was]}));
    let conflicts = [
        vec![former("x", "x")],
        vec![registration("x", json!({"formerNames": ["a", "a"]}))],
        vec![former("x", "a"), former("y", "a")],
        vec![former("x", "y"), registration("y", json!({}))],
        vec![registration("a y", json!({})), former("x", "a_y")],
        vec![former("x", "dice.roll")],
        vec![former("x", "dice_roll")],
    ];
    for tools in conflicts {
        let fault = builtins().register(&tools, false).unwrap_err();
        assert_eq!(fault.code, Code::ToolFormerNameConflict, "{tools:?}");
        let mut one_by_one = builtins();
        let results: Vec<_> =
            tools.iter().map(|tool| one_by_one.register(std::slice::from_ref(tool), false)).collect();
        assert!(results.iter().any(Result::is_err), "{tools:?}");
    }
    let mut catalog = builtins();
    catalog.register(&[former("x", "a"), former("y", "b")], false).unwrap();
    // The names move from one tool to another in one go.
    catalog.register(&[former("x", "b"), former("y", "a")], false).unwrap();
    assert!(catalog.register(&[former("z", "a")], false).is_err());
    catalog.unregister(&[crate::identity::ToolId::parse("extension/e:y").unwrap()]).unwrap();
    catalog.register(&[former("z", "a")], false).unwrap();
}

#[test]
fn only_extension_tools_are_switched_and_forgotten() {
    let mut catalog = builtins();
    let id = catalog.register(&[registration("x", json!({}))], false).unwrap().tool_ids.remove(0);
    let builtin = builtin("dice.roll").unwrap().id();
    assert_eq!(code(catalog.set_enabled(&builtin, false)), Code::ToolRegistrationUnknown);
    assert_eq!(code(catalog.unregister(&[id.clone(), builtin])), Code::ToolRegistrationUnknown);
    catalog.set_enabled(&id, false).unwrap();
    assert!(!catalog.get(&id).unwrap().enabled());
    catalog.unregister(std::slice::from_ref(&id)).unwrap();
    assert!(catalog.get(&id).is_none());
}

#[test]
fn a_builtin_is_added_once_and_only_if_it_exists() {
    let mut catalog = builtins();
    assert_eq!(code(catalog.add_builtin(tool("dice.roll"))), Code::ToolCatalogDuplicateId);
    let unknown = Descriptor::decode(&json!({"id": "builtin:dice.throw"})).unwrap();
    assert_eq!(code(catalog.add_builtin(unknown)), Code::ToolDescriptorInvalid);
}

#[test]
fn the_listing_is_for_one_scenario_or_all() {
    let mut catalog = builtins();
    catalog
        .register(
            &[
                registration("off", json!({"enabled": false})),
                registration("chat", json!({"contexts": ["chat"]})),
            ],
            false,
        )
        .unwrap();
    catalog.add_discovered(Descriptor::decode(&json!({"id": "mcp/r:find"})).unwrap(), "My server").unwrap();
    let ids = |context| -> Vec<String> {
        catalog.list(context).tools.iter().map(|item| item.id.to_string()).collect()
    };
    assert_eq!(ids(None).len(), 26);
    assert_eq!(ids(Some(Scenario::Chat)).len(), 26);
    let session = ids(Some(Scenario::Session));
    assert_eq!(session.len(), 26 - 9 - 1);
    assert!(!session.contains(&"builtin:chat.search".to_owned()));
    let listing = serde_json::to_value(catalog.list(None)).unwrap();
    let item = |id: &str| listing["tools"].as_array().unwrap().iter().find(|item| item["id"] == id).unwrap();
    assert_eq!(item("extension/e:off")["enabled"], false);
    assert_eq!(item("extension/e:chat")["contexts"], json!(["chat"]));
    assert_eq!(item("extension/e:chat")["extensionId"], "e");
    assert_eq!(item("mcp/r:find")["serverDisplayName"], "My server");
    assert_eq!(item("builtin:dice.roll")["source"], "builtin");
    assert_eq!(item("builtin:dice.roll")["nativeName"], "dice.roll");
}

#[test]
fn an_override_does_not_change_the_digest_but_another_schema_does() {
    let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}});
    let descriptor = Descriptor::decode(&json!({"id": "extension/e:x", "inputSchema": schema})).unwrap();
    let texts =
        DescriptionOverride::decode(&json!({"description": "d", "properties": {"q": "what"}})).unwrap();
    let changed = texts.apply(&descriptor).unwrap();
    assert_ne!(changed.input_schema, descriptor.input_schema);
    assert_eq!(changed.schema_digest(), descriptor.schema_digest());
    let other = json!({"type": "object", "properties": {"q": {"type": "number"}}});
    let other = Descriptor::decode(&json!({"id": "extension/e:x", "inputSchema": other})).unwrap();
    assert_ne!(other.schema_digest(), descriptor.schema_digest());
}
