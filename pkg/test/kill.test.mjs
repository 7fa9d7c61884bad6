// A command that nothing can interrupt ends with its worker, and nobody else notices.

import assert from "node:assert/strict";

import { test } from "node:test";

import { platform } from "../dist/node-platform.js";
import { RemoteDriver } from "../dist/remote.js";
import { runtimeOn } from "../dist/runtime.js";
import { all, calls, profile, results, tool } from "./both.mjs";
import { inShell, sleep } from "./shells.mjs";

/** Never yields: no bound inside of the instance ends it. */
const ENDLESS = "jq -n 'last(range(1e12))'";

const both = (toolIds) => profile(["builtin:workspace.shell", "builtin:workspace.write_file", ...toolIds]);

inShell("an endless command ends at its deadline, twice", { ms: 1_500, only: "worker" }, async (runtime) => {
  await runtime.workspace.load({ "output/before": "before\n", "output/big": new Uint8Array(300_000).fill(7) });
  let asked = 0;
  let answer;
  const { toolIds } = await runtime.tools.register(
    tool("ask", (_, { progress }) => (progress("asked"), (asked += 1), new Promise((resolve) => (answer = resolve)))),
  );
  const invocation = await runtime.invocation({ profile: both(toolIds), input: "go" });
  const events = all(invocation.events());
  for (const round of [1, 2]) {
    const script = `mkdir -p /output/d${round}; echo ${round} > /output/d${round}/made; echo more >> /output/before
      mv /output/d${round}/made /output/d${round}/moved; echo t > /tmp/t; mv /tmp/t /output/d${round}/fromtmp
      echo part; ${ENDLESS}`;
    const turn = invocation.handle(calls(["ask", {}, `a${round}`], ["workspace_shell", { command: script }, `s${round}`]));
    while (asked < round) await sleep(5);
    // Both come to the core while it cannot listen.
    await sleep(1_000);
    const written = runtime.workspace.write(`output/during${round}`, "during\n");
    answer(`answer ${round}`);
    const told = results(await turn);
    assert.match(told[`s${round}`], /stopped at its time limit[\s\S]*part$/);
    assert.equal(told[`a${round}`], `answer ${round}`);
    await written;
    const next = results(await invocation.handle(calls(["workspace_shell", { command: "cat /output/before; ls /output" }, `n${round}`])));
    const more = "more\n".repeat(round);
    assert.equal(next[`n${round}`], `exit code: 0\nbefore\n${more}before\nbig\nd1\n${round === 1 ? "" : "d2\n"}during1${round === 1 ? "" : "\nduring2"}`);
  }
  assert.equal(asked, 2);
  const folder = await runtime.workspace.toFolder();
  assert.equal(folder["output/d1/moved"], "1\n");
  assert.equal(folder["output/d2/fromtmp"], "t\n");
  assert.equal(folder["output/d2/moved"], "2\n");
  assert.equal(folder["output/big"].length, 300_000);
  await invocation.cancel();
  const happened = await events;
  const journal = happened.filter(({ seq }) => seq !== undefined);
  assert.deepEqual(journal.map(({ seq }) => seq), journal.map((_, at) => at + 1));
  const discarded = happened.filter(({ type }) => type === "engine_discarded");
  assert.deepEqual(discarded.map(({ payload }) => payload.reason), ["timeout", "timeout"]);
  const changed = happened.filter(({ type }) => type.startsWith("workspace_")).map(({ payload }) => payload.path);
  for (const path of ["output/d1/moved", "output/before", "output/d2/fromtmp"]) assert.ok(changed.includes(path), path);
});

inShell("an endless command ends soon when its run is cancelled", { ms: 20_000, only: "worker" }, async (runtime) => {
  const controller = new AbortController();
  let cancelled;
  const onOutput = () => setTimeout(() => ((cancelled = performance.now()), controller.abort()), 100);
  const { status, stdout } = await runtime.shell(`echo made > /output/made; echo part; ${ENDLESS}`, { signal: controller.signal, onOutput });
  assert.ok(performance.now() - cancelled < 2_500);
  assert.deepEqual([status, stdout], ["cancelled", "part\n"]);
  assert.equal(await runtime.workspace.readText("output/made"), "made\n");
  assert.equal((await runtime.shell("echo hi")).stdout, "hi\n");
});

