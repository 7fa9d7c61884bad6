/** What a tool says about one call of it before it is decided about. */

import type { Action } from "./permission-types.js";

/** Looks at one call before it is decided about, without doing anything. See `Registration.inspect`. */
export type Inspect<Args = Record<string, any>> = (
  args: Args,
  context: InspectContext,
) => Inspection | void | Promise<Inspection | void>;

/** What it learns about the call. */
export interface InspectContext {
  readonly runId: string;
  readonly callId: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What it says. Everything is optional; what is missing stays as the registration has it. */
export interface Inspection {
  /** `ok: false`: the arguments are no good. The model reads the message, and nothing is run. */
  validation?: { ok: boolean; message?: string };
  /** What this call does: what rules, questions and answers go by. */
  action?: Omit<Action, "remember" | "parts"> & { readonly remember?: boolean; readonly parts?: readonly unknown[] };
  /** Whether this call only reads. */
  readOnly?: boolean;
  /** Whether it may run beside others; counts for a tool with `traits: { parallel: "inspect" }`. */
  parallel?: boolean;
  /** The tool's own word: `deny` refuses, `ask` has a person asked, `allow` has no objection where nothing else asks. */
  check?: CheckWord | Check;
  /** What a reviewer reads of it. */
  classifierText?: string;
  /** What people read of it, in one line. */
  summary?: string;
}

/** The tool's own word about a call. */
export type CheckWord = "passthrough" | "allow" | "ask" | "deny";

/** The same with more. */
export interface Check {
  decision: CheckWord;
  /**
   * What kind of question `ask` is. `plain` (if missing): a person decides, whatever the mode. `consent` and
   * `unverifiable`: a rule or a mode may answer it. `choice`: something only the user knows; the question is `reason`.
   */
  kind?: "plain" | "choice" | "consent" | "unverifiable";
  /** Why, in one sentence. */
  reason?: string;
  /** What to choose from. */
  options?: string[];
}
