// Work that goes on after its call was answered: functions of the host, and commands of the shell.

import assert from "node:assert/strict";

import { scripted } from "handrail/models";

import { both, calls, profile, results, says, tool } from "./both.mjs";
import { inShell, sleep } from "./shells.mjs";

const going = (toolIds, more = {}) => profile([...toolIds, "builtin:dice.roll"], { run: { background: true }, ...more });
const shells = () => going(["builtin:workspace.shell", "builtin:workspace.write_file"], { features: { shellBackground: true } });
const dice = (id) => calls(["dice_roll", { formula: "1d1" }, id]);

/** The messages of the user in a turn. */
const told = (turn) => turn.messages.flatMap((m) => (m.role === "user" ? [m.content] : []));

/** Resolves with the first news of this kind. */
function next(runtime, type, more = () => true) {
  return new Promise((resolve) => {
    const end = runtime.background.onUpdate((update) => {
      if (update.type !== type || !more(update)) return;
      end();
      resolve(update);
    });
  });
}

both("a call that takes too long goes on, and the model is told once", async (open) => {
  const runtime = await open();
  let answer;
  const { toolIds } = await runtime.tools.register(
    tool("slow", (_, { progress }) => (progress("half"), new Promise((resolve) => (answer = resolve))), { traits: { timeoutMs: 40 } }),
  );
  const updates = [];
  // On a busy machine the progress comes when the call has been moved already.
  const end = runtime.background.onUpdate(({ type, id }) => type !== "progress" && updates.push([type, id]));
  const invocation = await runtime.invocation({ profile: going(toolIds), input: "go" });
  const first = results(await invocation.handle(calls(["slow", {}, "c1"])));
  const id = /`(bg-[0-9a-f]{16})`/.exec(first.c1)[1];
  assert.match(first.c1, /still running[\s\S]*do not repeat the call/);
  const [task] = await runtime.background.list();
  assert.deepEqual([task.id, task.state, task.movedBy, task.name, task.callId], [id, "running", "timeout", "slow", "c1"]);
  assert.equal((await runtime.background.get(id)).text.text, "half");
  assert.deepEqual(told(await invocation.handle(dice("c2"))), []);
  const finished = next(runtime, "finished");
  answer("done at last");
  assert.deepEqual([(await finished).status, (await finished).message], ["ok", "done at last"]);
  const turn = await invocation.handle(dice("c3"));
  assert.equal(told(turn).length, 1);
  assert.match(told(turn)[0], new RegExp(`\`slow\`[\\s\\S]*\`${id}\` has finished:\\n\\ndone at last$`));
  assert.deepEqual(told(await invocation.handle(dice("c4"))), []);
  assert.equal((await runtime.background.get(id)).state, "delivered");
  assert.deepEqual(updates, [["started", id], ["finished", id], ["delivered", id]]);
  end();
  assert.equal(await runtime.background.prune(), 1);
  await assert.rejects(runtime.background.get(id), { code: "command.invalid" });
});

both("what comes after the run is told in the next one of the session", async (open) => {
  const runtime = await open();
  let answer;
  const { toolIds } = await runtime.tools.register(tool("slow", () => new Promise((resolve) => (answer = resolve)), { traits: { timeoutMs: 40 } }));
  const asked = [];
  const model = scripted([calls(["slow", {}, "c1"]), says("It goes on."), says("Now I know."), says("Nothing new.")]);
  const watched = { ...model, request: (request) => (asked.push(request.body.messages), model.request(request)) };
  const start = () => runtime.start({ profile: going(toolIds), model: watched, input: "go" });
  assert.equal((await (await start()).result).text, "It goes on.");
  const ended = next(runtime, "progress", ({ state }) => state === "finished");
  answer({ n: 7 });
  await ended;
  assert.equal((await (await start()).result).text, "Now I know.");
  assert.match(asked[2].at(-1).content, /has finished:\n\n\{"n":7\}$/);
  assert.equal((await (await start()).result).text, "Nothing new.");
  assert.equal(asked[3].length, 1);
});

