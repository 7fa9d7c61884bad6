// Whatever a function of the host does, its call gets one result, and the runtime works on.

import assert from "node:assert/strict";

import { both, calls, profile, results, tool } from "./both.mjs";

const nested = (depth) => {
  let value = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};
const cycle = () => {
  const value = { items: [1, 2, 3] };
  value.items.push(value);
  return value;
};
const loud = () => {
  throw new Error("no reading here");
};

const INVALID = "tool.invalid_result";
const THROWN = "extension.tool_error";

/** What a function does; the code of the result, or its text, exact or as a pattern. */
const behaviours = [
  ["returns text", () => "plain", { text: "plain" }],
  ["returns data", () => ({ a: [1, { b: null }] }), { text: '{"a":[1,{"b":null}]}' }],
  ["returns undefined", () => undefined, { text: "null" }],
  ["returns a promise of undefined", async () => {}, { text: "null" }],
  ["drops undefined members", () => ({ a: undefined, b: 1 }), { text: '{"b":1}' }],
  ["throws", () => { throw new Error("database is locked"); }, { code: THROWN, text: /database is locked/ }],
  ["rejects", async () => { throw new Error("late failure"); }, { code: THROWN, text: /late failure/ }],
  ["throws a string", () => { throw "just text"; }, { code: THROWN, text: /just text/ }],
  ["throws null", () => { throw null; }, { code: THROWN }],
  ["throws undefined", () => { throw undefined; }, { code: THROWN }],
  ["throws an object without a message", () => { throw { status: 500 }; }, { code: THROWN, text: /500/ }],
  ["throws an error whose message throws", () => { throw { get message() { return loud(); } }; }, { code: THROWN }],
  ["throws a lone surrogate", () => { throw new Error("bad \ud800 text"); }, { code: THROWN, text: /bad \ufffd text/ }],
  ["throws a megabyte", () => { throw new Error("x".repeat(1_000_000)); }, { code: THROWN }],
  ["throws a BigInt", () => { throw 1n; }, { code: THROWN }],
  ["returns a cycle", cycle, { code: INVALID, text: /value\.items\[3\] contains itself/ }],
  ["returns a BigInt", () => ({ items: [0, 0, 0, 1n] }), { code: INVALID, text: /value\.items\[3\] is a BigInt/ }],
  ["returns a function", () => () => 1, { code: INVALID, text: /function/ }],
  ["returns a member that is a function", () => ({ f() {} }), { code: INVALID, text: /value\.f/ }],
  ["returns a symbol", () => Symbol("s"), { code: INVALID, text: /symbol/ }],
  ["returns NaN", () => ({ average: NaN }), { code: INVALID, text: /value\.average is NaN/ }],
  ["returns __proto__", () => JSON.parse('{"__proto__":{"polluted":true}}'), { text: '{"__proto__":{"polluted":true}}' }],
  ["returns a class instance", () => new (class P { x = 1; })(), { text: '{"x":1}' }],
  ["returns a value with toJSON", () => ({ when: { toJSON: () => "now" } }), { text: '{"when":"now"}' }],
  ["returns a value whose toJSON throws", () => ({ toJSON: loud }), { code: INVALID, text: /no reading here/ }],
  ["returns a value whose toJSON returns a BigInt", () => ({ toJSON: () => 1n }), { code: INVALID, text: /BigInt/ }],
  ["returns a Date", () => new Date(0), { text: "1970-01-01T00:00:00.000Z" }],
  ["returns a Map", () => new Map([["a", 1]]), { code: INVALID, text: /Object\.fromEntries/ }],
  ["returns a Set", () => new Set([1]), { code: INVALID, text: /array/ }],
  ["returns bytes", () => new Uint8Array(4), { code: INVALID, text: /bytes/ }],
  ["returns a Buffer", () => Buffer.from("x"), { code: INVALID, text: /bytes/ }],
  ["returns a lone surrogate", () => "a\ud800b", { text: "a\ufffdb" }],
  ["returns a lone surrogate in a name", () => ({ "k\udc00": 1 }), { text: '{"k\ufffd":1}' }],
  ["returns a pair", () => "a😀b", { text: "a😀b" }],
  ["returns NUL and friends", () => "a\u0000\u001b\u2028b", { text: "a\u0000\u001b\u2028b" }],
  ["returns 10,000 nested lists", () => nested(10_000), { code: INVALID, text: /128 levels/ }],
  ["returns 128 nested lists", () => nested(128), {}],
  ["returns 100 nested lists", () => nested(100), { text: JSON.stringify(nested(100)) }],
  ["returns a getter that throws", () => ({ a: 1, get b() { return loud(); } }), { code: INVALID, text: /value\.b cannot be read/ }],
  ["returns a Proxy that throws", () => new Proxy({}, { ownKeys: loud }), { code: INVALID }],
  ["returns a Proxy that lies", () => new Proxy([], { get: (list, key) => (key === "length" ? 1e15 : list[key]) }), { code: INVALID }],
  ["returns a huge sparse array", () => new Array(2 ** 32 - 1), { code: INVALID, text: /64 Mi characters/ }],
  ["returns a name that the core reserves", () => ({ "$serde_json::private::Number": "1" }), {}],
  ["returns a thenable that throws", () => ({ then: loud }), { code: THROWN, text: /no reading here/ }],
  ["returns a thenable that answers twice", () => ({ then: (yes) => { yes("one"); yes("two"); } }), { text: "one" }],
  ["attaches what is no image", (_, { attachImage }) => attachImage("text"), { code: THROWN, text: /attachImage takes/ }],
  ["attaches a blob that cannot be read", (_, { attachImage }) => attachImage({ arrayBuffer: loud }), { code: THROWN, text: /no reading here/ }],
  ["changes its arguments and context", (args, context) => { args.x = 1n; try { context.callId = 1; } catch {} return "done"; }, { text: "done" }],
  ["says progress that is no text", (_, { progress }) => { progress(1n); progress(undefined); progress({}); return "done"; }, { text: "done" }],
];

