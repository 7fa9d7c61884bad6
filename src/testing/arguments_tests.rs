use super::super::{Verdict, run};

fn all(topic: &str, file: &str) {
    let file: serde_json::Value = serde_json::from_str(file).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 50);
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| match run(topic, &case["input"], &case["expect"]) {
            Some(Verdict::Passed) => None,
            other => Some(format!("{} ({}): {other:?}", case["id"], case["why"])),
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn arguments() {
    all("arguments", include_str!("../../tests/vectors/arguments.json"));
}

#[test]
fn argument_repair() {
    all("argument_repair", include_str!("../../tests/vectors/argument_repair.json"));
}
