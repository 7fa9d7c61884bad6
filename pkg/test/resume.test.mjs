// A run that waits goes on in another runtime.

import assert from "node:assert/strict";

import { all, both, calls, profile, says, tool } from "./both.mjs";
import { scripted } from "handrail/models";

const mail = (execute, more) => tool("send_mail", execute, { inputSchema: { type: "object", properties: { to: { type: "string" } } }, ...more });
const asks = { permissions: { mode: "manual", canPrompt: true } };
const question = async (runtime) => {
  while (runtime.permissions.pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
};

/** A checkpoint of a run that waits for a person. */
async function waiting(open) {
  const runtime = await open({ workspace: { "output/a.md": "a" } });
  const { toolIds } = await runtime.tools.register(mail(() => assert.fail("it runs in the other runtime")));
  const model = scripted([calls(["send_mail", { to: "ann" }, "c1"])]);
  const run = await runtime.start({ model, profile: profile(toolIds), input: "Write to Ann.", ...asks });
  await question(runtime);
  const checkpoint = await run.checkpoint();
  await runtime.close();
  return checkpoint;
}

both("a run that waits for a person goes on in another runtime", async (open) => {
  const checkpoint = await waiting(open);
  const sent = [];
  const bodies = [];
  const model = scripted([says("It is sent.")]);
  const request = model.request.bind(model);
  const watched = { ...model, codec: model.codec, request: (asked) => (bodies.push(asked.body), request(asked)) };
  const runtime = await open({ checkpoint, model: watched });
  assert.equal(await runtime.workspace.read("output/a.md"), "a");
  await runtime.tools.register(mail(({ to }) => (sent.push(to), `Sent to ${to}.`)));
  const { runs: [run, ...others], invocations } = await runtime.resume();
  assert.deepEqual([others, invocations], [[], []]);
  const events = all(run.events());
  const [{ approvalId, callId }] = run.pending();
  assert.deepEqual([approvalId, callId], ["approval_1", "c1"]);
  assert.equal(run.decide(approvalId, { answer: "once", by: "ann" }), true);
  const { status, text } = await run.result;
  assert.deepEqual([status, text, sent], ["completed", "It is sent.", ["ann"]]);
  // The model is sent the whole conversation, with the tools.
  assert.deepEqual(bodies[0].messages.map(({ role }) => role), ["user", "assistant", "tool"]);
  assert.equal(bodies[0].tools.length, 1);
  // First what the journal holds of the time before, then everything.
  const told = await events;
  assert.deepEqual(told.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq), told.filter(({ seq }) => seq !== undefined).map((_, at) => at + 1));
  assert.equal(told[0].type, "run_created");
  assert.ok(told.some(({ type, payload }) => type === "approval_resolved" && payload.by === "ann"));
  assert.ok(told.some(({ type, seq }) => type === "tool_end" && seq === undefined));
  await assert.rejects(runtime.resume(), { code: "command.invalid" });
});

both("onApproval of the other runtime is asked, and rules that came meanwhile hold", async (open) => {
  const checkpoint = await waiting(open);
  const runtime = await open({ checkpoint, model: scripted([says("Not sent.")]) });
  await runtime.tools.register(mail(() => assert.fail("it is denied")));
  await runtime.permissions.setRules([{ id: "r", effect: "deny", tool: "send_mail" }]);
  let asked = 0;
  const { runs: [run] } = await runtime.resume({ onApproval: () => ((asked += 1), "once") });
  assert.equal((await run.result).text, "Not sent.");
  assert.equal(asked, 1);
});

both("a call that was running is not repeated, and a request to the model is", async (open) => {
  for (const where of ["call", "model"]) {
    const first = await open();
    let began;
    const begun = new Promise((resolve) => (began = resolve));
    const { toolIds } = await first.tools.register(mail(() => (began(), new Promise(() => {}))));
    const hanging = { codec: "openai-chat", request: () => (began(), new Promise(() => {})) };
    const model = where === "call" ? scripted([calls(["send_mail", { to: "ann" }, "c1"])]) : hanging;
    const run = await first.start({ model, profile: profile(toolIds), input: "Go.", permissions: { mode: "allow" } });
    await begun;
    const checkpoint = await run.checkpoint();
    await first.close();
    const second = await open({ checkpoint });
    await second.tools.register(mail(() => assert.fail("it is not repeated")));
    const { runs: [resumed] } = await second.resume({ model: scripted([says("Done.")]) });
    assert.equal((await resumed.result).text, "Done.", where);
  }
});

