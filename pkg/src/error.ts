import { MESSAGE_UNITS } from "./limits.js";

/**
 * A failure that the developer of the host can mend, or the end of a runtime. `code` is stable and meant for branching
 * (one of `Code`, if the core said it; otherwise one of the package, for example `runtime.closed`); `message` is one or two sentences for a person; `details` is data to act on, if there is any.
 */
export class HandrailError extends Error {
  override readonly name: string = "HandrailError";
  /** What kind of failure, for example `extension.registration_invalid`. */
  readonly code: string;
  /** Data to act on, for example `{ toolIds: […] }`. */
  readonly details?: unknown;

  constructor(code: string, message: string, options?: { details?: unknown; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options?.details !== undefined) this.details = options.details;
  }
}

/** Code of a runtime that cannot go on because its core stopped: every promise of it rejects with this. */
export const DEAD = "tool.internal_error";

/** The message of whatever was thrown. Never throws itself, even if reading it does. */
export function thrownMessage(thrown: unknown): string {
  try {
    return cut(read(thrown));
  } catch {
    return "an error whose message cannot be read";
  }
}

function read(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { message, name } = thrown as { message?: unknown; name?: unknown };
  if (typeof message === "string" && message !== "") return message;
  if (typeof name === "string" && name !== "") return name;
  return JSON.stringify(thrown) ?? "an error without a message";
}

function cut(text: string): string {
  return text.length > MESSAGE_UNITS ? `${text.slice(0, MESSAGE_UNITS)}…` : text;
}
