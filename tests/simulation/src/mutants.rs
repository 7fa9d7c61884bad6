//! Proof that the checkers would notice: the core makes a mistake on purpose, and the invariant that it breaks is found
//! broken. A mutant that survives is a checker that does not look, or a scenario that does not go there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use handrail::protocol::Mutant;

use crate::checks;
use crate::scenario::{self, Again};

/// Seeds that a mutant may survive.
const SEEDS: u64 = 3_000;

/// What each of them breaks.
const BREAKS: &[(Mutant, &str)] =
    &[(Mutant::TwoResults, "IV-01"), (Mutant::CompletionOrder, "IV-02"), (Mutant::OneOverTheLimit, "IV-50")];

/// Lets the core make every mistake and reports who noticed; `true`: every one was noticed.
pub fn run() -> bool {
    let begun = Instant::now();
    std::panic::set_hook(Box::new(|_| ()));
    let mut survivors = 0;
    println!("{:<24} {:<7} {:>6}", "mutant", "breaks", "seed");
    for mutant in Mutant::ALL {
        let breaks = BREAKS.iter().find(|(other, _)| other == mutant).map_or("", |(_, id)| id);
        Mutant::make(Some(*mutant));
        let killer = killer(breaks);
        Mutant::make(None);
        survivors += usize::from(killer.is_none());
        let by = killer.map_or("survives".to_owned(), |seed| seed.to_string());
        println!("{:<24} {breaks:<7} {by:>6}", format!("{mutant:?}"));
    }
    let unguarded = checks::CHECKS.iter().filter(|(id, _)| !BREAKS.iter().any(|(_, breaks)| breaks == id));
    let unguarded: Vec<&str> = unguarded.map(|(id, _)| *id).collect();
    if !unguarded.is_empty() {
        println!("without a mutant: {}", unguarded.join(", "));
    }
    println!("{:.0} s", begun.elapsed().as_secs_f64());
    println!("{} passed, {survivors} failed, 0 skipped", Mutant::ALL.len() - survivors);
    survivors == 0
}

/// The first seed in which an invariant is broken.
fn killer(id: &str) -> Option<u64> {
    let (next, killed) = (AtomicU64::new(1), Mutex::new(None::<u64>));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > SEEDS || killed.lock().unwrap().is_some() {
                return;
            }
            let broken = std::panic::catch_unwind(|| {
                let again = if id < "IV-12" || id > "IV-13" { Again::Never } else { Again::Sometimes };
                checks::breaks(&scenario::play(seed, again), id)
            });
            if broken.unwrap_or(false) {
                let mut killed = killed.lock().unwrap();
                *killed = Some(killed.map_or(seed, |other| other.min(seed)));
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    killed.into_inner().unwrap()
}
