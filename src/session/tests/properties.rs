//! Whatever a host does, in whatever order: what the specification says is always true is true after every input.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Session;
use super::watch::{Watch, contents};
use super::world::{Act, IMAGE, Setting, World, act, begin, setting};
use super::{call, command, receipt, reply, restored, start};
use crate::protocol::{Event, Input, Output, ReceiptOutcome};

/// Inputs before a run must have come to its end.
const PATIENCE: usize = 200;

/// The same inputs, but several in a step, and from time to time with a new session from a snapshot.
struct Twin {
    session: Session,
    waiting: Vec<Input>,
    now: u64,
    /// What the other session gave for what waits.
    expected: Output,
}

impl Twin {
    /// Hands in what waits; it must give the same, concatenated (IV-12, IV-13, EF-08).
    fn catch_up(&mut self, restores: bool) {
        if restores {
            // A snapshot does not hold the rules (RN-13): the host hands them in, those it was told to keep as well.
            let rules = self.session.core.rules.clone();
            self.session = restored(&mut self.session);
            self.session.core.rules = rules;
            // What was put and not yet named is the host's to put again.
            self.session.put_blob(IMAGE.to_vec());
        }
        let output = self.session.step(std::mem::take(&mut self.waiting), self.now);
        let expected = std::mem::take(&mut self.expected);
        let (here, there) = (text(&output), text(&expected));
        let differs = here.lines().zip(there.lines()).find(|(here, there)| here != there);
        assert!(here == there, "IV-13: {differs:?}");
    }

    fn take(&mut self, input: Input, now: u64, output: Output, restores: bool, together: bool) {
        if now != self.now {
            self.catch_up(restores);
            self.now = now;
        }
        let place = self.waiting.len();
        self.waiting.push(input);
        let Output { effects, events, mut replies } = output;
        replies.iter_mut().for_each(|reply| reply.input = place);
        self.expected.effects.extend(effects);
        self.expected.events.extend(events);
        self.expected.replies.extend(replies);
        if !together {
            self.catch_up(restores);
        }
    }
}

fn text(output: &Output) -> String {
    serde_json::to_string_pretty(output).unwrap()
}

struct Case {
    session: Session,
    world: World,
    watch: Watch,
    twin: Twin,
    host_wrote: bool,
}

impl Case {
    fn new(setting: &Setting) -> Self {
        let (mut session, mut other) = (Session::new(), Session::new());
        let (image, inputs) = begin(setting, &mut session);
        begin(setting, &mut other);
        let world = World::new(image);
        let twin = Twin { session: other, waiting: Vec::new(), now: world.now, expected: Output::default() };
        let mut case = Self { session, world, watch: Watch::default(), twin, host_wrote: false };
        inputs.into_iter().for_each(|input| case.hand_in(input, false, false));
        case
    }

    fn hand_in(&mut self, input: Input, restores: bool, together: bool) {
        if let Input::Receipt(receipt) = &input {
            self.watch.answered(receipt);
        }
        let output = self.session.step(vec![input.clone()], self.world.now);
        self.world.take(&output.effects);
        let watched = self.watch.step(&self.session, &output, self.world.now, self.host_wrote);
        if let Err(broken) = watched {
            panic!("{broken}\nafter {input:?}\n{}", text(&output).chars().take(6_000).collect::<String>());
        }
        self.twin.take(input, self.world.now, output, restores, together);
    }

    fn act(&mut self, act: &Act, restores: bool, together: bool) {
        self.host_wrote |= matches!(act, Act::Write(_));
        let stale = matches!(act, Act::Stale { .. });
        if stale {
            self.hand_in(Input::Tick {}, restores, together);
        }
        for input in self.world.inputs(act) {
            let events = self.twin.expected.events.len();
            self.hand_in(input, restores, together || stale);
            if stale {
                let said = &self.twin.expected.events[events..];
                let kind = match said {
                    [Event::Journal(event)] => &*event.kind,
                    [Event::Live(event)] => event.kind,
                    _ => panic!("IV-11: {said:?}"),
                };
                assert!(matches!(kind, "receipt_ignored" | "late_receipt"), "IV-11: {kind}");
            }
        }
    }

    /// From here on the host is a good one, until the run is over.
    fn finish(&mut self, driven: bool) {
        for turn in 0.. {
            if self.watch.end().is_some() && self.world.appends.is_empty() {
                break;
            }
            assert!(turn < PATIENCE, "IV-19: the run does not end");
            let next = match () {
                () if !self.world.appends.is_empty() => Act::Stored { ok: true },
                () if !self.world.called.is_empty() => Act::Answer { which: 0, how: 15 },
                () if driven => Act::Cancel,
                () if self.world.asked.is_some() => Act::Says { blank: false },
                () => Act::Wait(6_000),
            };
            self.act(&next, turn % 5 == 0, false);
        }
        self.twin.catch_up(true);
    }
}

fn cases(count: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(wanted.unwrap_or(count))
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_run_keeps_its_promises_whatever_the_host_does(
        setting in setting(),
        acts in prop::collection::vec((act(), prop::bool::weighted(0.15), any::<bool>()), 1..45),
    ) {
        let mut case = Case::new(&setting);
        let beginning: BTreeMap<String, String> = contents(&case.session.core.workspace, "output");
        for (act, restores, together) in &acts {
            case.act(act, *restores, *together);
        }
        case.finish(setting.driven);
        if !case.host_wrote {
            case.watch.undo(&case.session, &beginning).unwrap();
        }
    }

    /// Both ways of writing the same object down lead to the same record (IV-33).
    #[test]
    fn the_form_of_arguments_on_the_wire_makes_no_difference(
        members in prop::collection::btree_map("[a-z]{1,3}", any::<i32>(), 0..4),
    ) {
        let run = |arguments: Value| {
            let mut session = Session::new();
            let tools = json!({"type": "registerTools", "tools": [{
                "extensionId": "weather", "name": "get_weather", "description": "A tool.", "inputSchema": {"type": "object"},
            }]});
            let output = session.step(vec![command(tools), start(json!({}))], 1);
            let mut said = call("a", "get_weather", "");
            said["function"]["arguments"] = arguments;
            let asked = receipt(&output.effects[0], ReceiptOutcome::Ok, reply(json!([said])));
            let output = session.step(vec![Input::Receipt(asked)], 1);
            let done = receipt(&output.effects[0], ReceiptOutcome::Ok, json!({"value": 1}));
            (text(&output), text(&session.step(vec![Input::Receipt(done)], 1)))
        };
        let object = json!(members);
        prop_assert_eq!(run(Value::String(object.to_string())), run(object));
    }
}
