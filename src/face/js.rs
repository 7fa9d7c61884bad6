//! The JavaScript face of the session.

use wasm_bindgen::prelude::*;

use crate::protocol::Fault;

/// One session: the state of a runtime. Never performs anything; see `step`.
#[wasm_bindgen]
pub struct Session(crate::session::Session);

/// A fault as a JavaScript `Error` with the members `code` and `details`.
fn error(fault: Fault) -> JsValue {
    let error = js_sys::Error::new(&fault.message);
    let set = |key: &str, value: &JsValue| {
        // A fresh Error is extensible, so this cannot fail.
        let _ = js_sys::Reflect::set(&error, &JsValue::from_str(key), value);
    };
    set("code", &JsValue::from_str(fault.code.as_str()));
    if let Some(details) = &fault.details {
        set("details", &JsValue::from_str(&details.to_string()));
    }
    error.into()
}

#[wasm_bindgen]
#[allow(clippy::new_without_default)] // JavaScript has constructors, no defaults.
impl Session {
    /// An empty session.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Session {
        Session(crate::session::Session::new())
    }

    /// Hands in inputs (a JSON array of `Input`) at a time (milliseconds since the Unix epoch) and gives the
    /// `Output` as JSON. Throws only when the text is not a list of inputs; nothing has changed then.
    pub fn step(&mut self, inputs: &str, now: f64) -> Result<String, JsValue> {
        let now = if now.is_finite() && now > 0.0 { now as u64 } else { 0 };
        self.0.step_text(inputs, now).map_err(error)
    }

    /// Hands over bytes that a following input names by digest.
    #[wasm_bindgen(js_name = putBlob)]
    pub fn put_blob(&mut self, bytes: &[u8]) -> String {
        self.0.put_blob(bytes.to_vec())
    }

    /// Bytes by digest; `undefined` if they are not here.
    pub fn blob(&self, digest: &str) -> Option<Vec<u8>> {
        self.0.blob(digest).map(|bytes| bytes.to_vec())
    }

    /// The state as bytes; the files and pages it names are blobs, see `snapshotBlobs`.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, JsValue> {
        self.0.snapshot().map_err(error)
    }

    /// Digests of the blobs that the last snapshot needs.
    #[wasm_bindgen(js_name = snapshotBlobs)]
    pub fn snapshot_blobs(&mut self) -> Vec<String> {
        self.0.snapshot_blobs()
    }

    /// Digests of the blobs that the last snapshot needs and the one before it did not.
    #[wasm_bindgen(js_name = freshBlobs)]
    pub fn fresh_blobs(&self) -> Vec<String> {
        self.0.fresh_blobs()
    }

    /// Replaces the state by a snapshot's, after its blobs were handed over. Nothing is half-loaded: on a throw
    /// the session is as it was.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JsValue> {
        self.0.restore(state).map_err(error)
    }

    /// The effects that wait for a receipt, as a JSON array.
    #[wasm_bindgen(js_name = inFlight)]
    pub fn in_flight(&self) -> String {
        self.0.in_flight_text()
    }
}

/// Runs one conformance case; see `testing::run`.
#[cfg(feature = "testing")]
#[wasm_bindgen]
pub fn run_case(topic: &str, input: &str, expect: &str) -> String {
    use crate::testing::{Verdict, case::json_text, run};
    let (input, expect) = match (json_text(input), json_text(expect)) {
        (Ok(input), Ok(expect)) => (input, expect),
        (Err(text), _) | (_, Err(text)) => return verdict("failed", &text),
    };
    match run(topic, &input, &expect) {
        None => verdict("unknown", ""),
        Some(Verdict::Passed) => verdict("passed", ""),
        Some(Verdict::Failed(text)) => verdict("failed", &text),
        Some(Verdict::Skipped(text)) => verdict("skipped", &text),
    }
}

#[cfg(feature = "testing")]
fn verdict(verdict: &str, text: &str) -> String {
    serde_json::json!({"verdict": verdict, "text": text}).to_string()
}
