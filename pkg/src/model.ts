/** One request to a model: the adapter's answer goes to the core, whatever becomes of it. */

import { replyText, type ReplyText } from "./chunks.js";
import { HandrailError, thrownMessage } from "./error.js";
import { progressText, receiptText, type ModelRequestEffect, type Receipt, type ReceiptError } from "./protocol.js";
import type { Entry } from "./steps.js";
import type { Model, ModelRequest } from "./types.js";

/** Asks the model and sends its answer, or why there is none. */
export async function requestModel(
  effect: ModelRequestEffect,
  model: Model,
  body: ModelRequest["body"],
  signal: AbortSignal,
  send: (entry: Entry) => void,
): Promise<void> {
  const { round, codec, stream } = effect.payload;
  try {
    const answer = await model.request({
      round,
      codec,
      body,
      stream,
      runId: effect.runId,
      invocationId: effect.invocationId,
      signal,
    });
    await sendReply(effect.effectId, replyText(answer), send);
  } catch (thrown) {
    const receipt: Receipt = signal.aborted
      ? { outcome: "cancelled", stopped: true }
      : { outcome: "failed", error: modelFailure(thrown) };
    send({ text: receiptText(effect.effectId, receipt) });
  }
}

/**
 * Sends a reply as the answer to a model request: its chunks as progress, then the receipt. Waits for each batch to
 * enter the core before it asks for the next, so that a fast stream does not pile up here. Throws if the reply cannot be
 * read; then no receipt has been sent.
 */
export async function sendReply(effectId: string, reply: ReplyText, send: (entry: Entry) => void): Promise<void> {
  if ("whole" in reply) {
    return enter(send, receiptText(effectId, { outcome: "ok" }, `{"reply":${reply.whole}}`));
  }
  for await (const chunks of reply.stream) {
    for (const chunk of chunks.slice(0, -1)) send({ text: progressText(effectId, "chunk", chunk) });
    await enter(send, progressText(effectId, "chunk", chunks.at(-1)!));
  }
  await enter(send, receiptText(effectId, { outcome: "ok" }, "{}"));
}

/** What is told of a model that failed. */
export function modelFailure(thrown: unknown): ReceiptError {
  const error: ReceiptError = { code: "model.request_failed", message: thrownMessage(thrown) };
  try {
    const { code, retryable, retryAfterMs } = thrown as Partial<Record<keyof ReceiptError, unknown>>;
    if (typeof code === "string") error.code = code;
    if (typeof retryable === "boolean") error.retryable = retryable;
    if (typeof retryAfterMs === "number" && retryAfterMs >= 0) error.retryAfterMs = Math.round(retryAfterMs);
  } catch {
    // Nothing more can be read from what was thrown.
  }
  return error;
}

/** Sends an input; resolves when it is in the core, rejects if it was not taken. */
function enter(send: (entry: Entry) => void, text: string): Promise<void> {
  return new Promise((resolve, reject: (error: HandrailError) => void) => {
    send({ text, entered: resolve, failed: reject });
  });
}
