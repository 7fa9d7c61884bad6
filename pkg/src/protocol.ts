/** The data that crosses to and from the core. Its types are made from `src/protocol` of the crate. */

import type { Effect, Receipt as WholeReceipt } from "./generated.js";
import type { HookInput, HookPoint } from "./hook-types.js";
import type { ApprovalRequest, ReviewRequest, Rule } from "./permission-types.js";
import { wellFormed } from "./stringify.js";

export type { Effect, Output, ReceiptError, Reply } from "./generated.js";

type EffectOf<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

/** Ask the model. */
export type ModelRequestEffect = EffectOf<"model.request">;
/** Call a function of the host. */
export type ExtensionCallEffect = EffectOf<"extension.call">;
/** Have a tool look at a call of it. */
export type InspectEffect = EffectOf<"extension.inspect">;
/** Have a reviewer judge an action. */
export type ReviewEffect = EffectOf<"review.request"> & { readonly payload: Omit<ReviewRequest, "runId" | "callId"> };
/** Run a command in the shell. */
export type ShellExecEffect = EffectOf<"shell.exec">;
/** Take a command of the shell apart. */
export type ShellAnalyzeEffect = EffectOf<"shell.analyze">;
/** Ask a person. What it holds is described by the package itself. */
export type ApprovalEffect = EffectOf<"approval.request"> & { readonly payload: ApprovalRequest };
/** Keep a rule. */
export type RuleEffect = EffectOf<"rules.save"> & { readonly payload: { readonly rule: Rule } };
/** Call a hook. */
export type HookEffect = EffectOf<"hook.run"> & {
  readonly payload: { readonly point: HookPoint; readonly payload: Omit<HookInput, "point" | "runId"> };
};
/** A running function's question has been answered. */
export type CallReplyEffect = EffectOf<"call.reply"> & { readonly payload: { readonly result: { allowed: boolean; message?: string } } };
/** Make records and blobs durable. */
export type StoreEffect = EffectOf<"store.append">;

/** How an effect ended, apart from its payload. */
export type Receipt = Omit<WholeReceipt, "effectId" | "payload">;

/** The text of a receipt. `payload` is JSON text already. */
export function receiptText(effectId: string, receipt: Receipt, payload?: string): string {
  const { error } = receipt;
  const told = error && { error: { ...error, code: wellFormed(error.code), message: wellFormed(error.message) } };
  const head = JSON.stringify({ effectId, ...receipt, ...told });
  return payload === undefined ? `{"receipt":${head}}` : `{"receipt":${head.slice(0, -1)},"payload":${payload}}}`;
}

/** The text of a receipt of what went well. `payload` is JSON text already. */
export function okText(effectId: string, payload: string): string {
  return `{"receipt":{"effectId":${JSON.stringify(effectId)},"outcome":"ok","payload":${payload}}}`;
}

/** The text of news about an effect; `member` is JSON text already. */
export function progressText(effectId: string, member: "chunk" | "text" | "stdout" | "stderr" | "ask" | "stage", json: string): string {
  return `{"progress":{"effectId":${JSON.stringify(effectId)},"data":{"${member}":${json}}}}`;
}

/** The tick. */
export const TICK = '{"tick":{}}';
