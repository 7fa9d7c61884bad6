//! Runs a folder of conformance cases natively: `cargo run --features testing --example vectors -- FOLDER`.
//!
//! `tests/faces/topics.json` says how a topic is run, here and in Node. A topic of the public API needs a module of
//! its name beside this file and a line in `adapter`. The last line of the output counts the cases.

// The runner and its adapters are test code.
#![allow(missing_docs, clippy::print_stdout, clippy::print_stderr)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unreachable
)]

mod background;
mod extension_results;
mod file_edits;
mod gate;
mod lanes;
mod list_files;
mod loop_guard;
mod permissions;
mod policy_globs;
mod read_file;
mod replay;
mod report;
mod script;
mod workspace_search;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use handrail::testing::{self, Verdict, case};
use serde_json::Value;

type Adapter = fn(input: &Value, expect: &Value) -> Verdict;

/// The adapters of the topics that go through the public API.
fn adapter(topic: &str) -> Option<Adapter> {
    Some(match topic {
        "approvals" | "hooks" | "truth_table" => script::run,
        "background" => background::run,
        "extension_results" => extension_results::run,
        "file_edits" => file_edits::run,
        "gate" => gate::run,
        "lanes" | "cancel" => lanes::run,
        "list_files" => list_files::run,
        "loop_guard" => loop_guard::run,
        "permissions" => permissions::run,
        "policy_globs" => policy_globs::run,
        "read_file" => read_file::run,
        "workspace_search" => workspace_search::run,
        _ => return None,
    })
}

/// How each topic is run; the same file serves both faces.
struct Topics(Value);

impl Topics {
    fn read() -> Self {
        Self(serde_json::from_str(include_str!("../topics.json")).expect("topics.json is JSON"))
    }

    /// The verdict, and why the case was run as a single function, if it was meant for the public API.
    fn run(&self, topic: &str, input: &Value, expect: &Value) -> (Verdict, Option<String>) {
        let op = input["op"].as_str().unwrap_or_default();
        let is_api = self.0["api"].as_array().is_some_and(|api| api.iter().any(|name| name == topic));
        let pure = self.0["pureOps"][topic][op].as_str().or((!is_api).then_some(topic));
        let verdict = match pure {
            Some(pure) => testing::run(pure, input, expect),
            None => adapter(topic).map(|run| run(input, expect)),
        };
        let instead = self.0["pureInstead"][topic].as_str();
        let (verdict, reason) = match (verdict, instead) {
            // What the public API cannot show yet (a tool or a room that is not built) is still run as a single
            // function.
            (Some(Verdict::Skipped(reason)), Some(instead)) => {
                (testing::run(instead, input, expect), Some(reason))
            }
            (verdict, _) => (verdict, None),
        };
        let verdict = verdict.unwrap_or_else(|| match self.0["later"][topic].as_str() {
            Some(reason) => Verdict::Skipped(reason.into()),
            None => Verdict::Failed(format!("no adapter for the topic {topic}")),
        });
        (verdict, reason)
    }
}

#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Of those that passed: by a single function instead of the public API.
    pure: usize,
}

impl Tally {
    fn count(&mut self, name: &str, why: &str, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(text) => {
                self.failed += 1;
                println!("failed  {name}: {why}\n        {text}");
            }
            Verdict::Skipped(text) => {
                self.skipped += 1;
                println!("skipped {name}: {text}");
            }
        }
    }
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("Name the folder of case files.");
        return ExitCode::FAILURE;
    };
    let files = case_files(Path::new(&folder));
    let topics = Topics::read();
    let mut tally = Tally::default();
    if files.is_empty() {
        tally.count(&folder, "a folder of cases", Verdict::Failed("it holds no *.json file".into()));
    }
    // A panic is the answer to a case, not the end of the run.
    std::panic::set_hook(Box::new(|_| {}));
    for file in files {
        run_file(&file, &topics, &mut tally);
    }
    println!("{} of them by a single function instead of the public API", tally.pure);
    println!("{} passed, {} failed, {} skipped", tally.passed, tally.failed, tally.skipped);
    if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    files
}

fn run_file(file: &Path, topics: &Topics, tally: &mut Tally) {
    let content = match read_file(file) {
        Ok(content) => content,
        Err(error) => return tally.count(&file.to_string_lossy(), "a case file", Verdict::Failed(error)),
    };
    let topic = content["topic"].as_str().unwrap_or_default();
    for case in content["cases"].as_array().into_iter().flatten() {
        let name = format!("{topic} {}", case["id"].as_str().unwrap_or("without an id"));
        let (verdict, instead) = catch_unwind(|| topics.run(topic, &case["input"], &case["expect"]))
            .unwrap_or_else(|panic| (Verdict::Failed(format!("panicked: {}", words(&*panic))), None));
        if let Some(reason) = instead {
            tally.pure += 1;
            println!("pure    {name}: {reason}");
        }
        tally.count(&name, case["why"].as_str().unwrap_or_default(), verdict);
    }
}

fn read_file(file: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let content = case::json_text(&text)?;
    if content["topic"].is_string() && content["cases"].is_array() {
        return Ok(content);
    }
    Err("it lacks `topic` or `cases`".into())
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
