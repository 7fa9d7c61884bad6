//! The JavaScript face of the session.

use wasm_bindgen::prelude::*;

use crate::protocol::{Fault, PortEntry, PortError, PortOp, PortReply, PortStat};

/// One session: the state of a runtime. Never performs anything; see `step`.
#[wasm_bindgen]
pub struct Session(crate::session::Session, Memory);

/// The memory of the module. The allocator lets it grow by what one request lacks, but an engine pays for each growth by
/// the size of the whole: V8 takes it for new memory and soon collects garbage. So it grows by a quarter at once.
struct Memory {
    /// Its size when last looked at, in pages.
    pages: usize,
}

impl Memory {
    const PAGE_BYTES: usize = 64 * 1024;
    /// The least and the most that is taken ahead, in pages.
    const AHEAD: (usize, usize) = (16, 256);

    /// If it has grown since the last look, takes more and leaves it to the allocator.
    fn widen(&mut self) {
        let pages = Memory::pages();
        if pages == self.pages {
            return;
        }
        let (least, most) = Memory::AHEAD;
        let mut ahead: Vec<u8> = Vec::new();
        // Where there is no more to take, what is needed will be asked for by itself.
        let _ = ahead.try_reserve_exact((pages / 4).clamp(least, most) * Memory::PAGE_BYTES);
        // Unseen, the compiler would leave out both the taking and the giving back.
        drop(std::hint::black_box(ahead));
        self.pages = Memory::pages();
    }

    #[cfg(target_arch = "wasm32")]
    fn pages() -> usize {
        std::arch::wasm32::memory_size::<0>()
    }

    /// Elsewhere memory is the affair of the system.
    #[cfg(not(target_arch = "wasm32"))]
    fn pages() -> usize {
        0
    }
}

/// A fault as a JavaScript `Error` with the members `code` and `details`.
fn error(fault: Fault) -> JsValue {
    let error = coded(fault.code.as_str(), &fault.message);
    if let Some(details) = &fault.details {
        set(&error, "details", &details.to_string());
    }
    error
}

/// A JavaScript `Error` with the member `code`.
fn coded(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message).into();
    set(&error, "code", code);
    error
}

fn set(error: &JsValue, key: &str, value: &str) {
    // A fresh Error is extensible, so this cannot fail.
    let _ = js_sys::Reflect::set(error, &JsValue::from_str(key), &JsValue::from_str(value));
}

/// The refusal of a port as a JavaScript `Error` with the member `code`.
fn port_error(refused: PortError) -> JsValue {
    coded(refused.as_str(), refused.as_str())
}

/// A time of the host, as milliseconds since the Unix epoch.
fn time(now: f64) -> u64 {
    if now.is_finite() && now > 0.0 { now as u64 } else { 0 }
}

fn kind_size_time(stat: PortStat) -> [f64; 3] {
    [f64::from(stat.kind as u8), stat.size as f64, stat.modified as f64]
}

