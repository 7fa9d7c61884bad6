// Work of the host's own that is taken on as work in the background.

import assert from "node:assert/strict";

import { scripted } from "handrail/models";

import { both, calls, profile, says } from "./both.mjs";

const allowed = () => profile(["builtin:dice.roll"]);
const dice = (id) => calls(["dice_roll", { formula: "1d1" }, id]);
const told = (turn) => turn.messages.flatMap((m) => (m.role === "user" ? [m.content] : []));

/** A promise with what settles it. */
function open() {
  let settle;
  const promise = new Promise((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}

function next(runtime, type) {
  const { promise, resolve } = open();
  const end = runtime.background.onUpdate((update) => update.type === type && (end(), resolve(update)));
  return promise;
}

both("work of the host's own is told to the model once", async (make) => {
  const runtime = await make();
  const invocation = await runtime.invocation({ profile: allowed(), input: "go" });
  const work = open();
  const begun = next(runtime, "started");
  const task = await runtime.background.adopt({
    name: "Nightly build",
    invocation,
    startedAt: 5,
    run: ({ progress, stdout, stderr }) => (progress("half"), stdout("one\n"), stderr("hm"), work.promise),
  });
  assert.deepEqual([task.state, task.movedBy, task.name, task.runId, task.callId, task.startedAt], ["running", "host", "Nightly build", invocation.id, undefined, 5]);
  assert.deepEqual(await begun, { type: "started", id: task.id, name: "Nightly build", effectId: (await begun).effectId, runId: invocation.id });
  const { text, stdout, stderr } = await runtime.background.get(task.id);
  assert.deepEqual([text.text, stdout.text, stderr.text], ["half", "one\n", "hm"]);
  assert.deepEqual((await runtime.background.listFor(invocation)).map(({ id }) => id), [task.id]);
  assert.deepEqual(await runtime.background.listFor({ id: "run_9" }), []);
  assert.deepEqual(told(await invocation.handle(dice("c1"))), []);
  const finished = next(runtime, "finished");
  work.resolve({ built: 3 });
  assert.deepEqual([(await finished).status, (await finished).callId], ["ok", undefined]);
  assert.deepEqual(told(await invocation.handle(dice("c2"))), [
    `The work \`Nightly build\` of this app, which went on in the background as \`${task.id}\`, has finished:\n\n{"built":3}`,
  ]);
  assert.deepEqual(told(await invocation.handle(dice("c3"))), []);
  assert.equal(await runtime.background.prune(), 1);
  await invocation.cancel();
});

both("work for a session ends without a run, and its next run is told", async (make) => {
  const runtime = await make();
  const work = open();
  await runtime.background.adopt({ name: "Import", sessionId: "one", run: () => work.promise });
  const ended = next(runtime, "progress");
  work.reject(new Error("no space left"));
  assert.equal((await ended).state, "finished");
  const asked = [];
  const model = scripted([says("Other."), says("I see.")]);
  const watched = { ...model, request: (request) => (asked.push(request.body.messages), model.request(request)) };
  for (const sessionId of ["two", "one"]) await (await runtime.start({ profile: allowed(), model: watched, input: "go", sessionId })).result;
  assert.equal(asked[0].length, 1);
  assert.match(asked[1].at(-1).content, /^The work `Import` of this app[\s\S]* has failed:\n\nno space left$/);
});

both("work that is stopped: by hand, with its run, with its session", async (make) => {
  const runtime = await make();
  const stopped = [];
  const adopt = (name, more) =>
    runtime.background.adopt({ name, ...more, run: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => (stopped.push(name), reject(new Error("stopped"))))) });
  const invocation = await runtime.invocation({ profile: allowed(), input: "go", sessionId: "one" });
  const one = await adopt("one", { invocation });
  await adopt("two", { invocation });
  await adopt("three", { sessionId: "one" });
  const finished = next(runtime, "finished");
  assert.equal((await runtime.background.cancel(one.id)).stoppedBy, "user");
  assert.equal((await finished).status, "cancelled");
  assert.match(await runtime.background.take(one.id), /was stopped:/);
  await invocation.cancel();
  assert.deepEqual(stopped, ["one", "two"]);
  await runtime.sessions.delete("one");
  assert.deepEqual(stopped, ["one", "two", "three"]);
  assert.deepEqual(await runtime.background.list(), []);
});

both("work that is not taken on is never run", async (make) => {
  const runtime = await make();
  const run = () => assert.fail("it ran");
  const refused = [
    [{ name: "" }, "command.invalid"],
    [{ name: "a\nb" }, "command.invalid"],
    [{ name: "x", invocation: { id: "run_9" } }, "run.not_found"],
    [{ name: "x", session: "one" }, "command.invalid"],
    [{ name: "x", run: "soon" }, "command.invalid"],
  ];
  for (const [work, code] of refused) await assert.rejects(runtime.background.adopt({ run, ...work }), { code });
  assert.deepEqual(await runtime.background.list(), []);
});
