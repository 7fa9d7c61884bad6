// Everything that is promised of a runtime holds wherever its core runs: the same test, once inline and once in a worker.

import { test } from "node:test";

import { createRuntime } from "handrail";

/** A test in both isolations. `open` makes a runtime that is closed at the end. */
export function both(name, body) {
  for (const isolation of ["inline", "worker"]) {
    test(`${name} (${isolation})`, { timeout: 60_000 }, async (t) => {
      const open = async (options = {}) => {
        const runtime = await createRuntime({ isolation, ...options });
        t.after(() => runtime.close());
        return runtime;
      };
      await body(open, t);
    });
  }
}

/** A whole chat-completions reply with these calls. */
export const calls = (...list) => ({
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        tool_calls: list.map(([name, args = {}, id], at) => ({
          id: id ?? `call_${at + 1}_${name}`,
          type: "function",
          function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
        })),
      },
    },
  ],
});

/** A whole chat-completions reply with this text. */
export const says = (content) => ({
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
});

/** An extension tool with no arguments. */
export const tool = (name, execute, more = {}) => ({
  extensionId: "test",
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object", properties: {} },
  execute,
  ...more,
});

/** A profile that allows these tools. */
export const profile = (allow, more = {}) => ({
  schemaVersion: 5,
  kind: "handrail.agentProfile",
  id: "test",
  displayName: "Test",
  tools: { allow },
  run: { background: false },
  ...more,
});

/** The tool messages of a turn, by call id. */
export const results = (turn) => Object.fromEntries(turn.messages.flatMap((m) => (m.role === "tool" ? [[m.tool_call_id, m.content]] : [])));

/** Everything an async iterable gives. */
export async function all(iterable) {
  const list = [];
  for await (const item of iterable) list.push(item);
  return list;
}
