// What becomes of arguments as models write them, here and in the Vercel AI SDK: node tests/bench/malformed.mjs
//
// The tool takes one required number, `a`, declared by the same JSON Schema. A row says with what the function ran, or
// what the model reads instead. `./dev bench` installs what this needs.

import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

import { createRuntime } from "../../pkg/dist/node.js";
import { sdkVersion } from "./ai-sdk.mjs";

const texts = ["", "{}", "null", "[]", '{"a":"1"}', '{"a":1,}', '{"b":1}', '{"a":1', '{"a":1}{"a":2}', "{'a':1}", '"{\\"a\\":1}"'];
const description = "Takes a number.";
const inputSchema = { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false };

/** What a function was called with, if it was. */
function witness() {
  const calls = [];
  return { execute: async (args) => (calls.push(JSON.stringify(args)), "done"), answer: (text) => (calls.length > 0 ? `runs with ${calls}` : text) };
}

async function handrail(text) {
  const { execute, answer } = witness();
  const runtime = await createRuntime({ isolation: "inline" });
  await runtime.tools.register({ extensionId: "bench", name: "take", description, inputSchema, execute });
  const invocation = await runtime.invocation({ input: "Go." });
  const call = { id: "c", type: "function", function: { name: "take", arguments: text } };
  const turn = await invocation.handle({ choices: [{ message: { role: "assistant", content: null, tool_calls: [call] } }] });
  await runtime.close();
  return answer(turn.messages.at(-1).content);
}

async function sdk(text) {
  const { execute, answer } = witness();
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const replies = [
    { content: [{ type: "tool-call", toolCallId: "c", toolName: "take", input: text }], finishReason: { unified: "tool-calls" } },
    { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" } },
  ];
  const model = new MockLanguageModelV4({ doGenerate: async () => ({ ...replies.shift(), usage, warnings: [] }) });
  const tools = { take: tool({ description, inputSchema: jsonSchema(inputSchema), execute }) };
  await generateText({ model, tools, prompt: "Go.", stopWhen: stepCountIs(2) });
  return answer(model.doGenerateCalls[1].prompt.at(-1).content[0].output.value);
}

for (const text of texts) {
  console.log(`the model writes: ${text}`);
  console.log(`  handrail: ${(await handrail(text)).replaceAll("\n", "\n    ")}`);
  console.log(`  ai ${sdkVersion}: ${String(await sdk(text)).replaceAll("\n", "\n    ")}`);
}
process.exit(0);
