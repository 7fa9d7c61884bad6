use serde_json::{Value, json};

use super::{Verdict, case};
use crate::workspace::Metrics;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let metrics = Metrics::of(&case::text_of(input, "text"));
    case::pins(&json!({"chars": metrics.chars, "words": metrics.words}), expect).into()
}
