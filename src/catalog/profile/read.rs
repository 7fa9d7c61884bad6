//! Strict reading of the sections: unknown members and values out of range are refused (PF-03, PF-07, PF-09).

use serde_json::Value;

use super::sections::{
    Artifact, Context, Delegation, ExposureSettings, Features, Instructions, Model, ModelRetry, Output,
    Permissions, Preset, Run, Skills, Tools, Workspace,
};
use super::{VISIBLE_ROOTS, WRITABLE_ROOTS};
use crate::catalog::reading::{Members, Place, Read, not_a_word};
use crate::identity::ToolId;
use crate::protocol::{Fault, SortedMap};

/// Modes and their synonyms (PM-53).
pub const MODES: [&str; 13] = [
    "read-only",
    "files",
    "manual",
    "accept-edits",
    "auto",
    "allow",
    "full_access",
    "plan",
    "default",
    "bypass",
    "full-access",
    "unattended",
    "dontAsk",
];

const NO_LIMIT: u64 = u64::MAX;

/// Reads a section: `$d` holds the defaults, `$m` the members.
macro_rules! read_section {
    ($($name:ident |$m:ident, $d:ident| { $($member:ident: $read:expr,)* })+) => {$(
        impl Read for $name {
            fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
                let mut $m = Members::open(value, place)?;
                let $d = Self::default();
                let section = Self { $($member: $read,)* };
                $m.end()?;
                Ok(section)
            }
        }
    )+};
}

read_section! {
    Preset |m, d| {
        mode: m.get("mode", d.mode)?,
        required: m.get("required", d.required)?,
    }

    Model |m, d| {
        mode: m.get("mode", d.mode)?,
    }

    Instructions |m, d| {
        agent_system_prompt: m.get("agentSystemPrompt", d.agent_system_prompt)?,
    }

    Context |m, d| {
        initial_chat_history_messages: message_count(&mut m, d.initial_chat_history_messages)?,
        include_activated_world_info: m.get("includeActivatedWorldInfo", d.include_activated_world_info)?,
        tool_result_window_chars: nullable(&mut m, "toolResultWindowChars", d.tool_result_window_chars)?,
    }

    Tools |m, d| {
        allow: m.need("allow")?,
        deny: m.get("deny", d.deny)?,
        order: m.get("order", d.order)?,
        policy: m.get("policy", d.policy)?,
        external_result_inline_char_limit:
            m.integer("externalResultInlineCharLimit", d.external_result_inline_char_limit, 1..=NO_LIMIT)?,
        aggregate_result_char_limit: nullable(&mut m, "aggregateResultCharLimit", d.aggregate_result_char_limit)?,
        tool_descriptions: m.get("toolDescriptions", d.tool_descriptions)?,
        argument_repair: m.get("argumentRepair", d.argument_repair)?,
    }

    ExposureSettings |m, d| {
        mode: m.get("mode", d.mode)?,
        search_threshold: m.integer("searchThreshold", d.search_threshold, 0..=NO_LIMIT)?,
        search_threshold_chars: m.integer("searchThresholdChars", d.search_threshold_chars, 0..=NO_LIMIT)?,
        on_demand: m.get("onDemand", d.on_demand)?,
        search_limit: m.integer("searchLimit", d.search_limit, 1..=20)?,
        activation: m.get("activation", d.activation)?,
        hide_by_mode: m.get("hideByMode", d.hide_by_mode)?,
    }

    Permissions |m, d| {
        mode: mode(&mut m)?,
        ask_timeout_ms: m.integer("askTimeoutMs", d.ask_timeout_ms, 5_000..=3_600_000)?,
        can_prompt: m.get("canPrompt", d.can_prompt)?,
        reviewer: m.get("reviewer", d.reviewer)?,
    }

    Skills |m, d| {
        visible: m.get("visible", d.visible)?,
        deny: m.get("deny", d.deny)?,
    }

    Workspace |m, d| {
        visible_roots: roots(&mut m, "visibleRoots", d.visible_roots, &VISIBLE_ROOTS)?,
        writable_roots: roots(&mut m, "writableRoots", d.writable_roots, &WRITABLE_ROOTS)?,
    }

    Features |m, d| {
        trash: m.get("trash", d.trash)?,
        shell_background: m.get("shellBackground", d.shell_background)?,
        multi_edit: m.get("multiEdit", d.multi_edit)?,
    }

    Run |m, d| {
        presentation: m.get("presentation", d.presentation)?,
        stream: m.get("stream", d.stream)?,
        direct_runnable: m.get("directRunnable", d.direct_runnable)?,
        model_retry: m.get("modelRetry", d.model_retry)?,
        lanes: m.get("lanes", d.lanes)?,
        // 0 reads as 1 (PF-07).
        parallel_limit: m.integer("parallelLimit", d.parallel_limit, 0..=16)?.max(1),
        background: m.get("background", d.background)?,
        unknown_outcome: m.get("unknownOutcome", d.unknown_outcome)?,
        loop_guard: m.get("loopGuard", d.loop_guard)?,
    }

    ModelRetry |m, d| {
        max_retries: m.integer("maxRetries", d.max_retries, 0..=10)?,
        interval_ms: m.integer("intervalMs", d.interval_ms, 0..=60_000)?,
    }

    Delegation |m, d| {
        can_delegate: m.get("canDelegate", d.can_delegate)?,
        can_handoff: m.get("canHandoff", d.can_handoff)?,
        callable: m.get("callable", d.callable)?,
        allow_as_subagent: m.get("allowAsSubagent", d.allow_as_subagent)?,
        allow_as_handoff_target: m.get("allowAsHandoffTarget", d.allow_as_handoff_target)?,
        allowed_callers: m.get("allowedCallers", d.allowed_callers)?,
        description_for_agents: m.get("descriptionForAgents", d.description_for_agents)?,
        max_concurrent_invocations:
            m.integer("maxConcurrentInvocations", d.max_concurrent_invocations, 1..=NO_LIMIT)?,
        max_handoff_depth: m.integer("maxHandoffDepth", d.max_handoff_depth, 1..=NO_LIMIT)?,
    }

    Output |m, d| {
        artifacts: m.get("artifacts", d.artifacts)?,
    }

    Artifact |m, d| {
        id: m.need("id")?,
        path: m.need("path")?,
        kind: m.get("kind", d.kind)?,
        target: m.get("target", d.target)?,
        required: m.get("required", d.required)?,
    }
}

