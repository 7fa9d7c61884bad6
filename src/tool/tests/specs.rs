use serde_json::{Value, json};

use super::{Desk, TOOLS, alias};
use crate::protocol::{BoundNames, Code};
use crate::tool::{Effect, find};

#[test]
fn the_order_is_that_of_the_registry() {
    let names: Vec<&str> = TOOLS.iter().map(|spec| spec.native).collect();
    let order = [
        "dice.roll",
        "workspace.list_files",
        "workspace.search_files",
        "workspace.read_file",
        "workspace.write_file",
        "workspace.apply_patch",
        "workspace.shell",
        "workspace.shell_status",
        "workspace.shell_cancel",
    ];
    assert_eq!(names, order);
    assert!(find("workspace.read_file").is_some_and(|spec| spec.parallel && spec.effect == Effect::Read));
    assert!(find("workspace_read_file").is_none());
}

#[test]
fn schemas_are_plain_and_closed() {
    for spec in TOOLS {
        let schema = (spec.schema)();
        let mut members: Vec<&str> = schema.as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        let all = ["additionalProperties", "properties", "required", "type"];
        assert!(members.iter().all(|member| all.contains(member)), "{}: {members:?}", spec.native);
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["type"].is_string(), "{} {name}", spec.native);
            for member in ["title", "format", "$ref", "anyOf"] {
                assert!(property.get(member).is_none(), "{} {name} {member}", spec.native);
            }
            // Bounds and defaults are said in words too: not every provider passes them on.
            let description = property["description"].as_str().unwrap();
            for member in ["minimum", "maximum", "default"] {
                let said = match property.get(member) {
                    Some(Value::Number(number))
                        if member != "minimum" || property.get("maximum").is_some() =>
                    {
                        description.contains(&number.to_string())
                    }
                    Some(Value::Bool(_)) => description.contains("if left out"),
                    Some(Value::String(_)) => description.contains("if left out"),
                    _ => true,
                };
                assert!(said, "{} {name} {member}: {description}", spec.native);
            }
        }
    }
}

#[test]
fn required_members_come_first_and_exist() {
    for spec in TOOLS {
        let schema = (spec.schema)();
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert!(
            names.iter().take(required.len()).all(|name| required.contains(&name.as_str())),
            "{}",
            spec.native
        );
        for name in spec.summary.split('{').skip(1).filter_map(|rest| rest.split_once('}')) {
            assert!(names.iter().any(|known| *known == name.0), "{}: {}", spec.native, spec.summary);
        }
    }
}

#[test]
fn a_description_names_other_tools_only_if_they_are_bound() {
    let all: BoundNames = TOOLS.iter().map(|spec| (spec.native.to_owned(), alias(spec.native))).collect();
    for spec in TOOLS {
        let (alone, together) = ((spec.description)(&BoundNames::default()), (spec.description)(&all));
        assert!(alone.len() > 100 && together.starts_with(alone.get(..40).unwrap()));
        for other in TOOLS {
            assert!(
                !alone.contains(&alias(other.native)) && !together.contains(other.native),
                "{}",
                spec.native
            );
        }
        assert!(!together.contains(&alias(spec.native)), "{} calls itself by name", spec.native);
    }
}

#[test]
fn a_tool_looks_at_its_arguments_itself() {
    let mut desk = Desk::new(&[]);
    let bad = [
        ("workspace.read_file", json!({})),
        ("workspace.read_file", json!({"path": " "})),
        ("workspace.read_file", json!({"path": 5})),
        ("workspace.read_file", json!({"path": "output/a", "file": 1})),
        ("workspace.read_file", json!({"path": "output/a", "start_line": 0})),
        ("workspace.read_file", json!({"path": "output/a", "start_line": 1.0})),
        ("workspace.read_file", json!({"path": "output/a", "line_count": 1201})),
        ("workspace.read_file", json!({"path": "output/a", "line_count": -1})),
        ("workspace.list_files", json!({"depth": -1})),
        ("workspace.search_files", json!({"query": "\t"})),
        ("workspace.search_files", json!({"query": "x", "limit": -1})),
        ("workspace.search_files", json!({"query": "x", "context_lines": -1})),
        ("workspace.write_file", json!({"path": "output/a"})),
        ("workspace.write_file", json!({"path": "output/a", "content": null})),
        ("workspace.apply_patch", json!({"path": "output/a", "old_string": "x"})),
        (
            "workspace.apply_patch",
            json!({"path": "output/a", "old_string": "x", "new_string": "y", "replace_all": "no"}),
        ),
        ("dice.roll", json!({"formula": " "})),
        ("dice.roll", json!({})),
    ];
    for (native, arguments) in bad {
        let (code, text) = desk.refused(native, arguments.clone());
        assert_eq!(code, Code::ToolInvalidArguments, "{native} {arguments}: {text}");
    }
    let huge =
        serde_json::from_str(r#"{"path": "output/a", "start_line": 100000000000000000000000}"#).unwrap();
    desk.put("output/a", b"x");
    assert_eq!(desk.refused("workspace.read_file", huge).0, Code::WorkspaceInvalidLineRange);
    let nulls = json!({"path": "output/a", "start_line": null, "line_count": null});
    assert_eq!(desk.call("workspace.read_file", nulls).code, None);
}

#[test]
fn refusals_name_other_tools_only_if_they_are_bound() {
    let calls = [
        ("workspace.list_files", json!({"path": "output/none"})),
        ("workspace.search_files", json!({"path": "output/none", "query": "x"})),
        ("workspace.read_file", json!({"path": "output/none"})),
        ("workspace.read_file", json!({"path": "output"})),
        ("workspace.write_file", json!({"path": "output/a", "content": ""})),
        ("workspace.apply_patch", json!({"path": "output/a", "old_string": "x", "new_string": "y"})),
        ("workspace.apply_patch", json!({"path": "output/a", "old_string": "", "new_string": "y"})),
    ];
    for (native, arguments) in calls {
        let (_, named) = Desk::new(&[("output/a", "x")]).refused(native, arguments.clone());
        let (_, alone) = Desk::new(&[("output/a", "x")]).alone().refused(native, arguments);
        assert!(named.contains("workspace_") && !alone.contains("workspace_"), "{named}\n{alone}");
        assert!(TOOLS.iter().all(|spec| !named.contains(spec.native)), "{named}");
    }
}
