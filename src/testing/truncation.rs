use serde_json::Value;

use super::{Verdict, case};
use crate::project::{Bounds, Keep, truncate};
use crate::protocol::digest::sha256_hex;

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let text = case::text_of(input, "text");
    let keep = if input["keep"] == "head" { Keep::Head } else { Keep::Tail };
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let mut bounds = Bounds::of(keep);
    bounds.lines = number(&input["maxLines"]).unwrap_or(bounds.lines);
    bounds.bytes = number(&input["maxBytes"]).unwrap_or(bounds.bytes);
    let Some(cut) = truncate(&text, keep, bounds) else {
        return case::same_json("truncated", &false.into(), &expect["truncated"]);
    };
    case::same_json("truncated", &true.into(), &expect["truncated"])?;
    let kept = cut.kept.trim_matches('\n');
    let facts = serde_json::json!({
        "sha256": sha256_hex(kept.as_bytes()), "chars": kept.chars().count(), "bytes": kept.len(),
    });
    case::same_json("kept", &facts, &expect["kept"])?;
    for (name, omitted) in [("omittedLines", cut.omitted_lines), ("omittedBytes", cut.omitted_bytes)] {
        if let Some(wanted) = expect.get(name) {
            case::same_json(name, &omitted.into(), wanted)?;
        }
    }
    case::check_text(&cut.notice(None), &serde_json::json!({"numbers": expect["numbers"]}))
}