both("what cannot be resumed says why", async (open) => {
  const runtime = await open();
  await assert.rejects(runtime.resume({ model: scripted([]) }), { code: "command.invalid", message: /checkpoint/ });
  await assert.rejects(open({ checkpoint: { state: new Uint8Array([1, 2, 3]), blobs: new Map() } }), { code: /^state\./ });
  const checkpoint = await waiting(open);
  const other = await open({ checkpoint });
  await assert.rejects(other.resume({ models: 1 }), { code: "command.invalid" });
  await assert.rejects(other.resumeRun("run_1"), { code: "command.invalid", message: /model/ });
});

/** Two runtimes, one after the other; `begin` plays in the first until it is to be written down. */
async function moved(open, options, begin) {
  const first = await open(options);
  const run = await begin(first);
  const checkpoint = await run.checkpoint();
  await first.close();
  return [await open({ ...options, checkpoint }), run.id];
}

const never = () => new Promise(() => {});
const until = async (is) => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 2));
};

both("what is only asked is asked anew: the look of a tool, a reviewer", async (open) => {
  for (const asked of ["inspect", "review"]) {
    let waits = 0;
    const looks = (inspect) => mail(({ to }) => `Sent to ${to}.`, { traits: { classifierText: "Mail" }, ...(asked === "inspect" && { inspect }) });
    const hang = () => ((waits += 1), never());
    const [second] = await moved(open, {}, async (first) => {
      const { toolIds } = await first.tools.register(looks(hang));
      const wanted = profile(toolIds, { permissions: { reviewer: true } });
      const model = scripted([calls(["send_mail", { to: "ann" }, "c1"])]);
      const run = await first.start({ model, profile: wanted, input: "Go.", permissions: { mode: "auto", canPrompt: false }, onReview: hang });
      await until(() => waits > 0);
      return run;
    });
    let again = 0;
    const look = () => ((again += 1), { readOnly: true });
    await second.tools.register(looks(look));
    const onReview = () => ((again += 1), { verdict: "safe", confidence: 1 });
    const { runs: [run] } = await second.resume({ model: scripted([{ expect: "Sent to ann.", ...says("Done.") }]), onReview });
    assert.deepEqual([(await run.result).text, again, waits], ["Done.", 1, 1], asked);
  }
});

both("no time passes for what waits before somebody is there for it", async (open, t) => {
  const begun = Date.now();
  const checkpoint = await waiting(open);
  t.mock.timers.enable({ apis: ["Date"], now: begun + 3_600_000 });
  const runtime = await open({ checkpoint, model: scripted([says("It was not sent.")]) });
  await runtime.tools.register(mail(() => assert.fail("nobody allowed it")));
  await runtime.permissions.setRules([]);
  await runtime.workspace.write("output/b.md", "b");
  assert.deepEqual(await runtime.workspace.readText("output/b.md"), "b");
  // The question was open for an hour; its limit was a minute.
  const { runs: [run] } = await runtime.resume();
  const events = await all(run.events());
  assert.equal((await run.result).text, "It was not sent.");
  const resolved = events.find(({ type }) => type === "approval_resolved");
  assert.deepEqual([resolved.payload.answer, resolved.timestamp >= begun + 3_600_000], ["timeout", true]);
});

