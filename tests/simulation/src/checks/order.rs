//! Pairing and order (IV-01 to IV-07).

use super::{Check, ensure};
use crate::story::request::Request;
use crate::story::{Story, What};

/// The calls of one reply, as many as were asked for before a place.
fn batches<'s>(story: &'s Story, before: usize) -> Vec<Vec<&'s crate::story::call::Call<'s>>> {
    let mut batches: Vec<Vec<_>> = Vec::new();
    for call in story.calls.iter().take_while(|call| call.asked < before) {
        match batches.last_mut() {
            Some(batch) if call.place > 0 => batch.push(call),
            _ => batches.push(vec![call]),
        }
    }
    batches
}

pub fn one_result(story: &Story) -> Check {
    for call in &story.calls {
        ensure!(call.stored.len() <= 1, "{} has {} results", call.id, call.stored.len());
        let next =
            story.requests.iter().find(|request| request.at > call.asked && request.round > call.round);
        let by = next.map(|request| request.at).or(story.end.map(|(at, _)| at));
        let Some(by) = by else { continue };
        // Within a step what was told comes before what is asked for.
        ensure!(call.stored.first().is_some_and(|at| *at < by), "{} has no result in time", call.id);
    }
    Ok(())
}

pub fn model_order(story: &Story) -> Check {
    for request in &story.requests {
        let answered = answers(request);
        for batch in answered {
            let ids: Vec<&String> = batch.0.iter().map(|(id, ..)| id).collect();
            let order: Vec<&String> = batch.1.iter().collect();
            ensure!(ids == order, "calls {ids:?} are answered as {order:?}");
        }
    }
    Ok(())
}

pub fn paired(story: &Story) -> Check {
    for request in &story.requests {
        let answered = answers(request);
        let asked = batches(story, request.at);
        ensure!(
            answered.len() == asked.len(),
            "{} batches of {} are in request {}",
            answered.len(),
            asked.len(),
            request.round
        );
        for ((calls, results), batch) in answered.iter().zip(&asked) {
            ensure!(
                calls.len() == batch.len() && results.len() == batch.len(),
                "{} calls, {} in the request, {} results",
                batch.len(),
                calls.len(),
                results.len()
            );
        }
        let results: usize = answered.iter().map(|(_, results)| results.len()).sum();
        let all = request.messages.iter().filter(|message| message.role == "tool").count();
        ensure!(results == all, "{} of {all} results stand behind their calls", results);
    }
    Ok(())
}

type Answered<'r> = (&'r [(String, String, serde_json::Value)], Vec<String>);

/// The calls of each assistant message, and what directly follows as their results.
fn answers(request: &Request) -> Vec<Answered<'_>> {
    let mut answered: Vec<Answered> = Vec::new();
    let mut follows = false;
    for message in &request.messages {
        match &message.answers {
            Some(id) if follows => answered.last_mut().unwrap().1.push(id.clone()),
            _ => follows = false,
        }
        if !message.calls.is_empty() {
            answered.push((&message.calls, Vec::new()));
            follows = true;
        }
    }
    answered
}

pub fn never_changed(story: &Story) -> Check {
    for call in &story.calls {
        if !call.is_kept(story) {
            continue;
        }
        ensure!(call.record["status"] == call.status.as_str(), "{} of {}", call.record["status"], call.id);
        let kept = story.transcript.after.get(&call.path).map(|text| serde_json::from_str(text).ok());
        ensure!(
            kept == Some(Some(call.record.clone())) || kept.is_none() && story.deleted.is_some(),
            "the record of {} was changed",
            call.id
        );
    }
    Ok(())
}

pub fn events_of_a_call(story: &Story) -> Check {
    for call in &story.calls {
        let id = &call.id;
        ensure!(call.started.len() <= 1 && call.over.len() <= 1, "{id} starts or ends twice");
        if story.end.is_some() {
            ensure!(call.over.len() == 1, "{id} has no end");
        }
        let [started, stored] = [&call.started, &call.stored].map(|places| places.first().copied());
        let over = call.over.first().map(|(at, _)| *at);
        ensure!(started.is_none_or(|at| at > call.asked), "{id} starts before it is asked for");
        ensure!(
            over.is_none() || stored < over && stored.is_some(),
            "{id} is over before its result is stored"
        );
        ensure!(started.is_none_or(|at| stored.is_none_or(|stored| at < stored)), "{id} starts late");
        let refused = ["model.unknown_tool_call", "tool.invalid_arguments", "model.output_truncated"];
        let is_refused = refused.contains(&call.code()) && call.performed().next().is_none();
        ensure!(!is_refused || started.is_none() || call.code() == refused[1], "{id} was refused and starts");
    }
    for (at, facts) in story.told("tool_call_started") {
        let id = facts["callId"].as_str().unwrap_or_default();
        ensure!(story.call(id).is_some_and(|call| call.asked < at), "{id} starts and nobody asked for it");
    }
    Ok(())
}

pub fn screen_and_model_agree(story: &Story) -> Check {
    for call in &story.calls {
        let Some((_, shown)) = call.shown.first() else { continue };
        ensure!(call.shown.len() == 1, "{} ends {} times on screens", call.id, call.shown.len());
        ensure!(shown["status"] == call.status.as_str(), "{} is shown as {}", call.id, shown["status"]);
        if call.is_gone(story) {
            continue;
        }
        let is_error = call.record["isError"] == true;
        ensure!(is_error == !shown["error"].is_null(), "{} is an error: {is_error}", call.id);
        ensure!(!is_error || shown["error"] == call.text(), "{}: {}", call.id, shown["error"]);
    }
    for request in &story.requests {
        let results: Vec<_> = request.messages.iter().filter(|message| message.answers.is_some()).collect();
        let calls = story.calls.iter().take_while(|call| call.asked < request.at);
        for (result, call) in results.iter().zip(calls) {
            // What nobody knows is said in one sentence when a run is resumed (RN-11).
            let is_interrupted = call.status == "unknown" && story.is_interrupted(&call.id, request.at);
            let wanted = if is_interrupted { "This call was interrupted" } else { call.text() };
            ensure!(result.text.contains(wanted), "{} shows {:?}", call.id, result.text);
            let marked = result.is_error.unwrap_or_else(|| result.text.starts_with("Error ("));
            ensure!(call.record["isError"] == marked, "{}: {:?}", call.id, result.text);
        }
    }
    Ok(())
}

pub fn journal_numbers(story: &Story) -> Check {
    let mut last = 0;
    for moment in &story.moments {
        let What::Told { seq, kind, .. } = &moment.what else { continue };
        ensure!(*seq == last + 1, "{kind} is {seq} after {last}");
        last = *seq;
    }
    Ok(())
}
