//! Work that goes on in the background, and sessions that are deleted (IV-88, RN-14).

use std::collections::{BTreeMap, BTreeSet};

use handrail::protocol::{Event, Payload};
use serde_json::Value;

use super::{Check, ensure};
use crate::stage::Step;
use crate::story::request::Request;
use crate::story::{Story, adopted, deleted, session_of, started};

/// What a step tells of work in the background, whichever run tells it.
fn told<'s>(step: &'s Step, wanted: &'s str) -> impl Iterator<Item = Value> + 's {
    step.output.events.iter().filter_map(move |event| {
        let (kind, facts) = match event {
            Event::Journal(event) => (&*event.kind, &event.payload),
            Event::Live(event) => (event.kind, &event.payload),
        };
        (kind == wanted).then(|| serde_json::from_str(facts.text()).unwrap_or_default())
    })
}

fn text<'v>(facts: &'v Value, name: &str) -> &'v str {
    facts[name].as_str().unwrap_or_default()
}

/// The sessions of runs, by their ids.
fn sessions(steps: &[Step]) -> BTreeMap<&str, &str> {
    steps.iter().filter_map(|step| Some((started(step)?, session_of(&step.line["command"])))).collect()
}

/// The sessions that work belongs to, by its ids.
fn owners(steps: &[Step]) -> BTreeMap<String, &str> {
    let sessions = sessions(steps);
    let mut owners = BTreeMap::new();
    for step in steps {
        let command = &step.line["command"];
        for facts in told(step, "background_started") {
            let mut runs = step.output.events.iter().map(|event| match event {
                Event::Journal(event) => &*event.run_id,
                Event::Live(event) => &*event.run_id,
            });
            let session = match adopted(step) {
                Some(_) if command["runId"].is_null() => Some(session_of(command)),
                _ => runs.find_map(|run| sessions.get(run).copied()),
            };
            owners.extend(session.map(|session| (text(&facts, "id").to_owned(), session)));
        }
    }
    owners
}

/// Each piece of work is delivered once, after its end, before the next step of its run, and to its own session.
pub fn delivered_once(story: &Story) -> Check {
    let steps = &story.transcript.steps;
    let mut delivered: BTreeMap<String, usize> = BTreeMap::new();
    let mut begun = BTreeSet::new();
    let owners = owners(steps);
    let mut gone = BTreeSet::new();
    for step in steps {
        begun.extend(told(step, "background_started").map(|facts| text(&facts, "id").to_owned()));
        for facts in told(step, "background_delivered") {
            let id = text(&facts, "id");
            *delivered.entry(id.to_owned()).or_default() += 1;
            let owner = owners.get(id);
            ensure!(
                owner.is_none_or(|owner| !gone.contains(owner)),
                "{id} of a deleted session is delivered"
            );
        }
        for facts in told(step, "background_finished") {
            ensure!(begun.contains(text(&facts, "id")), "{facts} and never began");
        }
        gone.extend(deleted(step));
    }
    let twice = delivered.iter().find(|(_, count)| **count > 1);
    ensure!(twice.is_none(), "{twice:?} is delivered more than once");
    let mine = session_of(story.start);
    for (_, facts) in story.told("background_finished").chain(story.told("background_delivered")) {
        let (id, owner) = (text(facts, "id"), owners.get(text(facts, "id")));
        ensure!(owner == Some(&mine), "{id} of {owner:?} is told in {mine}");
    }
    for (finished, facts) in story.told("background_finished") {
        let id = text(facts, "id");
        // A step is made once, however often the model is asked for it; and the first request of a loop of the host's own,
        // like one after a reply without calls, is not handed to it.
        let round =
            story.requests.iter().take_while(|request| request.made < finished).map(|r| r.round).max();
        let next =
            |request: &&Request| request.made > finished && Some(request.round) > round && !request.done;
        let Some(next) = story.requests.iter().find(next) else { continue };
        ensure!(delivered.contains_key(id), "{id} is not delivered to step {}", next.round);
        // The host may have taken the message instead.
        let step = story.moments[next.made].step;
        let taken = steps[..=step].iter().any(|step| takes(step) == Some(id));
        let told = next.messages.iter().filter(|message| message.role == "user" && message.text.contains(id));
        let told = told.count();
        ensure!(told == usize::from(!taken), "{id} is told {told} times to step {}", next.round);
    }
    Ok(())
}

/// The work whose message a step has handed to the host.
fn takes(step: &Step) -> Option<&str> {
    let command = &step.line["command"];
    let is_done = step.output.replies.first().is_some_and(|reply| reply.ok);
    command["id"].as_str().filter(|_| is_done && command["type"] == "background.deliver")
}

/// After a session is deleted nothing is asked for it, nothing is begun in it, and its work was told to stop.
pub fn deleted_is_gone(story: &Story) -> Check {
    let steps = &story.transcript.steps;
    let sessions = sessions(steps);
    let owners = owners(steps);
    for (at, step) in steps.iter().enumerate() {
        let Some(session) = deleted(step) else { continue };
        for later in &steps[at + 1..] {
            let command = &later.line["command"];
            let begins = ["startRun", "background.adopt", "session.delete"]
                .iter()
                .any(|kind| command["type"] == *kind);
            let is_done = later.output.replies.first().is_some_and(|reply| reply.ok);
            let of_it = session_of(command) == session && command["runId"].is_null();
            ensure!(!(begins && is_done && of_it), "{command} in {session}, which is deleted");
        }
        let of_it = |run: &str| sessions.get(run) == Some(&session);
        let asked =
            steps[at..].iter().flat_map(|step| &step.output.effects).filter(|effect| of_it(&effect.run_id));
        for effect in asked {
            let is_asked = matches!(
                effect.payload,
                Payload::ModelRequest { .. }
                    | Payload::ExtensionCall { .. }
                    | Payload::ShellExec { .. }
                    | Payload::ApprovalRequest(_)
            );
            ensure!(!is_asked, "{:?} for {session}, which is deleted", effect.payload);
        }
        for (id, effect_id) in running(&steps[..at]) {
            if owners.get(&id) != Some(&session) {
                continue;
            }
            let stopped = steps[..=at].iter().flat_map(|step| &step.output.effects).any(|effect| {
                matches!(&effect.payload, Payload::Abort { target_effect_id, .. } if *target_effect_id == effect_id)
            });
            ensure!(stopped, "{id} of {session}, which is deleted, is not told to stop");
        }
    }
    Ok(())
}

/// The work that runs after these steps, as far as they tell: ids and effects.
fn running(steps: &[Step]) -> BTreeMap<String, String> {
    let mut running = BTreeMap::new();
    for step in steps {
        let answered = step.line["receipt"]["effectId"].as_str();
        running.retain(|_, effect_id: &mut String| Some(effect_id.as_str()) != answered);
        for facts in told(step, "background_started") {
            running.insert(text(&facts, "id").to_owned(), text(&facts, "effectId").to_owned());
        }
        for facts in told(step, "background_finished") {
            running.remove(text(&facts, "id"));
        }
    }
    running
}
