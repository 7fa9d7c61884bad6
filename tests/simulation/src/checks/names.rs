//! Names and texts (IV-20 to IV-26).

use std::collections::BTreeSet;

use super::{Check, ensure};
use crate::setting::{BUILTINS, builtin_id};
use crate::story::Story;
use crate::story::call::Call;
use crate::story::request::Message;

/// Every text that a model reads, beside what it wrote itself and what stands in files.
fn texts<'s>(story: &'s Story) -> impl Iterator<Item = &'s Message> {
    let Some(request) = story.requests.last() else { return Vec::new().into_iter() };
    let mut calls = story.calls.iter();
    let mut texts = Vec::new();
    for message in &request.messages {
        let call = if message.answers.is_some() { calls.next() } else { None };
        if message.role != "assistant" && !call.is_some_and(shows_files) {
            texts.push(message);
        }
    }
    texts.into_iter()
}

/// Whether a result is a piece of files.
fn shows_files(call: &Call) -> bool {
    let reads = ["builtin:workspace.read_file", "builtin:workspace.search_files"];
    reads.contains(&call.tool.as_str()) && !call.started.is_empty()
}

pub fn no_tool_id(story: &Story) -> Check {
    for message in texts(story) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':' | '/');
        for word in message.text.split(|c: char| !is_part(c)) {
            let is_native = BUILTINS.iter().any(|alias| builtin_id(alias).ends_with(&format!(":{word}")));
            let is_id = word.starts_with("builtin:") || word.starts_with("extension/");
            ensure!(!is_native && !is_id, "{word} in {:?}", message.text);
        }
    }
    for request in &story.requests {
        for tool in &request.tools {
            let text = tool.to_string();
            ensure!(!text.contains("builtin:") && !text.contains("extension/"), "an id in {text}");
        }
    }
    Ok(())
}

pub fn only_bound_names(story: &Story) -> Check {
    let Some(request) = story.requests.first() else { return Ok(()) };
    let bound = request.names();
    let unbound: Vec<&str> = BUILTINS.into_iter().filter(|name| !bound.contains(name)).collect();
    for call in story.calls.iter().filter(|call| !shows_files(call)) {
        let named = unbound.iter().find(|name| **name != call.name && call.text().contains(**name));
        ensure!(named.is_none(), "{named:?} is not bound: {:?}", call.text());
    }
    for tool in &request.tools {
        let text = tool.to_string();
        let named = unbound.iter().find(|name| text.contains(**name));
        ensure!(named.is_none(), "{named:?} is not bound: {text}");
    }
    Ok(())
}

pub fn aliases(story: &Story) -> Check {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    for request in &story.requests {
        let names = request.names();
        let bad = names.iter().find(|name| !(1..=64).contains(&name.len()) || !name.chars().all(legal));
        ensure!(bad.is_none(), "{bad:?} is no name");
        ensure!(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "{names:?}");
    }
    for call in story.calls.iter().filter(|call| call.tool.starts_with("builtin:")) {
        ensure!(builtin_id(&call.name) == call.tool, "{} is called {}", call.tool, call.name);
    }
    Ok(())
}

pub fn frozen(story: &Story) -> Check {
    let Some(first) = story.requests.first() else { return Ok(()) };
    for request in &story.requests {
        for tool in &first.tools {
            ensure!(request.tools.contains(tool), "step {} has another form of {tool}", request.round);
        }
    }
    for call in &story.calls {
        let other = story.calls.iter().find(|other| other.name == call.name && other.tool != call.tool);
        ensure!(other.is_none(), "{} is {} and {:?}", call.name, call.tool, other.map(|other| &other.tool));
    }
    Ok(())
}

pub fn prefix(story: &Story) -> Check {
    for pair in story.requests.windows(2) {
        ensure!(
            pair[1].tools.starts_with(&pair[0].tools),
            "{:?} after {:?}",
            pair[1].names(),
            pair[0].names()
        );
    }
    Ok(())
}

pub fn no_inner_ids(story: &Story) -> Check {
    for message in texts(story) {
        for word in message.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            let is_digest = word.len() == 64 && word.chars().all(is_hex);
            let number = |head: &str| {
                word.strip_prefix(head)
                    .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
            };
            let is_inner = is_digest || number("e") || number("evt_") || number("snap_") || number("ckpt_");
            ensure!(!is_inner, "{word} in {:?}", message.text);
        }
        for folder in ["tool-args", "model-responses", "checkpoints/"] {
            ensure!(!message.text.contains(folder), "{folder} in {:?}", message.text);
        }
    }
    Ok(())
}

pub fn never_empty(story: &Story) -> Check {
    for call in story.calls.iter().filter(|call| call.is_kept(story)) {
        let has_image = call.record["images"].as_array().is_some_and(|images| !images.is_empty());
        ensure!(has_image || !call.text().trim().is_empty(), "{} has no text", call.id);
    }
    for message in texts(story) {
        ensure!(!message.text.trim().is_empty(), "a {} says nothing", message.role);
    }
    Ok(())
}