/// −1 means all (PF-03).
fn message_count(members: &mut Members<'_>, default: i64) -> Result<i64, Fault> {
    let name = "initialChatHistoryMessages";
    let Some(value) = members.raw(name) else { return Ok(default) };
    let count = value.as_i64().filter(|count| *count >= -1);
    count.ok_or_else(|| members.place(name).fault("must be -1 (all) or a number of messages"))
}

/// A limit that null switches off.
fn nullable(
    members: &mut Members<'_>,
    name: &'static str,
    default: Option<u64>,
) -> Result<Option<u64>, Fault> {
    match members.raw(name) {
        None => Ok(default),
        Some(Value::Null) => Ok(None),
        Some(_) => members.integer_opt(name, 1..=NO_LIMIT),
    }
}

fn mode(members: &mut Members<'_>) -> Result<Option<String>, Fault> {
    match members.raw("mode") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(mode)) if MODES.contains(&mode.as_str()) => Ok(Some(mode.clone())),
        Some(other) => Err(not_a_word(other, &members.place("mode"), &MODES)),
    }
}

fn roots(
    members: &mut Members<'_>,
    name: &'static str,
    default: Vec<String>,
    all: &[&str],
) -> Result<Vec<String>, Fault> {
    let Some(value) = members.raw(name) else { return Ok(default) };
    let place = members.place(name);
    let roots = Vec::<String>::read(value, &place)?;
    match roots.iter().position(|root| !all.contains(&root.as_str())) {
        Some(index) => {
            Err(place.item(index).fault(format_args!("must be one of the roots {}", all.join(", "))))
        }
        None => Ok(roots),
    }
}

impl<T: Read> Read for SortedMap<ToolId, T> {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let members = SortedMap::<String, T>::read(value, place)?;
        let mut with_ids = SortedMap::new();
        for (name, member) in members {
            let id = ToolId::parse(&name).map_err(|_| place.member(&name).fault("is named by no tool id"))?;
            with_ids.insert(id, member);
        }
        Ok(with_ids)
    }
}
