//! A failed run as a file: one line of JSON for everything that was handed in.

use std::fs;

use serde_json::Value;

use crate::checks::broken;
use crate::scenario::{self, Again};
use crate::stage::Transcript;

/// Writes the lines of a run down.
pub fn write(file: &str, lines: &[Value]) -> std::io::Result<()> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(file, text)
}

/// The lines of a run.
pub fn lines(transcript: &Transcript) -> Vec<Value> {
    transcript.steps.iter().map(|step| step.line.clone()).collect()
}

/// The first invariant that lines break.
pub fn problem(lines: &[Value]) -> Option<(&'static str, String)> {
    let transcript = scenario::replay(lines, Again::Always, 0);
    broken(&transcript)
}

/// Plays a file and says what it breaks.
pub fn replay(file: &str, tell: bool) -> bool {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            println!("{file}: {error}");
            return false;
        }
    };
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let lines = match lines {
        Ok(lines) => lines,
        Err(error) => {
            println!("{file}: {error}");
            return false;
        }
    };
    let transcript = scenario::replay(&lines, Again::Always, 0);
    for step in transcript.steps.iter().filter(|_| tell) {
        println!("> {}\n{}", step.line, serde_json::to_string(&step.output).unwrap_or_default());
    }
    match broken(&transcript) {
        None => {
            println!("{} lines, every invariant holds", lines.len());
            true
        }
        Some((id, what)) => {
            println!("{id}: {what}");
            false
        }
    }
}

/// Leaves out what is not needed to break the same invariant.
pub fn shrunk(mut lines: Vec<Value>, id: &str) -> Vec<Value> {
    let breaks = |lines: &[Value]| problem(lines).is_some_and(|(other, _)| other == id);
    if !breaks(&lines) {
        return lines;
    }
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < lines.len() {
            let end = (at + size).min(lines.len());
            let fewer: Vec<Value> = lines[..at].iter().chain(&lines[end..]).cloned().collect();
            if breaks(&fewer) {
                lines = fewer;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    lines
}
