//! Work that goes on in the background (IV-88).

use std::collections::BTreeMap;

use handrail::protocol::Event;
use serde_json::Value;

use super::{Check, ensure};
use crate::story::Story;
use crate::story::request::Request;

/// Each piece of work is delivered once, after its end, and before the next step of its run.
pub fn delivered_once(story: &Story) -> Check {
    let mut delivered: BTreeMap<String, usize> = BTreeMap::new();
    for event in story.transcript.steps.iter().flat_map(|step| &step.output.events) {
        let (kind, facts) = match event {
            Event::Journal(event) => (event.kind.as_str(), &event.payload),
            Event::Live(event) => (event.kind, &event.payload),
        };
        if kind == "background_delivered" {
            let facts: Value = serde_json::from_str(facts.text()).unwrap_or_default();
            *delivered.entry(facts["id"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    let twice = delivered.iter().find(|(_, count)| **count > 1);
    ensure!(twice.is_none(), "{twice:?} is delivered more than once");
    for (finished, facts) in story.told("background_finished") {
        let id = facts["id"].as_str().unwrap_or_default();
        let begun = story.told("background_started").any(|(at, facts)| at < finished && facts["id"] == id);
        ensure!(begun || story.start["sessionId"].is_null(), "{id} ends and never began");
        // A step is made once, however often the model is asked for it; and the first request of a loop of the host's own,
        // like one after a reply without calls, is not handed to it.
        let round =
            story.requests.iter().take_while(|request| request.made < finished).map(|r| r.round).max();
        let next =
            |request: &&Request| request.made > finished && Some(request.round) > round && !request.done;
        let Some(next) = story.requests.iter().find(next) else { continue };
        ensure!(delivered.contains_key(id), "{id} is not delivered to step {}", next.round);
        let told = next.messages.iter().filter(|message| message.role == "user" && message.text.contains(id));
        let told = told.count();
        ensure!(told == 1, "{id} is told {told} times to step {}", next.round);
    }
    Ok(())
}