both("every behaviour of a function has an outcome", async (open) => {
  const runtime = await open();
  const names = behaviours.map((_, at) => `tool_${at}`);
  const { toolIds } = await runtime.tools.register([
    ...behaviours.map(([, execute], at) => tool(names[at], execute)),
    tool("after", () => "the runtime works on"),
  ]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  for (const [at, [what, , expected]] of behaviours.entries()) {
    const turn = await invocation.handle(calls([names[at], {}, `c${at}`], ["after", {}, `a${at}`]));
    const text = results(turn)[`c${at}`];
    if (expected.code) assert.ok(text.startsWith(`Error (${expected.code}):`), `${what}: ${text.slice(0, 300)}`);
    else assert.ok(!("text" in expected) || !text.startsWith("Error ("), `${what}: ${text.slice(0, 300)}`);
    if (typeof expected.text === "string") assert.equal(text, expected.text, what);
    if (expected.text instanceof RegExp) assert.match(text, expected.text, what);
    assert.equal(results(turn)[`a${at}`], "the runtime works on", what);
  }
  assert.equal({}.polluted, undefined);
});

both("fifty million characters of text have an outcome", async (open) => {
  const runtime = await open();
  const size = 50 * 1024 * 1024;
  const { toolIds } = await runtime.tools.register([
    tool("large", () => "lorem ipsum ".repeat(size / 12)),
    tool("too_large", () => "x".repeat(65 * 1024 * 1024)),
    tool("after", () => "fine"),
  ]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = await invocation.handle(calls(["large", {}, "c1"], ["too_large", {}, "c2"], ["after", {}, "c3"]));
  const { c1, c2, c3 } = results(turn);
  assert.ok(c1.length > 0);
  assert.match(c2, /^Error \(tool\.invalid_result\):.*64 Mi characters/s);
  assert.equal(c3, "fine");
  const next = await invocation.handle(calls(["after", {}, "c4"]));
  assert.equal(results(next).c4, "fine");
});

both("a function that never settles is aborted at its deadline", async (open) => {
  const runtime = await open();
  const reasons = [];
  const { toolIds } = await runtime.tools.register([
    // Stops when told to.
    tool("obedient", (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => {
      reasons.push(signal.reason.message);
      reject(signal.reason);
    })), { traits: { timeoutMs: 50, background: false } }),
    // Finishes although told to stop.
    tool("stubborn", (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("made it"))),
      { traits: { timeoutMs: 50, background: false } }),
    tool("after", () => "fine"),
  ]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = await invocation.handle(calls(["obedient", {}, "c1"], ["stubborn", {}, "c2"], ["after", {}, "c3"]));
  assert.match(results(turn).c1, /^Error \(tool\.timeout\)/);
  assert.equal(results(turn).c2, "made it");
  assert.equal(results(turn).c3, "fine");
  assert.deepEqual(reasons, ["timeout"]);
});

both("a function that never settles and never listens ends as unknown", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(
    tool("gone", () => new Promise(() => undefined), { traits: { timeoutMs: 30, background: false } }),
  );
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = await invocation.handle(calls(["gone", {}, "c1"]));
  assert.match(results(turn).c1, /^Error \(extension\.call_outcome_unknown\)/);
});

