//! A host that does what hosts do, good ones and bad ones: it answers effects after a while, late, twice, wrongly or
//! not at all, and does things of its own meanwhile. Everything it does is drawn from the seed and from what it is asked.

mod acts;
mod answers;
mod background;
mod model;

pub use answers::UNSHOWN;
pub use model::BROKEN;

use std::collections::VecDeque;

use handrail::protocol::{Class, Effect, Event, Output, Payload};
use serde_json::{Value, json};

use crate::random::Random;
use crate::setting::{Habit, Setting};
use crate::story::{RESUMED, is_end};

/// From so many lines on the host is a good one, so that the run can end.
const CALM_AFTER: usize = 250;

/// What will happen at a time.
enum Due {
    Answer(String),
    Ring(String),
    Act,
    /// A running program touches a file.
    Touch(String),
}

/// What the host knows and plans.
pub struct Host {
    random: Random,
    setting: Setting,
    pub now: u64,
    /// Effects that it has not answered.
    open: Vec<Effect>,
    /// Ids of all effects, and some that never were.
    seen: Vec<String>,
    due: Vec<(u64, Due)>,
    /// Lines that follow the last one at once.
    next: VecDeque<Value>,
    background: background::Background,
    /// Runs that go on.
    going: usize,
    /// Digest of an image that was handed over.
    image: String,
    /// What the model said last, for one that repeats itself.
    said: Vec<model::Said>,
    run_ended: bool,
    /// How often a failed run may still be resumed.
    resumes: usize,
    lines: usize,
}

impl Host {
    pub fn new(random: Random, setting: Setting, image: String, first: Vec<Value>) -> Self {
        let mut host = Self {
            random,
            setting,
            now: 1_000,
            open: Vec::new(),
            seen: vec!["e0".to_owned(), "e999".to_owned()],
            due: Vec::new(),
            next: first.into(),
            background: background::Background::default(),
            going: 0,
            image,
            said: Vec::new(),
            run_ended: false,
            resumes: 2,
            lines: 0,
        };
        if host.setting.habit == Habit::Stubborn {
            host.setting.rounds += host.random.below(14);
        }
        for _ in 0..host.setting.acts {
            let at = host.now + host.random.between(0, 900);
            host.due.push((at, Due::Act));
        }
        host
    }

    /// The next line; `None`: nothing is left to do.
    pub fn line(&mut self) -> Option<Value> {
        self.lines += 1;
        if self.lines == CALM_AFTER {
            (self.setting.trouble, self.setting.patience, self.setting.rounds) = (0, 0, 0);
            self.due.retain(|(_, due)| !matches!(due, Due::Act));
        }
        while self.next.is_empty() {
            if self.random.chance(self.setting.trouble / 6) {
                let noise = self.noise();
                self.next.extend(noise);
                continue;
            }
            match self.earliest() {
                Some((at, due)) => {
                    self.now = self.now.max(at);
                    self.happen(due);
                }
                // What was forgotten is remembered in the end.
                None => {
                    let forgotten = self.forgotten()?;
                    self.due.push((self.now + 1, Due::Answer(forgotten)));
                }
            }
        }
        let mut line = self.next.pop_front()?;
        line["now"] = self.now.into();
        Some(line)
    }

    fn earliest(&mut self) -> Option<(u64, Due)> {
        let at = self.due.iter().map(|(at, _)| *at).min()?;
        let ties: Vec<usize> = (0..self.due.len()).filter(|place| self.due[*place].0 == at).collect();
        let place = *self.random.pick(&ties);
        Some(self.due.swap_remove(place))
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Ring(_) => self.next.push_back(json!({"tick": {}})),
            Due::Act => {
                let act = self.act();
                self.next.push_back(act);
            }
            Due::Touch(effect_id) => {
                let touch = self.touch(&effect_id);
                self.next.push_back(touch);
            }
            Due::Answer(effect_id) => {
                let Some(place) = self.open.iter().position(|effect| effect.effect_id == effect_id) else {
                    let ended = self.adopted_ends(&effect_id);
                    return self.next.extend(ended);
                };
                let effect = self.open.remove(place);
                let lines = match &effect.payload {
                    Payload::ModelRequest { .. } => self.model(&effect),
                    _ => vec![self.answer(&effect)],
                };
                self.next.extend(lines);
            }
        }
    }

    /// What was never answered.
    fn forgotten(&self) -> Option<String> {
        let open = self.open.first().map(|effect| &effect.effect_id);
        open.or(self.background.adopted.first()).cloned()
    }

    /// Takes in what a step gave.
    pub fn hear(&mut self, line: &Value, output: &Output) {
        self.hear_background(line, output);
        for effect in &output.effects {
            self.seen.push(effect.effect_id.clone());
            match &effect.payload {
                Payload::TimerSet { timer_id, at } => self.due.push((*at, Due::Ring(timer_id.clone()))),
                Payload::TimerCancel { timer_id } => {
                    self.due.retain(|(_, due)| !matches!(due, Due::Ring(id) if id == timer_id));
                }
                Payload::Abort { target_effect_id, .. } => self.aborted(target_effect_id),
                _ => self.plan(effect),
            }
        }
        for event in &output.events {
            let Event::Journal(event) = event else { continue };
            match &*event.kind {
                "run_created" | RESUMED => self.going += 1,
                kind if is_end(kind) => {
                    self.run_ended = true;
                    self.going -= 1;
                    if kind == "run_failed" {
                        self.resume(&event.run_id);
                    }
                }
                _ => {}
            }
        }
    }

    /// A failed run goes on, now and then (RN-11): at first only if nothing is unknown.
    fn resume(&mut self, run_id: &str) {
        if self.resumes == 0 || !self.random.chance(60) {
            return;
        }
        self.resumes -= 1;
        for accept in [false, true] {
            let driven = self.setting.driven;
            self.next.push_back(json!({"command": {
                "type": "resumeRun", "runId": run_id, "acceptUnknown": accept, "driven": driven,
            }}));
        }
    }

    /// When an effect will be answered.
    fn plan(&mut self, effect: &Effect) {
        self.open.push(effect.clone());
        let patience = self.setting.patience;
        let delay = match effect.class {
            Class::Storage => self.random.between(0, patience / 10),
            _ if self.random.chance(70) => self.random.between(0, patience / 4),
            _ => self.random.between(0, patience * 3),
        };
        if self.random.chance(self.setting.trouble / 10) {
            return;
        }
        if matches!(effect.payload, Payload::ShellExec { .. }) {
            for _ in 0..self.random.below(4) {
                // Some come too late.
                let at = self.now + self.random.between(0, delay + delay / 8 + 1);
                self.due.push((at, Due::Touch(effect.effect_id.clone())));
            }
        }
        self.due.push((self.now + delay, Due::Answer(effect.effect_id.clone())));
    }

    /// Work was told to stop: mostly it does, and says so soon.
    fn aborted(&mut self, effect_id: &str) {
        let is_open = self.open.iter().any(|effect| effect.effect_id == effect_id);
        let is_adopted = self.background.adopted.iter().any(|id| id == effect_id);
        if !(is_open || is_adopted) || self.random.chance(20) {
            return;
        }
        self.due.retain(|(_, due)| !matches!(due, Due::Answer(id) if id == effect_id));
        if !self.random.chance(self.setting.trouble / 4) {
            let at = self.now + self.random.between(0, 40);
            self.due.push((at, Due::Answer(effect_id.to_owned())));
        }
    }

    /// Whether what happens next goes wrong.
    fn fails(&mut self) -> bool {
        self.random.chance(self.setting.trouble)
    }
}
