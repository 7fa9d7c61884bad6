//! Dispatch: a permitted call that has its place is done here and now, or it becomes an effect.
//!
//! - Comes in: [`Permitted`] and [`Scheduled`], which only the rooms before can make.
//! - Goes out: [`Started`].
//! - Not here: what a tool changes (the session applies it), and what its result looks like (room `project`).

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::catalog::Catalog;
use crate::identity::Source;
use crate::permission::Permitted;
use crate::protocol::limits::DEADLINE_SLACK_MS;
use crate::protocol::{CallContext, Code, Outcome, Payload, Refusal};
use crate::schedule::Scheduled;
use crate::tool::{self, Context, Run, ToolEffect};

/// What became of a call that was started.
pub enum Started {
    /// It has its outcome, and this is to be done.
    Done(Outcome, ToolEffect),
    /// The host has to do it.
    Wait {
        /// What.
        payload: Payload,
        /// How long after the deadline it is told to stop; the host keeps the deadline of a program itself (SH-41).
        slack_ms: u64,
    },
}

/// Starts a call. `_place` is the proof that the lanes let it.
pub fn start(
    _place: &Scheduled,
    permitted: &Permitted,
    catalog: &Catalog,
    context: &Context<'_>,
    call: CallContext,
) -> Started {
    let checked = permitted.checked();
    let binding = checked.found().binding();
    match binding.id().source() {
        Source::Builtin => builtin(binding.id().native(), context, checked.arguments()),
        Source::Extension { .. } if catalog.callable(binding).is_some() => {
            let payload = Payload::ExtensionCall {
                tool_id: binding.id().shared(),
                args: Arc::clone(checked.arguments()),
                context: call,
            };
            Started::Wait { payload, slack_ms: 0 }
        }
        _ => unavailable(),
    }
}

fn builtin(native: &str, context: &Context<'_>, arguments: &Map<String, Value>) -> Started {
    let Some(spec) = tool::find(native) else { return unavailable() };
    let refused = match &spec.run {
        Run::Here(run) => match run(context, arguments) {
            Ok(done) => return Started::Done(done.outcome, done.effect),
            Err(refused) => refused,
        },
        Run::Outside(outside) => match (outside.ask)(context, arguments) {
            Ok(payload) => return Started::Wait { payload, slack_ms: DEADLINE_SLACK_MS },
            Err(refusal) => refusal.into(),
        },
    };
    Started::Done(Outcome::refused(refused.refusal), refused.effect)
}

/// Switched off, vanished, or registered anew with other arguments since the snapshot was made (XT-05).
fn unavailable() -> Started {
    let text = "This tool is not available now; nothing was called. Go on without it.";
    Started::Done(Outcome::refused(Refusal::new(Code::ExtensionToolUnavailable, text)), ToolEffect::None)
}
