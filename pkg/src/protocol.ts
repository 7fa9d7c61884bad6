/** The data that crosses to and from the core, as `src/protocol` of the crate writes it. */

import { wellFormed } from "./stringify.js";
import type { RunEvent } from "./types.js";

/** What one step gave. */
export interface Output {
  effects: Effect[];
  events: RunEvent[];
  replies: Reply[];
}

/** The answer to one command. */
export interface Reply {
  input: number;
  ok: boolean;
  value?: any;
  code?: string;
  message?: string;
  details?: unknown;
}

/** What is the same in every effect. */
interface EffectHead {
  effectId: string;
  class: "pure" | "effectful" | "held" | "storage" | "one-way";
  runId: string;
  invocationId?: string;
  callId?: string;
  deadline?: number;
}

/** Something the host has to do, and to answer with one receipt unless it is one-way. */
export type Effect =
  | ModelRequestEffect
  | ExtensionCallEffect
  | ShellExecEffect
  | (EffectHead & { kind: "store.append"; payload: { records: any[]; blobs: string[] } })
  | (EffectHead & { kind: "timer.set"; payload: { timerId: string; at: number } })
  | (EffectHead & { kind: "timer.cancel"; payload: { timerId: string } })
  | (EffectHead & { kind: "abort"; payload: { targetEffectId: string; reason: string } });

/** Ask the model. */
export type ModelRequestEffect = EffectHead & {
  kind: "model.request";
  payload: {
    round: number;
    codec: string;
    request: { messages?: unknown[]; tools?: unknown[]; [member: string]: unknown };
    stream: boolean;
    /** With it, `request.messages` are only the new ones, to be put behind so many that the host has. */
    messagesFrom?: number;
    /** The reply before this request called no tool (driven runs). */
    done?: boolean;
  };
};

/** Call a function of the host. */
export type ExtensionCallEffect = EffectHead & {
  kind: "extension.call";
  payload: {
    toolId: string;
    args: Record<string, unknown>;
    context: { runId: string; invocationId: string; callId: string; target: unknown };
  };
};

/** Run a command in the shell. */
export type ShellExecEffect = EffectHead & {
  kind: "shell.exec";
  payload: {
    command: string;
    /** Absolute, for example `/output`. */
    workdir: string;
    /** When it must have ended, and the time of the call; milliseconds since the Unix epoch. */
    deadline: number;
    now: number;
    /** Everything random in the command follows from it (SH-42). */
    seed: string;
    background: boolean;
  };
};

/** Why an effect failed. */
export interface ReceiptError {
  code: string;
  message: string;
  retryable?: boolean;
  retryAfterMs?: number;
}

/** How an effect ended, apart from its payload. */
export interface Receipt {
  outcome: "ok" | "failed" | "not_sent" | "unknown" | "cancelled" | "timed_out";
  error?: ReceiptError;
  stopped?: boolean;
  /** The instance of a program was thrown away for this (SH-40). */
  discarded?: "trap" | "timeout" | "killed" | "memory";
}

/** The text of a receipt. `payload` is JSON text already. */
export function receiptText(effectId: string, receipt: Receipt, payload?: string): string {
  const { error } = receipt;
  const told = error && { error: { ...error, code: wellFormed(error.code), message: wellFormed(error.message) } };
  const head = JSON.stringify({ effectId, ...receipt, ...told });
  return payload === undefined ? `{"receipt":${head}}` : `{"receipt":${head.slice(0, -1)},"payload":${payload}}}`;
}

/** The text of news about an effect; `member` is JSON text already. */
export function progressText(effectId: string, member: "chunk" | "text" | "stdout" | "stderr", json: string): string {
  return `{"progress":{"effectId":${JSON.stringify(effectId)},"data":{"${member}":${json}}}}`;
}

/** The tick. */
export const TICK = '{"tick":{}}';
