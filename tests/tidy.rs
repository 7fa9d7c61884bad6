//! The rules of the house, checked. A rule that a program can check is a test here and not a paragraph in a guide.

#![cfg(not(target_arch = "wasm32"))] // A browser has no files.

// The lints against panics are for what ships.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "tidy/tokens.rs"]
mod tokens;

use tokens::{Token, paths_from, tokens};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const LONGEST_FILE: usize = 500;
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "manager", "common", "misc", "shared"];
const BINDINGS: [&str; 6] =
    ["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys", "serde_wasm_bindgen", "wit_bindgen"];
const IMPURE_NAMES: [&str; 6] = ["HashMap", "HashSet", "Instant", "SystemTime", "thread_local", "getrandom"];
const IMPURE_MODULES: [&str; 5] = ["fs", "net", "env", "process", "thread"];

/// A text file of the repository.
struct Source {
    /// Its path from the root, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn is_test(&self) -> bool {
        let mut parts = self.path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        name == "tests.rs"
            || name.ends_with("_tests.rs")
            || name.contains(".test.")
            || parts.any(|part| part == "tests")
    }

    /// The room of a file below `src`; `None` for `lib.rs`.
    fn room(&self) -> Option<&str> {
        self.path.strip_prefix("src/")?.split_once('/').map(|(room, _)| room)
    }

    /// The module path of a file below `src`: `src/gate/mod.rs` is `[gate]`, `src/gate/choice.rs` is `[gate, choice]`.
    fn module(&self) -> Vec<&str> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        path.split('/').filter(|part| *part != "mod" && *part != "lib").collect()
    }
}

