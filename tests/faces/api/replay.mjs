// Replays cases through the public API of the package: a fresh runtime, an invocation, and replies of a model in the
// shape of chat completions.

import { fromHex, text } from "./case.mjs";

/** What a path outside all roots is refused with: from outside, such files can neither be made nor seen. */
const UNREACHABLE = "workspace.path_not_visible";

/** A runtime and its invocation while a case runs. */
export class Replay {
  /** What happened so far. */
  events = [];

  /** Runs `body` on a fresh runtime of the host, which is closed afterwards. */
  static async run(host, body) {
    const runtime = await host.createRuntime();
    try {
      return await body(new Replay(runtime));
    } finally {
      await runtime.close();
    }
  }

  constructor(runtime) {
    this.runtime = runtime;
  }

  /** The ids of the tools this build has for sessions. */
  async toolIds() {
    const { tools } = await this.runtime.tools.list({ context: "session" });
    return tools.map(({ id }) => id);
  }

  /** Puts files into the workspace; their content is a Text or `{hex}`. */
  async write(files) {
    for (const [path, content] of Object.entries(files)) {
      const bytes = content.hex === undefined ? text(content) : fromHex(content.hex);
      await this.runtime.workspace.write(path, bytes).catch((error) => {
        if (error.code !== UNREACHABLE) throw error;
      });
    }
  }

  /** Makes directories. The host has no command for an empty one; what stays of a deleted file is one. */
  async makeDirectories(paths) {
    for (const path of paths) {
      await this.runtime.workspace.write(`${path}/file`, "");
      await this.runtime.workspace.delete(`${path}/file`);
    }
  }

  /** Starts the invocation with these tools allowed; `profile` adds sections to its profile. */
  async begin(allow, { profile = {}, ...options } = {}) {
    const complete = {
      schemaVersion: 5, kind: "handrail.agentProfile", id: "case", displayName: "Case", tools: { allow }, ...profile,
    };
    this.invocation = await this.runtime.invocation({ profile: complete, input: "Go on.", ...options });
    // It ends with an error when the runtime is closed.
    this.#watch().catch(() => undefined);
  }

  /** The names of the tools the model is offered. */
  get names() {
    return this.invocation.tools().map((tool) => tool.function.name);
  }

  /** Hands over a reply with calls `{callId, callName, arguments: wire}` and waits for the results. */
  async handle(calls) {
    const turn = await this.invocation.handle(replyText(calls));
    await this.settled();
    return turn;
  }

  /** One call with arguments as an object: its whole record, and what the model reads. */
  async call(callName, args) {
    const callId = `case_${this.events.length}`;
    const { messages } = await this.handle([{ callId, callName, arguments: { json: JSON.stringify(args) } }]);
    const shown = messages.find((message) => message.tool_call_id === callId).content;
    return { ...(await this.record(callId)), shown };
  }

  /** The stored record of a call, from its file. */
  async record(callId) {
    const { resultRef } = this.payloads("tool_result_stored").find((payload) => payload.callId === callId);
    return JSON.parse(await this.runtime.workspace.readText(resultRef));
  }

  /** What the events of a type say, in order. */
  payloads(type) {
    return this.events.filter((event) => event.type === type).map(({ payload }) => payload);
  }

  /** The workspace, without what the runtime keeps there itself. */
  async files() {
    const folder = Object.entries(await this.runtime.workspace.toFolder());
    return Object.fromEntries(folder.filter(([path]) => !path.startsWith("tool-results/")));
  }

  /** Waits for everything that follows from what has happened without time passing. */
  settled() {
    return settled(this.runtime, () => this.events.length);
  }

  async #watch() {
    for await (const event of this.invocation.events()) this.events.push(event);
  }
}

/**
 * Waits for everything that follows from what has happened without time passing: until `count`, the number of things
 * that happened, stays the same. What the core is asked is answered in order; so what happened before a question is done
 * with its answer, and what that brought about with the next one.
 */
export async function settled(runtime, count) {
  for (let quiet = 0, seen = count(); quiet < 3; quiet += 1) {
    await runtime.workspace.list("scratch").catch(() => undefined);
    await nextTurn();
    if (count() !== seen) quiet = 0;
    seen = count();
  }
}

const { port1, port2 } = new MessageChannel();
let turned = [];
port1.onmessage = () => turned.shift()();

/** The next turn of the event loop; a timer would take its time in a page. */
function nextTurn() {
  return new Promise((resolve) => {
    turned.push(resolve);
    port2.postMessage(undefined);
  });
}

/** A reply as JSON text, so that arguments reach the core exactly as the case writes them. */
function replyText(calls) {
  const message = calls.length > 0
    ? `{"role":"assistant","content":null,"tool_calls":[${calls.map(callText).join(",")}]}`
    : '{"role":"assistant","content":"Done."}';
  return `{"choices":[{"index":0,"message":${message},"finish_reason":"${calls.length > 0 ? "tool_calls" : "stop"}"}]}`;
}

function callText({ callId, callName, arguments: wire }) {
  const args = wireText(wire);
  const said = `"name":${JSON.stringify(callName)}${args === undefined ? "" : `,"arguments":${args}`}`;
  return `{"id":${JSON.stringify(callId)},"type":"function","function":{${said}}}`;
}

function wireText(wire) {
  if (wire.json !== undefined) return text(wire.json);
  return wire.string === undefined ? undefined : JSON.stringify(text(wire.string));
}
