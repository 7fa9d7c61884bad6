//! What a read of a file shows.

use handrail::protocol::digest::sha256_hex;
use handrail::testing::{Verdict, case};
use serde_json::{Value, json};

use super::replay::{Options, Replay};

pub fn run(input: &Value, expect: &Value) -> Verdict {
    check(input, expect).into()
}

fn check(input: &Value, expect: &Value) -> Result<(), String> {
    let mut replay = Replay::new();
    let path = input["path"].as_str().ok_or("no path")?;
    replay.write(&json!({path: input["text"]}))?;
    replay.begin(vec!["builtin:workspace.read_file".into()], Options::default())?;
    let mut arguments = input["args"].clone();
    arguments["path"] = path.into();
    let ended = replay.call("workspace_read_file", &arguments)?;
    if expect["isError"] == true {
        return case::pins(&ended.facts(), expect);
    }
    case::same_json("isError", &ended.facts()["isError"], &expect["isError"])?;
    let mut pinned = expect.clone();
    let cut = pinned.as_object_mut().and_then(|pinned| {
        pinned.remove("isError");
        pinned.remove("cutLine")
    });
    case::pins(&parse(path, &ended.shown)?, &pinned)?;
    match cut {
        Some(cut) => check_cut(&ended.shown, &case::text_of(input, "text"), &cut),
        None => Ok(()),
    }
}

/// The parts of a shown file; its first line is `path lines a-b of n, chars c, words w[ (preview)]`.
pub fn parse(path: &str, shown: &str) -> Result<Value, String> {
    let (header, rest) = shown.split_once('\n').unwrap_or((shown, ""));
    let wrong =
        || format!("this is no header line of {path}: {}", header.chars().take(200).collect::<String>());
    let said = header.strip_prefix(path).and_then(|said| said.strip_prefix(" lines ")).ok_or_else(wrong)?;
    let preview = said.ends_with(" (preview)");
    let words = said.trim_end_matches(" (preview)").replace([',', '-'], " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let [first, last, "of", lines, "chars", chars, "words", _] = words[..] else { return Err(wrong()) };
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    let (first, last) = (number(first)?, number(last)?);
    let count = if first == 0 { 0 } else { last + 1 - first };
    let rows: Vec<&str> = rest.split('\n').take(count).collect();
    let notices: Vec<&str> = rest.split('\n').skip(count).collect();
    let hint = notices.iter().find_map(|notice| notice.split_once("start_line ")).map(|(_, line)| line);
    let next = hint.map(|line| line.chars().take_while(char::is_ascii_digit).collect::<String>());
    Ok(json!({
        "startLine": first,
        "endLine": last,
        "totalLines": number(lines)?,
        "totalChars": number(chars)?,
        "preview": preview,
        "fullRead": !preview,
        "rows": rows.join("\n"),
        "rowsSha256": sha256_hex(rows.join("\n").as_bytes()),
        "firstRow": rows.first(),
        "lastRow": rows.last(),
        "nextLine": next.and_then(|digits| digits.parse::<usize>().ok()),
    }))
}

/// A line that is cut shows its beginning, at most so many characters, and a note tells so.
fn check_cut(shown: &str, content: &str, cut: &Value) -> Result<(), String> {
    let line = cut["line"].as_u64().ok_or("no line")?;
    let mut lines = shown.split('\n').skip(1);
    let row = lines.find(|row| row.trim_start().starts_with(&format!("{line} | "))).ok_or("no such row")?;
    let part = row.split_once("| ").map(|(_, part)| part).unwrap_or_default();
    let whole = content.split('\n').nth(line as usize - 1).unwrap_or_default();
    if part.chars().count() as u64 > cut["maxChars"].as_u64().unwrap_or_default() {
        return Err(format!("line {line} is shown with {} characters", part.chars().count()));
    }
    if !whole.starts_with(part) {
        return Err(format!("line {line} does not begin with what is shown of it"));
    }
    let notes: Vec<&str> = shown.split('\n').skip(1).filter(|other| *other != row).collect();
    match notes.iter().any(|note| note.contains(&line.to_string())) {
        true => Ok(()),
        false => Err(format!("nothing says that line {line} is cut: {notes:?}")),
    }
}
