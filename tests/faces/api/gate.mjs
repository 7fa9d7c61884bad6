// Which calls of a reply are handed on, and what the others are answered with.

import { passed, sameJson, skipped } from "./case.mjs";
import { Replay } from "./replay.mjs";

export async function run({ snapshot, turn, calls }, expect, host) {
  if (turn.snapshotId !== snapshot.id) return skipped("a step whose contract is stale cannot be made from outside");
  return Replay.run(host, async (replay) => {
    const built = await replay.toolIds();
    const bindings = snapshot.bindings.filter(({ id }) => turn.tools.includes(id));
    const missing = bindings.filter(({ id }) => id.startsWith("builtin:") && !built.includes(id));
    const needed = missing.find(({ alias, id }) => calls.some(({ callName }) => callName === (alias ?? aliasOf(id))));
    if (needed) return skipped(`${needed.id} is not built`);
    const extensions = bindings.filter(({ id }) => id.startsWith("extension/"));
    const allow = bindings.filter((binding) => !missing.includes(binding) && !extensions.includes(binding)).map(({ id }) => id);
    for (const { id, alias } of extensions) allow.push(...(await register(replay.runtime, id, alias)));
    await replay.begin(allow, { toolChoice: turn.choice });
    await replay.handle(calls);
    sameJson("results", await results(replay, calls), expect.results);
    return passed;
  });
}

const aliasOf = (id) => id.slice("builtin:".length).replaceAll(".", "_");

/** Registers an extension tool so that it gets this alias: `x__2` needs another tool that takes `x` first. */
async function register(runtime, id, alias) {
  const [, extensionId, name] = /^extension\/([^:]+):(.+)$/.exec(id);
  const place = Number(/__(\d+)$/.exec(alias)?.[1] ?? 1);
  const owners = [...Array.from({ length: place - 1 }, (_, at) => `before-${at}`), extensionId];
  const { toolIds } = await runtime.tools.register(owners.map((owner) => ({
    extensionId: owner, name, description: "A tool.", inputSchema: { type: "object" }, execute: () => "done",
  })));
  return toolIds;
}

async function results(replay, calls) {
  const started = new Map(replay.payloads("tool_call_started").map(({ callId, toolId }) => [callId, toolId]));
  return Promise.all(calls.map(async ({ callId }) => {
    if (started.has(callId)) return { callId, outcome: "dispatch", toolId: started.get(callId) };
    const { errorCode, isError } = await replay.record(callId);
    return { callId, outcome: "error", code: errorCode, isError };
  }));
}
