//! Many seeds, on all cores.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::checks::{CHECKS, ELSEWHERE, broken};
use crate::journal;
use crate::scenario::{self, Again};
use crate::story::runs;

/// Of so many seeds one is played again with a restore before every line.
const RESTORED_ALWAYS: u64 = 20;
/// Of so many seeds one is played a second time.
const PLAYED_AGAIN: u64 = 2;
/// So many findings are enough for one report.
const ENOUGH: usize = 20;

/// Something that a seed found.
pub struct Finding {
    seed: u64,
    id: &'static str,
    what: String,
}

/// Plays seeds and reports; `true`: every invariant holds in each.
pub fn run(from: u64, count: u64, every: bool) -> bool {
    let begun = Instant::now();
    let (next, lines) = (AtomicU64::new(from), AtomicU64::new(0));
    let findings = Mutex::new(Vec::new());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= from.saturating_add(count) || findings.lock().unwrap().len() >= ENOUGH {
                return;
            }
            let again = match seed {
                _ if every || seed.is_multiple_of(RESTORED_ALWAYS) => Again::Always,
                _ if seed.is_multiple_of(PLAYED_AGAIN) => Again::Sometimes,
                _ => Again::Never,
            };
            let (found, played) = one(seed, again);
            lines.fetch_add(played, Ordering::Relaxed);
            findings.lock().unwrap().extend(found);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let mut findings = findings.into_inner().unwrap();
    findings.sort_by_key(|finding| finding.seed);
    report(&findings);
    let took = begun.elapsed().as_secs_f64();
    let (played, failed) = (count.min(next.into_inner() - from), findings.len() as u64);
    println!(
        "{played} seeds from {from}, {} lines, {took:.0} s, {:.0} seeds a second",
        lines.into_inner(),
        played as f64 / took
    );
    println!("{} invariants checked, {} not here", CHECKS.len(), ELSEWHERE.len());
    println!("{} passed, {failed} failed, 0 skipped", played.saturating_sub(failed));
    findings.is_empty()
}

/// What one seed finds, and how many lines it took.
pub fn one(seed: u64, again: Again) -> (Option<Finding>, u64) {
    let played = std::panic::catch_unwind(|| {
        let transcript = scenario::play(seed, again);
        // A run that was not started proves nothing.
        let idle = || runs(&transcript).next().is_none().then(|| ("CM-02", "no run was started".to_owned()));
        let found = broken(&transcript).or_else(idle).map(|(id, what)| Finding { seed, id, what });
        (found, transcript.steps.len() as u64)
    });
    played.unwrap_or_else(|_| {
        let what = "something panics; the message stands above".to_owned();
        (Some(Finding { seed, id: "SC-29", what }), 0)
    })
}

fn report(findings: &[Finding]) {
    let mut kinds: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in findings {
        let what: String = finding.what.chars().take(600).collect();
        println!("seed {}: {}: {what}", finding.seed, finding.id);
        kinds.entry(finding.id).or_insert(finding);
    }
    // One journal for each invariant is enough to begin with.
    for (id, finding) in kinds {
        if id == "SC-29" {
            continue;
        }
        let transcript = scenario::play(finding.seed, Again::Sometimes);
        let lines = journal::shrunk(journal::lines(&transcript), id);
        let file = std::env::temp_dir().join(format!("handrail-{}-{id}.jsonl", finding.seed));
        let file = file.to_string_lossy();
        match journal::write(&file, &lines) {
            Ok(()) => println!("{id}: {} lines break it: ./dev simulate --replay {file}", lines.len()),
            Err(error) => println!("{file}: {error}"),
        }
    }
}
