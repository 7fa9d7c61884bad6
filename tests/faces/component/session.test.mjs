// The component itself: what it asks of its host, which is nothing, and every operation of its session. What happened
// is left in target/component/session.jsonl, for replay.py.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { worldOf } from "../../../pkg/component/world.mjs";
import { folder, instantiate } from "./component.mjs";
import * as transcript from "./transcript.mjs";

const files = JSON.parse(readFileSync(new URL("files.json", import.meta.url), "utf8"));
const bytes = (text) => new TextEncoder().encode(text);
let Session;

before(async () => {
  transcript.begin();
  ({ session: { Session } } = await instantiate());
});

after(() => writeFileSync(new URL("session.jsonl", folder), transcript.text()));

/** A new session, recorded under a name. */
function open(name) {
  transcript.entitle(name);
  return transcript.record(new Session());
}

/** What a session refuses a call with. */
function refusal(session, name, values) {
  try {
    session.call(name, values);
  } catch (thrown) {
    if (thrown instanceof Error) throw thrown;
    return thrown;
  }
  return assert.fail(`${name} worked`);
}

function step(session, now, ...inputs) {
  return JSON.parse(session.call("step", [JSON.stringify(inputs), BigInt(now)]));
}

const start = {
  command: {
    type: "startRun", seed: "1", scenario: "session", promptMessages: [], messages: [{ role: "user", text: "Go on." }],
    profile: {
      schemaVersion: 5, kind: "handrail.agentProfile", id: "p", displayName: "P",
      tools: { allow: ["builtin:workspace.shell", "builtin:workspace.write_file"] },
    },
    capabilities: { images: false, events: "all", store: false },
  },
};

/** A reply of the model with one call. */
function reply(effectId, name, args) {
  const call = { id: `call_${effectId}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  const choices = [{ index: 0, message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" }];
  return { receipt: { effectId, outcome: "ok", payload: { reply: { choices } } } };
}

/** Starts a run and has the model ask for a command; gives the effect that runs it. */
function runningCommand(session) {
  const { effects: [asked] } = step(session, 1000, start);
  const { effects } = step(session, 1000, reply(asked.effectId, "workspace_shell", { command: "true" }));
  return effects.find(({ kind }) => kind === "shell.exec").effectId;
}

test("the component imports nothing, and exports the session and the types", async () => {
  const component = readFileSync(new URL("handrail.component.wasm", folder));
  assert.deepEqual(await worldOf(component), {
    imports: [], exports: ["handrail:agent/types@0.1.0", "handrail:agent/session@0.1.0"],
  });
  const core = new WebAssembly.Module(readFileSync(new URL("js/handrail.core.wasm", folder)));
  const imports = WebAssembly.Module.imports(core).map(({ module }) => module);
  assert.deepEqual(imports.filter((module) => !module.startsWith("[export]handrail:agent/session")), []);
});

test("a text that is no list of inputs is a fault with a code and a message, and nothing has changed", () => {
  const session = open("faults");
  const before = session.call("snapshot", []);
  assert.equal(refusal(session, "step", ["[", 1n]).code, "input.invalid");
  assert.match(refusal(session, "step", ['[{"tick":1}]', 1n]).message, /\w/);
  assert.equal(refusal(session, "restore", [bytes("{}")]).code, "state.snapshot_corrupt");
  assert.deepEqual(session.call("snapshot", []), before);
  session.drop();
});

test("bytes are kept by digest", () => {
  const session = open("bytes");
  const digest = session.call("putBlob", [Uint8Array.of(0, 255, 10)]);
  assert.match(digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(session.call("blob", [digest]), Uint8Array.of(0, 255, 10));
  assert.equal(session.call("blob", ["0".repeat(64)]), undefined);
  session.drop();
});

test("every operation of the file port, and every refusal, as the types say", () => {
  const session = open("files");
  assert.equal(refusal(session, "portStat", ["e1", "/output"]), "cancelled");
  const effect = runningCommand(session);
  for (const { call, values, gives, refuses } of files) {
    const given = [effect, ...values.map(typed)];
    const what = `${call} ${values[0]}`;
    if (refuses !== undefined) assert.equal(refusal(session, call, given), refuses, what);
    else assert.deepEqual(untyped(session.call(call, given)), gives, what);
  }
  const ended = { effectId: effect, outcome: "ok", payload: { exitCode: 0, stdout: "", stderr: "" } };
  const { events } = step(session, 8000, { receipt: ended });
  const written = events.filter(({ type }) => type === "workspace_file_written").map(({ payload }) => payload.path);
  assert.deepEqual(written.sort(), ["output/a.bin", "output/d.bin"]);
  assert.equal(refusal(session, "portRead", [effect, "/output/a.bin"]), "cancelled");
  session.drop();
});

test("a session that was written down in the middle of a call goes on in another one", () => {
  const session = open("restore");
  const effect = runningCommand(session);
  session.call("portWrite", [effect, "/output/new.md", bytes("new"), 2000n]);
  const state = session.call("snapshot", []);
  const other = open("restore, taken up");
  for (const digest of session.call("snapshotBlobs", [])) other.call("putBlob", [session.call("blob", [digest])]);
  other.call("restore", [state]);
  assert.deepEqual(JSON.parse(other.call("inFlight", [])), JSON.parse(session.call("inFlight", [])));
  assert.deepEqual(other.call("snapshot", []), state);
  const all = new Set(session.call("snapshotBlobs", []));
  const fresh = session.call("freshBlobs", []);
  assert.ok(fresh.length > 0 && fresh.every((digest) => all.has(digest)));
  session.call("snapshot", []);
  assert.ok(session.call("freshBlobs", []).length < fresh.length, "a snapshot right after another needs less");
  const ended = { effectId: effect, outcome: "ok", payload: { exitCode: 0, stdout: "done", stderr: "" } };
  assert.deepEqual(step(other, 3000, { receipt: ended }), step(session, 3000, { receipt: ended }));
  for (const one of [session, other]) one.drop();
});

/** A value of files.json as the component takes it. */
function typed(value) {
  if (typeof value === "number") return BigInt(value);
  return value.bytes === undefined ? value : Uint8Array.from(Buffer.from(value.bytes, "base64"));
}

/** What the component gives, as files.json writes it. */
function untyped(value) {
  return JSON.parse(JSON.stringify(value ?? null, transcript.plain));
}
