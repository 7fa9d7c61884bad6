//! Strict reading of the sections: unknown members and values out of range are refused (PF-03, PF-07, PF-09).

use serde_json::Value;

use super::sections::{
    Artifact, Context, Delegation, ExposureSettings, Features, Instructions, Model, ModelRetry, Output,
    Permissions, Preset, Run, Skills, Tools, Workspace,
};
use super::{VISIBLE_ROOTS, WRITABLE_ROOTS};
use crate::catalog::reading::{Members, Place, Read, Section, not_a_word, nullable};
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

/// The members of sections: `$s` is one with the defaults, `$m` its members.
macro_rules! sections {
    ($($name:ident |$m:ident, $s:ident| $read:block)+) => {$(
        impl Section for $name {
            fn take(&mut self, $m: &mut Members<'_>) {
                let $s = self;
                $read
            }
        }
    )+};
}

sections! {
    Preset |m, s| {
        m.set("mode", &mut s.mode);
        m.set("required", &mut s.required);
    }

    Model |m, s| {
        m.set("mode", &mut s.mode);
    }

    Instructions |m, s| {
        m.set("agentSystemPrompt", &mut s.agent_system_prompt);
    }

    Context |m, s| {
        m.set_by("initialChatHistoryMessages", &mut s.initial_chat_history_messages, message_count);
        m.set("includeActivatedWorldInfo", &mut s.include_activated_world_info);
        m.set_by("toolResultWindowChars", &mut s.tool_result_window_chars, nullable);
    }

    Tools |m, s| {
        m.require("allow", &mut s.allow);
        m.set("deny", &mut s.deny);
        m.set("order", &mut s.order);
        m.set("policy", &mut s.policy);
        m.set_integer("externalResultInlineCharLimit", &mut s.external_result_inline_char_limit, 1..=NO_LIMIT);
        m.set_by("aggregateResultCharLimit", &mut s.aggregate_result_char_limit, nullable);
        m.set("toolDescriptions", &mut s.tool_descriptions);
        m.set("argumentRepair", &mut s.argument_repair);
    }

    ExposureSettings |m, s| {
        m.set("mode", &mut s.mode);
        m.set_integer("searchThreshold", &mut s.search_threshold, 0..=NO_LIMIT);
        m.set_integer("searchThresholdChars", &mut s.search_threshold_chars, 0..=NO_LIMIT);
        m.set("onDemand", &mut s.on_demand);
        m.set_integer("searchLimit", &mut s.search_limit, 1..=20);
        m.set("activation", &mut s.activation);
        m.set("hideByMode", &mut s.hide_by_mode);
    }

    Permissions |m, s| {
        m.set_by("mode", &mut s.mode, mode);
        m.set_integer("askTimeoutMs", &mut s.ask_timeout_ms, 5_000..=3_600_000);
        m.set("canPrompt", &mut s.can_prompt);
        m.set("reviewer", &mut s.reviewer);
    }

    Skills |m, s| {
        m.set("visible", &mut s.visible);
        m.set("deny", &mut s.deny);
    }

    Workspace |m, s| {
        m.set_by("visibleRoots", &mut s.visible_roots, |value, place| roots(value, place, &VISIBLE_ROOTS));
        m.set_by("writableRoots", &mut s.writable_roots, |value, place| roots(value, place, &WRITABLE_ROOTS));
    }

    Features |m, s| {
        m.set("trash", &mut s.trash);
        m.set("shellBackground", &mut s.shell_background);
        m.set("multiEdit", &mut s.multi_edit);
    }

    Run |m, s| {
        m.set("presentation", &mut s.presentation);
        m.set("stream", &mut s.stream);
        m.set("directRunnable", &mut s.direct_runnable);
        m.section("modelRetry", &mut s.model_retry);
        m.set("lanes", &mut s.lanes);
        // 0 reads as 1 (PF-07).
        m.set_integer("parallelLimit", &mut s.parallel_limit, 0..=16);
        s.parallel_limit = s.parallel_limit.max(1);
        m.set("background", &mut s.background);
        m.set("unknownOutcome", &mut s.unknown_outcome);
        m.set("loopGuard", &mut s.loop_guard);
    }

    ModelRetry |m, s| {
        m.set_integer("maxRetries", &mut s.max_retries, 0..=10);
        m.set_integer("intervalMs", &mut s.interval_ms, 0..=60_000);
    }

    Delegation |m, s| {
        m.set("canDelegate", &mut s.can_delegate);
        m.set("canHandoff", &mut s.can_handoff);
        m.set("callable", &mut s.callable);
        m.set("allowAsSubagent", &mut s.allow_as_subagent);
        m.set("allowAsHandoffTarget", &mut s.allow_as_handoff_target);
        m.set("allowedCallers", &mut s.allowed_callers);
        m.set("descriptionForAgents", &mut s.description_for_agents);
        m.set_integer("maxConcurrentInvocations", &mut s.max_concurrent_invocations, 1..=NO_LIMIT);
        m.set_integer("maxHandoffDepth", &mut s.max_handoff_depth, 1..=NO_LIMIT);
    }

    Output |m, s| {
        m.set("artifacts", &mut s.artifacts);
    }

    Artifact |m, s| {
        m.require("id", &mut s.id);
        m.require("path", &mut s.path);
        m.set("kind", &mut s.kind);
        m.set("target", &mut s.target);
        m.set("required", &mut s.required);
    }
}

impl Read for Artifact {
    fn read(value: &Value, place: &Place) -> Result<Self, Fault> {
        let mut artifact = Self::default();
        artifact.read(value, place)?;
        Ok(artifact)
    }
}

/// −1 means all (PF-03).
fn message_count(value: &Value, place: &Place) -> Result<i64, Fault> {
    let count = value.as_i64().filter(|count| *count >= -1);
    count.ok_or_else(|| place.fault("must be -1 (all) or a number of messages"))
}

fn mode(value: &Value, place: &Place) -> Result<Option<String>, Fault> {
    match value {
        Value::Null => Ok(None),
        Value::String(mode) if MODES.contains(&mode.as_str()) => Ok(Some(mode.clone())),
        other => Err(not_a_word(other, place, &MODES)),
    }
}

fn roots(value: &Value, place: &Place, all: &[&str]) -> Result<Vec<String>, Fault> {
    let roots = Vec::<String>::read(value, place)?;
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
        let mut with_ids = Vec::new();
        for (name, member) in members {
            let id = ToolId::parse(&name).map_err(|_| place.member(&name).fault("is named by no tool id"))?;
            with_ids.push((id, member));
        }
        Ok(with_ids.into_iter().collect())
    }
}
