use serde_json::{Value, json};

use super::{Verdict, case};
use crate::protocol::Refusal;
use crate::workspace::{Roots, WorkspacePath};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    let path = case::text_of(input, "path");
    let op = input.get("op").and_then(Value::as_str).unwrap_or_default();
    let want = input.get("want").and_then(Value::as_str).unwrap_or_default();
    let read: Result<WorkspacePath, Refusal> = match (op, want) {
        ("parse", _) => WorkspacePath::parse(&path),
        ("access", "read") => roots(input).read(&path),
        ("access", "write") => roots(input).write(&path),
        ("delete", _) => return Verdict::Skipped("the tool that deletes is not built".into()),
        _ => return Verdict::Failed(format!("no such op: {op} {want}")),
    };
    let actual = match read {
        Ok(path) => json!({"ok": true, "path": path}),
        Err(refusal) => json!({"ok": false, "code": refusal.code}),
    };
    case::pins(&actual, expect).into()
}

/// The roots as `visibleRoots` and `writableRoots` of a case narrow them.
pub fn roots(input: &Value) -> Roots {
    let list = |key: &str| -> Option<Vec<String>> {
        input.get(key)?.as_array().map(|names| names.iter().map(case::text).collect())
    };
    Roots::narrowed(list("visibleRoots").as_deref(), list("writableRoots").as_deref())
}
