// One reply on a clock of its own: which calls run when, and how each ends.

import { passed, sameJson } from "./case.mjs";
import { Clock } from "./clock.mjs";
import { Replay } from "./replay.mjs";

export async function run({ mode, calls, cap, cancelAt, cancelCalls = [] }, expect, host) {
  return Replay.run(host, async (replay) => {
    const clock = new Clock(replay);
    const timeline = new Timeline(clock);
    const { toolIds } = await replay.runtime.tools.register(calls.map((call) => tool(call, clock, timeline)));
    const denied = calls.filter(({ outcome }) => outcome === "denied").map(({ id }) => id);
    await replay.runtime.permissions.setRules(denied.map((id) => ({ id, effect: "deny", tool: id, until: "forever", source: "host" })));
    const profile = { run: { lanes: mode, parallelLimit: cap ?? 5, background: false } };
    await replay.begin(toolIds, { profile });
    const handled = replay.handle(calls.map(({ id }) => ({ callId: id, callName: id, arguments: { json: "{}" } })));
    // One that has its result already cannot be stopped, and its caller is told so.
    for (const [time, id] of cancelCalls) clock.at(time, () => void replay.invocation.cancelCall(id).catch(() => undefined));
    if (cancelAt !== undefined) {
      clock.at(cancelAt, () => void replay.invocation.cancel());
      // A cancelled invocation hands nothing back; its events say how the calls ended.
      handled.catch(() => undefined);
    }
    await clock.run();
    if (cancelAt === undefined) await handled;
    const ends = new Map(replay.payloads("tool_result_stored").map((payload) => [payload.callId, payload]));
    sameJson("results", calls.map(({ id }) => ending(id, ends.get(id))), expect.results);
    sameJson("starts", timeline.starts, expect.starts);
    sameJson("finishes", timeline.finishes, expect.finishes);
    sameJson("maxParallel", timeline.most, expect.maxParallel);
    return passed;
  });
}

/** How a call ended; the code is given where the case gives it. */
function ending(id, stored) {
  if (!stored) return [id, "no result"];
  const { status, errorCode } = stored;
  return status === "cancelled" || status === "skipped" ? [id, status, errorCode] : [id, status];
}

/** When which calls started and finished, and how many of the safe ones ran at once. */
class Timeline {
  starts = [];
  finishes = [];
  most = 0;
  #running = 0;

  constructor(clock) {
    this.clock = clock;
  }

  start({ id, safe }) {
    note(this.starts, this.clock.now, id);
    if (safe) this.#running += 1;
    this.most = Math.max(this.most, this.#running);
  }

  finish({ id, safe }) {
    note(this.finishes, this.clock.now, id);
    if (safe) this.#running -= 1;
  }
}

/** Calls of the same moment stand together, in the order of their names. */
function note(list, time, id) {
  const last = list.at(-1);
  if (last?.[0] !== time) return void list.push([time, [id]]);
  last[1].push(id);
  last[1].sort();
}

/** A tool that takes its time on the clock, and stops at once when it is told to. */
function tool(call, clock, timeline) {
  const { id, safe, ms, outcome = "ok", cascades = false, terminate = false, block = false, ignores = false } = call;
  const execute = (_, { signal }) =>
    new Promise((resolve, reject) => {
      let over = false;
      const end = (settle) => () => {
        if (over) return;
        over = true;
        timeline.finish(call);
        settle();
      };
      timeline.start(call);
      if (!ignores) signal.addEventListener("abort", end(() => reject(signal.reason)));
      const fails = outcome === "fail" || outcome === "panic";
      clock.at(clock.now + ms, end(() => (fails ? reject(new Error(outcome)) : resolve({ ok: outcome !== "refuses", text: outcome, terminate }))));
    });
  return {
    extensionId: "lanes", name: id, description: "A tool.", inputSchema: { type: "object" }, returns: "blocks", execute,
    traits: { parallel: safe, cascadesOnFailure: cascades, interrupt: block ? "block" : "cancel", background: false },
  };
}
