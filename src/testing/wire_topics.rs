use serde_json::{Value, json};

use super::{Verdict, case, template, wire};
use crate::wire::{Codec, Entry};

pub fn openai_chat(input: &Value, expect: &Value) -> Verdict {
    run(Codec::OpenaiChat, input, expect)
}

pub fn anthropic(input: &Value, expect: &Value) -> Verdict {
    run(Codec::Anthropic, input, expect)
}

fn run(codec: Codec, input: &Value, expect: &Value) -> Verdict {
    let answer = match input["op"].as_str() {
        Some("decode") => wire::decoded(codec, input, expect),
        Some("results") => results(codec, input, expect),
        Some("replay") => replay(codec, input, expect),
        op => return Verdict::Failed(format!("the op {op:?} is not known")),
    };
    answer.into()
}

fn results(codec: Codec, input: &Value, expect: &Value) -> Result<(), String> {
    let messages = wire::messages(codec, &[Entry::Results(wire::results(input))])?;
    let wanted = expect["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, wanted) in wanted.iter().enumerate() {
        template::matches(&format!("messages[{at}]"), messages.get(at), wanted)?;
    }
    let (first, rest) = messages.split_at_checked(wanted.len()).unwrap_or_default();
    if codec == Codec::OpenaiChat {
        case::same_json("images of results", &json!(wire::images(&json!(first))), &json!([]))?;
    }
    case::same_json("images", &json!(wire::images(&json!(messages))), &expect["images"])?;
    if expect["rest"] == "none" {
        return case::same_json("rest", &json!(rest), &json!([]));
    }
    rest.iter().try_for_each(|message| template::matches("rest", Some(message), &expect["rest"]))
}

fn replay(codec: Codec, input: &Value, expect: &Value) -> Result<(), String> {
    let messages = wire::messages(codec, &[wire::replayed(input)?])?;
    let message = messages.first().unwrap_or(&Value::Null);
    let calls = match codec {
        Codec::Anthropic => {
            let is_call = |block: &&Value| block["type"] == "tool_use";
            Some(message["content"].as_array().into_iter().flatten().filter(is_call).cloned().collect())
        }
        _ => message.get("tool_calls").cloned(),
    };
    template::matches("calls", calls.as_ref(), &expect["calls"])
}