both("the user sends a call to the background and stops it there", async (open) => {
  const runtime = await open();
  let stopped;
  const { toolIds } = await runtime.tools.register(
    tool("slow", (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => ((stopped = true), reject(new Error("stopped")))))),
    undefined,
  );
  const started = new Promise((resolve) => runtime.background.onUpdate(resolve));
  const invocation = await runtime.invocation({ profile: going(toolIds), input: "go" });
  const turn = invocation.handle(calls(["slow", {}, "c1"]));
  await sleep(30);
  await assert.rejects(invocation.background("c9"), { code: "command.invalid" });
  const id = await invocation.background("c1");
  assert.equal((await started).id, id);
  assert.match(results(await turn).c1, /still running/);
  await assert.rejects(runtime.background.take(id), { code: "command.invalid" });
  const finished = next(runtime, "finished");
  assert.equal((await runtime.background.cancel(id)).stoppedBy, "user");
  assert.deepEqual([(await finished).status, stopped], ["cancelled", true]);
  assert.match(await runtime.background.take(id), /was stopped:/);
  assert.deepEqual(told(await invocation.handle(dice("c2"))), []);
});

both("a tool or a profile that does not allow it", async (open) => {
  const runtime = await open();
  const never = () => new Promise(() => undefined);
  const { toolIds } = await runtime.tools.register([tool("no", never, { traits: { background: false } }), tool("slow", never)]);
  for (const [name, run] of [["no", { background: true }], ["slow", { background: false }]]) {
    const invocation = await runtime.invocation({ profile: profile(toolIds, { run }), input: "go", sessionId: name });
    const turn = invocation.handle(calls([name, {}, "c1"]));
    turn.catch(() => undefined);
    await sleep(30);
    await assert.rejects(invocation.background("c1"), { code: "command.invalid" });
    await invocation.cancel();
  }
});

inShell("a command in the background works on while other calls run", { ms: 20_000 }, async (runtime) => {
  const invocation = await runtime.invocation({ profile: shells(), input: "go" });
  const names = invocation.tools().map((tool) => tool.function.name);
  assert.ok(names.includes("workspace_shell_status") && names.includes("workspace_shell_cancel"));
  const script = "for i in 1 2 3 4 5; do echo $i | tee -a /output/log; sleep 0.2; done";
  const first = results(await invocation.handle(calls(["workspace_shell", { command: script, background: true }, "c1"])));
  const id = /`(bg-[0-9a-f]{16})`/.exec(first.c1)[1];
  await sleep(500);
  const second = results(
    await invocation.handle(calls(["workspace_shell", { command: "echo x >> /output/log; head -1 /output/log" }, "c2"], ["workspace_shell_status", { command_id: id }, "c3"])),
  );
  assert.equal(second.c2, "exit code: 0\n1");
  assert.match(second.c3, /^running for \d+ seconds?\nstdout:\n1(\n|$)/);
  const { status, resultRef } = await next(runtime, "finished");
  assert.equal(status, "ok");
  const record = JSON.parse(await runtime.workspace.readText(resultRef));
  assert.deepEqual(record.fileChanges.map(({ path }) => path), ["output/log"]);
  const third = await invocation.handle(calls(["workspace_shell_status", { command_id: id }, "c4"]));
  assert.match(results(third).c4, /^ended after \d+ seconds?\nexit code: 0\nstdout:\n1\n2\n3\n4\n5$/);
  assert.match(told(third)[0], /has finished:\n\nexit code: 0\n1\n2\n3\n4\n5$/);
  assert.deepEqual((await runtime.workspace.readText("output/log")).trim().split("\n").sort(), ["1", "2", "3", "4", "5", "x"]);
  await invocation.cancel();
});

