use serde_json::{Value, json};

use super::{Verdict, case, template, wire};
use crate::wire::{Codec, Entry};

const CODEC: Codec = Codec::OpenaiChat;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let answer = match input["op"].as_str() {
        Some("decode") => wire::decoded(CODEC, input, expect),
        Some("results") => results(input, expect),
        Some("replay") => replay(input, expect),
        op => return Verdict::Failed(format!("the op {op:?} is not known")),
    };
    answer.into()
}

fn results(input: &Value, expect: &Value) -> Result<(), String> {
    let messages = CODEC.messages(&[Entry::Results(wire::results(input))]);
    let wanted = expect["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, wanted) in wanted.iter().enumerate() {
        template::matches(&format!("messages[{at}]"), messages.get(at), wanted)?;
    }
    let (first, rest) = messages.split_at_checked(wanted.len()).unwrap_or_default();
    case::same_json("images of results", &json!(wire::images(&json!(first))), &json!([]))?;
    case::same_json("images", &json!(wire::images(&json!(messages))), &expect["images"])?;
    if expect["rest"] == "none" {
        return case::same_json("rest", &json!(rest), &json!([]));
    }
    rest.iter().try_for_each(|message| template::matches("rest", Some(message), &expect["rest"]))
}

fn replay(input: &Value, expect: &Value) -> Result<(), String> {
    let messages = CODEC.messages(&[wire::replayed(input)?]);
    let calls = messages.first().and_then(|message| message.get("tool_calls"));
    template::matches("calls", calls, &expect["calls"])
}
