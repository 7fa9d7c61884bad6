//! The files (IV-60 to IV-69).

use std::collections::BTreeMap;

use handrail::protocol::Payload;
use serde_json::Value;

use super::{Check, ensure};
use crate::story::call::Call;
use crate::story::{Story, runs};

/// The changes of files that records tell of, in their order, each with its call.
fn changes<'s>(story: &'s Story) -> Vec<(&'s Call<'s>, &'s Value)> {
    let all = story.calls.iter().flat_map(|call| {
        call.record["fileChanges"].as_array().into_iter().flatten().map(move |change| (call, change))
    });
    let mut all: Vec<_> = all.collect();
    let number = |change: &Value| {
        let digits =
            change["changeId"].as_str().unwrap_or_default().trim_start_matches("chg_").parse::<u64>();
        digits.unwrap_or_default()
    };
    all.sort_by_key(|(_, change)| number(change));
    all
}

/// Whether the host changed files itself while the run went on.
fn host_wrote(story: &Story) -> bool {
    story.inputs().any(|(_, line)| {
        let kind = &line["command"]["type"];
        kind == "workspace.write" || kind == "workspace.delete"
    })
}

/// The content that a change has before or after it; `None`: no file.
fn content<'s>(story: &'s Story, digest: &Value) -> Result<Option<&'s String>, String> {
    let Some(digest) = digest.as_str() else { return Ok(None) };
    let content = story.transcript.contents.get(digest);
    content.map(Some).ok_or_else(|| format!("the content {digest} is lost"))
}

pub fn read_only_roots(story: &Story) -> Check {
    let below = |files: &BTreeMap<String, String>, root: &str| -> Vec<(String, String)> {
        let kept = files.iter().filter(|(path, _)| path.starts_with(root));
        kept.map(|(path, text)| (path.clone(), text.clone())).collect()
    };
    let transcript = story.transcript;
    ensure!(
        below(&transcript.before, "skills/") == below(&transcript.after, "skills/"),
        "skills were changed"
    );
    for (_, change) in changes(story) {
        let path = change["path"].as_str().unwrap_or_default();
        ensure!(!path.starts_with("tool-results/") && !path.starts_with("skills/"), "{path} was changed");
    }
    for step in &transcript.steps {
        let op = &step.line["port"]["op"];
        let writes =
            op["op"] != "read" && op["op"] != "list" && step.port.as_ref().is_some_and(Result::is_ok);
        let target = op["path"].as_str().or(op["to"].as_str()).unwrap_or_default();
        let kept =
            ["/skills", "/tool-results", "/input", "/tool-args"].iter().any(|root| target.starts_with(root));
        ensure!(!writes || !kept, "a program changes {target}");
    }
    Ok(())
}

pub fn hidden_paths(story: &Story) -> Check {
    for call in &story.calls {
        let said = &call.said["arguments"];
        if said.to_string().contains("input/") && call.tool == "builtin:workspace.read_file" {
            ensure!(call.status != "ok", "{} reads what nobody sees", call.id);
        }
    }
    for step in &story.transcript.steps {
        let path = step.line["port"]["op"]["path"].as_str().unwrap_or_default();
        let looks = ["read", "list"].iter().any(|op| step.line["port"]["op"]["op"] == *op);
        let is_read = looks && ["/input", "/tool-args"].iter().any(|root| path.starts_with(root));
        let answers = [Some(Err("ENOENT")), Some(Err("ECANCELED"))];
        ensure!(!is_read || answers.contains(&step.port), "{path} answers {:?}", step.port);
    }
    Ok(())
}

pub fn recoverable(story: &Story) -> Check {
    for (call, change) in changes(story) {
        let before =
            content(story, &change["sha256Before"]).map_err(|lost| format!("{}: {lost}", call.id))?;
        ensure!(before.is_some() == (change["existedBefore"] == true), "{change}");
    }
    Ok(())
}

pub fn known_digest(story: &Story) -> Check {
    if !story.profile()["tools"]["aggregateResultCharLimit"].is_null() {
        return Ok(());
    }
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    let mut by_end: Vec<&Call> = story.calls.iter().filter(|call| !call.stored.is_empty()).collect();
    by_end.sort_by_key(|call| call.settled());
    let mut reads: Vec<(&str, String)> = Vec::new();
    // Files that were read with a hook behind that: who knows what and when.
    let hooked = |call: &&Call| {
        let waits = call.effects.iter().any(|(_, effect)| matches!(effect.payload, Payload::HookRun { .. }));
        waits && call.tool == "builtin:workspace.read_file"
    };
    let vague: Vec<String> =
        story.calls.iter().filter(hooked).map(|call| call.said["arguments"].to_string()).collect();
    for call in by_end {
        if call.tool == "builtin:workspace.read_file" && call.status == "ok" {
            if let Some((path, text)) = read(call) {
                known.remove(path);
                reads.retain(|(other, _)| *other != path);
                reads.push((path, text));
            }
        }
        for change in call.record["fileChanges"].as_array().into_iter().flatten() {
            let path = change["path"].as_str().unwrap_or_default();
            if !call.tool.starts_with("builtin:") || call.tool == "builtin:workspace.shell" {
                continue;
            }
            let before = content(story, &change["sha256Before"])?.map(|text| text.trim_end_matches('\n'));
            let last = known
                .get(path)
                .copied()
                .or_else(|| reads.iter().find(|(other, _)| *other == path).map(|(_, text)| text.as_str()));
            if change["operation"] == "modify" && !vague.iter().any(|said| said.contains(path)) {
                ensure!(last == before, "{} changes {path}, known as {last:?}, which is {before:?}", call.id);
            }
            if change["operation"] != "append" || last == before {
                let after = content(story, &change["sha256After"])?;
                reads.retain(|(other, _)| *other != path);
                known.insert(path, after.map_or("", |text| text.trim_end_matches('\n')));
            }
        }
    }
    Ok(())
}

