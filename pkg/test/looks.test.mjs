// What a tool says of a call before it is decided about, and what a reviewer says of it.

import assert from "node:assert/strict";

import { both, calls, profile, results, tool } from "./both.mjs";

const schema = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

/** A runtime with one tool, and an invocation that may use it. */
async function going(open, { inspect, options = {}, more = {}, permissions = { mode: "manual" }, ...runtimeOptions }) {
  const runtime = await open(runtimeOptions);
  const gone = [];
  const go = tool("go", ({ to }) => `went to ${gone[gone.push(to) - 1]}`, { inputSchema: schema, inspect, ...more });
  const { toolIds } = await runtime.tools.register(go);
  const invocation = await runtime.invocation({ profile: profile(toolIds, { permissions: { reviewer: true } }), permissions, ...options });
  return { runtime, invocation, gone };
}

const go = (...places) => calls(...places.map((to, at) => ["go", { to }, `c${at}_${to}`]));

both("a tool looks at each call once, before it is decided about", async (open) => {
  const looks = [];
  const asked = [];
  const { runtime, invocation, gone } = await going(open, {
    inspect: ({ to }, { runId, callId, signal }) => {
      looks.push([to, runId === invocation.id, callId, signal.aborted]);
      return { action: { name: to === "Rome" ? "go:abroad" : "go:home", target: { path: `places/${to}` } }, summary: `Walk to ${to}` };
    },
    onApproval: ({ summary, action }) => (asked.push([summary, action.name, action.target]), "once"),
  });
  await runtime.permissions.setRules([{ id: "r", effect: "deny", action: "go:abroad" }]);
  const turn = results(await invocation.handle(go("Oslo", "Rome")));
  assert.equal(turn.c0_Oslo, "went to Oslo");
  assert.match(turn.c1_Rome, /permission\.rule_denied/);
  assert.deepEqual(asked, [["Walk to Oslo", "go:home", { path: "places/Oslo" }]]);
  assert.deepEqual(looks, [["Oslo", true, "c0_Oslo", false], ["Rome", true, "c1_Rome", false]]);
  assert.deepEqual(gone, ["Oslo"]);
});

both("arguments that a tool or its validator refuses are told to the model, and nobody is asked", async (open) => {
  const standard = {
    "~standard": {
      version: 1, vendor: "test",
      validate: (args) => (args.to.length > 3 ? { value: { to: args.to.toUpperCase() } } : { issues: [{ message: "Too short", path: ["to"] }] }),
    },
  };
  const seen = [];
  const { invocation, gone } = await going(open, {
    more: { inputSchema: standard, jsonSchema: schema },
    inspect: ({ to }) => (seen.push(to), { validation: { ok: to !== "NOWHERE", message: "There is no such place." }, readOnly: true }),
    onApproval: () => assert.fail("nobody is asked"),
  });
  const turn = results(await invocation.handle(go("Ur", "nowhere", "Oslo")));
  assert.match(turn.c0_Ur, /tool\.invalid_arguments[^]*`to`: Too short\./);
  assert.match(turn.c1_nowhere, /tool\.invalid_arguments[^]*There is no such place\./);
  assert.equal(turn.c2_Oslo, "went to OSLO");
  assert.deepEqual([seen, gone], [["NOWHERE", "OSLO"], ["OSLO"]]);
});

both("a look that fails makes the call one that may be anything", async (open) => {
  const asked = [];
  const answers = [() => { throw new Error("no"); }, () => ({ readonly: true }), () => 7, () => ({ action: { name: "x", surprise: 1 } }), () => undefined];
  const { invocation } = await going(open, {
    inspect: () => answers.shift()(),
    more: { traits: { effect: "read" } },
    onApproval: ({ action }) => (asked.push(action), "once"),
  });
  for (let left = answers.length; left > 0; left -= 1) await invocation.handle(go("Oslo"));
  const careful = { name: "tool:go", risk: ["review"], effect: "exec", remember: true };
  assert.deepEqual(asked, [careful, careful, careful, careful]);
});

both("calls of which their tool says so run side by side", async (open) => {
  let running = 0;
  let most = 0;
  const runtime = await open();
  const work = async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
  };
  const { toolIds } = await runtime.tools.register(
    tool("go", work, { inputSchema: schema, inspect: ({ to }) => ({ parallel: to !== "Rome" }), traits: { parallel: "inspect" } }),
  );
  const invocation = await runtime.invocation({ profile: profile(toolIds) });
  await invocation.handle(go("Oslo", "Bern", "Riga"));
  assert.equal(most, 3);
  most = 0;
  await invocation.handle(go("Rome", "Bern"));
  assert.equal(most, 1);
});

both("inspect must be a function", async (open) => {
  const runtime = await open();
  await assert.rejects(runtime.tools.register(tool("go", () => 1, { inspect: true })), { code: "extension.registration_invalid" });
});

both("a reviewer lets pass what is surely safe; of the rest a person is asked", async (open) => {
  const reviews = ["safe", { verdict: "safe", confidence: 0.9 }, { verdict: "safe", confidence: 0.7 }, "unsafe", "unsure", ["safe", "unsafe"], { verdict: ["safe", "unsafe"], confidence: 1 }, undefined, new Error("no")];
  const told = [];
  const asked = [];
  const { invocation } = await going(open, {
    permissions: { mode: "auto" },
    more: { traits: { classifierText: "Goes to {to}" } },
    onReview: ({ runId, callId, text, action }, { signal }) => {
      told.push([runId === invocation.id, callId, text, action.name, signal.aborted]);
      const review = reviews.shift();
      if (review instanceof Error) throw review;
      return review;
    },
    onApproval: ({ callId }) => (asked.push(callId), "once"),
  });
  const places = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
  await invocation.handle(go(...places));
  assert.deepEqual(told[0], [true, "c0_a", "Goes to a", "tool:go", false]);
  assert.equal(told.length, 9);
  assert.deepEqual(asked, ["c2_c", "c3_d", "c4_e", "c5_f", "c6_g", "c7_h", "c8_i"]);
});

both("the default profile has a reviewer where the host has one; a run's own comes first", async (open) => {
  const runtime = await open({ onReview: () => "unsafe", onApproval: () => assert.fail("nobody is asked") });
  await runtime.tools.register(tool("go", () => "gone", { inputSchema: schema, traits: { classifierText: "Goes" } }));
  const invocation = await runtime.invocation({ permissions: { mode: "auto" }, onReview: () => "safe" });
  assert.equal((await invocation.handle(go("Oslo"))).messages.at(-1).content, "gone");
});
