// Calls that a person is asked about: nothing runs before the answer, and each answer does what it says.

import assert from "node:assert/strict";

import { all, both, calls, profile, results, says, tool } from "./both.mjs";
import { scripted } from "handrail/models";

const schema = { type: "object", properties: { to: { type: "string" } }, required: ["to"], additionalProperties: false };

/** A runtime with a tool that counts what it did, and an invocation that may use it. */
async function mailing(open, { permissions = { mode: "manual" }, more = {}, options = {}, ...runtimeOptions } = {}) {
  const runtime = await open(runtimeOptions);
  const sent = [];
  const send = tool("send_mail", ({ to }) => `sent to ${sent[sent.push(to) - 1]}`, {
    inputSchema: schema, title: "Send mail", summary: "Mail to {to}", permission: { name: "mail", target: { url: "$.to" } }, ...more,
  });
  const { toolIds } = await runtime.tools.register(send);
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go", permissions, ...options });
  return { runtime, invocation, sent, toolIds };
}

const mail = (to = "ann", id = "c1") => calls(["send_mail", { to }, id]);
/** What the model reads of the one call of a reply. A call id that comes again is another one in the messages. */
const answerOf = async (invocation, reply = mail()) => (await invocation.handle(reply)).messages.at(-1).content;
/** Waits until as many questions wait. */
async function waiting(runtime, count = 1) {
  while (runtime.permissions.pending.length < count) await new Promise((resolve) => setTimeout(resolve, 2));
  return runtime.permissions.pending.map(({ request }) => request);
}

both("nothing runs before the answer, and the question says what it is about", async (open) => {
  const asked = [];
  let before;
  const { invocation, sent, runtime } = await mailing(open, {
    onApproval: async (request, { runId, signal }) => {
      asked.push(request);
      await new Promise((resolve) => setTimeout(resolve, 30));
      before = [sent.length, signal.aborted, runId, runtime.permissions.pending.length];
      return "once";
    },
  });
  assert.equal(await answerOf(invocation), "sent to ann");
  assert.deepEqual(before, [0, false, invocation.id, 1]);
  assert.deepEqual(sent, ["ann"]);
  const [{ approvalId, callId, alias, title, summary, reason, preview, answers, deadline }] = asked;
  assert.deepEqual({ approvalId, callId, alias, title, summary }, { approvalId: "approval_1", callId: "c1", alias: "send_mail", title: "Send mail", summary: "Mail to ann" });
  assert.match(reason, /manual/);
  assert.deepEqual(preview, { kind: "url", url: "ann" });
  assert.deepEqual(answers, ["once", "turn", "session", "always", "reject", "never"]);
  assert.ok(deadline > Date.now() && deadline < Date.now() + 61_000);
  assert.deepEqual(runtime.permissions.pending, []);
  // Once is once.
  await answerOf(invocation, mail("ben"));
  assert.equal(asked.length, 2);
});

both("a rejection tells the model what the person said", async (open) => {
  const { invocation, sent } = await mailing(open, { onApproval: () => ({ answer: "reject", message: "Ask Ben first.", by: "ann" }) });
  assert.match(await answerOf(invocation), /Ask Ben first\./);
  assert.deepEqual(sent, []);
});

both("an answer for the session is asked for once", async (open) => {
  let asked = 0;
  const { invocation, sent } = await mailing(open, { onApproval: () => ((asked += 1), "session") });
  await answerOf(invocation);
  await answerOf(invocation);
  assert.deepEqual([asked, sent], [1, ["ann", "ann"]]);
  // A grant covers what it was given for.
  await answerOf(invocation, mail("ben"));
  assert.equal(asked, 2);
});

both("edited arguments are checked, and count", async (open) => {
  const edits = [{ to: "ben" }, { to: 7 }];
  const { invocation, sent } = await mailing(open, { onApproval: () => ({ answer: "once", args: edits.shift() }) });
  assert.equal(await answerOf(invocation), "sent to ben");
  assert.match(await answerOf(invocation), /`to`/);
  assert.deepEqual(sent, ["ben"]);
});

