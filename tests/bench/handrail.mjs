// One step of handrail: `invocation.handle` on a recorded reply, inline, with the tool.

import { createRuntime } from "../../pkg/dist/node.js";
import { add, callArguments, checkSums, description, inputSchema } from "./tool.mjs";

/** What a call of the tool is about, for rules that go by it. */
export const file = { path: "output/sums/total.txt" };
export const address = { url: "https://sums.example.org/total" };

/** 100 rules, none of which hits: about other tools, or about this one and other files or addresses. */
export const strangers = many((place) => ({ tool: `mcp__server_${place}__*` }));
export const otherFiles = many((place) => ({ tool: "a*", pattern: `output/${place}/*` }));
export const otherAddresses = many((place) => ({ tool: "a*", pattern: `https://${place}.example.org/*` }));

function many(about) {
  const effects = ["deny", "ask", "allow"];
  return Array.from({ length: 100 }, (_, place) => ({ id: `r${place}`, effect: effects[place % 3], ...about(place) }));
}

/** Prepares samples of a step whose reply holds `count` calls about a target, under these rules. */
export async function handrailStep(count, rules = [], target) {
  const runtime = await createRuntime({ isolation: "inline" });
  await runtime.permissions.setRules(rules);
  const permission = target && { permission: { name: "add", target } };
  await runtime.tools.register({ extensionId: "bench", name: "add", description, inputSchema, execute: add, ...permission });
  let invocation = await runtime.invocation({ input: "Add." });
  const name = invocation.tools().map(({ function: { name } }) => name).find((name) => name.includes("add"));
  const calls = Array.from({ length: count }, (_, index) => ({
    id: `call_${index}`, type: "function", function: { name, arguments: callArguments(index) },
  }));
  const message = count > 0 ? { role: "assistant", content: null, tool_calls: calls } : { role: "assistant", content: "Done." };
  const reply = { choices: [{ index: 0, message, finish_reason: count > 0 ? "tool_calls" : "stop" }] };
  const { messages } = await invocation.handle(reply);
  const results = messages.filter(({ role }) => role === "tool");
  if (results.length !== count) throw new Error(`${count} calls brought ${results.length} results`);
  checkSums(results.map(({ content }) => JSON.parse(content).sum));
  // Each sample is the first step of a new invocation, so that no sample carries the history of another.
  return async () => {
    await invocation.cancel();
    invocation = await runtime.invocation({ input: "Add." });
    return () => invocation.handle(reply);
  };
}
