//! What hooks answer, and what follows from it (HK-11). An answer that is none is skipped: hooks fail open (HK-13).

use serde_json::{Map, Value, json};

use super::refusal;
use super::verdict::Word;
use crate::catalog::reading::{Members, Place, Read, not_a_word};
use crate::protocol::limits::{HOOK_REWRITES, HOOK_TEXT_BYTES};
use crate::protocol::{Code, Fault, Outcome, Part, Refusal, Status};

/// Stands behind a text of a hook that was cut.
const CUT: &str = "\n[cut at 64 KiB]";

/// Exit status of a bridged program that denies, and of one that also halts.
const EXIT_DENY: i64 = 2;
const EXIT_HALT: i64 = 49;

/// The answer of one hook.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookAnswer {
    /// Its word, if it has one; never `review`.
    pub decision: Option<Word>,
    /// Why.
    pub reason: Option<String>,
    /// Other arguments.
    pub args: Option<Map<String, Value>>,
    /// Arguments to put over those that stand.
    pub merge_args: Option<Map<String, Value>>,
    /// What the model should know.
    pub context: Option<String>,
    /// The run should stop (HK-14).
    pub halt: bool,
    /// What is to become of a result.
    pub result: ResultChange,
}

/// What a hook does to a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultChange {
    /// Stands for its text: a redaction.
    pub content: Option<String>,
    /// Stands behind it.
    pub append: Option<String>,
    /// Whether it counts as an error.
    pub is_error: Option<bool>,
}

impl HookAnswer {
    /// Reads an answer. Members that are not known are passed over: another system may send more. `exitCode` is that
    /// of a bridged program: 0 says nothing, 2 denies, 49 denies and halts.
    ///
    /// # Errors
    /// `effect.bad_payload`: the hook is skipped.
    pub fn decode(payload: &Value) -> Result<Self, Fault> {
        let place = Place::document("hook answer", Code::EffectBadPayload);
        let mut members = Members::open(payload, &place)?;
        let exit = match members.raw("exitCode") {
            None | Some(Value::Null) => None,
            Some(code) => {
                Some(exit_word(code).ok_or_else(|| members.place("exitCode").fault("is not understood"))?)
            }
        };
        let (denies, halts) = exit.unwrap_or_default();
        match Self::read(&mut members, denies, halts) {
            // The exit status counts, whatever else the program has written.
            Err(_) if denies => Ok(Self { decision: Some(Word::Deny), halt: halts, ..Self::default() }),
            answer => answer,
        }
    }

    fn read(members: &mut Members<'_>, denies: bool, halts: bool) -> Result<Self, Fault> {
        let said = members.raw("decision").filter(|said| !said.is_null());
        let decision = match said.map(Value::as_str) {
            _ if denies => Some(Word::Deny),
            None => None,
            Some(Some("allow")) => Some(Word::Allow),
            Some(Some("ask")) => Some(Word::Ask),
            Some(Some("deny")) => Some(Word::Deny),
            Some(_) => {
                let place = members.place("decision");
                return Err(not_a_word(said.unwrap_or(&Value::Null), &place, &["allow", "ask", "deny"]));
            }
        };
        Ok(Self {
            decision,
            reason: text(members, "reason")?,
            args: members.get("args", None)?,
            merge_args: members.get("mergeArgs", None)?,
            context: text(members, "context")?,
            halt: members.get::<Option<bool>>("halt", None)?.unwrap_or(false) || halts,
            result: members.get::<Option<ResultChange>>("result", None)?.unwrap_or_default(),
        })
    }

    /// Whether it denies the call, or what the call returned.
    pub fn denies(&self) -> bool {
        self.decision == Some(Word::Deny)
    }

    /// Whether it leaves nothing of a result as it was.
    pub fn takes_out(&self) -> bool {
        self.denies() || self.result.content.is_some()
    }

    /// The arguments as this hook wants them; `None`: as they are. `mergeArgs` goes over `args`, member by member.
    pub fn rewrite(&self, args: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut rewritten = self.args.as_ref().unwrap_or(args).clone();
        for (name, value) in self.merge_args.iter().flatten() {
            rewritten.insert(name.clone(), value.clone());
        }
        (rewritten != *args).then_some(rewritten)
    }
}

/// Whether an exit status denies, and whether it halts.
fn exit_word(code: &Value) -> Option<(bool, bool)> {
    match code.as_i64()? {
        0 => Some((false, false)),
        EXIT_DENY => Some((true, false)),
        EXIT_HALT => Some((true, true)),
        _ => None,
    }
}