both("without anybody to ask a call is denied at once, and the model is told", async (open) => {
  const { invocation, sent, runtime } = await mailing(open);
  assert.match(await answerOf(invocation), /permission\.no_approver/);
  assert.deepEqual([sent, runtime.permissions.pending], [[], []]);
  const silent = await mailing(open, { permissions: { mode: "manual", canPrompt: false }, onApproval: () => assert.fail("asked") });
  assert.match(await answerOf(silent.invocation), /permission\.no_approver/);
});

for (const [what, onApproval] of [
  ["throws", () => { throw new Error("The screen is gone."); }],
  ["rejects", () => Promise.reject(new Error("The screen is gone."))],
  ["gives nothing", () => undefined],
  ["gives no answer", () => "perhaps"],
  ["gives a cycle", () => { const one = { answer: "once" }; one.args = one; return one; }],
]) {
  both(`an approver that ${what} is nobody`, async (open) => {
    const { invocation, sent } = await mailing(open, { onApproval });
    assert.match(await answerOf(invocation), /permission\.no_approver/);
    assert.deepEqual(sent, []);
  });
}

both("questions are read from the events and answered with decide, once", async (open) => {
  const { runtime, invocation, sent } = await mailing(open, { permissions: { mode: "manual", canPrompt: true } });
  const decided = [];
  void (async () => {
    for await (const { type, payload } of invocation.events()) {
      if (type !== "approval_request") continue;
      decided.push(invocation.decide("approval_99", "once"), invocation.decide(payload.approvalId, { answer: "once", by: "ann" }));
      decided.push(invocation.decide(payload.approvalId, "reject"), runtime.permissions.decide(payload.approvalId, "reject"));
    }
  })();
  assert.equal(await answerOf(invocation), "sent to ann");
  assert.deepEqual([decided, sent], [[false, true, false, false], ["ann"]]);
  await invocation.cancel();
  const events = await all(invocation.events());
  const { payload } = events.find(({ type }) => type === "approval_resolved");
  assert.deepEqual([payload.answer, payload.by, payload.callId], ["once", "ann", "c1"]);
  assert.ok(!events.some(({ type }) => type === "receipt_ignored"));
});

both("decide beats a dialog that is still open, and closes it", async (open) => {
  let signal;
  const { runtime, invocation, sent } = await mailing(open, {
    onApproval: (_, context) => new Promise((resolve) => {
      signal = context.signal;
      signal.addEventListener("abort", () => resolve("once"));
    }),
  });
  const handled = answerOf(invocation);
  const [{ approvalId }] = await waiting(runtime);
  assert.deepEqual(invocation.pending().map((one) => one.approvalId), [approvalId]);
  assert.equal(runtime.permissions.decide(approvalId, { answer: "reject", message: "No." }), true);
  assert.match(await handled, /No\./);
  assert.deepEqual([signal.aborted, sent], [true, []]);
});

both("a run cannot answer for another", async (open) => {
  const { runtime, invocation, toolIds } = await mailing(open, { permissions: { mode: "manual", canPrompt: true } });
  const other = await runtime.invocation({ profile: profile(toolIds), input: "go", sessionId: "other" });
  const handled = answerOf(invocation);
  const [{ approvalId }] = await waiting(runtime);
  assert.deepEqual([other.pending(), other.decide(approvalId, "once")], [[], false]);
  assert.equal(invocation.decide(approvalId, "once"), true);
  assert.equal(await handled, "sent to ann");
});

both("calls that run beside each other are asked about apart", async (open) => {
  const { runtime, invocation, sent } = await mailing(open, { permissions: { mode: "manual", canPrompt: true }, more: { traits: { parallel: true } } });
  const handled = invocation.handle(calls(["send_mail", { to: "ann" }, "c1"], ["send_mail", { to: "ben" }, "c2"]));
  const [first, second] = await waiting(runtime, 2);
  invocation.decide(second.approvalId, "once");
  invocation.decide(first.approvalId, "reject");
  const { c1, c2 } = results(await handled);
  assert.equal(c2, "sent to ben");
  assert.match(c1, /permission\.rejected/);
  assert.deepEqual(sent, ["ben"]);
});

