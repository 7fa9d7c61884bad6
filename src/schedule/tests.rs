use proptest::prelude::*;

use super::*;
use crate::protocol::Status;

fn slots(plan: &mut Plan, text: &str) {
    for kind in text.chars() {
        match kind {
            'p' => plan.push(Slot { parallel: true, ..Slot::default() }),
            's' => plan.push(Slot::default()),
            'c' => plan.push(Slot { parallel: true, cascades: true, ..Slot::default() }),
            'b' => plan.push(Slot { block: true, ..Slot::default() }),
            'f' => plan.push(Slot { completion: true, ..Slot::default() }),
            '-' => plan.push_settled(),
            other => panic!("no such slot: {other}"),
        };
    }
}

fn plan(lanes: Lanes, limit: usize, text: &str) -> Plan {
    let mut plan = Plan::new(lanes, limit);
    slots(&mut plan, text);
    plan
}

/// Admits and starts all that can; the started calls in the order of their start.
fn run(plan: &mut Plan) -> Vec<usize> {
    let mut started = Vec::new();
    while let Some(step) = plan.next_step(0) {
        match step {
            Step::Admit(index) => plan.permit(index),
            Step::Start(scheduled) => started.push(scheduled.index()),
        }
    }
    started
}

#[test]
fn lanes_admit() {
    let cases: &[(Lanes, usize, &str, &[usize])] = &[
        (Lanes::Barrier, 5, "ppspp", &[0, 1]),
        (Lanes::Free, 5, "ppspp", &[0, 1, 2, 3, 4]),
        (Lanes::Barrier, 5, "sp", &[0]),
        (Lanes::Free, 5, "ssp", &[0, 2]),
        (Lanes::Barrier, 2, "ppp", &[0, 1]),
        (Lanes::Free, 1, "ppsp", &[0, 2]),
        (Lanes::Barrier, 0, "pp", &[0]),
        // What has its result already holds no lane and parts no group.
        (Lanes::Barrier, 5, "-p-p-s", &[1, 3]),
        (Lanes::Barrier, 5, "--s", &[2]),
        // A completion tool waits where it is the last call.
        (Lanes::Free, 5, "pf", &[0]),
        (Lanes::Free, 5, "pfp", &[0, 1, 2]),
        (Lanes::Free, 5, "f", &[0]),
        (Lanes::Barrier, 5, "", &[]),
    ];
    for (lanes, limit, text, started) in cases {
        assert_eq!(run(&mut plan(*lanes, *limit, text)), *started, "{lanes:?} {limit} {text}");
    }
}

#[test]
fn a_waiting_call_holds_no_place_and_starts_when_one_is_free() {
    let mut plan = plan(Lanes::Barrier, 1, "pppp");
    assert_eq!(plan.next_step(0), Some(Step::Admit(0)));
    assert_eq!(run(&mut plan), [1], "one runs, two are permitted, the first still waits");
    assert_eq!([2, 3].map(|index| plan.state(index)), [Some(SlotState::Ready); 2]);
    plan.permit(0);
    assert!(run(&mut plan).is_empty());
    plan.settle(1, Status::Ok);
    assert_eq!(run(&mut plan), [0], "places are given in call order");
    plan.settle(0, Status::Ok);
    assert_eq!(run(&mut plan), [2]);
}