both("an invocation goes on where it was, with its conversation", async (open) => {
  const sent = [];
  const reply = calls(["send_mail", { to: "ann" }, "c1"]);
  const [second, id] = await moved(open, {}, async (first) => {
    const { toolIds } = await first.tools.register(mail(() => assert.fail("it is asked about")));
    const invocation = await first.invocation({ profile: profile(toolIds), input: "Write to Ann.", ...asks });
    const turn = await invocation.handle(calls(["no_such_tool", {}, "c0"]));
    assert.equal(turn.messages.length, 2);
    invocation.handle(reply).catch(() => undefined);
    await question(first);
    return invocation;
  });
  await second.tools.register(mail(({ to }) => (sent.push(to), `Sent to ${to}.`)));
  const { runs, invocations: [invocation] } = await second.resume();
  assert.deepEqual([runs, invocation.id], [[], id]);
  const [{ approvalId }] = invocation.pending();
  const messages = invocation.messages();
  // Whoever hands over a reply meanwhile waits as well.
  const turn = invocation.handle(calls(["send_mail", { to: "bob" }, "c2"]));
  assert.equal(invocation.decide(approvalId, "session"), true);
  const roles = (await messages).map(({ role }) => role);
  assert.deepEqual(roles, ["user", "assistant", "tool", "assistant", "tool"]);
  assert.equal((await messages).at(-1).content, "Sent to ann.");
  assert.equal(invocation.tools().length, 1);
  assert.equal((await turn).messages.at(-1).content, "Sent to bob.");
  assert.deepEqual(sent, ["ann", "bob"]);
  const types = [];
  for await (const { type } of invocation.events()) {
    types.push(type);
    if (type === "tool_call_completed" && types.filter((one) => one === type).length === 2) break;
  }
  assert.equal(types[0], "run_created");
  await invocation.cancel();
});

both("an invocation that waited for its model waits again, in silence", async (open) => {
  const [second] = await moved(open, {}, (first) => first.invocation({ input: "Hello." }));
  const { invocations: [invocation] } = await second.resume();
  assert.deepEqual((await invocation.messages()).map(({ role, content }) => [role, content]), [["user", "Hello."]]);
  const { messages, done } = await invocation.handle(says("Hi."));
  assert.deepEqual([messages.map(({ content }) => content), done], [["Hi."], true]);
  const events = [];
  for await (const { type } of invocation.events()) {
    events.push(type);
    if (type === "model_completed") break;
  }
  assert.ok(!events.includes("model_call_attempt_failed"));
});

const broken = { codec: "openai-chat", request: () => Promise.reject(Object.assign(new Error("no money"), { retryable: false })) };

both("a failed run goes on, here and in another runtime", async (open) => {
  const files = { "output/a.md": "a" };
  const fails = async (runtime) => {
    const { toolIds } = await runtime.tools.register(mail(({ to }) => `Sent to ${to}.`));
    let asked = 0;
    const model = { codec: "openai-chat", request: (request) => (asked++ === 0 ? calls(["send_mail", { to: "ann" }, "c1"]) : broken.request(request)) };
    const run = await runtime.start({ model, profile: profile(toolIds), input: "Write to Ann.", files, permissions: { mode: "allow" } });
    const { status, error } = await run.result;
    assert.deepEqual([status, error.code], ["failed", "model.request_failed"]);
    return run;
  };
  const here = await open();
  const failed = await fails(here);
  const [there, id] = await moved(open, {}, fails);
  for (const runtime of [here, there]) {
    const bodies = [];
    const model = { codec: "openai-chat", request: ({ body }) => (bodies.push(body), says("It is sent.")) };
    const run = await runtime.resumeRun(id, { model });
    assert.equal(run.id, failed.id);
    assert.deepEqual([(await run.result).status, (await run.result).text], ["completed", "It is sent."]);
    assert.deepEqual(bodies[0].messages.map(({ role }) => role), ["user", "assistant", "tool"]);
    assert.equal(bodies[0].messages[2].content, "Sent to ann.");
    assert.equal(bodies[0].tools.length, 1);
    const types = (await all(run.events())).map(({ type }) => type);
    assert.deepEqual(types.filter((type) => type.startsWith("run_")), ["run_created", "run_failed", "run_resumed", "run_completed"]);
    await assert.rejects(runtime.resumeRun(id, { model }), { code: "run.not_resumable" });
    await assert.rejects(runtime.resumeRun("run_99", { model }), { code: "run.not_found" });
  }
});