both("cancelling a run closes its questions, and nothing runs", async (open) => {
  let reason;
  const { runtime, invocation, sent } = await mailing(open, {
    onApproval: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (reason = signal.reason))),
  });
  const handled = invocation.handle(mail()).catch(({ code }) => code);
  const [{ approvalId }] = await waiting(runtime);
  await invocation.cancel();
  await handled;
  assert.ok(reason instanceof Error);
  assert.deepEqual([sent, runtime.permissions.pending, invocation.decide(approvalId, "once")], [[], [], false]);
});

both("closing the runtime closes its questions", async (open) => {
  let aborted = false;
  const { runtime, invocation, sent } = await mailing(open, {
    onApproval: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true))),
  });
  const handled = invocation.handle(mail()).catch(({ code }) => code);
  const [{ approvalId }] = await waiting(runtime);
  await runtime.close();
  assert.equal(await handled, "runtime.closed");
  assert.deepEqual([aborted, sent, runtime.permissions.pending, invocation.decide(approvalId, "once")], [true, [], [], false]);
});

both("a question that nobody answers in time is a denial", async (open) => {
  let signal;
  const { runtime, invocation, sent, toolIds } = await mailing(open);
  const short = await runtime.invocation({
    profile: profile(toolIds, { permissions: { askTimeoutMs: 5_000 } }), input: "go", sessionId: "short", permissions: { mode: "manual" },
    onApproval: (_, context) => new Promise(() => (signal = context.signal)),
  });
  assert.match(await answerOf(short), /permission\.timeout/);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual([signal.aborted, sent, runtime.permissions.pending], [true, [], []]);
  await invocation.cancel();
});

both("rules deny, ask and allow", async (open) => {
  let asked = 0;
  const { runtime, invocation, sent } = await mailing(open, { permissions: {}, onApproval: () => ((asked += 1), "once") });
  // The owner's own run: nothing is asked without a rule.
  assert.equal(await answerOf(invocation), "sent to ann");
  await runtime.permissions.setRules([
    { id: "no-ben", effect: "deny", tool: "send_*", pattern: "ben" },
    { id: "ask", effect: "ask", tool: "*" },
  ]);
  assert.deepEqual(runtime.permissions.rules.map(({ id }) => id), ["no-ben", "ask"]);
  assert.match(await answerOf(invocation, mail("ben")), /permission\.rule_denied/);
  assert.equal(asked, 0);
  assert.equal(await answerOf(invocation), "sent to ann");
  assert.deepEqual([asked, sent], [1, ["ann", "ann"]]);
  await assert.rejects(runtime.permissions.setRules([{ id: "x", effect: "maybe" }]), ({ code, message }) => code === "command.invalid" && /effect/.test(message));
  assert.equal(runtime.permissions.rules.length, 2);
});

both("tiers of a run ask and switch off", async (open) => {
  let asked = 0;
  const { invocation } = await mailing(open, { permissions: { tiers: { "send_*": "ask" } }, onApproval: () => ((asked += 1), "once") });
  assert.equal(await answerOf(invocation), "sent to ann");
  assert.equal(asked, 1);
  const off = await mailing(open, { permissions: { tiers: { send_mail: "off" } } });
  assert.deepEqual(off.invocation.tools(), []);
});

both("the mode read-only refuses writes, and a mode can be changed", async (open) => {
  const runtime = await open();
  const invocation = await runtime.invocation({ input: "go", permissions: { mode: "read-only" } });
  const write = calls(["workspace_write_file", { path: "output/a.md", content: "a" }, "c1"]);
  assert.match(await answerOf(invocation, write), /permission\.mode_denied/);
  await assert.rejects(runtime.workspace.read("output/a.md"), ({ code }) => code === "workspace.file_not_found");
  await runtime.permissions.setMode(invocation.id, "auto");
  assert.match(await answerOf(invocation, write), /^Wrote/);
  await assert.rejects(runtime.permissions.setMode(invocation.id, "yolo"), ({ code }) => code === "command.invalid");
});

