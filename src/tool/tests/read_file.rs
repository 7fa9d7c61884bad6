use serde_json::json;

use super::{Desk, path};

const PLACE: &str = "output/main.md";

fn desk(text: &str) -> Desk {
    Desk::new(&[(PLACE, text)])
}

#[test]
fn what_a_read_shows() {
    let lines: Vec<String> = (1..=12).map(|number| format!("line {number}")).collect();
    let mut desk = desk(&lines.join("\n"));
    let outcome = desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 9, "line_count": 2}));
    assert_eq!(
        outcome.text(),
        "output/main.md lines 9-10 of 12, chars 86, words 24 (preview)\n \
          9 | line 9\n\
         10 | line 10\n\
         Lines 11-12 remain; continue with start_line 11."
    );
    assert_eq!(desk.state.get(&path(PLACE)).unwrap().observed_texts, ["line 9\nline 10".into()]);
    let outcome = desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 11, "line_count": 1}));
    assert!(
        outcome.text().ends_with("\nLine 12 remains; continue with start_line 12."),
        "{}",
        outcome.text()
    );
    assert_eq!(outcome.display.unwrap()["kind"], "file_read");
}

#[test]
fn an_empty_file_has_a_header_only() {
    let outcome = desk("").call("workspace.read_file", json!({"path": PLACE}));
    assert_eq!(outcome.text(), "output/main.md lines 0-0 of 0, chars 0, words 0");
}

#[test]
fn a_range_over_everything_is_a_whole_read() {
    let mut desk = desk("a\nb");
    let text =
        desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 1, "line_count": 2})).text();
    assert!(!text.contains("preview") && desk.state.get(&path(PLACE)).unwrap().full_read);
}

#[test]
fn a_long_line_is_cut_and_what_follows_can_be_read() {
    let mut desk = desk(&format!("short\n{}\nlast", "x".repeat(90_000)));
    let first = desk.call("workspace.read_file", json!({"path": PLACE})).text();
    assert!(first.ends_with("1 | short\nLines 2-3 remain; continue with start_line 2."));
    let second = desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 2})).text();
    let notices = "\nLine 2 is cut: the first 80,000 of its 90,000 characters are shown.\n\
                   Line 3 remains; continue with start_line 3.";
    assert!(second.ends_with(notices));
    assert!(!desk.state.get(&path(PLACE)).unwrap().full_read);
}

#[test]
fn bytes_bound_a_read_too() {
    // 70,000 characters, but 280,000 bytes.
    let mut desk = desk(&"😀".repeat(70_000));
    let text = desk.call("workspace.read_file", json!({"path": PLACE})).text();
    assert!(text.ends_with("Line 1 is cut: the first 65,536 of its 70,000 characters are shown."));
    desk.put(PLACE, "😀😀\n".repeat(40_000).as_bytes());
    let text = desk.call("workspace.read_file", json!({"path": PLACE, "start_line": 40_000})).text();
    assert!(text.contains("lines 40000-40001 of 40001"), "{text}");
}

#[test]
fn following_the_hints_reads_every_line_once() {
    let lines: Vec<String> = (0..5_000).map(|number| "word ".repeat(number % 60)).collect();
    let mut desk = desk(&lines.join("\n"));
    let (mut next, mut rows) = (Some(1), Vec::new());
    while let Some(start) = next {
        let text = desk.call("workspace.read_file", json!({"path": PLACE, "start_line": start})).text();
        let hint = text.rsplit_once("continue with start_line ");
        next = hint.map(|(_, line)| line.trim_end_matches('.').parse::<usize>().unwrap());
        rows.extend(
            text.lines().skip(1).filter_map(|row| row.split_once(" | ")).map(|(_, line)| line.to_owned()),
        );
    }
    assert_eq!(rows, lines);
}
