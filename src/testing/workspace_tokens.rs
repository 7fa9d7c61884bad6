use serde_json::{Value, json};

use super::{Verdict, case};
use crate::workspace::search::Query;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let query = Query::new(&case::text_of(input, "query"));
    let tokens: Vec<&str> = query.tokens().iter().map(|token| token.text.as_str()).collect();
    case::pins(&json!({"tokens": tokens}), expect).into()
}
