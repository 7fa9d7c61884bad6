//! The exports of the shell module: one command for each instance, or the analysis of one.
//!
//! The driver calls `start` once, then `poll` until it is true: again at once or a little later when `wake` was
//! called meanwhile, else after the next `wake`. `complete` and `cancel` may come at any time. An exception out of any
//! export is a crash, and the driver throws the instance away (SH-40).

use super::js_program::JsPort;
use crate::program::random;
use crate::program::shell::{Analysis, Handle, Run};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static HANDLE: Handle = Handle::default();
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

/// Starts a command: `{command, cwd, env, seed, deadlineMs, programs}` as JSON text, and its standard input.
#[wasm_bindgen]
pub fn start(request: &str, stdin: Vec<u8>) -> Result<(), JsError> {
    let run = HANDLE.with(|handle| Run::start(request, stdin, &JsPort, handle))?;
    RUN.replace(Some(run));
    Ok(())
}

/// What a command consists of, `{parts, complete}` as JSON text. Nothing of it is run, and nothing else has to be
/// called.
#[wasm_bindgen]
pub fn analyze(command: &str) -> String {
    serde_json::to_string(&Analysis::of(command)).unwrap_or_default()
}

/// Goes on with the command; true when it has ended.
#[wasm_bindgen]
pub fn poll() -> bool {
    RUN.with_borrow_mut(|run| run.as_mut().is_none_or(Run::poll))
}

/// The end of a program that `spawn` asked for.
#[wasm_bindgen]
pub fn complete(id: u32, exit: i32, stdout: Vec<u8>, stderr: Vec<u8>) {
    HANDLE.with(|handle| handle.complete(id, exit, stdout, stderr));
}

/// Ends the command at the next poll.
#[wasm_bindgen]
pub fn cancel() {
    HANDLE.with(|handle| handle.cancel(&JsPort));
}

/// Random bytes from the seed of the command. The libraries inside ask the global `crypto` for them, which the factory
/// of the module turns into this, so that nothing random comes from outside (SH-42).
#[wasm_bindgen]
pub fn random(length: u32) -> Vec<u8> {
    let mut bytes = vec![0; length as usize];
    random::fill(&mut bytes);
    bytes
}

/// How the command ended: `{exitCode, limit?, refused?, cwd?}` as JSON text; empty while it runs.
#[wasm_bindgen]
pub fn finish() -> String {
    let end = RUN.with_borrow(|run| run.as_ref().and_then(Run::end).map(serde_json::to_string));
    end.and_then(Result::ok).unwrap_or_default()
}