both("what a function does after it settled is ignored", async (open) => {
  const runtime = await open();
  let late;
  const { toolIds } = await runtime.tools.register([
    tool("early", (_, context) => {
      late = context;
      return "done";
    }),
  ]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  await invocation.handle(calls(["early", {}, "c1"]));
  late.progress("too late");
  late.attachImage(new Uint8Array([1]));
  late.attachImage("not even an image");
  const turn = await invocation.handle(calls(["early", {}, "c2"]));
  assert.equal(results(turn).c2, "done");
});

both("what a function is given may be spread and taken apart", async (open) => {
  const runtime = await open();
  const told = [];
  const { toolIds } = await runtime.tools.register([
    tool("wraps", (_, context) => {
      told.push(Object.keys(context), { ...context }.signal === context.signal, context.signal.aborted);
      const { runId, callId, target, progress, attachImage, deny } = { ...context };
      told.push(runId === invocation.id, callId, target);
      progress("half way");
      attachImage(new Uint8Array([1]));
      deny("not today");
    }),
  ]);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = await invocation.handle(calls(["wraps", {}, "c1"]));
  assert.match(results(turn).c1, /not today/);
  const members = ["runId", "invocationId", "callId", "target", "signal", "attachImage", "progress", "ask", "deny"];
  assert.deepEqual(told, [members, true, false, true, "c1", { kind: "session" }]);
});

both("a tool that is switched off or taken away while it runs answers its call, and is not called again", async (open) => {
  const runtime = await open();
  let answer;
  let [round, called] = [0, 0];
  const handle = await runtime.tools.register([
    tool("slow", () => ((called += 1) > round ? "called again" : new Promise((resolve) => (answer = resolve)))),
  ]);
  const invocation = await runtime.invocation({ profile: profile(handle.toolIds), input: "go" });
  for (const end of [() => handle.disable(), () => handle.unregister()]) {
    round += 1;
    const turn = invocation.handle(calls(["slow", {}, `a${round}`], ["slow", {}, `b${round}`]));
    while (called < round) await new Promise((resolve) => setTimeout(resolve, 1));
    await end();
    answer(`answer ${round}`);
    const told = results(await turn);
    assert.equal(told[`a${round}`], `answer ${round}`);
    assert.match(told[`b${round}`], /^Error \(extension\.tool_unavailable\)/);
    if (round === 1) await handle.enable();
  }
  assert.equal(called, 2);
});

both("images that were attached before a throw are dropped", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(
    tool("broken", (_, { attachImage }) => {
      attachImage(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
      throw new Error("late failure");
    }),
  );
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go", images: true });
  assert.equal(results(await invocation.handle(calls(["broken", {}, "c1"]))).c1, "Error (extension.tool_error):\nlate failure");
  assert.ok((await runtime.workspace.list("tool-results")).every(({ path }) => !path.includes("-img-")));
});
