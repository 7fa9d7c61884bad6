// What a running function may ask and refuse.

import assert from "node:assert/strict";

import { all, both, calls, profile, results, tool } from "./both.mjs";

async function shopping(open, execute, { more = {}, permissions, ...options } = {}) {
  const runtime = await open(options);
  const { toolIds } = await runtime.tools.register(tool("buy", execute, more));
  return { runtime, invocation: await runtime.invocation({ profile: profile(toolIds), permissions }) };
}
const buy = async (invocation, ...ids) => results(await invocation.handle(calls(...ids.map((id) => ["buy", {}, id]))));

both("a running function asks, and goes on by the answer", async (open) => {
  const asked = [];
  const answers = ["once", { answer: "reject", message: "Too dear" }, "reject"];
  const said = [];
  const { invocation } = await shopping(open, async (_, { ask }) => {
    const leave = await ask("It costs 20.", { risk: "dangerous" });
    said.push(leave);
    if (!leave.allowed && said.length < 3) throw leave.denial;
    return leave.allowed ? "bought" : "looked at only";
  }, {
    onApproval: ({ reason, action, answers: offered }) => {
      asked.push([reason, action.risk, offered]);
      return answers.shift();
    },
  });
  const turn = await buy(invocation, "a", "b", "c");
  assert.equal(turn.a, "bought");
  assert.match(turn.b, /^Error \(permission\.tool_denied\):\nThe user did not allow this call and said: Too dear\. /);
  assert.equal(turn.c, "looked at only");
  assert.deepEqual(asked[0], ["It costs 20.", ["dangerous"], ["once", "turn", "session", "reject", "never"]]);
  assert.deepEqual(said[0], { allowed: true });
  assert.match(said[1].reason, /Too dear/);
  assert.equal(said[1].denial.code, "permission.tool_denied");
});

both("an answer for the session is given once, also for questions that wait", async (open) => {
  let asked = 0;
  const { invocation } = await shopping(open, async (_, { ask }) => {
    const leaves = await Promise.all([ask("One?"), ask("Two?"), ask("Three?")]);
    return leaves.map(({ allowed }) => allowed).join();
  }, { onApproval: () => ((asked += 1), "session") });
  assert.equal((await buy(invocation, "a")).a, "true,true,true");
  assert.equal((await buy(invocation, "b")).b, "true,true,true");
  assert.equal(asked, 1);
});

both("a function refuses its call", async (open) => {
  const { invocation } = await shopping(open, (_, { deny }) => deny("The shop is closed."));
  assert.equal((await buy(invocation, "a")).a, "Error (permission.tool_denied):\nThis tool refused the call: The shop is closed. Do not repeat it unchanged.");
});

both("where nobody can be asked the function hears no", async (open) => {
  const { invocation } = await shopping(open, async (_, { ask }) => JSON.stringify(await ask("May I?")));
  const leave = JSON.parse((await buy(invocation, "a")).a);
  assert.equal(leave.allowed, false);
  assert.match(leave.reason, /nobody can be asked/);
});

both("waiting does not count for the time of the call", async (open) => {
  const { invocation } = await shopping(open, async (_, { ask }) => (await ask("Slowly?")).allowed, {
    more: { traits: { timeoutMs: 1000 } },
    onApproval: async () => (await new Promise((resolve) => setTimeout(resolve, 1500)), "once"),
  });
  assert.equal((await buy(invocation, "a")).a, "true");
});

both("a function whose call is stopped hears no, and its question is closed", async (open) => {
  let heard;
  let closed;
  const { runtime, invocation } = await shopping(open, async (_, { ask, signal }) => {
    heard = await ask("Still there?");
    signal.throwIfAborted();
  }, { onApproval: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve((closed = "once")))) });
  const events = all(invocation.events());
  const handled = buy(invocation, "a").catch((error) => error.code);
  while (runtime.permissions.pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await invocation.cancel();
  assert.equal(await handled, "run.ended");
  assert.equal(heard.allowed, false);
  assert.equal(closed, "once");
  const resolved = (await events).filter(({ type }) => type === "approval_resolved");
  assert.deepEqual(resolved.map(({ payload }) => payload.answer), ["cancelled"]);
});