/// What the hooks of one point have said so far, one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The strictest word.
    pub word: Option<Word>,
    /// Why, from the hook whose word counts.
    pub reason: Option<String>,
    /// What the model should know, in order.
    pub context: Vec<String>,
    /// The run should stop.
    pub halt: bool,
}

impl Heard {
    /// Hears one more. After a denial or a halt no further hook is asked.
    pub fn hear(&mut self, answer: &HookAnswer) {
        if answer.decision > self.word {
            self.word = answer.decision;
            self.reason.clone_from(&answer.reason);
        }
        self.context.extend(answer.context.clone());
        if answer.halt {
            self.halt = true;
            self.reason = answer.reason.clone().or(self.reason.take());
        }
    }

    /// Why the call is not made: a hook denied it or stopped the run.
    pub fn refusal(&self) -> Option<Refusal> {
        (self.halt || self.word == Some(Word::Deny)).then(|| refusal::hook_denied(self.reason.as_deref()))
    }
}

/// Counts a rewrite of a call's arguments, all points together.
///
/// # Errors
/// `hook.rewrite_loop` for one too many (HK-09).
pub fn count_rewrite(rewrites: &mut u32) -> Result<(), Refusal> {
    *rewrites = rewrites.saturating_add(1);
    if *rewrites > HOOK_REWRITES { Err(refusal::rewrite_loop()) } else { Ok(()) }
}

/// Applies what a hook says after a call to its outcome, and gives the notes that are delivered with the result: they
/// are no part of its content (HK-06). Only a success and a failure can be turned into one another, or denied; how a
/// call ended by other hands stays. A denial holds the whole result back (HK-01).
pub fn apply_after(outcome: &mut Outcome, answer: &HookAnswer) -> Vec<String> {
    let change = &answer.result;
    let denial = answer.denies().then(|| refusal::held_back(answer.reason.as_deref()));
    if denial.is_some() {
        (outcome.parts, outcome.images) = (Vec::new(), Vec::new());
    }
    if let Some(content) = denial.as_ref().map(|denial| &denial.message).or(change.content.as_ref()) {
        outcome.parts.retain(|part| matches!(part, Part::Image { .. }));
        outcome.parts.insert(0, Part::Text { text: content.clone() });
        // The structured value, the screen and the messages would still tell what was taken out.
        (outcome.structured, outcome.display) = (None, None);
        outcome.extra_messages.clear();
    }
    match (change.is_error, outcome.status) {
        (_, Status::Ok | Status::Error) if denial.is_some() => {
            (outcome.status, outcome.code) = (Status::Denied, denial.map(|denial| denial.code));
        }
        (Some(true), Status::Ok) => {
            (outcome.status, outcome.code) = (Status::Error, Some(Code::PermissionHookDenied));
        }
        (Some(false), Status::Error) => {
            (outcome.status, outcome.code, outcome.structured) = (Status::Ok, None, None);
        }
        _ => {}
    }
    // A value of null is none: a snapshot does not tell the two apart.
    let has_none = outcome.structured.as_ref().is_none_or(Value::is_null);
    if let (Some(code), true) = (outcome.code, has_none) {
        outcome.structured = Some(json!({"error": {"code": code, "message": outcome.text()}}));
    }
    let notes = answer.context.iter().chain(&change.append);
    notes.map(|note| labelled(note)).collect()
}

/// What the model reads of a hook's note.
pub fn labelled(note: &str) -> String {
    format!("Note from a check of this app, not from the tool: {note}")
}

impl Read for ResultChange {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut members = Members::open(value, place)?;
        Ok(Self {
            content: text(&mut members, "content")?,
            append: text(&mut members, "append")?,
            is_error: members.get("isError", None)?,
        })
    }
}

/// A text of a hook, cut at its limit; an empty one says nothing, except as content.
fn text(members: &mut Members<'_>, name: &'static str) -> Result<Option<String>, Fault> {
    let text = members.get::<Option<String>>(name, None)?;
    Ok(text.map(cut).filter(|text| name == "content" || !text.trim().is_empty()))
}

fn cut(text: String) -> String {
    if text.len() <= HOOK_TEXT_BYTES {
        return text;
    }
    let room = HOOK_TEXT_BYTES - CUT.len();
    let ends = text.char_indices().map(|(end, _)| end);
    let end = ends.take_while(|end| *end <= room).last().unwrap_or_default();
    format!("{}{CUT}", text.get(..end).unwrap_or_default())
}
