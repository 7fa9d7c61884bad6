//! The schema checker against the verdicts of the public JSON-Schema-Test-Suite.
//!
//! The suite is not a part of this repository: `HANDRAIL_JSON_SCHEMA_SUITE` names the folder that holds `draft7` and
//! `draft2020-12`, else `tests/json-schema` is looked at. Where it is absent the comparison says so and is skipped;
//! `tests/schema_cases.json` has cases of our own for every keyword.

#![cfg(not(target_arch = "wasm32"))] // A browser has no files.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // A test, also outside of its test functions.

use std::path::PathBuf;

use handrail::arguments::{Schema, read};
use serde_json::{Value, json};

/// Files, or single groups of a file, that are outside the dialect, each with the reason.
const OUTSIDE: &[(&str, &str, &str)] = &[
    ("refRemote.json", "", "remote references are never fetched"),
    ("dynamicRef.json", "", "$dynamicRef is not supported"),
    ("vocabulary.json", "", "the dialect is fixed; custom meta-schemas are not read"),
    ("unevaluatedItems.json", "", "unevaluatedItems is not supported"),
    ("unevaluatedProperties.json", "", "unevaluatedProperties is not supported"),
    ("ref.json", "remote ref, containing refs itself", "the meta-schema is remote"),
    ("definitions.json", "validate definition against metaschema", "the meta-schema is remote"),
    ("defs.json", "validate definition against metaschema", "the meta-schema is remote"),
    ("ref.json", "ref creates new scope when adjacent to keywords", "unevaluatedProperties is not supported"),
    ("pattern.json", "pattern with Unicode property escape requires unicode mode", "no Unicode properties"),
    (
        "not.json",
        "collect annotations inside a 'not', even if collection is disabled",
        "unevaluatedProperties",
    ),
    ("patternProperties.json", "patternProperties with Unicode property escape", "no Unicode properties"),
];

fn suite() -> Option<PathBuf> {
    let folder = std::env::var_os("HANDRAIL_JSON_SCHEMA_SUITE").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from("tests/json-schema"));
    folder.is_dir().then_some(folder)
}

fn outside(file: &str, group: &str) -> bool {
    OUTSIDE.iter().any(|(f, g, _)| *f == file && (g.is_empty() || *g == group))
}

/// Runs one draft; gives the number of verdicts compared, those outside, and those that differ.
fn run(folder: &std::path::Path, dialect: Option<&str>) -> (usize, usize, Vec<String>) {
    let (mut compared, mut skipped, mut wrong) = (0, 0, Vec::new());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let groups = read(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            let name = group["description"].as_str().unwrap();
            let tests = group["tests"].as_array().unwrap();
            if outside(&file, name) {
                skipped += tests.len();
                continue;
            }
            let mut schema = group["schema"].clone();
            // The suite leaves the draft to whoever runs it.
            if let (Some(dialect), Value::Object(members)) = (dialect, &mut schema) {
                members.entry("$schema").or_insert(json!(dialect));
            }
            let (compiled, _) = Schema::compile(&schema);
            for test in tests {
                compared += 1;
                let valid = compiled.is_valid(&test["data"]);
                if valid != test["valid"].as_bool().unwrap() {
                    wrong.push(format!("{file} | {name} | {}: we say {valid}", test["description"]));
                }
            }
        }
    }
    (compared, skipped, wrong)
}

#[test]
fn verdicts_agree_with_the_public_suite() {
    let Some(suite) = suite() else {
        println!("JSON-Schema-Test-Suite not found: its verdicts are not compared");
        return;
    };
    let old = run(&suite.join("draft7"), Some("http://json-schema.org/draft-07/schema#"));
    let new = run(&suite.join("draft2020-12"), None);
    for (draft, (compared, skipped, wrong)) in [("draft 7", old), ("draft 2020-12", new)] {
        println!(
            "{draft}: {compared} verdicts compared, {skipped} outside the dialect, {} differ",
            wrong.len()
        );
        assert!(wrong.is_empty(), "{draft}:\n{}", wrong.join("\n"));
        assert!(compared > 800, "the suite is not complete");
    }
}
