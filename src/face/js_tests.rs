//! The JavaScript face as JavaScript sees it, in a browser: `wasm-pack test --headless --chrome`, or `./dev test`.

use js_sys::{Array, Error, Function, Reflect, Uint8Array};
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A session as an object of JavaScript.
struct Object(JsValue);

impl Object {
    fn new() -> Object {
        Object(super::Session::new().into())
    }

    fn call(&self, method: &str, values: &[JsValue]) -> Result<JsValue, JsValue> {
        let method: Function = Reflect::get(&self.0, &method.into()).unwrap().dyn_into().unwrap();
        method.apply(&self.0, &values.iter().collect::<Array>())
    }

    /// The members `code` and `message` of what a call throws.
    fn refusal(&self, method: &str, values: &[JsValue]) -> (String, String) {
        let thrown: Error =
            self.call(method, values).unwrap_err().dyn_into().expect("an Error of JavaScript");
        let code = Reflect::get(&thrown, &"code".into()).unwrap().as_string().expect("a code");
        (code, thrown.message().into())
    }

    fn text(&self, method: &str, values: &[JsValue]) -> String {
        self.call(method, values).unwrap().as_string().expect("a text")
    }

    fn bytes(&self, method: &str, values: &[JsValue]) -> Vec<u8> {
        self.call(method, values).unwrap().dyn_into::<Uint8Array>().expect("a Uint8Array").to_vec()
    }

    fn texts(&self, method: &str) -> Vec<String> {
        let list: Array = self.call(method, &[]).unwrap().dyn_into().expect("an array");
        list.iter().map(|text| text.as_string().unwrap()).collect()
    }

    fn step(&self, now: f64, inputs: &Value) -> Value {
        serde_json::from_str(&self.text("step", &[inputs.to_string().into(), now.into()])).unwrap()
    }

    /// Starts a run in which the model asks for a command, and gives the effect that runs it.
    fn running_command(&self) -> JsValue {
        let profile = json!({
            "schemaVersion": 5, "kind": "handrail.agentProfile", "id": "p", "displayName": "P",
            "tools": {"allow": ["builtin:workspace.shell"]},
        });
        let start = json!([{"command": {
            "type": "startRun", "seed": "1", "scenario": "session", "profile": profile, "promptMessages": [],
            "messages": [{"role": "user", "text": "Go on."}], "files": {},
            "capabilities": {"images": false, "events": "run", "store": false},
        }}]);
        let asked = self.step(1000.0, &start)["effects"][0]["effectId"].clone();
        let call = json!({
            "id": "c", "type": "function",
            "function": {"name": "workspace_shell", "arguments": "{\"command\":\"true\"}"},
        });
        let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        let reply = json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
        let receipt = json!({"effectId": asked, "outcome": "ok", "payload": {"reply": reply}});
        let effects = self.step(1000.0, &json!([{"receipt": receipt}]))["effects"].clone();
        let command = effects.as_array().unwrap().iter().find(|effect| effect["kind"] == "shell.exec");
        command.expect("a command to run")["effectId"].as_str().unwrap().into()
    }
}

fn bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

#[wasm_bindgen_test]
fn a_step_takes_inputs_and_gives_what_follows() {
    let session = Object::new();
    let nothing = json!({"effects": [], "events": [], "replies": []});
    assert_eq!(session.step(5.0, &json!([])), nothing);
    assert_eq!(session.step(5.0, &json!([{"tick": {}}])), nothing);
    for strange in [f64::NAN, -1.0, f64::INFINITY] {
        assert_eq!(session.step(strange, &json!([])), nothing, "at the time {strange}");
    }
    let reply = session.step(5.0, &json!([{"command": {"type": "cancelRun", "runId": "none"}}]))["replies"]
        [0]
    .clone();
    assert_eq!(reply["ok"], json!(false));
    assert!(reply["code"].is_string() && reply["message"].is_string(), "{reply}");
}

#[wasm_bindgen_test]
fn a_fault_is_an_error_with_its_code() {
    let session = Object::new();
    let before = session.bytes("snapshot", &[]);
    for text in ["", "[", "{}", "[{\"nothing\":1}]"] {
        let (code, message) = session.refusal("step", &[text.into(), 1.0.into()]);
        assert_eq!(code, "input.invalid", "{text}");
        assert!(!message.is_empty(), "{text}");
    }
    assert_eq!(session.refusal("restore", &[bytes(b"{}")]).0, "state.snapshot_corrupt");
    assert_eq!(session.bytes("snapshot", &[]), before);
}

#[wasm_bindgen_test]
fn text_crosses_as_it_is() {
    let session = Object::new();
    let text = "é漢🦀\"\\";
    let write = json!([{"command": {"type": "workspace.write", "path": "output/a.md", "text": text}}]);
    let reply = session.step(1.0, &write)["replies"][0].clone();
    assert_eq!(reply["ok"], json!(true), "{reply}");
    let read = json!([{"command": {"type": "workspace.read", "path": "output/a.md"}}]);
    assert_eq!(session.step(1.0, &read)["replies"][0]["value"]["text"], json!(text));
}

