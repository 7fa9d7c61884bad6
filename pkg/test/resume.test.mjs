// A run that waits goes on in another runtime.

import assert from "node:assert/strict";

import { all, both, calls, profile, says, tool } from "./both.mjs";
import { scripted } from "handrail/models";

const mail = (execute) => tool("send_mail", execute, { inputSchema: { type: "object", properties: { to: { type: "string" } } } });
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
  const [run, ...others] = await runtime.resume();
  assert.deepEqual(others, []);
  const events = all(run.events());
  const [{ approvalId, callId }] = run.pending();
  assert.deepEqual([approvalId, callId], ["approval_1", "c1"]);
  assert.equal(run.decide(approvalId, { answer: "once", by: "ann" }), true);
  const { status, text } = await run.result;
  assert.deepEqual([status, text, sent], ["completed", "It is sent.", ["ann"]]);
  // The model is sent the whole conversation, with the tools.
  assert.deepEqual(bodies[0].messages.map(({ role }) => role), ["user", "assistant", "tool"]);
  assert.equal(bodies[0].tools.length, 1);
  assert.ok((await events).some(({ type, payload }) => type === "approval_resolved" && payload.by === "ann"));
  await assert.rejects(runtime.resume(), { code: "command.invalid" });
});

both("onApproval of the other runtime is asked, and rules that came meanwhile hold", async (open) => {
  const checkpoint = await waiting(open);
  const runtime = await open({ checkpoint, model: scripted([says("Not sent.")]) });
  await runtime.tools.register(mail(() => assert.fail("it is denied")));
  await runtime.permissions.setRules([{ id: "r", effect: "deny", tool: "send_mail" }]);
  let asked = 0;
  const [run] = await runtime.resume({ onApproval: () => ((asked += 1), "once") });
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
    const [resumed] = await second.resume({ model: scripted([says("Done.")]) });
    assert.equal((await resumed.result).text, "Done.", where);
  }
});

both("what cannot be resumed says why", async (open) => {
  const runtime = await open();
  await assert.rejects(runtime.resume({ model: scripted([]) }), { code: "command.invalid", message: /checkpoint/ });
  await assert.rejects(open({ checkpoint: { state: new Uint8Array([1, 2, 3]), blobs: new Map() } }), { code: /^state\./ });
  const checkpoint = await waiting(open);
  const other = await open({ checkpoint });
  await assert.rejects(other.resume(), { code: "command.invalid", message: /model/ });
  await assert.rejects(other.resume({ models: 1 }), { code: "command.invalid" });
});
