/** Input schemas of extension tools: a JSON Schema as it is, or a Standard Schema validator with its JSON Schema. */

import { HandrailError, thrownMessage } from "./error.js";
import { ISSUES } from "./limits.js";
import type { StandardIssue, StandardSchema } from "./types.js";

/** Checks arguments with a validator; gives what it makes of them, or a text the model can act on. */
export type Validate = (args: unknown) => Promise<{ ok: true; value: unknown } | { ok: false; message: string }>;

/** What a registration's input schema comes to. */
export interface InputSchema {
  /** What the model is shown and the core checks. */
  json: unknown;
  /** The validator's own check, which runs after the core's. */
  validate: Validate | undefined;
}

/** Reads the input schema of a registration; `beside` is the JSON Schema given beside a validator. */
export function inputSchema(schema: unknown, beside: unknown, tool: string): InputSchema {
  if (!isStandard(schema)) return { json: schema, validate: undefined };
  return { json: beside ?? jsonSchemaOf(schema, tool), validate: (args) => validate(schema, args) };
}

function isStandard(schema: unknown): schema is StandardSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) return false;
  const standard = (schema as { "~standard"?: { version?: unknown; validate?: unknown } })["~standard"];
  return standard?.version === 1 && typeof standard.validate === "function";
}

/** What validators offer to describe themselves, in the order of preference: the standard's own way first. */
function jsonSchemaOf(schema: StandardSchema, tool: string): unknown {
  const offered = schema as unknown as {
    "~standard": { vendor: string; jsonSchema?: { input?: (options: { target: string }) => unknown } };
    toJSONSchema?: (options: { io: "input" }) => unknown;
    toJsonSchema?: () => unknown;
  };
  const standard = offered["~standard"];
  let reason = "";
  try {
    if (typeof standard.jsonSchema?.input === "function") return standard.jsonSchema.input({ target: "draft-2020-12" });
    if (typeof offered.toJSONSchema === "function") return offered.toJSONSchema({ io: "input" });
    if (typeof offered.toJsonSchema === "function") return offered.toJsonSchema();
  } catch (thrown) {
    reason = `: ${thrownMessage(thrown)}`;
  }
  throw new HandrailError(
    "extension.registration_invalid",
    `The ${standard.vendor} schema of ${tool} gives no JSON Schema for the model${reason}. Put one beside it as jsonSchema.`,
  );
}

async function validate(schema: StandardSchema, args: unknown): Promise<Awaited<ReturnType<Validate>>> {
  const result = await schema["~standard"].validate(args);
  if (!result.issues) return { ok: true, value: result.value };
  const told = result.issues.slice(0, ISSUES).map(issueText);
  const rest = result.issues.length - told.length;
  if (rest > 0) told.push(`There ${rest === 1 ? "is 1 more problem" : `are ${rest} more problems`}.`);
  return { ok: false, message: `The arguments were not accepted; correct them and call again. ${told.join(" ")}` };
}

function issueText({ message, path }: StandardIssue): string {
  const where = (path ?? []).map((part) => keyText(typeof part === "object" ? part.key : part)).join("");
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return where ? `\`${where.replace(/^\./, "")}\`: ${sentence}` : sentence;
}

function keyText(key: PropertyKey): string {
  return typeof key === "number" || /^\d+$/.test(String(key)) ? `[${String(key)}]` : `.${String(key)}`;
}
