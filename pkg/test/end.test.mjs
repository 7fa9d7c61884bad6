// A core that stops takes its runtime along, and nothing hangs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CoreDriver } from "../dist/driver.js";
import { instantiate } from "../wasm/handrail.js";
import { RemoteDriver } from "../dist/remote.js";
import { runtimeOn } from "../dist/runtime.js";
import { readFile } from "node:fs/promises";

import { all, calls, profile, tool } from "./both.mjs";

const module = await WebAssembly.compile(await readFile(new URL("../wasm/handrail_bg.wasm", import.meta.url)));

/** The core in this thread, until `trap` is called: then its next step ends as WebAssembly ends. */
async function trapping() {
  const core = await CoreDriver.start(module);
  let trapped = false;
  const session = core.session;
  core.session = new Proxy(session, {
    get: (_, key) => (...values) => {
      if (trapped && key === "step") throw new WebAssembly.RuntimeError("unreachable");
      return session[key](...values);
    },
  });
  return { driver: core, trap: () => (trapped = true) };
}

const dead = (error) => error.code === "tool.internal_error" && /The core stopped/.test(error.message);

test("a trap rejects everything that is open", { timeout: 20_000 }, async () => {
  const { driver, trap } = await trapping();
  const runtime = runtimeOn(driver, "inline", {});
  let signal;
  const { toolIds } = await runtime.tools.register(tool("wait", (_, context) => ((signal = context.signal), new Promise(() => undefined))));
  const asked = [];
  const model = { codec: "openai-chat", request: (request) => new Promise(() => asked.push(request)) };
  const run = await runtime.start({ profile: profile(toolIds), sessionId: "a", model, input: "go" });
  const invocation = await runtime.invocation({ profile: profile(toolIds), sessionId: "b", input: "go" });
  const turn = invocation.handle(calls(["wait", {}, "c1"]));
  const events = all(run.events());
  while (!signal) await new Promise(setImmediate);
  trap();
  const command = runtime.workspace.write("output/x", "x");
  for (const promise of [command, run.result, turn, events]) await assert.rejects(promise, dead);
  assert.ok(signal.aborted);
  assert.ok(asked[0].signal.aborted);
  await assert.rejects(runtime.workspace.list(), dead);
  await assert.rejects(runtime.start({ model, input: "x" }), dead);
  await assert.rejects(invocation.handle({}), dead);
  await runtime.close();
});

/** A worker that answers nothing but the start. */
function mute() {
  const port = { alive: [], terminated: false };
  let hear;
  let die;
  return Object.assign(port, {
    post: ({ id, operation }) => operation === "start" && queueMicrotask(() => hear({ id })),
    onMessage: (listener) => (hear = listener),
    onDeath: (listener) => (die = listener),
    keepAlive: (wanted) => port.alive.push(wanted),
    terminate: () => (port.terminated = true),
    die: (cause) => die(cause),
  });
}

test("a worker that dies rejects everything that is open", { timeout: 20_000 }, async () => {
  const port = mute();
  const runtime = runtimeOn(await RemoteDriver.start(() => port, module), "worker", {});
  const writing = runtime.workspace.write("output/x", "x");
  await new Promise(setImmediate);
  port.die("out of memory");
  await assert.rejects(writing, (error) => dead(error) && /out of memory/.test(error.message));
  await assert.rejects(runtime.workspace.list(), dead);
  assert.ok(port.terminated);
});

test("a worker keeps the process alive only while something is asked of it", async () => {
  const port = mute();
  const driver = await RemoteDriver.start(() => port, module);
  assert.deepEqual(port.alive, [true, false]);
  driver.step("[]", 0).catch(() => undefined);
  assert.deepEqual(port.alive, [true, false, true]);
  driver.close();
  assert.equal(port.alive.at(-1), false);
});

test("a worker that does not start says so", async () => {
  const port = mute();
  port.post = () => queueMicrotask(() => port.die("404"));
  await assert.rejects(RemoteDriver.start(() => port, module), ({ code, message }) => code === "runtime.worker_failed" && /404/.test(message) && /inline/.test(message));
});

test("inline runtimes do not share an instance of the core", async () => {
  const [one, other] = [instantiate(), instantiate()];
  const memories = [];
  for (const core of [one, other]) memories.push((await core.init({ module_or_path: module })).memory);
  assert.notEqual(memories[0], memories[1]);
  assert.equal(new other.Session().step("[]", 0), new one.Session().step("[]", 0));
});