#[wasm_bindgen]
#[allow(clippy::new_without_default)] // JavaScript has constructors, no defaults.
impl Session {
    /// An empty session.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Session {
        Session(crate::session::Session::new(), Memory { pages: 0 })
    }

    /// Hands in inputs (a JSON array of `Input`) at a time (milliseconds since the Unix epoch) and gives the
    /// `Output` as JSON. Throws only when the text is not a list of inputs; nothing has changed then.
    pub fn step(&mut self, inputs: &str, now: f64) -> Result<String, JsValue> {
        let output = self.0.step_text(inputs, time(now));
        self.1.widen();
        output.map_err(error)
    }

    /// Hands over bytes that a following input names by digest.
    #[wasm_bindgen(js_name = putBlob)]
    pub fn put_blob(&mut self, bytes: &[u8]) -> String {
        let digest = self.0.put_blob(bytes.to_vec());
        self.1.widen();
        digest
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

/// The file port of the effect of a running program (`shell.exec`): absolute paths, done at once. Each throws an
/// `Error` whose `code` is `ENOENT`, `EISDIR`, `ENOTDIR`, `EEXIST`, `ENOTEMPTY`, `EACCES`, `EINVAL`, `EFBIG`, `ENOSPC`
/// or, when the effect is not open, `ECANCELED`; nothing has changed then. `now` is the time of the change.
#[wasm_bindgen]
impl Session {
    fn port(&mut self, effect_id: &str, op: PortOp<'_>) -> Result<PortReply, JsValue> {
        let reply = self.0.file_port(effect_id, op);
        self.1.widen();
        reply.map_err(port_error)
    }

    fn port_change(&mut self, effect_id: &str, op: PortOp<'_>) -> Result<(), JsValue> {
        self.port(effect_id, op).map(drop)
    }

    /// What stands at a path: `[1 file | 2 directory, bytes, time of change]`, empty if nothing does.
    #[wasm_bindgen(js_name = portStat)]
    pub fn port_stat(&mut self, effect_id: &str, path: &str) -> Result<Vec<f64>, JsValue> {
        let reply = self.port(effect_id, PortOp::Stat { path })?;
        let PortReply::Stat(Some(stat)) = reply else { return Ok(Vec::new()) };
        Ok(kind_size_time(stat).to_vec())
    }

    /// The entries of a directory, in order, separated by NUL, each `name/kind/bytes/time` as `portStat` has them.
    #[wasm_bindgen(js_name = portList)]
    pub fn port_list(&mut self, effect_id: &str, path: &str) -> Result<String, JsValue> {
        let PortReply::List(entries) = self.port(effect_id, PortOp::List { path })? else {
            return Ok(String::new());
        };
        let entry = |entry: &PortEntry| {
            let PortStat { kind, size, modified } = entry.stat;
            format!("{}/{}/{size}/{modified}", entry.name, kind as u8)
        };
        Ok(entries.iter().map(entry).collect::<Vec<_>>().join("\0"))
    }

    /// The whole of a file.
    #[wasm_bindgen(js_name = portRead)]
    pub fn port_read(&mut self, effect_id: &str, path: &str) -> Result<Vec<u8>, JsValue> {
        let reply = self.port(effect_id, PortOp::Read { path })?;
        let PortReply::Bytes(bytes) = reply else { return Ok(Vec::new()) };
        Ok(bytes.to_vec())
    }

    /// Makes or replaces a file in a directory that exists.
    #[wasm_bindgen(js_name = portWrite)]
    pub fn port_write(&mut self, effect_id: &str, path: &str, bytes: &[u8], now: f64) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Write { path, bytes, now: time(now) })
    }

    /// Adds to the end of a file, or makes it.
    #[wasm_bindgen(js_name = portAppend)]
    pub fn port_append(
        &mut self,
        effect_id: &str,
        path: &str,
        bytes: &[u8],
        now: f64,
    ) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Append { path, bytes, now: time(now) })
    }

    /// Makes a directory; with `recursive` its parents too, and one that exists is no error.
    #[wasm_bindgen(js_name = portMkdir)]
    pub fn port_mkdir(
        &mut self,
        effect_id: &str,
        path: &str,
        recursive: bool,
        now: f64,
    ) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Mkdir { path, recursive, now: time(now) })
    }

    /// Takes a file or a directory out; one with entries only with `recursive`.
    #[wasm_bindgen(js_name = portRemove)]
    pub fn port_remove(
        &mut self,
        effect_id: &str,
        path: &str,
        recursive: bool,
        now: f64,
    ) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Remove { path, recursive, now: time(now) })
    }

    /// Moves a file or a directory, over a file or an empty directory that is there.
    #[wasm_bindgen(js_name = portRename)]
    pub fn port_rename(&mut self, effect_id: &str, from: &str, to: &str, now: f64) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Rename { from, to, now: time(now) })
    }

    /// Copies a file over one that is there, or a directory to where nothing is.
    #[wasm_bindgen(js_name = portCopy)]
    pub fn port_copy(&mut self, effect_id: &str, from: &str, to: &str, now: f64) -> Result<(), JsValue> {
        self.port_change(effect_id, PortOp::Copy { from, to, now: time(now) })
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

#[cfg(all(test, target_arch = "wasm32"))]
#[path = "js_tests.rs"]
mod tests;
