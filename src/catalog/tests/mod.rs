mod binding;
mod documents;
mod profile;
mod registration;
mod snapshot;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::profile::Tier;
use super::*;
use crate::protocol::{Code, Fault, Scenario};

/// All builtins of the registry.
fn builtins() -> Catalog {
    static ALL: LazyLock<Catalog> = LazyLock::new(|| {
        let mut catalog = Catalog::new();
        for builtin in &BUILTINS {
            catalog.add_builtin(tool(builtin.native)).unwrap();
        }
        catalog
    });
    ALL.clone()
}

/// A builtin that takes no arguments.
fn tool(native: &'static str) -> Descriptor {
    Descriptor::new(builtin(native).unwrap().id(), "A tool.", json!({}), Traits::builtin()).unwrap()
}

/// A registration of extension `e`, with more members.
fn registration(name: &str, more: Value) -> Value {
    let mut value = json!({"extensionId": "e", "name": name, "description": "d"});
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

/// A short profile with these members of `tools`, and more sections.
fn profile(tools: Value, more: Value) -> Profile {
    let mut value = json!({"id": "p", "displayName": "P", "tools": tools});
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Profile::decode(&value).unwrap()
}

fn code<T: std::fmt::Debug>(result: Result<T, Fault>) -> Code {
    result.unwrap_err().code
}

fn member<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    let fault = result.unwrap_err();
    fault.details.unwrap()["member"].as_str().unwrap().to_owned()
}

fn pairs(bound: &Bound) -> Vec<(&str, &str)> {
    bound.bindings.iter().map(|binding| (binding.id().as_str(), binding.alias())).collect()
}

#[test]
fn patterns_know_the_star_only() {
    let cases = [
        ("", "", true),
        ("", "a", false),
        ("a", "a", true),
        ("a*", "a", true),
        ("*", "", true),
        ("**", "x", true),
        ("ab*ab", "ab", false),
        ("ab*ab", "abab", true),
        ("a*b*c", "aXbYc", true),
        ("a*b*c", "acb", false),
        ("*b*b*", "ab", false),
        ("a?", "ab", false),
        ("天*", "天气", true),
    ];
    for (pattern, text, wanted) in cases {
        assert_eq!(matches(pattern, text), wanted, "{pattern:?} {text:?}");
    }
}

#[test]
fn the_registry_keeps_its_order_and_its_marks() {
    let natives: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.native).collect();
    assert_eq!(natives.first(), Some(&"agent.delegate"));
    assert_eq!(natives.last(), Some(&"workspace.edit"));
    let completion: Vec<&str> = BUILTINS.iter().filter(|b| b.completion).map(|b| b.native).collect();
    assert_eq!(completion, ["agent.handoff", "task.return", "workspace.finish"]);
    let last = BUILTINS.iter().skip(16);
    assert!(last.clone().all(|builtin| builtin.feature.is_some()));
    assert_eq!(last.count(), 7);
    let hidden = |scenario| BUILTINS.iter().filter(|builtin| !builtin.fits(scenario)).count();
    assert_eq!((hidden(Scenario::Chat), hidden(Scenario::Session)), (0, 9));
}
