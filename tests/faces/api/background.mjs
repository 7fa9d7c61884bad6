// Work that goes on after its call was answered, through the package: its limits pass in real time.

import { passed, sameJson } from "./case.mjs";
import { Replay } from "./replay.mjs";

const LIMIT_MS = 30;
const PATIENCE_MS = 10_000;
const REFUSED = ["command.invalid", "agent.session_not_found", "run.not_found"];

export async function run({ calls, steps, moves = true }, expect, host) {
  return Replay.run(host, async (replay) => {
    const work = new Work(replay, calls, moves);
    await work.begin();
    const refused = [];
    for (const [place, step] of steps.entries()) {
      await work.step(...step).catch((error) => {
        if (!REFUSED.includes(error?.code)) throw error;
        refused.push(place);
      });
      await replay.settled();
    }
    await work.answered();
    sameJson("results", work.results(), expect.results);
    sameJson("moved", replay.payloads("tool_call_backgrounded").map(({ callId, by }) => [callId, by]), expect.moved);
    sameJson("ended", work.ended(), expect.ended);
    sameJson("told", work.told, expect.told);
    sameJson("refused", refused, expect.refused);
    return passed;
  });
}

const ending = ({ callId, status, errorCode }) => (errorCode === undefined ? [callId, status] : [callId, status, errorCode]);

class Work {
  /** The ids that were told in each turn. */
  told = [];
  #ends = new Map();
  #turns = 0;

  constructor(replay, calls, moves) {
    this.replay = replay;
    this.calls = calls;
    this.profile = { run: { background: moves } };
  }

  /** The reply, up to where every limit that passes has passed. */
  async begin() {
    const { replay, calls } = this;
    const { toolIds } = await replay.runtime.tools.register(calls.map((call) => this.#tool(call)));
    this.allow = [...toolIds, "builtin:dice.roll"];
    await replay.begin(this.allow, { profile: this.profile });
    this.handled = replay.handle(calls.map(({ id }) => ({ callId: id, callName: id, arguments: { json: "{}" } })));
    this.handled.catch(() => undefined);
    const late = calls.filter(({ late }) => late).length;
    for (const since = Date.now(); replay.payloads("tool_result_stored").length < late; ) {
      if (Date.now() - since > PATIENCE_MS) throw new Error("no limit has passed");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await replay.settled();
  }

  /** The reply has all its results. */
  answered() {
    return this.handled;
  }

  async step(what, id, how) {
    const { invocation, runtime } = this.replay;
    switch (what) {
      case "move":
        return void (await invocation.background(id));
      case "ends":
        return this.#ends.get(id)(how);
      case "adopt":
        return void (await runtime.background.adopt({ name: id, invocation, run: ({ signal }) => this.#working(id, signal) }));
      case "delete":
        await this.handled;
        return runtime.sessions.delete("default");
      case "prune":
        return void (await runtime.background.prune());
      case "stop":
        return void (await runtime.background.cancel(this.#idOf(id)));
      case "take":
        return void (await runtime.background.take(this.#idOf(id)));
      case "turn":
        return this.#turn();
      case "again":
        await this.handled;
        await invocation.cancel();
        return this.replay.begin(this.allow, { profile: this.profile });
      default:
        throw new Error(`an unknown step: ${what}`);
    }
  }

  results() {
    const stored = new Map(this.replay.payloads("tool_result_stored").map((payload) => [payload.callId, payload]));
    return this.calls.map(({ id }) => (stored.has(id) ? ending(stored.get(id)) : [id, "no result"]));
  }

  ended() {
    return this.replay.payloads("background_finished").map((payload) => ending({ ...payload, callId: this.#nameOf(payload) }));
  }

  /** Work of the host's own goes by its name. */
  #nameOf({ id, callId }) {
    return callId ?? this.replay.payloads("background_started").find((payload) => payload.id === id)?.name;
  }

  async #turn() {
    await this.handled;
    this.#turns += 1;
    const { messages } = await this.replay.handle([{ callId: `turn_${this.#turns}`, callName: "dice_roll", arguments: { json: '{"formula":"1d1"}' } }]);
    const texts = messages.filter(({ role }) => role === "user").map(({ content }) => content);
    const known = this.replay.payloads("background_started");
    this.told.push(texts.flatMap((text) => known.filter(({ id }) => text.includes(`\`${id}\``)).map((payload) => this.#nameOf(payload))));
  }

  #idOf(callId) {
    return this.replay.payloads("background_started").find((payload) => payload.callId === callId || payload.name === callId)?.id ?? "bg-0000000000000000";
  }

  /** A tool that ends when it is told how, and stops at once when it is told to. */
  #tool({ id, late = false, may = true }) {
    return {
      extensionId: "background", name: id, description: "A tool.", inputSchema: { type: "object" },
      traits: { parallel: true, background: may, ...(late && { timeoutMs: LIMIT_MS }) },
      execute: (_, { signal }) => this.#working(id, signal),
    };
  }

  #working(id, signal) {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("stopped")));
      this.#ends.set(id, (how) => (how === "ok" ? resolve("done") : reject(new Error(how))));
    });
  }
}
