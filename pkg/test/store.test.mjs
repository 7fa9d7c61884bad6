// With a store, nothing is performed before what it follows from is durable.

import assert from "node:assert/strict";

import { both, calls, profile, says, tool } from "./both.mjs";

const types = (records) => records.map(({ type }) => type);

both("what happens is durable before anything follows from it", async (open) => {
  const log = [];
  const kept = [];
  const store = {
    async append({ runId, records, blobs }) {
      log.push("append");
      await new Promise((resolve) => setTimeout(resolve, 5));
      kept.push(...records);
      for (const [digest, bytes] of blobs) assert.ok(digest.length === 64 && bytes instanceof Uint8Array);
      log.push("durable");
      assert.equal(runId, "run_1");
    },
  };
  const replies = [calls(["one", {}, "c1"]), says("Done.")];
  const model = {
    codec: "openai-chat",
    async request({ round }) {
      log.push(`model ${round}`);
      assert.equal(types(kept).filter((type) => type === "model_request_created").length, round);
      return replies[round - 1];
    },
  };
  const runtime = await open({ store, model });
  const { toolIds } = await runtime.tools.register(tool("one", () => {
    log.push("tool");
    assert.ok(types(kept).includes("tool_call_started"));
    return "first";
  }));
  const run = await runtime.start({ profile: profile(toolIds), input: "go" });
  assert.equal((await run.result).status, "completed");
  await runtime.workspace.list();
  while (types(kept).at(-1) !== "run_completed") await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(kept.map(({ seq }) => seq), kept.map((_, at) => at + 1));
  for (const [at, entry] of log.entries()) if (entry === "append") assert.equal(log[at + 1], "durable");
  for (const what of ["model 1", "tool", "model 2"]) assert.equal(log[log.indexOf(what) - 1], "durable");
});

both("a store that fails ends the run, and nothing is performed", async (open) => {
  let asked = 0;
  const runtime = await open({
    store: { append: () => { throw new Error("disk full"); } },
    model: { codec: "openai-chat", request: async () => ((asked += 1), says("x")) },
  });
  const run = await runtime.start({ input: "go" });
  const { status, error } = await run.result;
  assert.equal(status, "failed");
  assert.equal(error.code, "storage.append_failed");
  assert.match(error.message, /disk full/);
  assert.equal(asked, 0);
});
