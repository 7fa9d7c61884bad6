import { text } from "node:stream/consumers";

import type { Desk } from "./commands.js";
import { Usage } from "./options.js";

/** `handrail call`. */
export async function callTool({ calls, asked }: Desk): Promise<number> {
  const [name, args = "{}"] = asked.words;
  const tools = calls.tools();
  if (name === undefined) {
    write(asked.json ? JSON.stringify(tools, undefined, 2) : tools.map(described).join("\n\n"));
    return 0;
  }
  const callName = name.replaceAll(".", "_");
  if (!tools.some((tool) => tool.name === callName)) {
    throw new Usage(`There is no tool ${name}; there are ${tools.map((tool) => tool.name).join(", ")}.`);
  }
  const record = await calls.call(callName, args === "-" ? await text(process.stdin) : args);
  if (asked.json) {
    const { status, errorCode, content, structured, fileChanges } = record;
    write(JSON.stringify({ name: callName, status, errorCode, content, structured, fileChanges }, undefined, 2));
  } else {
    write(record.content);
  }
  return record.isError ? 1 : 0;
}

function described({ name, description, parameters }: { name: string; description: string; parameters: unknown }): string {
  return `${name}\n  ${description.replaceAll("\n", "\n  ")}\n  ${JSON.stringify(parameters)}`;
}

function write(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}