#[wasm_bindgen_test]
fn bytes_are_kept_by_digest() {
    let session = Object::new();
    let digest = session.text("putBlob", &[bytes(&[0, 255, 10])]);
    assert_eq!(digest.len(), 64);
    assert_eq!(session.bytes("blob", &[digest.into()]), [0, 255, 10]);
    assert!(session.call("blob", &["none".into()]).unwrap().is_undefined());
}

#[wasm_bindgen_test]
fn memory_grows_in_large_steps() {
    let session = Object::new();
    let mut sizes = std::collections::BTreeSet::new();
    for place in 0..1_000_u32 {
        session.text("putBlob", &[bytes(&place.to_le_bytes().repeat(5_000))]);
        sizes.insert(super::Memory::pages());
    }
    // 20 MB: page by page some 300.
    assert!(sizes.len() < 20, "{sizes:?}");
}

#[wasm_bindgen_test]
fn a_session_goes_on_in_another_one() {
    let session = Object::new();
    let effect = session.running_command();
    session.call("portWrite", &[effect, "/output/a".into(), bytes(b"a"), 2000.0.into()]).unwrap();
    let state = session.bytes("snapshot", &[]);
    let (needed, fresh) = (session.texts("snapshotBlobs"), session.texts("freshBlobs"));
    assert!(!fresh.is_empty() && fresh.iter().all(|digest| needed.contains(digest)));
    let other = Object::new();
    assert_eq!(
        other.refusal("restore", &[bytes(&state)]).0,
        "state.snapshot_corrupt",
        "its blobs are missing"
    );
    for digest in needed {
        let blob = session.call("blob", &[digest.into()]).unwrap();
        other.call("putBlob", &[blob]).unwrap();
    }
    other.call("restore", &[bytes(&state)]).unwrap();
    assert_eq!(other.bytes("snapshot", &[]), state);
    assert_eq!(other.text("inFlight", &[]), session.text("inFlight", &[]));
    assert!(other.text("inFlight", &[]).contains("shell.exec"));
}

#[wasm_bindgen_test]
fn the_file_port_of_a_running_program() {
    let session = Object::new();
    let effect = session.running_command();
    let port = |method: &str, values: &[JsValue]| {
        let all: Vec<JsValue> = std::iter::once(effect.clone()).chain(values.iter().cloned()).collect();
        session.call(method, &all)
    };
    let refused = |method: &str, values: &[JsValue]| {
        let thrown = port(method, values).unwrap_err();
        Reflect::get(&thrown, &"code".into()).unwrap().as_string().expect("a code")
    };
    let path = |text: &str| JsValue::from_str(text);
    let stat = |text: &str| js_sys::Float64Array::from(port("portStat", &[path(text)]).unwrap()).to_vec();
    let now = JsValue::from_f64(2000.0);

    port("portMkdir", &[path("/output/a/b"), true.into(), now.clone()]).unwrap();
    port("portWrite", &[path("/output/a/x"), bytes(&[1, 2]), now.clone()]).unwrap();
    port("portAppend", &[path("/output/a/x"), bytes(&[3]), now.clone()]).unwrap();
    port("portCopy", &[path("/output/a/x"), path("/output/y"), now.clone()]).unwrap();
    port("portRename", &[path("/output/y"), path("/output/z"), now.clone()]).unwrap();
    assert_eq!(stat("/output/z"), [1.0, 3.0, 2000.0]);
    assert_eq!(stat("/output/a")[0], 2.0);
    assert!(stat("/output/y").is_empty());
    assert_eq!(Uint8Array::from(port("portRead", &[path("/output/z")]).unwrap()).to_vec(), [1, 2, 3]);
    let list = port("portList", &[path("/output/a")]).unwrap().as_string().unwrap();
    assert_eq!(
        list.split('\0').map(|entry| entry.split('/').next().unwrap()).collect::<Vec<_>>(),
        ["b", "x"]
    );

    assert_eq!(refused("portRead", &[path("/output/none")]), "ENOENT");
    assert_eq!(refused("portRead", &[path("/output/a")]), "EISDIR");
    assert_eq!(refused("portList", &[path("/output/z")]), "ENOTDIR");
    assert_eq!(refused("portMkdir", &[path("/output/a"), false.into(), now.clone()]), "EEXIST");
    assert_eq!(refused("portRemove", &[path("/output/a"), false.into(), now.clone()]), "ENOTEMPTY");
    assert_eq!(refused("portWrite", &[path("/elsewhere"), bytes(&[]), now.clone()]), "EACCES");
    assert_eq!(refused("portRead", &[path("relative")]), "EINVAL");

    port("portRemove", &[path("/output/a"), true.into(), now]).unwrap();
    let payload = json!({"exitCode": 0, "stdout": "", "stderr": ""});
    let receipt = json!({"effectId": effect.as_string(), "outcome": "ok", "payload": payload});
    session.step(3000.0, &json!([{"receipt": receipt}]));
    assert_eq!(refused("portRead", &[path("/output/z")]), "ECANCELED");
}
