//! The port of a program module, as imports of JavaScript. All of them stand in one object, `port`, which the
//! driver gives to each instance; what they throw is an object with a `code` (`ENOENT`, …).

use crate::program::port::{Answer, Entry, Kind, Port, PortError, Stat};
use js_sys::Reflect;
use wasm_bindgen::prelude::*;

mod import {
    use super::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn stat(path: &str) -> Result<Vec<f64>, JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn list(path: &str) -> Result<String, JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn read(path: &str) -> Result<Vec<u8>, JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn write(path: &str, bytes: &[u8]) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn append(path: &str, bytes: &[u8]) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn mkdir(path: &str, recursive: bool) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn remove(path: &str, recursive: bool) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn rename(from: &str, to: &str) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn copy(from: &str, to: &str) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn stdout(bytes: &[u8]) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn stderr(bytes: &[u8]) -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn wake() -> Result<(), JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn now() -> Result<f64, JsValue>;
        #[wasm_bindgen(js_namespace = port, catch)]
        pub fn spawn(id: u32, request: &str, stdin: &[u8]) -> Result<(), JsValue>;
    }
}

/// The port of this instance.
#[derive(Debug)]
pub(crate) struct JsPort;

impl Port for JsPort {
    fn stat(&self, path: &str) -> Answer<Option<Stat>> {
        let numbers = import::stat(path).map_err(error)?;
        Ok(match numbers.as_slice() {
            &[kind, size, modified_ms] => {
                let kind = if kind == 2.0 { Kind::Directory } else { Kind::File };
                Some(Stat { kind, size: size as u64, modified_ms })
            }
            _ => None,
        })
    }

    fn list(&self, path: &str) -> Answer<Vec<Entry>> {
        let listing = import::list(path).map_err(error)?;
        listing.split_terminator('\0').map(|line| entry(line).ok_or(PortError::Io)).collect()
    }

    fn read(&self, path: &str) -> Answer<Vec<u8>> {
        import::read(path).map_err(error)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        import::write(path, bytes).map_err(error)
    }

    fn append(&self, path: &str, bytes: &[u8]) -> Answer<()> {
        import::append(path, bytes).map_err(error)
    }

    fn mkdir(&self, path: &str, recursive: bool) -> Answer<()> {
        import::mkdir(path, recursive).map_err(error)
    }

    fn remove(&self, path: &str, recursive: bool) -> Answer<()> {
        import::remove(path, recursive).map_err(error)
    }

    fn rename(&self, from: &str, to: &str) -> Answer<()> {
        import::rename(from, to).map_err(error)
    }

    fn copy(&self, from: &str, to: &str) -> Answer<()> {
        import::copy(from, to).map_err(error)
    }

    fn stdout(&self, bytes: &[u8]) {
        let _ = import::stdout(bytes);
    }

    fn stderr(&self, bytes: &[u8]) {
        let _ = import::stderr(bytes);
    }

    fn wake(&self) {
        let _ = import::wake();
    }

    fn now(&self) -> f64 {
        import::now().unwrap_or_default()
    }

    fn spawn(&self, id: u32, request: &str, stdin: &[u8]) -> Answer<()> {
        import::spawn(id, request, stdin).map_err(error)
    }
}

fn error(thrown: JsValue) -> PortError {
    let code = Reflect::get(&thrown, &JsValue::from_str("code")).ok().and_then(|code| code.as_string());
    PortError::from_code(&code.unwrap_or_default())
}

/// `name/kind/size/mtime`; a name holds no slash.
fn entry(line: &str) -> Option<Entry> {
    let mut parts = line.split('/');
    let name = parts.next()?.to_owned();
    let kind = if parts.next()? == "2" { Kind::Directory } else { Kind::File };
    let size = parts.next()?.parse().ok()?;
    let modified_ms = parts.next()?.parse().ok()?;
    Some(Entry { name, stat: Stat { kind, size, modified_ms } })
}
