//! One seed from its beginning to its end: played, played again, written down.

use handrail::protocol::Output;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::host::Host;
use crate::random::Random;
use crate::setting;
use crate::stage::{Stage, Step, Transcript, first_difference};

/// More lines than any run needs.
pub const ENDLESS: usize = 3_000;

/// Of so many seeds one is played without the loop guard, too.
const UNGUARDED: u64 = 10;

/// How a scenario is played the second time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// Not at all.
    Never,
    /// With restores here and there, several inputs in a step.
    Sometimes,
    /// With a restore before every line.
    Always,
}

/// Plays what a seed stands for.
pub fn play(seed: u64, again: Again) -> Transcript {
    let mut random = Random::new(seed);
    let (setting, first) = setting::draw(&mut random);
    let (mut stage, image) = Stage::new();
    let mut host = Host::new(random, setting, image, first);
    let mut transcript = Transcript::default();
    while let Some(line) = host.line() {
        let step = stage.play(&line);
        host.hear(&step.line, &step.output);
        keep(&mut transcript, &mut stage, step);
        if transcript.steps.len() > ENDLESS {
            break;
        }
    }
    finish(&mut transcript, &mut stage, again, seed);
    transcript
}

/// Plays the lines of a journal.
pub fn replay(lines: &[Value], again: Again, seed: u64) -> Transcript {
    let (mut stage, _) = Stage::new();
    let mut transcript = Transcript::default();
    for line in lines {
        let step = stage.play(line);
        keep(&mut transcript, &mut stage, step);
    }
    finish(&mut transcript, &mut stage, again, seed);
    transcript
}

fn keep(transcript: &mut Transcript, stage: &mut Stage, step: Step) {
    if step.line["command"]["type"] == "startRun" && transcript.before.is_empty() {
        transcript.before = stage.files();
    }
    transcript.steps.push(step);
}

fn finish(transcript: &mut Transcript, stage: &mut Stage, again: Again, seed: u64) {
    transcript.after = stage.files();
    let records = transcript.steps.iter().flat_map(|step| &step.records);
    let changes = records.flat_map(|(_, record)| record["fileChanges"].as_array().into_iter().flatten());
    let digests = changes.flat_map(|change| [&change["sha256Before"], &change["sha256After"]]);
    for digest in digests.filter_map(Value::as_str) {
        if let Some(content) = stage.content(digest) {
            transcript.contents.insert(digest.to_owned(), content);
        }
    }
    if again == Again::Never {
        return;
    }
    transcript.differs = second(transcript, again, Random::new(!seed)).err();
    if seed.is_multiple_of(UNGUARDED) {
        transcript.unguarded = unguarded(&transcript.steps).err();
    }
}

/// Plays the same lines without the loop guard: where it had nothing to say, nothing else comes out (IV-55).
fn unguarded(steps: &[Step]) -> Result<(), String> {
    let said = |step: &Step| text(&step.output).contains("loop_");
    if steps.iter().any(said) {
        return Ok(());
    }
    let (mut stage, _) = Stage::new();
    for (place, step) in steps.iter().enumerate() {
        let mut line = step.line.clone();
        let started = line["command"]["type"] == "startRun";
        if let Some(run) = line.pointer_mut("/command/profile/run").filter(|_| started) {
            run["loopGuard"] = false.into();
        }
        let played = stage.play(&line);
        let (expected, output) = (text(&step.output), text(&played.output));
        if expected != output {
            let what = first_difference(expected.as_bytes(), output.as_bytes());
            return Err(format!("without the loop guard line {place} gives something else: {what}"));
        }
    }
    Ok(())
}

/// Plays the same lines again. What comes out has to be the same, byte for byte.
fn second(transcript: &Transcript, again: Again, mut random: Random) -> Result<(), String> {
    let steps = &transcript.steps;
    let (mut stage, _) = Stage::new();
    let mut place = 0;
    while place < steps.len() {
        if again == Again::Always || random.chance(10) {
            stage.restore().map_err(|problem| format!("a restore before line {place}: {problem}"))?;
        }
        let first = &steps[place];
        if first.line.get("port").is_some() {
            let port = stage.play(&first.line).port;
            // What is private to a program is in no snapshot.
            let private =
                first.line["port"]["op"]["path"].as_str().is_some_and(|path| path.starts_with("/tmp"));
            if port != first.port && !private {
                return Err(format!("line {place}: the port says {port:?} instead of {:?}", first.port));
            }
            place += 1;
            continue;
        }
        let together = |step: &&Step| step.now == first.now && step.line.get("port").is_none();
        let most = if again == Again::Always || random.chance(60) { 1 } else { 1 + random.below(6) };
        let group: Vec<&Step> = steps[place..].iter().take(most).take_while(together).collect();
        let lines: Vec<Value> = group.iter().map(|step| step.line.clone()).collect();
        let (expected, output) = (text(&joined(&group)), text(&stage.step(&lines, first.now)));
        if expected != output {
            let what = first_difference(expected.as_bytes(), output.as_bytes());
            let files = other_files(&transcript.after, &stage.files());
            return Err(format!("line {place} and {} more: {what}{files}", group.len() - 1));
        }
        place += group.len();
    }
    Ok(())
}

/// The files of the first play that the second one has otherwise by now, with where they begin to differ.
fn other_files(first: &BTreeMap<String, String>, second: &BTreeMap<String, String>) -> String {
    let differs = |(path, text): (&String, &String)| {
        let other = first.get(path)?;
        (other != text).then(|| format!("; {path}: {}", first_difference(other.as_bytes(), text.as_bytes())))
    };
    second.iter().filter_map(differs).collect()
}

/// The outputs of steps as those of one step.
fn joined(steps: &[&Step]) -> Output {
    let mut all = Output::default();
    for (place, step) in steps.iter().enumerate() {
        all.effects.extend(step.output.effects.iter().cloned());
        all.events.extend(step.output.events.iter().cloned());
        let replies = step.output.replies.iter().cloned();
        all.replies.extend(replies.map(|reply| handrail::protocol::Reply { input: place, ..reply }));
    }
    all
}

fn text(output: &Output) -> String {
    serde_json::to_string(output).unwrap()
}