/// The files below a folder whose names end so, without what git ignores.
fn sources(folder: &str, endings: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_ignored(&path, &name) {
                folders.push(path);
            } else if name != ".git"
                && endings.iter().any(|ending| name.ends_with(ending))
                && let Ok(text) = fs::read_to_string(&path)
            {
                found.push(Source { path: from_root(&path), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn is_ignored(path: &Path, name: &str) -> bool {
    matches!(name, ".git" | "target" | "node_modules" | ".tools")
        || matches!(from_root(path).as_str(), "pkg/dist" | "pkg/programs" | "pkg/wasm")
}

fn from_root(path: &Path) -> String {
    let relative: PathBuf = path.strip_prefix(ROOT).unwrap().components().collect();
    relative.to_string_lossy().replace('\\', "/")
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The room table of ARCHITECTURE.md: what each room may use. `None` is `all`.
fn rooms() -> BTreeMap<String, Option<Vec<String>>> {
    let page = read("ARCHITECTURE.md");
    let (_, table) = page.split_once("<!-- rooms:").expect("ARCHITECTURE.md marks its room table");
    let rows =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let mut rooms = BTreeMap::new();
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let uses = match cells[1] {
            "all" => None,
            "nothing" => Some(Vec::new()),
            list => Some(list.split(", ").map(str::to_owned).collect()),
        };
        rooms.insert(cells[0].to_owned(), uses);
    }
    assert!(rooms.len() > 10, "the room table of ARCHITECTURE.md was not understood");
    rooms
}

#[test]
fn every_room_has_its_row() {
    let rooms = rooms();
    let folders = fs::read_dir(Path::new(ROOT).join("src")).unwrap().flatten();
    let folders = folders.filter(|entry| entry.path().is_dir());
    let folders: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let unnamed = folders.iter().filter(|folder| !rooms.contains_key(*folder));
    let mut problems: Vec<String> = unnamed
        .map(|folder| format!("src/{folder} has no row in the room table of ARCHITECTURE.md"))
        .collect();
    for (room, uses) in &rooms {
        for name in uses.iter().flatten().chain([room]) {
            if !folders.contains(name) {
                problems.push(format!(
                    "the row of {room} in ARCHITECTURE.md names {name}, which src does not have"
                ));
            }
        }
    }
    check(problems);
}

#[test]
fn rooms_use_what_their_row_allows() {
    let rooms = rooms();
    let mut problems = Vec::new();
    for file in sources("src", &[".rs"]).iter().filter(|file| !file.is_test()) {
        let Some(room) = file.room() else { continue };
        let Some(Some(allowed)) = rooms.get(room) else { continue };
        let tokens = tokens(&file.text);
        let module = file.module();
        for used in paths_from("crate", &tokens).into_iter().chain(tokens::paths_above(&module, &tokens)) {
            if used != room && !allowed.contains(&used) {
                problems.push(format!("{}: the room {room} may not use {used}", file.path));
            }
        }
    }
    problems.dedup();
    check(problems);
}

#[test]
fn binding_crates_stay_in_the_face() {
    let mut problems = Vec::new();
    for file in sources("src", &[".rs"]).iter().filter(|file| file.room() != Some("face")) {
        for token in tokens(&file.text) {
            if let Token::Word(word) = token
                && BINDINGS.contains(&word.as_str())
            {
                problems.push(format!("{}: only src/face may name {word}", file.path));
            }
        }
    }
    check(problems);
}

/// A program module is no part of the core: it runs one command and is thrown away.
fn is_program(file: &Source) -> bool {
    file.room() == Some("program") || file.path.starts_with("src/face/program_")
}

#[test]
fn the_core_is_pure() {
    let mut problems = Vec::new();
    for file in sources("src", &[".rs"]).iter().filter(|file| !file.is_test() && !is_program(file)) {
        let tokens = tokens(&file.text);
        for token in &tokens {
            if let Token::Word(word) = token
                && IMPURE_NAMES.contains(&word.as_str())
            {
                problems.push(format!("{}: the core does not name {word}", file.path));
            }
        }
        for used in paths_from("std", &tokens) {
            if IMPURE_MODULES.contains(&used.as_str()) {
                problems.push(format!("{}: the core does not name std::{used}", file.path));
            }
        }
    }
    check(problems);
}

#[test]
fn lints_are_not_switched_off_for_whole_files() {
    let files = sources("src", &[".rs"]);
    let loud = files.iter().filter(|file| !file.is_test() && file.text.contains("#![allow(clippy"));
    check(loud.map(|file| format!("{}: allow a lint where it bites, with its reason", file.path)).collect());
}

#[test]
fn files_are_short() {
    let shipped = sources("src", &[".rs"]).into_iter().chain(sources("pkg/src", &[".ts"]));
    // Nobody reads or writes what ./dev types makes from src/protocol.
    let written = shipped.filter(|file| !file.is_test() && file.path != "pkg/src/generated.ts");
    let mut problems = Vec::new();
    for file in written {
        let lines = file.text.lines().count();
        if lines > LONGEST_FILE {
            problems.push(format!("{}: {lines} lines, at most {LONGEST_FILE}", file.path));
        }
    }
    check(problems);
}

#[test]
fn files_are_named_after_what_they_hold() {
    let mut problems = Vec::new();
    for file in sources("", &[".rs", ".ts", ".mjs", ".js", ".sh"]) {
        let parts = file.path.split(['/', '.']);
        problems.extend(
            parts.filter(|part| EMPTY_NAMES.contains(part)).map(|part| format!("{}: says {part}", file.path)),
        );
    }
    check(problems);
}

#[test]
fn no_case_id_is_shipped() {
    let mut ids = BTreeSet::new();
    for file in sources("tests/vectors", &[".json"]) {
        let content: serde_json::Value = serde_json::from_str(&file.text).unwrap();
        let cases = content["cases"].as_array().unwrap();
        ids.extend(cases.iter().map(|case| case["id"].as_str().unwrap().to_owned()));
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '/';
    assert!(
        ids.len() > 100 && ids.iter().all(|id| id.chars().all(is_part)),
        "the ids of the cases are words"
    );
    let mut problems = Vec::new();
    for file in sources("src", &[""]).into_iter().chain(sources("pkg/src", &[""])) {
        let words = file.text.split(|c: char| !is_part(c));
        let found = words.map(|word| word.trim_matches(['-', '/'])).filter(|word| ids.contains(*word));
        problems.extend(found.map(|id| format!("{}: names the conformance case {id}", file.path)));
    }
    check(problems);
}

#[test]
fn no_file_names_a_place_of_one_machine() {
    let home = std::env::var("HOME").unwrap_or_default();
    let mut places: Vec<String> = ["root", "work", "Users"].map(|name| format!("/{name}/")).into();
    if home.len() > 1 && !places.contains(&format!("{home}/")) {
        places.push(format!("{home}/"));
    }
    let mut problems = Vec::new();
    for file in sources("", &[""]) {
        let found = places.iter().filter(|place| file.text.contains(*place));
        problems.extend(found.map(|place| format!("{}: names {place}", file.path)));
    }
    check(problems);
}

#[test]
fn npm_lock_files_name_no_host() {
    let locks = sources("", &["package-lock.json"]);
    let named = locks.iter().filter(|file| file.text.contains("\"resolved\": \"http"));
    check(
        named
            .map(|file| format!("{}: omit-lockfile-registry-resolved is missing in .npmrc", file.path))
            .collect(),
    );
}

#[test]
fn every_limit_is_described() {
    let page = read("LIMITS.md");
    let mut problems = Vec::new();
    for line in read("src/protocol/limits.rs").lines() {
        let Some(constant) = line.strip_prefix("pub const ") else { continue };
        let (name, rest) = constant.split_once(':').unwrap();
        let (_, value) = rest.trim_end_matches(';').split_once('=').unwrap();
        let number = with_separators(&number(value));
        let row = page.lines().find(|row| row.starts_with(&format!("| `{name}` |")));
        if !row.is_some_and(|row| row.split('|').nth(2).is_some_and(|cell| holds_number(cell, &number))) {
            problems.push(format!("LIMITS.md lacks a row: | `{name}` | {number} | what happens there |"));
        }
    }
    check(problems);
}

fn holds_number(cell: &str, number: &str) -> bool {
    cell.split(|c: char| !c.is_ascii_digit() && c != ',').any(|word| word == number)
}

/// The value of `8 * 1024 * 1024` or `1 << 20`.
fn number(expression: &str) -> u64 {
    let literal = |text: &str| text.trim().replace('_', "").parse::<u64>().unwrap();
    match expression.split_once("<<") {
        Some((number, bits)) => literal(number) << literal(bits),
        None => expression.split('*').map(literal).product(),
    }
}

fn with_separators(number: &u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
