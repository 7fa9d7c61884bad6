//! A transcript in the order in which it happened, and what it says of each call. Checkers read nothing else.

pub mod call;
pub mod request;

use std::collections::BTreeMap;

use handrail::protocol::{Effect, Event, Payload};
use serde_json::Value;

use self::call::Call;
use self::request::Request;
use crate::stage::{Step, Transcript};

/// Something that happened.
pub struct Moment<'a> {
    /// The line it belongs to.
    pub step: usize,
    pub now: u64,
    pub what: What<'a>,
}

/// What happened. In a step the input comes first, then what was told, then what was asked for.
pub enum What<'a> {
    Input(&'a Value),
    /// An event of the journal.
    Told {
        kind: &'a str,
        seq: u64,
        facts: Value,
    },
    Live {
        kind: &'a str,
        facts: Value,
    },
    Effect(&'a Effect),
}

/// One run as a checker sees it.
pub struct Story<'a> {
    pub transcript: &'a Transcript,
    /// Its id.
    pub run: String,
    /// The command that started it.
    pub start: &'a Value,
    /// The step in which its session was deleted.
    pub deleted: Option<usize>,
    pub moments: Vec<Moment<'a>>,
    /// In the order in which they were asked for.
    pub calls: Vec<Call<'a>>,
    pub requests: Vec<Request>,
    /// The answers that counted, by effect: where, and what.
    pub receipts: BTreeMap<&'a str, (usize, &'a Value)>,
    /// Where it ended, and how; the last time, if it did not go on from there.
    pub end: Option<(usize, &'a str)>,
}

impl<'a> Story<'a> {
    /// The story of a run, by its id.
    pub fn of(transcript: &'a Transcript, run: &str) -> Self {
        let moments = moments(transcript, run);
        let start = transcript.steps.iter().find(|step| started(step).is_some_and(|id| id == run));
        let start = start.map_or(&Value::Null, |step| &step.line["command"]);
        let deleted = |step: &Step| deleted(step).is_some_and(|id| id == session_of(start));
        let mut story = Self {
            transcript,
            deleted: transcript.steps.iter().position(deleted),
            run: run.to_owned(),
            start,
            calls: Vec::new(),
            requests: Vec::new(),
            receipts: receipts(transcript, &moments),
            end: ends(&moments).last().copied().filter(|(_, kind)| is_end(kind)),
            moments,
        };
        story.calls = call::calls(&story);
        story.requests = request::requests(&story);
        story
    }

    /// The events of the journal of one kind.
    pub fn told(&self, wanted: &str) -> impl Iterator<Item = (usize, &Value)> {
        self.moments.iter().enumerate().filter_map(move |(at, moment)| match &moment.what {
            What::Told { kind, facts, .. } if *kind == wanted => Some((at, facts)),
            _ => None,
        })
    }

    /// Where it ended, each time, and where it went on from there.
    pub fn ends(&self) -> Vec<(usize, &'a str)> {
        ends(&self.moments)
    }

    /// Whether the model reads before a place that this call was interrupted, whatever is stored of it (FN-21).
    pub fn is_interrupted(&self, call: &str, before: usize) -> bool {
        let named = |facts: &Value| {
            facts["interrupted"].as_array().is_some_and(|ids| ids.iter().any(|id| id == call))
        };
        self.told("run_resumed").any(|(at, facts)| at < before && named(facts))
    }

    /// What was asked for.
    pub fn effects(&self) -> impl Iterator<Item = (usize, &'a Effect)> {
        self.moments.iter().enumerate().filter_map(|(at, moment)| match &moment.what {
            What::Effect(effect) => Some((at, *effect)),
            _ => None,
        })
    }

    /// What was handed in.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, &'a Value)> {
        self.moments.iter().enumerate().filter_map(|(at, moment)| match &moment.what {
            What::Input(line) => Some((at, *line)),
            _ => None,
        })
    }

    pub fn profile(&self) -> &'a Value {
        &self.start["profile"]
    }

    pub fn call(&self, id: &str) -> Option<&Call<'a>> {
        self.calls.iter().find(|call| call.id == id)
    }

    /// Where a person or the host first asked to cancel the run.
    pub fn cancelled(&self) -> Option<usize> {
        self.told("run_cancel_requested").next().map(|(at, _)| at)
    }

    /// The registration of a tool by which a run knows it: the last one before it was started.
    pub fn registration(&self, tool: &str) -> Option<&'a Value> {
        let mut steps = self.transcript.steps.iter();
        self.registered(tool, steps.position(|step| started(step) == Some(&self.run)).unwrap_or_default())
    }

    /// The last registration of a tool before a step.
    pub fn registered(&self, tool: &str, step: usize) -> Option<&'a Value> {
        let before = self.transcript.steps[..step].iter();
        let registered = before.filter_map(|step| step.line["command"]["tools"].as_array()).flatten();
        registered.into_iter().filter(|said| id(said) == tool).last()
    }

    /// A trait of a tool, as it was registered.
    pub fn declares(&self, tool: &str, name: &str) -> &'a Value {
        self.registration(tool).map_or(&Value::Null, |registration| &registration["traits"][name])
    }
}

