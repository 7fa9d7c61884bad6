//! The exports of the JavaScript module: one program for each instance.
//!
//! The driver calls `start` once, then `poll` until it is true: again at once or a little later when `wake` was
//! called meanwhile, else after the next `wake`. `cancel` may come at any time. An exception out of any export is a
//! crash, and the driver throws the instance away (SH-40); it clears its timers then, and calls nothing of it again.

use super::js_program::JsPort;
use crate::program::javascript::{Alarm, Handle, Outside, Run};
use crate::program::random;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The timer calls `port.wake`, not the module: a timer of a dead instance touches nothing of it.
    #[wasm_bindgen(thread_local_v2, js_namespace = port, js_name = wake)]
    static WAKE: JsValue;
    #[wasm_bindgen(js_name = setTimeout, catch)]
    fn set_timeout(callback: &JsValue, ms: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = clearTimeout, catch)]
    fn clear_timeout(timer: &JsValue) -> Result<(), JsValue>;
}

thread_local! {
    static TIMER: RefCell<Option<JsValue>> = const { RefCell::new(None) };
    static HANDLE: Handle = Handle::default();
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

/// The timers of this instance.
struct JsAlarm;

impl Alarm for JsAlarm {
    fn ring_after(&self, ms: f64) {
        self.silence();
        TIMER.set(WAKE.with(|wake| set_timeout(wake, ms.ceil())).ok());
    }

    fn silence(&self) {
        if let Some(timer) = TIMER.take() {
            let _ = clear_timeout(&timer);
        }
    }
}

const OUTSIDE: Outside = Outside { port: &JsPort, alarm: &JsAlarm };

/// Starts a program: `{argv, cwd, env, now, seed, deadlineMs, limits, context, macros}` as JSON text, and its standard
/// input.
#[wasm_bindgen]
pub fn start(request: &str, stdin: Vec<u8>) -> Result<(), JsError> {
    let run = HANDLE.with(|handle| Run::start(request, stdin, OUTSIDE, handle))?;
    RUN.replace(Some(run));
    Ok(())
}

/// Goes on with the program; true when it has ended.
#[wasm_bindgen]
pub fn poll() -> bool {
    RUN.with_borrow_mut(|run| run.as_mut().is_none_or(Run::poll))
}

/// Nothing: this program starts no others.
#[wasm_bindgen]
pub fn complete(_id: u32, _exit: i32, _stdout: Vec<u8>, _stderr: Vec<u8>) {}

/// Ends the program at the next poll.
#[wasm_bindgen]
pub fn cancel() {
    HANDLE.with(|handle| handle.cancel(OUTSIDE));
}

/// Random bytes from the seed of the program. The libraries inside ask the global `crypto` for them, which the factory
/// of the module turns into this, so that nothing random comes from outside (SH-42).
#[wasm_bindgen]
pub fn random(length: u32) -> Vec<u8> {
    let mut bytes = vec![0; length as usize];
    random::fill(&mut bytes);
    bytes
}

/// How the program ended: `{exitCode, limit?}` as JSON text; empty while it runs.
#[wasm_bindgen]
pub fn finish() -> String {
    let end = RUN.with_borrow(|run| run.as_ref().and_then(Run::end).map(serde_json::to_string));
    end.and_then(Result::ok).unwrap_or_default()
}
