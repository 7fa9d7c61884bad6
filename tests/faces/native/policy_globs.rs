//! The pattern language, as rules use it: on the names of actions and on commands.

use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::script::play;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let by_name = input["op"] == "name";
    let command = json!({"name": "run", "target": {"command": "$.about"}});
    let permission = match (by_name, input["verified"] == true) {
        (true, _) => json!({"name": "$.about"}),
        (_, true) => json!({"name": "all", "parts": [command]}),
        _ => command,
    };
    let mut rule = json!({"id": "r", "effect": "deny"});
    rule[if by_name { "action" } else { "pattern" }] = input["pattern"].clone();
    let played = play(&json!({
        "tools": [{"name": "t", "permission": permission}], "rules": [rule], "terms": {"mode": "allow"},
        "replies": [[["c", "t", {"about": case::text_of(input, "text")}]]],
    }))?;
    let called = played.host.iter().any(|line| line[0] == "called");
    case::same_json("matches", &(!called).into(), &expect["matches"])
}
