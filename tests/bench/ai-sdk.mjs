// One step of the Vercel AI SDK: `generateText` on its own mock model, with the tool.

import { readFileSync } from "node:fs";

import { generateText, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";

import { add, callArguments, checkSums, description, inputSchema } from "./tool.mjs";

const manifest = new URL("node_modules/ai/package.json", import.meta.url);
export const sdkVersion = JSON.parse(readFileSync(manifest, "utf8")).version;

/** Prepares samples of a step whose reply holds `count` calls. */
export async function sdkStep(count) {
  const calls = Array.from({ length: count }, (_, index) => ({
    type: "tool-call", toolCallId: `call_${index}`, toolName: "add", input: callArguments(index),
  }));
  const reply = {
    content: count > 0 ? calls : [{ type: "text", text: "Done." }],
    finishReason: count > 0 ? { unified: "tool-calls", raw: "tool_calls" } : { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  };
  const model = new MockLanguageModelV4({ doGenerate: async () => reply });
  const tools = { add: tool({ description, inputSchema: jsonSchema(inputSchema), execute: add }) };
  const step = () => generateText({ model, tools, prompt: "Add." });
  checkSums((await step()).toolResults.map(({ output }) => output.sum));
  return () => step;
}
