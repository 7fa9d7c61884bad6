// Which calls the loop guard holds back, and at which step it ends a run.

import { passed, sameJson } from "./case.mjs";
import { Replay } from "./replay.mjs";

export async function run(input, expect, host) {
  return Replay.run(host, async (replay) => {
    sameJson("answer", await (input.op === "steps" ? steps(replay, input) : repeat(replay, input)), expect);
    return passed;
  });
}

/** Starts the invocation with these tools; each does what `act` says. */
async function begin(replay, { enabled = true }, names, act) {
  const { toolIds } = await replay.runtime.tools.register([...new Set(names)].map((name) => ({
    extensionId: "loop", name, description: "A tool.", inputSchema: { type: "object" }, execute: () => act(),
  })));
  await replay.begin(toolIds, { profile: { run: { loopGuard: enabled } } });
}

const call = (place, callName, json) => ({ callId: `case_${place}`, callName, arguments: { json } });

async function repeat(replay, input) {
  let ran, ok;
  await begin(replay, input, input.calls.map(({ tool }) => tool), () => {
    ran = true;
    if (!ok) throw new Error("no");
    return "done";
  });
  const answers = [];
  for (const [place, said] of input.calls.entries()) {
    [ran, ok] = [false, said.ok];
    await replay.handle([call(place, said.tool, said.args)]);
    const { errorCode } = await replay.record(`case_${place}`);
    answers.push(ran ? "runs" : errorCode === "tool.loop_blocked" ? "blocked" : errorCode);
  }
  return { calls: answers };
}

async function steps(replay, input) {
  await begin(replay, input, input.steps, () => "done");
  for (const [place, name] of input.steps.entries()) {
    // The end of the run shows in its events.
    await replay.handle([call(place, name, "{}")]).catch(() => replay.settled());
    const failed = replay.payloads("run_failed")[0];
    if (failed) return { stopsAt: failed.code === "agent.loop_detected" ? place + 1 : failed.code };
  }
  return { stopsAt: null };
}
