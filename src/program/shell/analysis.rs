//! What a command consists of, told without running it (PM-55): the programs it starts and the files it reads and
//! writes.
//!
//! It is `complete` only where nothing is left to guess: every word is what it says, every program is known and does
//! nothing but what its operands say. The parts that can be seen are told in any case: what a rule forbids is forbidden
//! there too.

mod programs;
mod wrapped;

use bashkit::analysis::analyze_with_limits;
use bashkit::{AnalyzedCommand, AnalyzedRedirect, ScriptAnalysis};
use serde::Serialize;

use self::programs::{Operands, paths_of};
use crate::protocol::limits::SHELL_PARSER_STEPS;

/// Deepest nesting of a script that is taken apart.
const DEPTH: usize = 100;
/// Parts that are told; a command of more is not complete.
const PARTS: usize = 1_000;
/// Directories that a relative path may be meant from; a script that knows more is not complete.
const DIRECTORIES: usize = 4;
/// How often a script may stand in an argument of a script.
const SCRIPTS: usize = 3;
/// What stands for a word that is not known before the command runs.
const UNKNOWN: &str = "…";

/// The parts of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Analysis {
    parts: Vec<Part>,
    complete: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Part {
    kind: Kind,
    target: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Read,
    Write,
    Program,
}

impl Analysis {
    /// Takes a command apart. Paths are told as they are written, or from the directory that the command changes to.
    pub(crate) fn of(command: &str) -> Self {
        let mut analysis = Self { parts: Vec::new(), complete: true };
        analysis.script(command, SCRIPTS);
        analysis
    }

    fn script(&mut self, text: &str, scripts: usize) {
        let Ok(script) = analyze_with_limits(text, DEPTH, SHELL_PARSER_STEPS) else {
            return self.complete = false;
        };
        // An expansion, an arithmetic expression or a condition may hold a command or make any word.
        let expands = ["$", "`", "((", "[["].iter().any(|sign| text.contains(sign));
        // `time` may write to a file that is not told.
        let times = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "time");
        self.complete &= !expands && !times && !script.is_opaque();
        let directories = self.directories(&script);
        for command in &script.commands {
            self.command(command, &directories, scripts);
        }
        for redirect in &script.redirects {
            self.redirect(redirect, &directories);
        }
    }

    /// Where relative paths may be meant from: the directory it starts in, and those it changes to. Which one counts
    /// where is not told, so all do.
    fn directories(&mut self, script: &ScriptAnalysis) -> Vec<String> {
        let mut directories = vec![String::new()];
        for command in script.commands_named("cd") {
            let target = match command.args.as_slice() {
                [] => "/",
                [Some(target)] if programs::is_plain_path(target) && !target.starts_with('-') => target,
                _ => {
                    self.complete = false;
                    continue;
                }
            };
            let reached: Vec<String> = directories.iter().map(|from| join(from, target)).collect();
            for directory in reached {
                if directories.contains(&directory) {
                    continue;
                }
                if directories.len() == DIRECTORIES {
                    self.complete = false;
                    return directories;
                }
                directories.push(directory);
            }
        }
        directories
    }

    fn command(&mut self, command: &AnalyzedCommand, directories: &[String], scripts: usize) {
        self.complete &= command.assignments.is_empty();
        let words: Vec<&str> =
            command.args.iter().map(|argument| argument.as_deref().unwrap_or(UNKNOWN)).collect();
        self.complete &= command.args.iter().all(Option::is_some);
        let Some(name) = &command.name else { return };
        self.program(name, &words, directories, scripts);
    }

    /// One program with its words.
    fn program(&mut self, path: &str, words: &[&str], directories: &[String], scripts: usize) {
        let name = programs::name_of(path);
        let mut text = name.unwrap_or(path).to_owned();
        for word in words {
            text.push(' ');
            text.push_str(word);
        }
        self.add(Kind::Program, text);
        let Some(name) = name else { return self.complete = false };
        if let Some(inner) = wrapped::command(name, words) {
            self.complete = false;
            if let [inner, words @ ..] = inner {
                self.program(inner, words, directories, scripts);
            }
            return;
        }
        if let Some(script) = wrapped::script(name, words) {
            self.complete = false;
            if let Some(scripts) = scripts.checked_sub(1) {
                self.script(&script, scripts);
            }
            return;
        }
        match paths_of(name, words) {
            Operands::Known(paths) => {
                for (writes, path) in paths {
                    // To what reads, this is its input.
                    if path == "-" && !writes {
                        continue;
                    }
                    self.path(if writes { Kind::Write } else { Kind::Read }, &path, directories);
                }
            }
            Operands::Unknown => self.complete = false,
        }
    }

    fn redirect(&mut self, redirect: &AnalyzedRedirect, directories: &[String]) {
        let kind = if redirect.mode.is_write() { Kind::Write } else { Kind::Read };
        match &redirect.path {
            Some(path) => self.path(kind, path, directories),
            None => self.complete = false,
        }
    }

    fn path(&mut self, kind: Kind, path: &str, directories: &[String]) {
        if path == UNKNOWN {
            return;
        }
        self.complete &= programs::is_plain_path(path);
        if is_device(path) {
            return;
        }
        for directory in directories {
            self.add(kind, join(directory, path));
        }
    }

    fn add(&mut self, kind: Kind, target: String) {
        let part = Part { kind, target };
        if self.parts.contains(&part) {
            return;
        }
        if self.parts.len() == PARTS {
            return self.complete = false;
        }
        self.parts.push(part);
    }
}

/// Whether a path is sure to name a device of the shell, and no file.
fn is_device(path: &str) -> bool {
    path.starts_with("/dev/") && path.split('/').all(|name| name != "..") && programs::is_plain_path(path)
}

fn join(directory: &str, path: &str) -> String {
    match directory {
        _ if path.starts_with('/') => path.to_owned(),
        "" => path.to_owned(),
        _ => format!("{}/{path}", directory.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests;