/// Which file a call has read, and its text as far as line ends do not matter.
fn read<'s>(call: &'s Call) -> Option<(&'s str, String)> {
    let mut lines = call.text().lines();
    let path = lines.next()?.split(' ').next()?;
    let rows: Vec<&str> = lines.filter_map(|row| row.split_once(" | ")).map(|(_, text)| text).collect();
    Some((path, rows.join("\n").trim_end_matches('\n').to_owned()))
}

pub fn closed_port(story: &Story) -> Check {
    let aggregate = !story.profile()["tools"]["aggregateResultCharLimit"].is_null();
    for (at, step) in story.transcript.steps.iter().enumerate() {
        let Some(answer) = &step.port else { continue };
        let id = step.line["port"]["effectId"].as_str().unwrap_or_default();
        let by_receipt = story.receipts.get(id).is_some_and(|(place, _)| story.moments[*place].step < at);
        let call =
            story.calls.iter().find(|call| call.effects.iter().any(|(_, effect)| effect.effect_id == id));
        let Some(call) = call else { continue };
        let ends = call.stored.first().filter(|_| call.status != "backgrounded");
        let stored = ends.is_some_and(|place| story.moments[*place].step < at);
        let is_closed = by_receipt || stored;
        let refused = *answer == Err("ECANCELED");
        ensure!(!is_closed || refused, "the port of {id} answers {answer:?} after its end");
        ensure!(is_closed || !refused || aggregate, "the port of {id} is closed too early");
    }
    Ok(())
}

pub fn after_a_trap(story: &Story) -> Check {
    let free = story.profile()["run"]["lanes"] == "free";
    for call in story.calls.iter().filter(|call| call.tool == "builtin:workspace.shell" && !free) {
        let Some((_, effect)) = call.performed().next().filter(|_| call.status != "backgrounded") else {
            continue;
        };
        let own = story
            .transcript
            .steps
            .iter()
            .filter(|step| step.line["port"]["effectId"] == effect.effect_id.as_str());
        let mut files: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for step in own.filter(|step| step.port.as_ref().is_some_and(Result::is_ok)) {
            let op = &step.line["port"]["op"];
            let text = |name: &str| op[name].as_str().unwrap_or_default();
            match text("op") {
                "write" => drop(files.insert(text("path"), Some(text("text").to_owned()))),
                "remove" => drop(files.insert(text("path"), None)),
                // What these come to depends on what was there before.
                "append" => drop(files.remove(text("path"))),
                "rename" => {
                    files.remove(text("to"));
                    files.remove(text("from"));
                }
                _ => {}
            }
        }
        let changes: Vec<&Value> = call.record["fileChanges"].as_array().into_iter().flatten().collect();
        for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("/tmp")) {
            let Some(text) = text else { continue };
            let is_told =
                changes.iter().any(|change| path[1..] == change["path"].as_str().unwrap_or_default()[..]);
            let same = story
                .transcript
                .contents
                .values()
                .chain(story.transcript.before.values())
                .any(|old| old == text);
            ensure!(
                is_told || same || call.stored.is_empty() || call.is_gone(story),
                "{path} of {} is no change",
                call.id
            );
        }
        for change in changes {
            let path = format!("/{}", change["path"].as_str().unwrap_or_default());
            let Some(last) = files.get(path.as_str()) else { continue };
            let after = content(story, &change["sha256After"])?;
            ensure!(after == last.as_ref() || host_wrote(story), "{path} is {after:?}, written was {last:?}");
        }
    }
    Ok(())
}

pub fn backwards(story: &Story) -> Check {
    // What goes on in the background is no change of a call that was answered.
    let moved = story.told("background_started").next().is_some();
    let gone = story.calls.iter().any(|call| call.is_gone(story));
    if moved || gone || host_wrote(story) || story.end.is_none() || runs(story.transcript).count() > 1 {
        return Ok(());
    }
    let roots = ["output/", "scratch/", "plan/", "summaries/", "persist/"];
    let below = |files: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        let kept = files.iter().filter(|(path, _)| roots.iter().any(|root| path.starts_with(root)));
        kept.map(|(path, text)| (path.clone(), text.clone())).collect()
    };
    let mut files = below(&story.transcript.after);
    for (_, change) in changes(story).into_iter().rev() {
        let path = change["path"].as_str().unwrap_or_default();
        let here = files.remove(path);
        let after = content(story, &change["sha256After"])?;
        ensure!(here.as_ref() == after, "{path} is {here:?}, the change says {after:?}");
        if let Some(before) = content(story, &change["sha256Before"])? {
            files.insert(path.to_owned(), before.clone());
        }
    }
    let before = below(&story.transcript.before);
    ensure!(files == before, "backwards there is {files:?} instead of {before:?}");
    Ok(())
}

pub fn reads_change_nothing(story: &Story) -> Check {
    let reads = ["workspace.read_file", "workspace.list_files", "workspace.search_files", "dice.roll"];
    for (call, change) in changes(story) {
        let is_read = reads.iter().any(|native| call.tool == format!("builtin:{native}"));
        ensure!(!is_read, "{} changes {}", call.tool, change["path"]);
    }
    let written = story.told("workspace_file_written").chain(story.told("workspace_patch_applied"));
    let told = written.count() + story.told("workspace_file_deleted").count();
    let changed = changes(story).len();
    let moved = story.told("background_started").next().is_some();
    let gone = story.calls.iter().any(|call| call.is_gone(story));
    ensure!(moved || gone || told == changed, "{changed} changes, {told} are told");
    Ok(())
}
