//! What the engine asks its host: the clock, unhandled rejections, and whether a text may be compiled.

use super::nesting;
use super::process::Process;
use boa_engine::builtins::promise::{OperationType, Promise};
use boa_engine::context::HostHooks;
use boa_engine::context::time::{Clock, JsInstant};
use boa_engine::realm::Realm;
use boa_engine::{Context, JsNativeError, JsObject, JsResult, JsString};
use std::rc::Rc;

/// Bytes of one buffer; the memory of the instance is bounded as well (SH-40).
const BUFFER_BYTES: u64 = 128 * 1024 * 1024;

/// The sentence of a text that the parser is not trusted with.
pub(crate) const TOO_DEEP: &str = "the source is nested too deeply for this engine";

/// The clock of a program (SH-42).
pub(crate) struct ProgramClock(pub(crate) Rc<Process>);

impl Clock for ProgramClock {
    fn now(&self) -> JsInstant {
        let ms = self.0.elapsed().max(0.0);
        JsInstant::new((ms / 1000.0) as u64, ((ms % 1000.0) * 1_000_000.0) as u32)
    }

    fn system_time_millis(&self) -> i64 {
        self.0.now() as i64
    }
}

/// The hooks of a program.
pub(crate) struct Hooks(pub(crate) Rc<Process>);

impl HostHooks for Hooks {
    fn promise_rejection_tracker(
        &self,
        promise: &JsObject<Promise>,
        operation: OperationType,
        _: &mut Context,
    ) {
        let promise = promise.clone().upcast();
        match operation {
            OperationType::Reject => self.0.rejections.add(promise),
            OperationType::Handle => self.0.rejections.remove(&promise),
        }
    }

    fn ensure_can_compile_strings(
        &self,
        _: Realm,
        parameters: &[JsString],
        body: &JsString,
        _: bool,
        _: &mut Context,
    ) -> JsResult<()> {
        for text in parameters.iter().chain([body]) {
            if nesting::scan(&text.to_std_string_lossy()).too_deep {
                return Err(JsNativeError::syntax().with_message(TOO_DEEP).into());
            }
        }
        Ok(())
    }

    fn local_timezone_offset_seconds(&self, _: i64) -> i32 {
        0
    }

    fn max_buffer_size(&self, _: &mut Context) -> u64 {
        BUFFER_BYTES
    }
}
