//! Dispatch: a scheduled call is done here and now, or it becomes an effect.

use serde_json::Value;

use crate::catalog::Catalog;
use crate::identity::Source;
use crate::protocol::{CallContext, Code, Outcome, Payload, Refusal};
use crate::schedule::Scheduled;
use crate::tool::{self, Context, Done};

/// What became of a scheduled call.
pub enum Started {
    /// A builtin did it.
    Done(Done),
    /// It cannot be done; nothing was sent.
    Refused(Outcome),
    /// The host has to do it.
    Wait(Payload),
}

/// Starts a scheduled call.
pub fn start(scheduled: Scheduled, catalog: &Catalog, context: &Context, call: CallContext) -> Started {
    let checked = scheduled.checked();
    let binding = checked.found().binding();
    let tool_id = binding.tool_id();
    match tool_id.source() {
        Source::Builtin => match tool::by_native(tool_id.native()) {
            Some(spec) => Started::Done(spec.call(context, checked.arguments())),
            None => unavailable(),
        },
        Source::Extension { .. } if catalog.is_callable(binding) => Started::Wait(Payload::ExtensionCall {
            tool_id: tool_id.to_string(),
            args: Value::Object(checked.arguments().clone()),
            context: call,
        }),
        _ => unavailable(),
    }
}

/// Disabled, vanished, or registered anew with another schema since the snapshot was made (XT-05).
fn unavailable() -> Started {
    Started::Refused(Outcome::refused(Refusal::new(
        Code::ExtensionToolUnavailable,
        "This tool is not available now; nothing was sent. Go on without it.",
    )))
}
