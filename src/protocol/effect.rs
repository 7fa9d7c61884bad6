//! What must happen outside: the core asks by returning these.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Facts, JournalEvent};

/// What may be done with an effect after a failure or a restore (EF-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Changes nothing outside; may be emitted anew under a new id.
    Pure,
    /// Never emitted twice for the same purpose of one call.
    Effectful,
    /// Waits for a person; never emitted again.
    Held,
    /// Durability.
    Storage,
    /// No receipt.
    #[serde(rename = "one-way")]
    OneWay,
}

/// Something the host has to perform and, unless it is one-way, to answer with one receipt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// `e<n>`, never repeated in a run.
    pub effect_id: String,
    /// How it may be treated.
    pub class: Class,
    /// The run it belongs to.
    pub run_id: Arc<str>,
    /// The invocation it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<Arc<str>>,
    /// The call it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Arc<str>>,
    /// When the answer is needed; milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<u64>,
    /// What to do: members `kind` and `payload`.
    #[serde(flatten)]
    pub payload: Payload,
}

/// Why running work is told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum AbortReason {
    User,
    Timeout,
    Cascade,
    RunEnd,
    Loop,
}

/// What an extension function learns about its call (XT-03); the glue adds the functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CallContext {
    /// The run.
    pub run_id: Arc<str>,
    /// The invocation.
    pub invocation_id: Arc<str>,
    /// The call.
    pub call_id: Arc<str>,
    /// The chat or session of the run, as data.
    pub target: Arc<Value>,
}

/// What to do. As JSON two members: `kind` and `payload`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(schemars::JsonSchema))]
#[serde(tag = "kind", content = "payload", rename_all_fields = "camelCase")]
pub enum Payload {
    /// Ask the model. Answer: `{reply}` (a whole provider reply), or `chunk` progress followed by an `ok` without a
    /// reply.
    #[serde(rename = "model.request")]
    ModelRequest {
        /// The step, from 1.
        round: u32,
        /// The wire format.
        codec: String,
        /// The provider's request body without its transport. With `messagesFrom` its `messages` are only the new
        /// ones, and the tools with the tool choice, which stay the same, stand only in the first that is answered.
        #[cfg_attr(feature = "testing", schemars(with = "serde_json::Map<String, Value>"))]
        request: Facts,
        /// Whether a stream is wanted.
        stream: bool,
        /// Present when the run was started with `capabilities.incremental`: how many messages of the request the
        /// host already has; it puts the new ones behind them.
        #[serde(skip_serializing_if = "Option::is_none")]
        messages_from: Option<usize>,
        /// Only in a run whose host drives the model: whether the last reply made no calls.
        #[serde(skip_serializing_if = "Option::is_none")]
        done: Option<bool>,
    },
    /// Call a function of the host. Answer: `{value?, images: [digest]}`; `value` missing means `undefined`.
    #[serde(rename = "extension.call")]
    ExtensionCall {
        /// Which.
        tool_id: Arc<str>,
        /// With what; always an object.
        args: Arc<Map<String, Value>>,
        /// What the function learns about its call.
        context: CallContext,
    },
    /// Run a command in the shell, over the file port of this effect. Answer: `{exitCode, stdout, stderr,
    /// stdoutTruncated, stderrTruncated}`; an answer that is not ok may bring the same as output so far.
    #[serde(rename = "shell.exec")]
    ShellExec {
        /// The script.
        command: String,
        /// Where it starts: an absolute path.
        workdir: String,
        /// When it has to be over; milliseconds since the Unix epoch.
        deadline: u64,
        /// Where its clock starts.
        now: u64,
        /// What its random numbers are made from (SH-42).
        seed: String,
        /// Whether it runs on in the background.
        background: bool,
    },
    /// Ask a person whether a call may be made (PM-32). Held: it waits over snapshot and restore. Answer: `{answer,
    /// args?, message?, by?, scope?}`.
    #[serde(rename = "approval.request")]
    ApprovalRequest(
        #[cfg_attr(feature = "testing", schemars(with = "serde_json::Map<String, Value>"))] Value,
    ),
    /// Judge an action that a mode does not allow by itself (PM-60). Answer: `{verdict: safe|unsafe|unsure, confidence}`.
    #[serde(rename = "review.request")]
    ReviewRequest {
        /// The action.
        action: Value,
        /// What the tool says of the call.
        text: String,
    },
    /// Let a tool say about one of its calls what is to be known before it is judged (AR-34). Answer: `{action?,
    /// parallel?, readOnly?, check?, validation?, classifierText?, summary?}`.
    #[serde(rename = "extension.inspect")]
    ExtensionInspect {
        /// Which.
        tool_id: Arc<str>,
        /// With what; always an object.
        args: Arc<Map<String, Value>>,
    },
    /// Take a command of the shell apart (PM-55). Answer: `{parts: [{kind: read|write|program, target}], complete}`.
    #[serde(rename = "shell.analyze")]
    ShellAnalyze {
        /// The script.
        command: String,
    },
    /// Call a hook (HK-11). Answer: what it says, `{decision?, reason?, args?, mergeArgs?, context?, halt?, result?}`.
    #[serde(rename = "hook.run")]
    HookRun {
        /// Which.
        hook_id: String,
        /// Where.
        point: Value,
        /// What it is told.
        payload: Value,
    },
    /// Keep a rule that an answer has brought (PM-04). Answer: `{}`.
    #[serde(rename = "rules.save")]
    RulesSave {
        /// The rule.
        rule: Value,
    },
    /// Make these durable before anything else of this output is performed (EF-08). Answer: `{}`.
    #[serde(rename = "store.append")]
    StoreAppend {
        /// Journal events, in order.
        records: Vec<Arc<JournalEvent>>,
        /// Digests of new blobs; the bytes are fetched out of band.
        blobs: Vec<String>,
    },
    /// Wake the session with a tick at this time. One-way.
    #[serde(rename = "timer.set")]
    TimerSet {
        /// Which timer.
        timer_id: String,
        /// When; milliseconds since the Unix epoch.
        at: u64,
    },
    /// Forget this timer. One-way.
    #[serde(rename = "timer.cancel")]
    TimerCancel {
        /// Which timer.
        timer_id: String,
    },
    /// Answer a question that a running function has asked with the progress `{ask: {requestId, reason, risk?}}`. One-way.
    #[serde(rename = "call.reply")]
    CallReply {
        /// The effect of its call.
        target_effect_id: String,
        /// The question, as the function named it.
        request_id: String,
        /// `{allowed: true}`, or `{allowed: false, code, message}`.
        result: Value,
    },
    /// Tell running work to stop. One-way; the work still answers with its own receipt.
    #[serde(rename = "abort")]
    Abort {
        /// The effect that is to stop.
        target_effect_id: String,
        /// Why.
        reason: AbortReason,
    },
}