fn id(registration: &Value) -> String {
    let text = |name: &str| registration[name].as_str().unwrap_or_default();
    format!("extension/{}:{}", text("extensionId"), text("name"))
}

pub fn is_end(kind: &str) -> bool {
    matches!(kind, "run_completed" | "run_failed" | "run_cancelled" | "run_partial_success")
}

/// The session that a step has deleted.
pub fn deleted(step: &Step) -> Option<&str> {
    let command = &step.line["command"];
    let is_done = step.output.replies.first().is_some_and(|reply| reply.ok);
    command["sessionId"].as_str().filter(|_| is_done && command["type"] == "session.delete")
}

/// The session that a command is about which may name one.
pub fn session_of(command: &Value) -> &str {
    command["sessionId"].as_str().unwrap_or("default")
}

/// The id under which a step has taken on work of the host's own.
pub fn adopted(step: &Step) -> Option<&str> {
    let reply = step.output.replies.first().filter(|_| step.line["command"]["type"] == "background.adopt")?;
    reply.value.as_ref()?["effectId"].as_str()
}

/// What a run that has failed goes on with.
pub const RESUMED: &str = "run_resumed";

fn ends<'a>(moments: &[Moment<'a>]) -> Vec<(usize, &'a str)> {
    let told = moments.iter().enumerate().filter_map(|(at, moment)| match moment.what {
        What::Told { kind, .. } => Some((at, kind)),
        _ => None,
    });
    told.filter(|(_, kind)| is_end(kind) || *kind == RESUMED).collect()
}

/// The run that a step has started.
pub fn started(step: &Step) -> Option<&str> {
    let reply = step.output.replies.first().filter(|_| step.line["command"]["type"] == "startRun")?;
    reply.value.as_ref()?["runId"].as_str()
}

/// The ids of the runs of a transcript.
pub fn runs(transcript: &Transcript) -> impl Iterator<Item = &str> {
    transcript.steps.iter().filter_map(started)
}

fn moments<'a>(transcript: &'a Transcript, run: &str) -> Vec<Moment<'a>> {
    let mut moments = Vec::new();
    for (step, played) in transcript.steps.iter().enumerate() {
        let mut add = |what| moments.push(Moment { step, now: played.now, what });
        add(What::Input(&played.line));
        let mine = |event: &&Event| match event {
            Event::Journal(event) => *event.run_id == *run,
            // What belongs to no run.
            Event::Live(event) => *event.run_id == *run || event.run_id.is_empty(),
        };
        for event in played.output.events.iter().filter(mine) {
            add(match event {
                Event::Journal(event) => What::Told {
                    kind: &event.kind,
                    seq: event.seq,
                    facts: serde_json::from_str(event.payload.text()).unwrap_or_default(),
                },
                Event::Live(event) => What::Live {
                    kind: event.kind,
                    facts: serde_json::from_str(event.payload.text()).unwrap_or_default(),
                },
            });
        }
        let effects = played.output.effects.iter().filter(|effect| *effect.run_id == *run);
        effects.for_each(|effect| add(What::Effect(effect)));
    }
    moments
}

/// The first answer to each effect that was open.
fn receipts<'a>(transcript: &'a Transcript, moments: &[Moment<'a>]) -> BTreeMap<&'a str, (usize, &'a Value)> {
    let (mut open, mut receipts) = (BTreeMap::new(), BTreeMap::new());
    for (at, moment) in moments.iter().enumerate() {
        match &moment.what {
            What::Effect(effect) => match &effect.payload {
                Payload::TimerSet { .. } | Payload::TimerCancel { .. } | Payload::Abort { .. } => {}
                _ => drop(open.insert(effect.effect_id.as_str(), at)),
            },
            What::Input(line) => {
                let receipt = &line["receipt"];
                if let Some(id) = adopted(&transcript.steps[moment.step]) {
                    open.insert(id, at);
                }
                if let Some(id) = receipt["effectId"].as_str().filter(|id| open.remove(id).is_some()) {
                    receipts.insert(id, (at, receipt));
                }
            }
            _ => {}
        }
    }
    receipts
}
