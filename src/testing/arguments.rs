use serde_json::Value;

use super::Verdict;

pub fn arguments(_input: &Value, _expect: &Value) -> Verdict {
    Verdict::Failed("not built".into())
}

pub fn argument_repair(_input: &Value, _expect: &Value) -> Verdict {
    Verdict::Failed("not built".into())
}
