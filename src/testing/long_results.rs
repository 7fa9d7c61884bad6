use serde_json::{Value, json};

use super::{Verdict, case};
use crate::project::{Limit, LongResult, Origin, externalise, inline_limit};
use crate::protocol::digest::sha256_hex;
use crate::protocol::{BoundNames, Code, Outcome, Status};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let content = case::text_of(input, "content");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names = [("read", "workspace.read_file"), ("search", "workspace.search_files")];
    let bound = names.iter().filter_map(|(short, native)| {
        Some(((*native).to_owned(), input["bound"].get(short)?.as_str()?.to_owned()))
    });
    let names = BoundNames::from_iter(bound);
    let (path, audit_path) = (text(&input["path"]), text(&input["auditPath"]));
    let origin = if input["source"] == "builtin" { Origin::Builtin } else { Origin::External };
    let profile = input["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or_default();
    let mut outcome = match input["isError"] == true {
        true => Outcome::failure(Status::Error, Code::McpToolError, content.clone()),
        false => Outcome::ok(content.clone(), None),
    };
    let limit = inline_limit(origin, profile, None).map(Limit::Inline);
    let externalised = limit.filter(|limit| limit.is_exceeded_by(&content)).map(|limit| {
        externalise(&LongResult {
            text: &content,
            limit,
            path: &path,
            audit_path: &audit_path,
            names: &names,
            image_notes: "",
        })
    });
    case::same_json("externalized", &externalised.is_some().into(), &expect["externalized"])?;
    case::same_json("isError", &outcome.status.is_error().into(), &expect["isError"])?;
    let Some(externalised) = externalised else {
        return case::same_text("content", &outcome.text(), &content);
    };
    let file = externalised.put_into(&mut outcome);
    case::same_json("isError", &outcome.status.is_error().into(), &expect["isError"])?;
    let shown = outcome.text();
    case::check_text(&shown, expect)?;
    case::same_json("structured", &outcome.structured.unwrap_or_default(), &expect["structured"])?;
    let mut refs = outcome.resource_refs;
    refs.sort();
    case::same_json("resourceRefs", &json!(refs), &expect["resourceRefs"])?;
    let preview = &expect["preview"];
    let chars = preview["chars"].as_u64().and_then(|chars| usize::try_from(chars).ok());
    let start = shown.chars().count().saturating_sub(chars.unwrap_or_default());
    let last: String = shown.chars().skip(start).collect();
    case::same_json("preview", &sha256_hex(last.as_bytes()).into(), &preview["sha256"])?;
    let facts = json!({
        "sha256": sha256_hex(file.as_bytes()),
        "chars": file.chars().count(),
        "lines": file.split('\n').count(),
        "longestLine": file.split('\n').map(|line| line.chars().count()).max(),
    });
    case::same_json("file", &facts, &expect["file"])
}
