//! Runs the conformance cases of the rooms `identity`, `catalog` and `gate`.
#![cfg(feature = "testing")]

use handrail::testing::{self, Verdict};
use serde_json::Value;

const TOPICS: [&str; 7] =
    ["tool_id", "call_names", "profile", "bindings", "descriptions", "snapshot", "gate"];

#[test]
fn every_case_of_these_topics_passes() {
    let mut problems = Vec::new();
    for topic in TOPICS {
        let path = format!("{}/tests/vectors/{topic}.json", env!("CARGO_MANIFEST_DIR"));
        let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let cases = file["cases"].as_array().unwrap();
        assert!(!cases.is_empty(), "{topic} has no cases");
        for case in cases {
            match testing::run(topic, &case["input"], &case["expect"]) {
                Some(Verdict::Passed) => {}
                other => problems.push(format!("{topic} {} ({}): {other:?}", case["id"], case["why"])),
            }
        }
    }
    assert!(problems.is_empty(), "{} cases do not pass:\n{}", problems.len(), problems.join("\n"));
}