#[test]
fn a_deadline_counts_from_the_start() {
    let mut plan = Plan::new(Lanes::Barrier, 5);
    plan.push(Slot { timeout_ms: Some(60_000), ..Slot::default() });
    assert_eq!(plan.next_step(10), Some(Step::Admit(0)));
    plan.permit(0);
    match plan.next_step(5_000) {
        Some(Step::Start(scheduled)) => assert_eq!(scheduled.deadline(), Some(65_000)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_predicate_that_answers_late_makes_a_call_parallel() {
    let mut plan = plan(Lanes::Barrier, 5, "pssp");
    assert_eq!(run(&mut plan), [0]);
    plan.make_parallel(1);
    assert_eq!(run(&mut plan), [1]);
    plan.make_parallel(2);
    assert_eq!(run(&mut plan), [2, 3]);
}

#[test]
fn cascades() {
    let fell =
        |unstarted: &[usize], abort: &[usize]| Fallout { unstarted: unstarted.into(), abort: abort.into() };
    // The lanes, the batch, who runs first, who fails, and what that means.
    let cases = [
        (Lanes::Barrier, "cpp", 0, fell(&[], &[1, 2])),
        (Lanes::Barrier, "cppp", 0, fell(&[3], &[1, 2])),
        (Lanes::Barrier, "pcpsp", 1, fell(&[], &[0, 2])),
        (Lanes::Barrier, "ppp", 0, fell(&[], &[])),
        (Lanes::Barrier, "c-p", 0, fell(&[], &[2])),
        (Lanes::Free, "cspp", 0, fell(&[], &[2, 3])),
    ];
    for (lanes, text, failed, expected) in cases {
        let mut plan = plan(lanes, 3, text);
        run(&mut plan);
        assert_eq!(plan.settle(failed, Status::Error), expected, "{lanes:?} {text}");
    }
    for status in [Status::Ok, Status::Denied, Status::Cancelled, Status::Skipped, Status::Backgrounded] {
        let mut plan = plan(Lanes::Barrier, 3, "cpp");
        run(&mut plan);
        assert_eq!(plan.settle(0, status), Fallout::default(), "{status:?}");
    }
    let mut plan = plan(Lanes::Barrier, 3, "ccp");
    run(&mut plan);
    assert_eq!(plan.settle(0, Status::Error), fell(&[], &[1, 2]));
    assert_eq!(
        plan.settle(1, Status::Error),
        Fallout::default(),
        "what was told to stop takes nothing along"
    );
    let mut serial = Plan::new(Lanes::Barrier, 5);
    serial.push(Slot { cascades: true, ..Slot::default() });
    slots(&mut serial, "p");
    run(&mut serial);
    assert_eq!(serial.settle(0, Status::Error), Fallout::default(), "a serial call is a group of one");
}

#[test]
fn ends() {
    let mut ended = plan(Lanes::Barrier, 1, "pps");
    run(&mut ended);
    assert_eq!(ended.terminate(), Fallout { unstarted: vec![1, 2], abort: vec![] });
    assert!(!ended.is_done());
    assert_eq!(ended.settle(0, Status::Ok), Fallout::default());
    assert!(ended.is_done());
    assert_eq!(ended.next_step(0), None);

    let mut stopped = plan(Lanes::Free, 5, "pbs");
    run(&mut stopped);
    assert_eq!(
        stopped.stop(),
        Fallout { unstarted: vec![2], abort: vec![0] },
        "a blocking call is left alone"
    );
    assert_eq!(stopped.stop(), Fallout::default(), "nothing is told twice");

    let mut one = plan(Lanes::Barrier, 5, "ps");
    run(&mut one);
    assert_eq!(one.stop_call(0), Fallout { unstarted: vec![], abort: vec![0] });
    assert_eq!(one.stop_call(1), Fallout { unstarted: vec![1], abort: vec![] });
    assert_eq!(one.stop_call(7), Fallout::default());
}

#[test]
fn nested_calls_join_while_others_run() {
    let mut plan = plan(Lanes::Barrier, 2, "p");
    assert_eq!(run(&mut plan), [0]);
    slots(&mut plan, "ppsp");
    assert_eq!(run(&mut plan), [1]);
    plan.settle(0, Status::Ok);
    assert_eq!(run(&mut plan), [2]);
    plan.settle(1, Status::Ok);
    assert!(run(&mut plan).is_empty());
    plan.settle(2, Status::Backgrounded);
    assert_eq!(run(&mut plan), [3]);
    plan.settle(3, Status::Ok);
    assert_eq!(run(&mut plan), [4]);
}

#[test]
fn a_large_batch_is_no_burden() {
    let calls = 50_000;
    let mut plan = Plan::new(Lanes::Barrier, 5);
    (0..calls).for_each(|_| slots(&mut plan, "p"));
    let mut running = std::collections::VecDeque::from(run(&mut plan));
    let mut settled = 0;
    while let Some(index) = running.pop_front() {
        plan.settle(index, Status::Ok);
        settled += 1;
        running.extend(run(&mut plan));
    }
    assert_eq!(settled, calls);
    assert!(plan.is_done());
}

/// The rules of SC-23 to SC-25 as they are written, without cursors.
fn expected(plan: &Plan, limit: usize) -> Option<(usize, SlotState)> {
    let (entries, lanes) = (&plan.entries, plan.lanes);
    let running = entries.iter().filter(|e| e.slot.parallel && e.state == SlotState::Running).count();
    let open = |e: &plan::Entry| e.state != SlotState::Settled;
    let may = |(index, entry): &(usize, &plan::Entry)| {
        let earlier = &entries[..*index];
        let open_serial = earlier.iter().any(|e| !e.slot.parallel && open(e));
        let last = index + 1 == entries.len();
        let held = last && entry.slot.completion && earlier.iter().any(open);
        match (entry.state, entry.slot.parallel) {
            (SlotState::Ready, parallel) => !parallel || running < limit,
            (SlotState::Queued, true) => !held && (lanes == Lanes::Free || !open_serial),
            (SlotState::Queued, false) => {
                !held && !open_serial && (lanes == Lanes::Free || !earlier.iter().any(open))
            }
            _ => false,
        }
    };
    let first = entries.iter().enumerate().find(may)?;
    Some((first.0, first.1.state))
}

fn status(choice: u8) -> Status {
    use Status::*;
    [Ok, Error, Denied, Cancelled, TimedOut, Skipped, Unknown, Backgrounded][usize::from(choice) % 8]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// IV-50 to IV-54 under any interleaving of permits, ends, cascades, cancels and late predicates.
    #[test]
    fn invariants(
        free in any::<bool>(),
        limit in 1_usize..4,
        batch in prop::collection::vec((any::<[bool; 4]>(), 0_u8..8), 0..12),
        moves in prop::collection::vec((0_u8..40, any::<u8>()), 0..80),
    ) {
        let lanes = if free { Lanes::Free } else { Lanes::Barrier };
        let mut plan = Plan::new(lanes, limit);
        for ([parallel, completion, cascades, block], kind) in batch {
            if kind == 0 {
                plan.push_settled();
            } else {
                plan.push(Slot { parallel, completion, cascades, block, timeout_ms: None });
            }
        }
        let calls = plan.entries.len();
        let mut results: Vec<usize> = plan.entries.iter().map(|e| usize::from(e.state == SlotState::Settled)).collect();
        let mut started = vec![false; calls];
        let mut dropped = vec![false; calls];
        let mut admitted: Vec<usize> = Vec::new();
        let mut fixed = true;
        // After the given moves everything that is open is brought to its end.
        let rest = std::iter::repeat_n((0, 0), calls * 4);
        for (kind, choice) in moves.into_iter().chain(rest) {
            let pick = |plan: &Plan, state: SlotState| {
                let all: Vec<usize> = (0..calls).filter(|i| plan.state(*i) == Some(state)).collect();
                all.get(usize::from(choice) % all.len().max(1)).copied()
            };
            let mut fallout = Fallout::default();
            let wanted = if plan.ended { None } else { expected(&plan, limit) };
            match kind {
                0..=19 => match plan.next_step(0) {
                    Some(Step::Admit(index)) => {
                        prop_assert_eq!(wanted, Some((index, SlotState::Queued)));
                        admitted.push(index);
                        if choice % 3 != 0 {
                            plan.permit(index);
                        }
                    }
                    Some(Step::Start(scheduled)) => {
                        let index = scheduled.index();
                        prop_assert_eq!(wanted, Some((index, SlotState::Ready)));
                        prop_assert!(!started[index]);
                        prop_assert!(!dropped[index], "IV-53");
                        started[index] = true;
                    }
                    None => {
                        prop_assert_eq!(wanted, None);
                        if let Some(index) = pick(&plan, SlotState::Waiting) {
                            plan.permit(index);
                        } else if let Some(index) = pick(&plan, SlotState::Running) {
                            results[index] += 1;
                            fallout = plan.settle(index, status(choice));
                        }
                    }
                },
                20..=24 => {
                    if let Some(index) = pick(&plan, SlotState::Waiting) {
                        plan.permit(index);
                    }
                }
                25..=34 => {
                    let state = if kind < 28 { SlotState::Waiting } else { SlotState::Running };
                    if let Some(index) = pick(&plan, state) {
                        results[index] += 1;
                        fallout = plan.settle(index, status(choice));
                        let quiet = matches!(status(choice), Status::Denied | Status::Cancelled | Status::Skipped);
                        prop_assert!(!quiet || fallout == Fallout::default(), "IV-54");
                    }
                }
                35 | 36 => {
                    if let Some(index) = pick(&plan, SlotState::Queued) {
                        fixed = false;
                        plan.make_parallel(index);
                    }
                }
                37 => fallout = plan.stop_call(usize::from(choice)),
                38 if choice < 40 => fallout = plan.terminate(),
                39 if choice < 40 => fallout = plan.stop(),
                _ => {}
            }
            for index in fallout.unstarted {
                prop_assert!(!started[index]);
                dropped[index] = true;
                results[index] += 1;
                prop_assert_eq!(plan.settle(index, Status::Skipped), Fallout::default());
            }
            for index in fallout.abort {
                prop_assert_eq!(plan.state(index), Some(SlotState::Running));
                prop_assert!(!plan.entries[index].slot.block, "SC-35");
            }
            let running: Vec<bool> = plan
                .entries
                .iter()
                .filter(|entry| entry.state == SlotState::Running)
                .map(|entry| entry.slot.parallel)
                .collect();
            prop_assert!(running.iter().filter(|parallel| **parallel).count() <= limit, "IV-50");
            prop_assert!(free || running.len() <= 1 || running.iter().all(|parallel| *parallel), "IV-51");
            if choice % 16 == 1 {
                let stored: Plan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
                prop_assert_eq!(&stored, &plan);
            }
        }
        if fixed {
            for lane in [true, false] {
                let order: Vec<usize> =
                    admitted.iter().copied().filter(|i| plan.entries[*i].slot.parallel == lane).collect();
                prop_assert!(order.is_sorted(), "IV-52: {order:?}");
            }
        }
        prop_assert!(plan.is_done());
        prop_assert!(results.iter().all(|count| *count == 1), "SC-07: {results:?}");
    }
}