both("a run with an unknown outcome goes on only if the host accepts that", async (open) => {
  let ran = 0;
  const register = (runtime) => runtime.tools.register(mail(() => ((ran += 1), never())));
  const [second, id] = await moved(open, {}, async (first) => {
    const { toolIds } = await register(first);
    const model = scripted([calls(["send_mail", { to: "ann" }, "c1"])]);
    const run = await first.start({ model, profile: profile(toolIds, { run: { background: false, unknownOutcome: "end" } }), input: "Go.", permissions: { mode: "allow" } });
    await until(() => ran === 1);
    return run;
  });
  await register(second);
  const model = scripted([{ expect: "its outcome is not known", ...says("I looked: it was sent.") }]);
  const { runs: [run] } = await second.resume({ model });
  const { status, error } = await run.result;
  assert.deepEqual([status, error.code], ["failed", "extension.call_outcome_unknown"]);
  await assert.rejects(second.resumeRun(id, { model }), { code: "run.resume_unknown_side_effect", details: { callIds: ["c1"] } });
  const resumed = await second.resumeRun(id, { model, acceptUnknown: true });
  assert.deepEqual([(await resumed.result).text, ran], ["I looked: it was sent.", 1]);
});

both("a failed invocation goes on as one, and a run as one", async (open) => {
  let ran = 0;
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(mail(() => ((ran += 1), never()), { traits: { timeoutMs: 20 } }));
  const ends = profile(toolIds, { run: { background: false, unknownOutcome: "end" } });
  const invocation = await runtime.invocation({ profile: ends, input: "Go.", permissions: { mode: "allow" } });
  await assert.rejects(invocation.handle(calls(["send_mail", { to: "ann" }, "c1"])), { code: /.+/ });
  await assert.rejects(runtime.resumeRun(invocation.id, { model: scripted([]), acceptUnknown: true }), { code: "command.invalid", message: /driven/ });
  await assert.rejects(runtime.resumeInvocation(invocation.id), { code: "run.resume_unknown_side_effect" });
  await assert.rejects(runtime.resumeInvocation(invocation.id, { accept: true }), { code: "command.invalid" });
  const resumed = await runtime.resumeInvocation(invocation.id, { acceptUnknown: true });
  assert.match((await resumed.messages()).at(-1).content, /was interrupted/);
  assert.equal((await resumed.handle(says("Done."))).done, true);
  assert.equal(ran, 1);
});

both("a model of another format ends the run, which can go on with the right one", async (open) => {
  const checkpoint = await waiting(open);
  const runtime = await open({ checkpoint });
  await runtime.tools.register(mail(() => "Sent."));
  await assert.rejects(runtime.resume(), { code: "command.invalid", message: /model/ });
  const { runs: [run] } = await runtime.resume({ model: { codec: "anthropic", request: () => assert.fail("it speaks another format") }, onApproval: () => "once" });
  const { error } = await run.result;
  assert.match(error.message, /openai-chat.*anthropic/);
  const again = await runtime.resumeRun(run.id, { model: scripted([{ expect: "Sent.", ...says("Done.") }]) });
  assert.equal((await again.result).text, "Done.");
});

both("a checkpoint waits until the store has what it holds", async (open) => {
  const kept = [];
  const slow = { append: ({ records }) => new Promise((done) => setTimeout(() => (kept.push(...records.map(({ type }) => type)), done()), 60)) };
  const [second] = await moved(open, { store: slow }, async (first) => {
    const { toolIds } = await first.tools.register(mail(() => assert.fail("nobody has allowed it")));
    const model = scripted([calls(["send_mail", { to: "ann" }, "c1"])]);
    const run = await first.start({ model, profile: profile(toolIds), input: "Write to Ann.", ...asks });
    for await (const { type } of run.events()) if (type === "approval_request") break;
    assert.ok(!kept.includes("approval_request"));
    return run;
  });
  assert.ok(kept.includes("approval_request"));
  await second.tools.register(mail(() => "Sent."));
  const { runs: [run] } = await second.resume({ model: scripted([says("Done.")]), onApproval: () => "once" });
  assert.equal((await run.result).text, "Done.");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(kept.at(-1), "run_completed");
});
