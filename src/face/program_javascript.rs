//! The face of the JavaScript program: the port as imports of the module, one program as its exports.
//!
//! The driver instantiates the module for each program and calls `start`, then `poll` until it gives true, then
//! `finish`. After a poll that gives false it polls again once `wake` was called. An exception out of any export, or
//! a deadline that has passed, means that the instance is thrown away; its timers are then cleared, and nothing else.

#![allow(missing_docs)]

use crate::program::javascript::{Alarm, Handle, Outside, Run};
use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = port, js_name = stat, catch)]
    fn port_stat(path: &str) -> Result<Vec<f64>, JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = list, catch)]
    fn port_list(path: &str) -> Result<String, JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = read, catch)]
    fn port_read(path: &str) -> Result<Vec<u8>, JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = write, catch)]
    fn port_write(path: &str, bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = append, catch)]
    fn port_append(path: &str, bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = mkdir, catch)]
    fn port_mkdir(path: &str, recursive: bool) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = remove, catch)]
    fn port_remove(path: &str, recursive: bool) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = rename, catch)]
    fn port_rename(from: &str, to: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = copy, catch)]
    fn port_copy(from: &str, to: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = stdout, catch)]
    fn port_stdout(bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = stderr, catch)]
    fn port_stderr(bytes: &[u8]) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = wake, catch)]
    fn port_wake() -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = port, js_name = now, catch)]
    fn port_now() -> Result<f64, JsValue>;
    /// The timer calls `port.wake`, not the module: a timer of a dead instance touches nothing of it.
    #[wasm_bindgen(thread_local_v2, js_namespace = port, js_name = wake)]
    static WAKE: JsValue;
    #[wasm_bindgen(js_name = setTimeout, catch)]
    fn set_timeout(callback: &JsValue, ms: f64) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = clearTimeout, catch)]
    fn clear_timeout(timer: &JsValue) -> Result<(), JsValue>;
}

struct Imports;

fn refused(error: &JsValue) -> PortError {
    let code = js_sys::Reflect::get(error, &JsValue::from_str("code")).ok().and_then(|code| code.as_string());
    PortError::from_code(&code.unwrap_or_default())
}

fn answer<T>(result: Result<T, JsValue>) -> Answer<T> {
    result.map_err(|error| refused(&error))
}

fn kind(number: f64) -> Kind {
    if number == 1.0 { Kind::File } else { Kind::Directory }
}

/// Reads `name/kind/size/modified`.
fn entry(text: &str) -> Option<Entry> {
    let mut parts = text.split('/');
    let name = parts.next()?.to_owned();
    let mut number = || parts.next().and_then(|part| part.parse::<f64>().ok());
    let stat = Stat { kind: kind(number()?), size: number()? as u64, modified_ms: number()? };
    Some(Entry { name, stat })
}

impl Port for Imports {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        let numbers = answer(port_stat(path))?;
        let [kind_number, size, modified_ms] = numbers.as_slice() else { return Ok(None) };
        Ok(Some(Stat { kind: kind(*kind_number), size: *size as u64, modified_ms: *modified_ms }))
    }

    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        let text = answer(port_list(path))?;
        text.split('\0').filter(|part| !part.is_empty()).map(|part| entry(part).ok_or(PortError::Io)).collect()
    }

    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        answer(port_read(path))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        answer(port_write(path, bytes))
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        answer(port_append(path, bytes))
    }

    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()> {
        answer(port_mkdir(path, recursive))
    }

    fn remove(&self, path: &str, recursive: bool) -> Answer<()> {
        answer(port_remove(path, recursive))
    }

    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        answer(port_rename(from, to))
    }

    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        answer(port_copy(from, to))
    }

    fn stdout(&self, bytes: &[u8]) {
        // A driver that cannot take output has nowhere to say so.
        let _ = port_stdout(bytes);
    }

    fn stderr(&self, bytes: &[u8]) {
        let _ = port_stderr(bytes);
    }

    fn wake(&self) {
        let _ = port_wake();
    }

    fn now(&self) -> f64 {
        port_now().unwrap_or_default()
    }

    fn spawn(&self, _: u32, _: &str, _: &[u8]) -> Answer<()> {
        Err(PortError::Unsupported)
    }
}

thread_local! {
    static TIMER: RefCell<Option<JsValue>> = const { RefCell::new(None) };
    static HANDLE: Handle = Handle::default();
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

impl Alarm for Imports {
    fn ring_after(&self, ms: f64) {
        self.silence();
        let timer = WAKE.with(|wake| set_timeout(wake, ms.ceil())).ok();
        TIMER.with_borrow_mut(|known| *known = timer);
    }

    fn silence(&self) {
        if let Some(timer) = TIMER.take() {
            let _ = clear_timeout(&timer);
        }
    }
}

static IMPORTS: Imports = Imports;
const OUTSIDE: Outside = Outside { port: &IMPORTS, alarm: &IMPORTS };

/// Starts a program; nothing of it runs before the first poll.
///
/// # Errors
/// The request is not one.
#[wasm_bindgen]
pub fn start(request: &str, stdin: Vec<u8>) -> Result<(), JsValue> {
    let run = HANDLE.with(|handle| Run::start(request, stdin, OUTSIDE, handle));
    let run = run.map_err(|error| js_sys::Error::new(&format!("the request is not valid: {error}")))?;
    RUN.set(Some(run));
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

/// Ends the program at its next poll. May be called at any time.
#[wasm_bindgen]
pub fn cancel() {
    HANDLE.with(|handle| handle.cancel(OUTSIDE));
}

/// How the program ended, as JSON; empty while it runs.
#[wasm_bindgen]
pub fn finish() -> String {
    let end = RUN.with_borrow(|run| run.as_ref().and_then(|run| run.end().cloned()));
    end.and_then(|end| serde_json::to_string(&end).ok()).unwrap_or_default()
}