both("of several modes the strictest counts, and bounds can be given at the start", async (open) => {
  const strict = await mailing(open, { permissions: { mode: "allow", modes: ["manual", "read-only"] } });
  assert.match(await answerOf(strict.invocation), /permission\.no_approver|permission\.mode_denied/);
  let asked = 0;
  const onApproval = () => ((asked += 1), "once");
  const writes = { traits: { effect: "write" } };
  const permissions = { mode: "accept-edits", allowedHosts: ["*.example.org"], workingDirectories: ["far"] };
  const web = await mailing(open, { permissions, onApproval, more: writes });
  assert.match(await answerOf(web.invocation, mail("https://mail.example.org/x")), /^sent/);
  assert.equal(asked, 0);
  assert.match(await answerOf(web.invocation, mail("https://mail.example.net/x")), /^sent/);
  assert.equal(asked, 1);
  const files = await mailing(open, { permissions, onApproval, more: { ...writes, permission: { name: "mail", target: { path: "$.to" } } } });
  assert.match(await answerOf(files.invocation, mail("far/a.md")), /^sent/);
  assert.equal(asked, 1);
  assert.match(await answerOf(files.invocation, mail("near/a.md")), /^sent/);
  assert.equal(asked, 2);
});

both("a denial for good holds for the session where its rule cannot be kept", async (open) => {
  let asked = 0;
  const onApproval = () => ((asked += 1), "never");
  const onRule = () => {
    throw new Error("the disk is full");
  };
  const { invocation, runtime, sent } = await mailing(open, { onApproval, onRule });
  assert.match(await answerOf(invocation), /permission\.rejected/);
  await runtime.permissions.setRules([]);
  assert.match(await answerOf(invocation), /permission\.rule_denied/);
  assert.deepEqual([asked, sent], [1, []]);
});

both("a subject of a low level may do less", async (open) => {
  const { invocation } = await mailing(open, { permissions: { subject: { id: "guest", level: 0 } }, onApproval: () => "once" });
  assert.match(await answerOf(invocation), /permission\.mode_denied/);
});

both("always becomes a rule that the host keeps; without a place for it, it holds for the session", async (open) => {
  const kept = [];
  let asked = 0;
  const onApproval = () => ((asked += 1), "always");
  const first = await mailing(open, { onApproval, onRule: (rule) => void kept.push(rule) });
  await answerOf(first.invocation);
  await answerOf(first.invocation);
  assert.deepEqual([asked, kept.length, first.runtime.permissions.rules], [1, 1, kept]);
  assert.equal(kept[0].effect, "allow");
  // A rule that was kept holds in the next runtime.
  const next = await mailing(open, { onApproval });
  await next.runtime.permissions.setRules(kept);
  await answerOf(next.invocation);
  assert.equal(asked, 1);
  for (const onRule of [undefined, () => Promise.reject(new Error("The disk is full."))]) {
    asked = 0;
    const { runtime, invocation, sent } = await mailing(open, { onApproval, ...(onRule && { onRule }) });
    await answerOf(invocation);
    await answerOf(invocation);
    assert.deepEqual([asked, sent.length, runtime.permissions.rules], [1, 2, []]);
    await invocation.cancel();
    const failed = (await all(invocation.events())).find(({ type }) => type === "rule_save_failed");
    assert.equal(failed.payload.code, "permission.rule_save_failed");
  }
});

both("a run asks as an invocation does, also with a store", async (open) => {
  for (const store of [undefined, { append: () => new Promise((resolve) => setTimeout(resolve, 5)) }]) {
    const model = scripted([mail(), { expect: "sent to ann", ...says("Done.") }]);
    const runtime = await open({ model, ...(store && { store }) });
    const { toolIds } = await runtime.tools.register(tool("send_mail", ({ to }) => `sent to ${to}`, { inputSchema: schema }));
    const run = await runtime.start({ profile: profile(toolIds), input: "go", permissions: { mode: "manual", canPrompt: true } });
    const answers = [];
    for await (const { type, payload } of run.events()) if (type === "approval_request") answers.push(run.decide(payload.approvalId, "once"));
    assert.deepEqual([answers, (await run.result).status], [[true], "completed"]);
  }
});
