//! Cases whose rooms are built, but which the common runner cannot reach or leaves to whole calls.

use std::path::Path;

use serde_json::Value;

use super::{Verdict, case, run};

/// Runs every case of a file of `tests/vectors` under a topic.
fn check(file: &str, topic: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(format!("{file}.json"));
    let cases = case::json_text(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    let failed: Vec<String> = cases.iter().filter_map(|case| failure(topic, case)).collect();
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

fn failure(topic: &str, case: &Value) -> Option<String> {
    match run(topic, &case["input"], &case["expect"]) {
        Some(Verdict::Passed) => None,
        other => Some(format!("{} ({}): {other:?}", case["id"], case["why"])),
    }
}

#[test]
fn extension_results() {
    check("extension_results", "extension_results");
}

#[test]
fn lanes() {
    check("lanes", "lanes_pure");
}

#[test]
fn interrupted_history() {
    check("interrupted_history", "interrupted_history");
}

#[test]
fn gate() {
    check("gate", "gate");
}

#[test]
fn permissions() {
    check("permissions", "permissions");
}

#[test]
fn policy_globs() {
    check("policy_globs", "policy_globs");
}