inShell("a command that was sent to the background is stopped, and can do nothing more", { ms: 20_000 }, async (runtime) => {
  const invocation = await runtime.invocation({ profile: shells(), input: "go" });
  const turn = invocation.handle(calls(["workspace_shell", { command: "echo begun; while :; do echo x >> /output/log; sleep 0.05; done" }, "c1"]));
  await sleep(500);
  const id = await invocation.background("c1");
  assert.match(results(await turn).c1, /running in the background/);
  const stopped = await invocation.handle(calls(["workspace_shell_cancel", { command_id: id }, "c2"]));
  assert.match(results(stopped).c2, /was stopped/);
  assert.match(told(stopped)[0], /was stopped:[\s\S]*begun$/);
  const log = await runtime.workspace.readText("output/log");
  await sleep(300);
  assert.equal(await runtime.workspace.readText("output/log"), log);
  assert.match(results(await invocation.handle(calls(["workspace_shell", { command: "echo next" }, "c3"]))).c3, /next$/);
  await invocation.cancel();
});

inShell("the end of a run stops its commands", { ms: 20_000 }, async (runtime) => {
  const model = scripted([calls(["workspace_shell", { command: "sleep 60", background: true }, "c1"]), says("Enough.")]);
  const run = await runtime.start({ profile: shells(), model, input: "go" });
  assert.equal((await run.result).text, "Enough.");
  const [task] = await runtime.background.list();
  assert.deepEqual([task.state, task.status, task.stoppedBy], ["finished", "cancelled", "session"]);
});

inShell("of long output the last is kept and the rest is counted", { ms: 20_000 }, async (runtime) => {
  const invocation = await runtime.invocation({ profile: shells(), input: "go" });
  const finished = next(runtime, "finished");
  const { c1 } = results(await invocation.handle(calls(["workspace_shell", { command: "seq 1 60000", background: true }, "c1"])));
  const id = /`(bg-[0-9a-f]{16})`/.exec(c1)[1];
  await finished;
  const { stdout } = await runtime.background.get(id);
  const whole = Array.from({ length: 60_000 }, (_, at) => `${at + 1}\n`).join("");
  assert.ok(stdout.text.length <= 128 * 1024 && whole.endsWith(stdout.text));
  assert.equal(stdout.dropped + stdout.text.length, whole.length);
  await invocation.cancel();
});

inShell("an endless command is stopped with its worker; the others of that worker have stopped as well", { ms: 60_000, only: "worker" }, async (runtime) => {
  const invocation = await runtime.invocation({ profile: shells(), input: "go" });
  const other = { command: "echo other; sleep 60", background: true };
  const { c1 } = results(await invocation.handle(calls(["workspace_shell", other, "c1"])));
  await sleep(300);
  const endless = { command: "echo made > /output/made; echo part; jq -n 'last(range(1e12))'", background: true };
  const { c2 } = results(await invocation.handle(calls(["workspace_shell", endless, "c2"])));
  await sleep(500);
  const [one, two] = [c1, c2].map((text) => /`(bg-[0-9a-f]{16})`/.exec(text)[1]);
  const begun = performance.now();
  await runtime.background.cancel(two);
  assert.ok(performance.now() - begun < 3_000);
  const turn = await invocation.handle(dice("c3"));
  const states = (await runtime.background.list()).map(({ id, status, stoppedBy }) => [id, status, stoppedBy]);
  assert.deepEqual(states, [[one, "cancelled", "trap"], [two, "cancelled", "user"]]);
  const messages = told(turn);
  assert.match(messages.find((text) => text.includes(one)), /was stopped:[\s\S]*other$/);
  assert.match(messages.find((text) => text.includes(two)), /was stopped:[\s\S]*part$/);
  assert.equal(await runtime.workspace.readText("output/made"), "made\n");
  assert.match(results(await invocation.handle(calls(["workspace_shell", { command: "echo next" }, "c4"]))).c4, /next$/);
  await invocation.cancel();
});
