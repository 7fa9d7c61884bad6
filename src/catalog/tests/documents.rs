//! Documents of any shape: reading never panics, and what was read is written and read again as the same.

use proptest::prelude::*;

use super::*;

const EXAMPLE: &str = include_str!("profile_example.json");

fn json_value() -> impl Strategy<Value = Value> {
    let words = prop_oneof!["[a-z]{0,6}", "(builtin|mcp/r|extension/e):[a-z.]{1,9}", "\\PC{0,5}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..30i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((words.clone(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A document with one of its values replaced, somewhere.
fn replaced(document: &Value, mut at: usize, with: Value) -> Value {
    fn walk(value: &mut Value, at: &mut usize, with: &mut Option<Value>) {
        if *at == 0 {
            if let Some(with) = with.take() {
                *value = with;
            }
            return;
        }
        *at -= 1;
        let children: Vec<&mut Value> = match value {
            Value::Array(items) => items.iter_mut().collect(),
            Value::Object(members) => members.values_mut().collect(),
            _ => Vec::new(),
        };
        for child in children {
            if with.is_none() {
                return;
            }
            walk(child, at, with);
        }
    }
    let mut document = document.clone();
    walk(&mut document, &mut at, &mut Some(with));
    document
}

fn full_registration() -> Value {
    json!({"extensionId": "notes", "name": "n", "title": "t", "description": "d", "timeout": 5, "deferred": false,
        "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}, "outputSchema": {},
        "annotations": {"readOnly": true, "sourceKind": "x"}, "contexts": ["chat"], "enabled": true, "inspect": false,
        "returns": "json", "describeForModel": false, "summarize": "s", "formerNames": ["m"], "returnsImages": false,
        "traits": {"effect": "read", "parallel": true, "background": false, "exposure": "direct", "interrupt": "block",
            "resultBudget": {"chars": 5}, "truncate": "tail", "classifierText": "c", "cascadesOnFailure": true},
        "permission": {"name": "p", "target": {}, "risk": ["review"], "parts": [{"name": "q"}], "remember": true},
        "forward": {"to": "a:b", "args": {}}, "display": {"kind": "plain"}})
}

#[test]
fn the_full_registration_is_legal() {
    Registration::decode(&full_registration()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_profile_that_is_read_is_written_the_same_again(
        at in 0..120usize,
        version in 1..6u64,
        with in json_value(),
        anything in json_value(),
    ) {
        let mut example: Value = serde_json::from_str(EXAMPLE).unwrap();
        example["schemaVersion"] = version.into();
        for document in [replaced(&example, at, with), anything] {
            let Ok(profile) = Profile::decode(&document) else { continue };
            let encoded = profile.encode();
            let again = Profile::decode(&encoded).unwrap();
            prop_assert_eq!(&again, &profile);
            prop_assert_eq!(again.encode().to_string(), encoded.to_string());
        }
    }

    #[test]
    fn migrating_twice_is_migrating_once(at in 0..120usize, version in 1..6u64, with in json_value()) {
        let mut example: Value = serde_json::from_str(EXAMPLE).unwrap();
        example["schemaVersion"] = version.into();
        let place = reading::Place::document("profile", Code::AgentProfileInvalid);
        if let Ok(once) = crate::catalog::profile::migrate(&replaced(&example, at, with), &place) {
            prop_assert_eq!(crate::catalog::profile::migrate(&once, &place).unwrap(), once);
        }
    }

    #[test]
    fn registrations_never_panic(at in 0..60usize, with in json_value(), anything in json_value()) {
        for document in [replaced(&full_registration(), at, with), anything] {
            let mut catalog = Catalog::new();
            let Ok(registered) = catalog.register(&[document], false) else { continue };
            let descriptor = catalog.get(&registered.tool_ids[0]).unwrap().descriptor();
            let written = serde_json::to_value(&**descriptor).unwrap();
            prop_assert_eq!(&Descriptor::decode(&written).unwrap(), &**descriptor);
        }
    }

    #[test]
    fn a_snapshot_that_is_read_is_written_the_same_again(at in 0..60usize, with in json_value(), anything in json_value()) {
        let bound = bind(&builtins(), &Profile::new_default(), Scenario::Session, InvocationKind::Root, None).unwrap();
        let example = Snapshot::new("s", &bound).unwrap().encode();
        for document in [replaced(&example, at, with), anything] {
            let Ok(snapshot) = Snapshot::decode(&document) else { continue };
            let encoded = snapshot.encode();
            prop_assert_eq!(Snapshot::decode(&encoded).unwrap().encode(), encoded);
        }
    }

    #[test]
    fn overrides_and_choices_never_panic(value in json_value(), schema in json_value()) {
        let _ = Choice::decode(&value);
        let Ok(descriptor) = Descriptor::decode(&json!({"id": "a:b", "inputSchema": schema})) else { return Ok(()) };
        if let Ok(texts) = DescriptionOverride::decode(&value) {
            let _ = texts.apply(&descriptor);
        }
    }
}
