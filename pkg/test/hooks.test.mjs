// Functions of the host that look at calls on their way: they rewrite, deny, redact and halt, and when they fail nothing else does.

import assert from "node:assert/strict";

import { scripted } from "handrail/models";
import { all, both, calls, profile, says, tool } from "./both.mjs";

const schema = { type: "object", properties: { to: { type: "string" } }, required: ["to"], additionalProperties: false };

async function mailing(open, hooks, options = {}) {
  const runtime = await open();
  const sent = [];
  const { toolIds } = await runtime.tools.register(
    tool("send_mail", ({ to }) => `sent to ${sent[sent.push(to) - 1]}, token s3cret`, { inputSchema: schema }));
  const registered = [];
  for (const hook of hooks) registered.push(await runtime.hooks.register(hook));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go", ...options });
  return { runtime, invocation, sent, registered, toolIds };
}

const mail = (to = "ann") => calls(["send_mail", { to }, "c1"]);
const answerOf = async (invocation, reply = mail()) => (await invocation.handle(reply)).messages.at(-1).content;
const eventsOf = async (invocation) => (await invocation.cancel(), all(invocation.events()));

both("hooks are called in their order, and each sees what the one before rewrote", async (open) => {
  const seen = [];
  const hook = (name, order) => ({
    point: "before-run", order,
    run: async ({ args, alias, callId, point }) => {
      seen.push([name, alias, callId, point, args.to]);
      return { mergeArgs: { to: `${args.to}-${name}` } };
    },
  });
  const { invocation, sent } = await mailing(open, [hook("late", 5), hook("first", -1), hook("next", -1)]);
  await answerOf(invocation);
  assert.deepEqual(seen, [
    ["first", "send_mail", "c1", "before-run", "ann"], ["next", "send_mail", "c1", "before-run", "ann-first"],
    ["late", "send_mail", "c1", "before-run", "ann-first-next"],
  ]);
  assert.deepEqual(sent, ["ann-first-next-late"]);
});

both("rewritten arguments are checked as the model's are", async (open) => {
  const { invocation, sent } = await mailing(open, [{ point: "before-run", run: () => ({ args: { to: 7 } }) }]);
  assert.match(await answerOf(invocation), /tool\.invalid_arguments[^]*changed its arguments/);
  assert.deepEqual(sent, []);
});

both("a denial stops the call and tells the model why", async (open) => {
  for (const point of ["before-permission", "before-run"]) {
    const { invocation, sent } = await mailing(open, [{ point, run: () => ({ decision: "deny", reason: "No mail on Sundays." }) }]);
    assert.match(await answerOf(invocation), /No mail on Sundays\./);
    assert.deepEqual(sent, []);
  }
});

both("a redaction reaches neither the model nor a file", async (open) => {
  const { runtime, invocation } = await mailing(open, [{
    point: "after-run",
    run: ({ result }) => ({ result: { content: result.content.replace("s3cret", "***") }, context: "Tokens are hidden." }),
  }]);
  const text = await answerOf(invocation);
  assert.match(text, /sent to ann, token \*\*\*/);
  assert.match(text, /Tokens are hidden\./);
  const folder = await runtime.workspace.toFolder();
  assert.ok(Object.keys(folder).length > 0);
  for (const [path, content] of Object.entries(folder)) assert.ok(!String(content).includes("s3cret"), path);
});

both("halt ends the run before the model is asked again", async (open) => {
  const runtime = await open({ model: scripted([mail(), says("never asked")]) });
  await runtime.tools.register(tool("send_mail", () => "sent", { inputSchema: schema }));
  await runtime.hooks.register({ point: "after-run", run: () => ({ halt: true, reason: "Enough." }) });
  const { status, error } = await (await runtime.start({ input: "go" })).result;
  assert.deepEqual([status, error.code], ["failed", "hook.halted"]);
});

both("hooks look only at the tools they are for", async (open) => {
  const seen = [];
  const hook = (more) => ({ point: "before-run", ...more, run: () => void seen.push(more) });
  const hooks = [{ include: ["send_*"] }, { include: ["read_*"] }, { exclude: ["*mail"] }, {}];
  const { invocation } = await mailing(open, hooks.map(hook));
  await answerOf(invocation);
  assert.deepEqual(seen, [hooks[0], hooks[3]]);
});

both("a hook that fails is passed over, and it is told", async (open) => {
  const cycle = {};
  cycle.args = cycle;
  const { invocation, sent } = await mailing(open, [
    { point: "before-run", run: () => { throw new Error("The hook broke."); } },
    { point: "before-run", run: () => cycle },
    { point: "before-run", run: () => undefined },
  ]);
  await answerOf(invocation);
  assert.deepEqual(sent, ["ann"]);
  const events = await eventsOf(invocation);
  const failed = events.filter(({ type }) => type === "hook_failed").map(({ payload }) => payload.hookId);
  assert.deepEqual(failed, ["hook_1", "hook_2"]);
});

both("a hook that takes too long is passed over, and its signal fires", async (open) => {
  let aborted = false;
  const { invocation, sent } = await mailing(open, [{
    point: "before-run", timeoutMs: 1_000,
    run: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true))),
  }]);
  await answerOf(invocation);
  assert.deepEqual([sent, aborted], [["ann"], true]);
});

both("a hook can have a person asked, and can be taken away", async (open) => {
  let asked = 0;
  const { invocation, sent, registered } = await mailing(open, [{ point: "before-permission", run: () => ({ decision: "ask" }) }],
    { onApproval: () => ((asked += 1), "once") });
  await answerOf(invocation);
  assert.deepEqual([asked, sent], [1, ["ann"]]);
  await registered[0].unregister();
  await answerOf(invocation);
  assert.deepEqual([asked, sent], [1, ["ann", "ann"]]);
});

both("the prompt and the end of a run have hooks", async (open) => {
  const model = scripted([says("Almost."), { expect: "Say it in full.", ...says("Done.") }]);
  const runtime = await open({ model });
  const seen = [];
  await runtime.hooks.register({ point: "user-prompt", run: ({ prompt }) => void seen.push(prompt) });
  await runtime.hooks.register({ point: "run-stop", run: ({ text }) => (seen.push(text), text === "Almost." ? { context: "Say it in full." } : {}) });
  const { status, text } = await (await runtime.start({ input: "go" })).result;
  assert.deepEqual([status, text, seen], ["completed", "Done.", ["go", "Almost.", "Done."]]);
});

both("a hook that cannot be read is refused, and changes nothing", async (open) => {
  const { runtime, invocation, sent } = await mailing(open, []);
  const refused = ({ code }) => code === "command.invalid";
  await assert.rejects(runtime.hooks.register({ point: "sometimes", run: () => ({ decision: "deny" }) }), refused);
  await assert.rejects(runtime.hooks.register({ point: "before-run", timeoutMs: 5, run: () => ({ decision: "deny" }) }), refused);
  await assert.rejects(runtime.hooks.register({ point: "before-run" }), refused);
  await answerOf(invocation);
  assert.deepEqual(sent, ["ann"]);
});
