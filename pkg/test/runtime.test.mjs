import assert from "node:assert/strict";
import { test } from "node:test";

import { createRuntime, HandrailError } from "handrail";
import { scripted } from "handrail/models";

import { all, both, calls, profile, results, says, tool } from "./both.mjs";

const failsWith = (code) => (error) => {
  assert.ok(error instanceof HandrailError, String(error));
  assert.equal(error.code, code);
  return true;
};

both("a run calls tools and answers", async (open) => {
  const runtime = await open();
  const seen = [];
  const { toolIds, notices } = await runtime.tools.register({
    extensionId: "weather",
    name: "get_weather",
    description: "Current weather of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async ({ city }, context) => {
      seen.push({ city, ...context });
      context.progress("asking the sky");
      return { city, celsius: 21 };
    },
  });
  assert.deepEqual(toolIds, ["extension/weather:get_weather"]);
  assert.deepEqual(notices, []);
  const model = scripted([
    { expect: "Plan a picnic", ...calls(["get_weather", { city: "Oslo" }, "c1"]) },
    { expect: '{"city":"Oslo","celsius":21}', ...says("Sunny.") },
  ]);
  const run = await runtime.start({ profile: profile(toolIds), model, input: "Plan a picnic in Oslo.", target: { chat: 7 } });
  const [first, second, result] = await Promise.all([all(run.events()), all(run.events()), run.result]);
  assert.equal(result.status, "completed");
  assert.equal(result.text, "Sunny.");
  assert.equal(result.error, undefined);
  assert.deepEqual(first, second);
  assert.deepEqual(await all(run.events()), first);
  const journal = first.filter((event) => event.seq !== undefined);
  assert.deepEqual(journal.map((event) => event.seq), journal.map((_, at) => at + 1));
  assert.equal(journal.at(-1).type, "run_completed");
  assert.ok(first.some((event) => event.type === "tool_update" && event.payload.output === "asking the sky"));
  const [call] = seen;
  assert.equal(call.city, "Oslo");
  assert.equal(call.runId, run.id);
  assert.equal(call.callId, "c1");
  assert.equal(call.invocationId, "inv_1");
  assert.deepEqual(call.target, { chat: 7 });
  assert.ok(call.signal instanceof AbortSignal && !call.signal.aborted);
});

both("arguments are a private copy, and __proto__ is data", async (open) => {
  const runtime = await open();
  let seen;
  const { toolIds } = await runtime.tools.register(tool("echo", (args) => ((seen = args), "done")));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  await invocation.handle(calls(["echo", '{"__proto__":{"polluted":true},"n":9007199254740993}', "c1"]));
  assert.ok(Object.hasOwn(seen, "__proto__"));
  assert.deepEqual(Object.keys(seen), ["__proto__", "n"]);
  assert.equal(Object.getPrototypeOf(seen), Object.prototype);
  assert.equal(seen.n, 9007199254740992);
  assert.equal({}.polluted, undefined);
});

both("the model's loop is the host's own", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register([tool("one", () => "first"), tool("two", () => "second")]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  assert.deepEqual(invocation.tools().map(({ function: { name } }) => name), ["one", "two"]);
  const reply = calls(["two", {}, "c1"], ["one", {}, "c2"]);
  const turn = await invocation.handle(reply);
  assert.equal(turn.done, false);
  assert.deepEqual(turn.messages.map(({ role }) => role), ["assistant", "tool", "tool"]);
  assert.deepEqual(turn.messages.slice(1).map(({ content }) => content), ["second", "first"]);
  assert.equal(turn.messages[0].tool_calls.length, 2);
  const last = await invocation.handle(says("All done."));
  assert.equal(last.done, true);
  assert.deepEqual(last.messages.map(({ role, content }) => [role, content]), [["assistant", "All done."]]);
});

