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
const BREAKS: &[(Mutant, &str)] = &[
    (Mutant::TwoResults, "IV-01"),
    (Mutant::CompletionOrder, "IV-02"),
    (Mutant::ResultLost, "IV-03"),
    (Mutant::RecordOverwritten, "IV-04"),
    (Mutant::EndToldFirst, "IV-05"),
    (Mutant::ScreenDisagrees, "IV-06"),
    (Mutant::NumberRepeats, "IV-07"),
    (Mutant::SentTwice, "IV-10"),
    (Mutant::HookRepeated, "IV-10"),
    (Mutant::IdRepeats, "IV-11"),
    (Mutant::LateCounts, "IV-11"),
    (Mutant::RestoreForgets, "IV-12"),
    (Mutant::LeaveLost, "IV-13"),
    (Mutant::StoredLast, "IV-14"),
    (Mutant::RunGoesOn, "IV-15"),
    (Mutant::UnknownIsFailure, "IV-17"),
    (Mutant::TimersSurvive, "IV-18"),
    (Mutant::NotPumped, "IV-19"),
    (Mutant::IdInText, "IV-20"),
    (Mutant::UnboundNamed, "IV-21"),
    (Mutant::NameAsItIs, "IV-22"),
    (Mutant::LiveCatalog, "IV-23"),
    (Mutant::ToolsReordered, "IV-24"),
    (Mutant::EffectIdInText, "IV-25"),
    (Mutant::EmptyText, "IV-26"),
    (Mutant::ArgumentsAsText, "IV-30"),
    (Mutant::MemberDropped, "IV-35"),
    (Mutant::InvalidRuns, "IV-31"),
    (Mutant::CutRuns, "IV-34"),
    (Mutant::BrokenReplayed, "IV-32"),
    (Mutant::DenyForgotten, "IV-40"),
    (Mutant::CriticalPasses, "IV-41"),
    (Mutant::AskedAnyway, "IV-42"),
    (Mutant::EditIgnored, "IV-45"),
    (Mutant::CancelForgotten, "IV-44"),
    (Mutant::OffOffered, "IV-46"),
    (Mutant::FailedHookDenies, "IV-48"),
    (Mutant::OneOverTheLimit, "IV-50"),
    (Mutant::BarrierPassed, "IV-51"),
    (Mutant::LaneReordered, "IV-52"),
    (Mutant::RunningSkipped, "IV-53"),
    (Mutant::DeniedCascades, "IV-54"),
    (Mutant::CascadeForgotten, "SC-08"),
    (Mutant::CallsCounted, "IV-56"),
    (Mutant::SkillsWritable, "IV-60"),
    (Mutant::HiddenShown, "IV-62"),
    (Mutant::ContentLost, "IV-63"),
    (Mutant::StaleWritten, "IV-64"),
    (Mutant::PortStaysOpen, "IV-66"),
    (Mutant::TrapLosesFiles, "IV-67"),
    (Mutant::ChangeForgotten, "IV-68"),
    (Mutant::ChangeUntold, "IV-69"),
    (Mutant::Unprojected, "IV-70"),
    (Mutant::CutSilently, "IV-71"),
    (Mutant::ReadableCut, "IV-74"),
    (Mutant::DisplayShown, "IV-75"),
    (Mutant::SkippedIsOk, "IV-76"),
    (Mutant::EndsTwice, "IV-80"),
    (Mutant::GuardAlwaysOn, "IV-55"),
    (Mutant::ThirdTry, "LG-02"),
    (Mutant::CirclesEverywhere, "LG-03"),
    (Mutant::DeliveredTwice, "IV-88"),
    (Mutant::SessionsMixed, "IV-88"),
    (Mutant::SessionLives, "RN-14"),
    (Mutant::DeletedWorks, "RN-14"),
    (Mutant::NudgedForever, "IV-82"),
];

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
    survivors == 0 && unguarded.is_empty()
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
                let again = if id < "IV-12" || id > "IV-13" { Again::Never } else { Again::Always };
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