inShell("an endless command ends soon when its call is cancelled, and the run goes on", { ms: 20_000, only: "worker" }, async (runtime) => {
  const invocation = await runtime.invocation({ profile: both([]), input: "go" });
  const turn = invocation.handle(calls(["workspace_shell", { command: `echo made > /output/made; echo part; ${ENDLESS}` }, "c1"]));
  await sleep(500);
  const cancelled = performance.now();
  await invocation.cancelCall("c1");
  assert.match(results(await turn).c1, /workspace\.shell_cancelled\)[\s\S]*part/);
  assert.ok(performance.now() - cancelled < 2_500);
  const next = results(await invocation.handle(calls(["workspace_shell", { command: "cat /output/made" }, "c2"])));
  assert.equal(next.c2, "exit code: 0\nmade");
});

inShell("commands that run beside it are cancelled", { ms: 400, only: "worker" }, async (runtime) => {
  const other = runtime.shell("# 20000 ms\necho other > /output/other; echo waits; sleep 20");
  await sleep(150);
  const ended = await runtime.shell(ENDLESS);
  assert.equal(ended.status, "timed_out");
  const { status, stdout } = await other;
  assert.deepEqual([status, stdout], ["cancelled", "waits\n"]);
  assert.equal(await runtime.workspace.readText("output/other"), "other\n");
});

inShell("a run with a model goes on behind a kill", { ms: 300, only: "worker" }, async (runtime) => {
  const said = [
    calls(["workspace_shell", { command: `echo a > /output/a; ${ENDLESS}` }]),
    calls(["workspace_shell", { command: "cat /output/a" }]),
    { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "done" } }] },
  ];
  const requests = [];
  const asks = { codec: "openai-chat", request: async ({ body }) => (requests.push(body.messages), said[requests.length - 1]) };
  const run = await runtime.start({ model: asks, input: "go", profile: profile(["builtin:workspace.shell"]) });
  const { status, text } = await run.result;
  assert.deepEqual([status, text], ["completed", "done"]);
  const last = requests.at(-1);
  assert.deepEqual(last.map(({ role }) => role), ["user", "assistant", "tool", "assistant", "tool"]);
  assert.equal(last.at(-1).content, "exit code: 0\na");
});

inShell("profiles, tools and earlier runs outlive a kill", { ms: 300, only: "worker" }, async (runtime) => {
  const { toolIds } = await runtime.tools.register(tool("late", () => "late"));
  await runtime.profiles.save({ ...both(toolIds), id: "kept" });
  const early = await runtime.invocation({ profile: "kept", input: "go", sessionId: "early" });
  await runtime.shell(ENDLESS);
  const { tools } = await runtime.tools.list();
  assert.ok(tools.some((one) => JSON.stringify(one).includes("late")));
  const { late } = results(await early.handle(calls(["late", {}, "late"])));
  assert.equal(late, "late");
  const after = await runtime.invocation({ profile: "kept", input: "go", sessionId: "after" });
  assert.equal(after.tools().length, 3);
});

inShell("the state is kept anew when much has changed", { ms: 3_000, only: "worker" }, async (runtime) => {
  const script = `cd /output; echo t > /tmp/t; for i in 1 2 3 4 5 6; do head -c 8000000 /dev/zero > f$i; echo $i >> log; done
    mv /tmp/t moved; mkdir /tmp/d; echo d > /tmp/d/e; mv /tmp/d here; rm f1; ${ENDLESS}`;
  assert.equal((await runtime.shell(script)).status, "timed_out");
  const folder = await runtime.workspace.toFolder();
  const sizes = Object.entries(folder).filter(([path]) => path.startsWith("output/f")).map(([, { length }]) => length);
  assert.deepEqual(sizes, [8e6, 8e6, 8e6, 8e6, 8e6]);
  const { "output/log": log, "output/moved": moved, "output/here/e": below } = folder;
  assert.deepEqual([log, moved, below], ["1\n2\n3\n4\n5\n6\n", "t\n", "d\n"]);
});

test("a worker that ends under a command is replaced", { timeout: 60_000 }, async (t) => {
  let worker;
  const driver = await RemoteDriver.start(() => (worker = platform.worker()), await platform.compile("core"));
  const runtime = runtimeOn(driver, "worker", {}, (name) => platform.compile(name));
  t.after(() => runtime.close());
  const onOutput = () => setTimeout(() => worker.terminate(), 50);
  const { status, stdout, text } = await runtime.shell("echo made > /output/made; echo part; sleep 20", { onOutput });
  assert.deepEqual([status, stdout], ["error", "part\n"]);
  assert.match(text, /its worker ended/);
  assert.equal((await runtime.shell("cat /output/made")).stdout, "made\n");
});
