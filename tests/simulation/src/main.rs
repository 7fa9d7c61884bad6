//! The core under hosts that do anything, by seeds: every seed is a scenario, every run is held against the invariants
//! of the specification. `./dev simulate` says how it is called.

mod checks;
mod host;
mod journal;
mod mutants;
mod random;
mod scenario;
mod seeds;
mod setting;
mod stage;
mod story;

use std::process::ExitCode;

const USAGE: &str = "simulation [--seeds N] [--from S] [--every]   plays N seeds from S on
simulation --replay FILE [--tell]               plays a journal; with --tell each line and what came of it
simulation --mutants                            lets the core make mistakes that have to be noticed";

fn main() -> ExitCode {
    let (mut count, mut from, mut replay) = (20_000_u64, 1_u64, None);
    let (mut every, mut mutants, mut tell) = (false, false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.replace('_', "").parse().ok());
        match argument.as_str() {
            "--seeds" => count = number().unwrap_or(count),
            "--from" => from = number().unwrap_or(from),
            "--every" => every = true,
            "--mutants" => mutants = true,
            "--tell" => tell = true,
            "--replay" => replay = arguments.next(),
            _ => {
                println!("{USAGE}");
                return ExitCode::FAILURE;
            }
        }
    }
    let passed = match replay {
        Some(file) => journal::replay(&file, tell),
        None if mutants => mutants::run(),
        None => seeds::run(from, count, every),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