/** A reply as the stream of one provider: text and a call in pieces. */
const chunks = [
  { delta: { role: "assistant", content: "Let me " } },
  { delta: { content: "look 😀." } },
  { delta: { tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "echo", arguments: "" } }] } },
  { delta: { tool_calls: [{ index: 0, function: { arguments: '{"text":"h' } }] } },
  { delta: { tool_calls: [{ index: 0, function: { arguments: 'é😀"}' } }] } },
  { delta: {}, finish_reason: "tool_calls" },
].map((choice) => ({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] }));
const sse = `: hello\n\n${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
const bytes = new TextEncoder().encode(sse);

async function* pieces(source, size) {
  for (let at = 0; at < source.length; at += size) yield source.slice(at, at + size);
}

for (const [form, reply] of [
  ["a list of chunks", () => chunks],
  ["an async iterable of chunks", () => pieces(chunks, 1).constructor && (async function* () { yield* chunks; })()],
  ["JSON texts of chunks", () => chunks.map((chunk) => JSON.stringify(chunk))],
  ["events as text", () => sse.split(/(?<=\n\n)/)],
  ["text cut anywhere", () => pieces(sse, 7)],
  ["text with CRLF cut anywhere", () => pieces(sse.replaceAll("\n", "\r\n"), 3)],
  ["bytes cut anywhere", () => pieces(bytes, 5)],
  ["a web stream", () => new Blob([bytes]).stream()],
  ["a response", () => new Response(bytes, { headers: { "content-type": "text/event-stream" } })],
]) {
  both(`a streamed reply comes as ${form}`, async (open) => {
    const runtime = await open();
    const { toolIds } = await runtime.tools.register(tool("echo", ({ text }) => text));
    const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
    const turn = await invocation.handle(reply());
    assert.equal(results(turn).c1, "hé😀");
    assert.equal(turn.messages[0].content, "Let me look 😀.");
  });
}

both("a whole reply may be its JSON text", async (open) => {
  const runtime = await open();
  const invocation = await runtime.invocation({ input: "go" });
  const turn = await invocation.handle(JSON.stringify(says("Hello.")));
  assert.equal(turn.messages[0].content, "Hello.");
});

both("a reply that cannot be used rejects, and the invocation goes on", async (open) => {
  const runtime = await open();
  let ran = 0;
  const { toolIds } = await runtime.tools.register(tool("echo", () => ((ran += 1), "done")));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  for (let round = 0; round < 5; round += 1) {
    await assert.rejects(invocation.handle(chunks.slice(0, -1)), failsWith("model.reply_incomplete"));
    await assert.rejects(invocation.handle("no JSON"), failsWith("model.invalid_reply"));
    await assert.rejects(invocation.handle(null), failsWith("model.invalid_reply"));
    await assert.rejects(invocation.handle({ choices: [1n] }), failsWith("model.invalid_reply"));
    await assert.rejects(invocation.handle(["data: {\"a\n\n"]), failsWith("model.invalid_reply"));
    const broken = (async function* () {
      yield chunks[0];
      throw Object.assign(new Error("the line went dead"), { code: "ECONNRESET" });
    })();
    await assert.rejects(invocation.handle(broken), (error) => failsWith("ECONNRESET")(error) && error.cause.message === "the line went dead");
  }
  assert.equal(ran, 0);
  const turn = await invocation.handle(chunks);
  assert.deepEqual(turn.messages.map(({ role }) => role), ["assistant", "tool"]);
  assert.equal(ran, 1);
});

both("one reply is handled at a time", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(tool("slow", () => new Promise((resolve) => setTimeout(resolve, 20, "slow"))));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const first = invocation.handle(calls(["slow", {}, "c1"]));
  await assert.rejects(invocation.handle(says("x")), failsWith("invocation.busy"));
  assert.equal(results(await first).c1, "slow");
});

both("cancelling stops running calls", async (open) => {
  const runtime = await open();
  let aborted = 0;
  let begun;
  const running = new Promise((resolve) => (begun = resolve));
  const { toolIds } = await runtime.tools.register(tool("wait", (_, { signal }) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => ((aborted += 1), reject(new Error("stopped"))));
    begun();
  })));
  const model = scripted([calls(["wait", {}, "c1"])]);
  const controller = new AbortController();
  const run = await runtime.start({ profile: profile(toolIds), model, input: "go", signal: controller.signal });
  await running;
  controller.abort();
  const result = await run.result;
  assert.equal(result.status, "cancelled");
  assert.equal(aborted, 1);
  await run.cancel();
  const events = await all(run.events());
  assert.equal(events.findLast(({ seq }) => seq).type, "run_cancelled");
});

both("one call is stopped, its neighbour and the run go on", async (open) => {
  const runtime = await open();
  const stopped = [];
  const running = new Map();
  const { toolIds } = await runtime.tools.register({
    ...tool("wait", (_, { signal, callId }) => new Promise((resolve, reject) => {
      running.set(callId, resolve);
      signal.addEventListener("abort", () => (stopped.push(`${callId} ${signal.reason.message}`), reject(new Error("stopped"))));
    })),
    traits: { parallel: true },
  });
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = invocation.handle(calls(["wait", {}, "c1"], ["wait", {}, "c2"]));
  while (running.size < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  await invocation.cancelCall("c1");
  await assert.rejects(invocation.cancelCall("c3"), failsWith("command.invalid"));
  running.get("c2")("done");
  const { c1, c2 } = results(await turn);
  assert.match(c1, /tool\.interrupted\)[\s\S]*stopped by the user while it was running/);
  assert.equal(c2, "done");
  assert.deepEqual(stopped, ["c1 user"]);
  await assert.rejects(invocation.cancelCall("c1"), failsWith("command.invalid"));
  const next = invocation.handle(calls(["wait", {}, "c4"]));
  while (running.size < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  running.get("c4")("more");
  assert.equal(results(await next).c4, "more");
});

both("cancelling an invocation ends it", async (open) => {
  const runtime = await open();
  const invocation = await runtime.invocation({ input: "go" });
  await invocation.cancel();
  await assert.rejects(invocation.handle(says("x")), failsWith("run.ended"));
  assert.ok((await all(invocation.events())).some(({ type }) => type === "run_cancelled"));
});

both("an option that nobody knows is refused, and named", async (open) => {
  const runtime = await open();
  const refused = (name, call) => assert.rejects(call, (error) => failsWith("command.invalid")(error) && error.message.includes(`no option "${name}"`));
  await refused("imput", runtime.start({ model: scripted([]), imput: "go" }));
  await refused("model", runtime.invocation({ model: scripted([]) }));
  await refused("cwd", runtime.shell("pwd", { cwd: "/output" }));
  await refused("__proto__", runtime.start(JSON.parse('{"input": "go", "__proto__": {}}')));
  await refused("isolated", createRuntime({ isolated: "inline" }));
});

both("a signal that has fired starts nothing", async (open) => {
  const runtime = await open();
  await assert.rejects(runtime.start({ model: scripted([]), input: "x", signal: AbortSignal.abort(new Error("no")) }), /^Error: no$/);
});

both("a model that fails for good fails the run", async (open) => {
  const runtime = await open();
  const run = await runtime.start({ model: scripted([]), input: "go" });
  const { status, error } = await run.result;
  assert.equal(status, "failed");
  assert.match(error.message, /The recording has 0 replies/);
});

both("a model that throws anything at all is a failed attempt", async (open) => {
  const runtime = await open();
  const odd = new Proxy({}, { get: () => { throw new Error("no reading here"); } });
  let asked = 0;
  const model = {
    codec: "openai-chat",
    request: async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error("slow down"), { retryable: true, retryAfterMs: 1 });
      if (asked === 2) throw odd;
      return says("Third time.");
    },
  };
  const run = await runtime.start({ model, input: "go", profile: profile([], { run: { modelRetry: { maxRetries: 3, intervalMs: 1 } } }) });
  assert.equal((await run.result).text, "Third time.");
  assert.equal(asked, 3);
});

both("the model is given the whole conversation each time", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(tool("one", () => "first"));
  const bodies = [];
  const replies = [calls(["one", {}, "c1"]), calls(["one", {}, "c2"]), says("Done.")];
  const model = { codec: "openai-chat", request: async ({ body }) => (bodies.push(body), replies.shift()) };
  const run = await runtime.start({ profile: profile(toolIds), model, system: "Be brief.", messages: [{ role: "user", text: "Hi" }, { role: "assistant", text: "Hello" }], input: "Go" });
  assert.equal((await run.result).status, "completed");
  const roles = bodies.map(({ messages }) => messages.map(({ role }) => role).join(" "));
  assert.match(roles[0], /user assistant user$/);
  assert.deepEqual(roles.slice(1), [`${roles[0]} assistant tool`, `${roles[0]} assistant tool assistant tool`]);
});

both("without a profile, a run has what is registered", async (open) => {
  const runtime = await open();
  // As the first lines of a newcomer: nothing is awaited before the start.
  const registering = runtime.tools.register(tool("mine", () => "done"));
  const invocation = await runtime.invocation({ profile: "default", input: "go" });
  const names = invocation.tools().map(({ function: { name } }) => name);
  assert.equal(names.at(-1), "mine");
  assert.ok(names.includes("workspace_read_file"), names.join());
  assert.equal(results(await invocation.handle(calls(["mine", {}, "c1"]))).c1, "done");
  await registering;
  await runtime.profiles.save(profile(["builtin:dice.roll"], { id: "default" }));
  const kept = await runtime.invocation({ profile: "default", input: "go", sessionId: "other" });
  assert.deepEqual(kept.tools().map(({ function: { name } }) => name), ["dice_roll"]);
  await assert.rejects(runtime.invocation({ profile: "unknown", input: "go", sessionId: "third" }), (error) => error instanceof HandrailError);
});

both("registration", async (open) => {
  const runtime = await open();
  const good = tool("good", () => "one");
  const handle = await runtime.tools.register(good);
  await assert.rejects(runtime.tools.register(good, undefined, { strict: true }), failsWith("extension.duplicate_registration"));
  await assert.rejects(runtime.tools.register({ ...good, extensionId: "no good" }), failsWith("extension.registration_invalid"));
  await assert.rejects(runtime.tools.register({ ...good, inputSchema: { type: "array" } }), failsWith("tool.descriptor_invalid"));
  await assert.rejects(runtime.tools.register({ ...good, execute: undefined }), failsWith("extension.registration_invalid"));
  await assert.rejects(runtime.tools.register({ ...good, traits: { x: () => 1 } }), (error) => /traits\.x is a function/.test(error.message));
  // The function may stand apart, and replaces the one before.
  await runtime.tools.register({ ...good, execute: undefined }, () => "two");
  const invocation = await runtime.invocation({ profile: profile(handle.toolIds), input: "go" });
  const ask = async (id) => results(await invocation.handle(calls(["good", {}, id])))[id];
  assert.equal(await ask("c1"), "two");
  await handle.disable();
  assert.match(await ask("c2"), /^Error \(extension\.tool_unavailable\)/);
  await handle.enable();
  assert.equal(await ask("c3"), "two");
  const { tools } = await runtime.tools.list();
  assert.ok(tools.some(({ id, name }) => (id ?? name).includes("good")));
  await handle.unregister();
});

both("files go in and out", async (open) => {
  const binary = new Uint8Array([0xff, 0, 0xfe, 1]);
  const runtime = await open({ workspace: { "output/notes.md": "# Notes\n", "output/raw.bin": binary } });
  const { workspace } = runtime;
  assert.equal(await workspace.read("output/notes.md"), "# Notes\n");
  assert.equal(await workspace.readText("output/notes.md"), "# Notes\n");
  assert.deepEqual(await workspace.read("output/raw.bin"), binary);
  await assert.rejects(workspace.readText("output/raw.bin"), failsWith("workspace.not_text"));
  await assert.rejects(workspace.read("output/none.md"), failsWith("workspace.file_not_found"));
  await assert.rejects(workspace.write("../x", "x"), failsWith("workspace.invalid_path"));
  await assert.rejects(workspace.write("output/x", 7), failsWith("command.invalid"));
  const long = "lone \ud800 \ufeffline\r\n".repeat(5_000);
  await workspace.write("output/long.md", long);
  assert.equal(await workspace.read("output/long.md"), long.replaceAll("\ud800", "\ufffd"));
  await workspace.write("output/bom.md", "\ufeffx");
  assert.equal(await workspace.read("output/bom.md"), "\ufeffx");
  // Reads and writes keep their order without being awaited one by one.
  const buffer = new Uint8Array([0xff, 1]);
  const order = [workspace.write("output/o", buffer), workspace.read("output/o"), workspace.write("output/o", "two"), workspace.read("output/o")];
  buffer[1] = 9;
  const [, one, , two] = await Promise.all(order);
  assert.deepEqual(one, new Uint8Array([0xff, 1]));
  assert.equal(two, "two");
  assert.equal(await workspace.delete("output/o"), 1);
  const paths = (await workspace.list()).filter(({ kind }) => kind === "file").map(({ path }) => path);
  assert.deepEqual(paths, ["output/bom.md", "output/long.md", "output/notes.md", "output/raw.bin"]);
  const folder = await workspace.toFolder();
  assert.deepEqual(Object.keys(folder).sort(), paths);
  const copy = await open({ workspace: folder });
  assert.deepEqual(await copy.workspace.toFolder(), folder);
});

both("what a run leaves behind goes into the next runtime", async (open) => {
  const runtime = await open({ workspace: { "plan/a.md": "a" } });
  const { toolIds } = await runtime.tools.register(tool("long", () => "line\n".repeat(20_000)));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  await invocation.handle(calls(["long", {}, "c1"]));
  const folder = await runtime.workspace.toFolder();
  const kept = Object.keys(folder).filter((path) => path.startsWith("tool-results/"));
  assert.equal(kept.length, 2);
  const next = await open({ workspace: folder });
  assert.deepEqual(await next.workspace.toFolder(), folder);
});

both("many files", async (open) => {
  const folder = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`output/${at % 40}/file ${at}.md`, `text ${at}`]));
  const runtime = await open({ workspace: folder });
  assert.deepEqual(await runtime.workspace.toFolder(), folder);
});

test("a workspace that cannot be loaded makes no runtime", async () => {
  await assert.rejects(createRuntime({ workspace: { "/etc/x": "x" } }), failsWith("workspace.invalid_path"));
});

both("closing ends what is open", async (open) => {
  const runtime = await open();
  let signal;
  const { toolIds } = await runtime.tools.register(tool("wait", (_, context) => ((signal = context.signal), new Promise(() => undefined))));
  const started = { profile: profile(toolIds), input: "go" };
  const run = await runtime.start({ ...started, sessionId: "a", model: scripted([calls(["wait", {}, "c1"])]) });
  const invocation = await runtime.invocation({ ...started, sessionId: "b" });
  const turn = invocation.handle(calls(["wait", {}, "c2"]));
  const reading = all(run.events());
  while (!signal) await new Promise(setImmediate);
  await runtime.close();
  await assert.rejects(run.result, failsWith("runtime.closed"));
  await assert.rejects(turn, failsWith("runtime.closed"));
  await assert.rejects(reading, failsWith("runtime.closed"));
  assert.ok(signal.aborted);
  await assert.rejects(runtime.workspace.read("output/x"), failsWith("runtime.closed"));
  await assert.rejects(runtime.start({ ...started, model: scripted([]) }), failsWith("runtime.closed"));
  await runtime.close();
});

test("await using closes", async () => {
  const runtime = await createRuntime({ isolation: "inline" });
  await runtime[Symbol.asyncDispose]();
  await assert.rejects(runtime.workspace.list(), failsWith("runtime.closed"));
});

both("a checkpoint holds the state and the blobs that are not known", async (open) => {
  const runtime = await open({ workspace: { "output/a.bin": new Uint8Array([0xff, 1]) } });
  const run = await runtime.start({ model: scripted([says("Hi.")]), input: "go" });
  await run.result;
  const { state, blobs } = await run.checkpoint();
  assert.ok(state instanceof Uint8Array && state.length > 0);
  for (const bytes of blobs.values()) assert.ok(bytes instanceof Uint8Array);
  const again = await run.checkpoint({ known: blobs });
  assert.equal(again.blobs.size, 0);
});

test("the core runs in a worker unless told otherwise", async () => {
  const runtime = await createRuntime();
  assert.equal(runtime.isolation, "worker");
  await runtime.close();
});

test("there must be a model", async () => {
  const runtime = await createRuntime({ isolation: "inline" });
  await assert.rejects(runtime.start({ input: "x" }), failsWith("command.invalid"));
  await runtime.close();
});
