// Deleting a session: its run, its work in the background, what is kept of it.

import assert from "node:assert/strict";

import { createRuntime } from "handrail";
import { scripted } from "handrail/models";

import { both, calls, profile, says, tool } from "./both.mjs";
import { inShell, sleep } from "./shells.mjs";

const never = (signal, stopped) => new Promise((_, reject) => signal.addEventListener("abort", () => (stopped.push("call"), reject(new Error("stopped")))));

both("the run of a deleted session ends as cancelled, and its id is refused", async (open) => {
  const runtime = await open();
  const stopped = [];
  const { toolIds } = await runtime.tools.register(tool("slow", (_, { signal }) => never(signal, stopped)));
  await runtime.workspace.write("output/kept.md", "kept");
  const model = scripted([calls(["slow", {}, "c1"]), says("Never said.")]);
  const start = (sessionId) => runtime.start({ profile: profile(toolIds), model, input: "go", sessionId });
  const run = await start("one");
  for await (const { type } of run.events()) if (type === "tool_call_started") break;
  await runtime.sessions.delete("one");
  assert.equal((await run.result).status, "cancelled");
  assert.deepEqual(stopped, ["call"]);
  assert.deepEqual((await runtime.workspace.list()).filter(({ kind }) => kind === "file").map(({ path }) => path), ["output/kept.md"]);
  const gone = { code: "agent.session_not_found", message: /the session one was deleted/ };
  await assert.rejects(start("one"), gone);
  await assert.rejects(runtime.sessions.delete("one"), gone);
  await assert.rejects(runtime.background.list({ sessionId: "one" }), gone);
  await assert.rejects(runtime.sessions.delete("nobody"), { code: "agent.session_not_found" });
  assert.equal((await (await start("two")).result).text, "Never said.");
});

both("an invocation of a deleted session hands nothing over any more", async (open) => {
  const runtime = await open();
  const stopped = [];
  const { toolIds } = await runtime.tools.register(tool("slow", (_, { signal }) => never(signal, stopped)));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = invocation.handle(calls(["slow", {}, "c1"]));
  turn.catch(() => undefined);
  await sleep(30);
  await runtime.sessions.delete("default");
  await assert.rejects(turn, { code: "run.ended" });
  await assert.rejects(invocation.handle(says("hello")), { code: "run.ended" });
  await assert.rejects(runtime.invocation({ profile: profile(toolIds) }), { code: "agent.session_not_found" });
});

both("a deleted session stays deleted in a runtime made from a checkpoint", async (open) => {
  const runtime = await open();
  const model = scripted([says("Once."), says("Twice.")]);
  const start = (from, sessionId) => from.start({ profile: profile([]), model, input: "go", sessionId });
  const run = await start(runtime, "one");
  await run.result;
  await runtime.sessions.delete("one");
  const checkpoint = await run.checkpoint();
  const other = await createRuntime({ isolation: runtime.isolation, checkpoint });
  await assert.rejects(start(other, "one"), { code: "agent.session_not_found" });
  assert.equal((await (await start(other, "two")).result).text, "Twice.");
  await other.close();
});

inShell("commands of a deleted session are stopped, also one that never yields", { ms: 60_000, only: "worker" }, async (runtime) => {
  const shells = profile(["builtin:workspace.shell"], { features: { shellBackground: true } });
  const invocation = await runtime.invocation({ profile: shells, input: "go", sessionId: "one" });
  await invocation.handle(calls(["workspace_shell", { command: "echo made > /output/made; jq -n 'last(range(1e12))'", background: true }, "c1"]));
  await sleep(500);
  const begun = performance.now();
  await runtime.sessions.delete("one");
  assert.ok(performance.now() - begun < 3_000);
  assert.deepEqual(await runtime.background.list(), []);
  assert.equal(await runtime.workspace.readText("output/made"), "made\n");
});
