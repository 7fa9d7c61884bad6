/** Functions of the host that look at calls on their way, and may change them. */

/** Where a hook is called. */
export type HookPoint =
  /** Before it is decided whether a call may be made. */
  | "before-permission"
  /** Before a person is asked. */
  | "permission-request"
  /** Before a call that may be made is made. */
  | "before-run"
  /** When a call has its result, before anybody sees it. */
  | "after-run"
  /** Before the first model request of a run. */
  | "user-prompt"
  /** Before a run ends well. */
  | "run-stop";

/** What a hook is told. What there is depends on the point. */
export interface HookInput {
  readonly point: HookPoint;
  readonly runId: string;
  /** The call; missing at `user-prompt` and `run-stop`. */
  readonly callId?: string;
  readonly toolId?: string;
  /** The tool as the model calls it. */
  readonly alias?: string;
  /** What the call is made with, as rewritten so far. */
  readonly args?: Record<string, any>;
  /** At `after-run`: what it came to. Images are the text `[Image]`. */
  readonly result?: { readonly status: string; readonly isError: boolean; readonly content: string; readonly errorCode?: string };
  /** At `user-prompt`: the newest message of the user. */
  readonly prompt?: string;
  /** At `run-stop`: the answer of the model. */
  readonly text?: string;
}

/** What a hook wants. Everything is optional; nothing at all lets the call pass as it is. */
export interface HookAnswer {
  /**
   * `deny` refuses the call, at `after-run` what it returned, at `user-prompt` the run; `ask` has a person asked, before the
   * call runs; `allow` answers questions of modes, never those of rules or risks, before they are asked.
   */
  decision?: "allow" | "deny" | "ask";
  /** Why; the model reads it with a denial, and the result of the run tells it with a halt. */
  reason?: string;
  /** The call is made with these arguments instead. They are checked, and what was allowed before is decided anew. */
  args?: Record<string, unknown>;
  /** These arguments replace those of the same names. */
  mergeArgs?: Record<string, unknown>;
  /** A note to the model, delivered with the result; at `run-stop` the run goes on with it. */
  context?: string;
  /** The run ends before its next model request. */
  halt?: boolean;
  /** At `after-run`: another text in place of the result, so that nothing of it reaches the model or a file; a text behind it. */
  result?: { content?: string; append?: string; isError?: boolean };
}

/** A hook: a plain function. If it throws or takes too long it is passed over, with the event `hook_failed`. */
export interface Hook {
  point: HookPoint;
  /** Lower ones first, 0 if missing; of the same order those that were registered first. Each sees what the one before rewrote. */
  order?: number;
  /** Only calls of these tools, by pattern over their names or ids. */
  include?: string[];
  /** Not calls of these. */
  exclude?: string[];
  /** How long the call waits for it, in milliseconds, from 1,000 to 600,000; 60,000 if missing. */
  timeoutMs?: number;
  run(input: HookInput, context: { readonly signal: AbortSignal }): HookAnswer | void | Promise<HookAnswer | void>;
}

/** The hooks of a runtime. */
export interface Hooks {
  /** Adds a hook. Rejects with `command.invalid`, naming the member, if it cannot be read. */
  register(hook: Hook): Promise<RegisteredHook>;
}

/** A hook that has been registered. */
export interface RegisteredHook {
  /** Its id, as events name it. */
  readonly hookId: string;
  /** Takes it away; where it has been called already, its answer still counts. */
  unregister(): Promise<void>;
}
