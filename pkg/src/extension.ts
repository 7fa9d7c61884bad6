/** One call of an extension function: whatever it does, it is answered by at most one receipt and throws nothing. */

import { ask } from "./asked.js";
import { HandrailError, thrownMessage } from "./error.js";
import type { Inspect, Inspection } from "./inspection-types.js";
import { PROGRESS_UNITS } from "./limits.js";
import { okText, progressText, receiptText, type ExtensionCallEffect, type InspectEffect, type Receipt } from "./protocol.js";
import { Denial, type Questions } from "./questions.js";
import type { Validate } from "./schema.js";
import type { Entry } from "./steps.js";
import type { Stop } from "./stop.js";
import { stringify, wellFormed, type Written } from "./stringify.js";
import type { CallContext, Execute, Leave, Risk } from "./types.js";

/** The functions of a tool, and the validator its arguments go through first. */
export interface Extension {
  execute: Execute;
  inspect: Inspect | undefined;
  validate: Validate | undefined;
}

/** Has a tool look at a call, and sends the receipt. Its validator is part of the look: what it refuses is not run. */
export async function inspectCall(effect: InspectEffect, { inspect, validate }: Extension, stop: Stop, send: (entry: Entry) => void): Promise<void> {
  const { effectId, runId, callId, payload } = effect;
  const look = async (): Promise<Inspection | void> => {
    const checked = validate ? await validate(payload.args) : { ok: true as const, value: payload.args };
    if (!checked.ok) return { validation: checked };
    return inspect?.(checked.value as Record<string, any>, { runId, callId: callId ?? "", signal: stop.signal });
  };
  const { receipt, answer } = await ask(look, stop);
  send({ text: receiptText(effectId, receipt, answer) });
}

type Attached = Uint8Array | { arrayBuffer(): Promise<ArrayBuffer> };

/** Runs the function and sends its receipt. */
export function callExtension(
  effect: ExtensionCallEffect,
  extension: Extension,
  stop: Stop,
  send: (entry: Entry) => void,
  questions: Questions,
): Promise<void> {
  return new Call(effect, stop, send, questions).run(extension);
}

class Call {
  private over = false;
  private attached: Attached[] | undefined;

  constructor(
    private readonly effect: ExtensionCallEffect,
    readonly stop: Stop,
    private readonly send: (entry: Entry) => void,
    private readonly questions: Questions,
  ) {}

  async run({ execute, validate }: Extension): Promise<void> {
    let returned: unknown;
    try {
      let args: unknown = this.effect.payload.args;
      if (validate) {
        const checked = await validate(args);
        if (!checked.ok) return this.answer(failure("invalid_arguments", checked.message));
        args = checked.value;
      }
      returned = await execute(args as Record<string, any>, new Context(this, this.effect.payload.context));
    } catch (thrown) {
      if (this.stop.aborted) return this.answer({ outcome: "cancelled", stopped: true });
      if (thrown instanceof Denial) return this.answer(failure("denied", thrown.message));
      return this.answer(failure("thrown", thrownMessage(thrown)));
    }
    this.over = true;
    const written = stringify(returned);
    if (!written.ok) return this.answer(failure("invalid_result", written.message));
    if (!this.attached) return this.succeed(written);
    let images: Uint8Array[];
    try {
      images = await Promise.all(this.attached.map(bytesOf));
    } catch (thrown) {
      return this.answer(failure("thrown", `An attached image could not be read: ${thrownMessage(thrown)}`));
    }
    this.succeed(written, images);
  }

  attach(image: unknown): void {
    if (!this.over) (this.attached ??= []).push(copyOf(image));
  }

  progress(text: unknown): void {
    if (this.over) return;
    this.send({ text: progressText(this.effect.effectId, "text", told(text)) });
  }

  ask(reason: unknown, risk: Risk | undefined): Promise<Leave> {
    return this.questions.ask(this.effect.effectId, this.stop, reason, risk);
  }

  /** Sends the receipt of what the function returned: its value as JSON text, remarks for the record, and its images. */
  private succeed({ text, replaced }: Written, blobs?: Uint8Array[]): void {
    this.end();
    const value = text === undefined ? "" : `"value":${text},`;
    const notes = replaced === 0 ? "" : `"notes":[{"kind":"surrogates_replaced","data":{"count":${replaced}}}],`;
    const receipt = (images: string): string => okText(this.effect.effectId, `{${value}${notes}"images":${images}}`);
    // The core refuses to read the value for a reason of its own: the call still gets its one result.
    const failed = (error: HandrailError): void => this.answer(failure("invalid_result", `the value cannot be read: ${error.message}`));
    if (!blobs) return this.send({ text: receipt("[]"), failed });
    this.send({ text: (digests) => receipt(JSON.stringify(digests)), blobs, failed });
  }

  /** Sends a receipt without a value. */
  private answer(receipt: Receipt): void {
    this.end();
    this.send({ text: receiptText(this.effect.effectId, receipt) });
  }

  private end(): void {
    this.over = true;
    this.questions.forget(this.effect.effectId);
  }
}

/**
 * What the function is given. Every member is its own, and none needs it as `this`: it may be spread and taken apart. The
 * one getter is shared, as an object with one of its own costs more than all the rest of a short call.
 */
class Context implements CallContext {
  private static readonly SIGNAL = {
    enumerable: true,
    configurable: true,
    get(this: Context): AbortSignal {
      return this.#stop.signal;
    },
  };

  readonly #stop: Stop;
  declare readonly runId: CallContext["runId"];
  declare readonly invocationId: CallContext["invocationId"];
  declare readonly callId: CallContext["callId"];
  declare readonly target: CallContext["target"];
  declare readonly signal: AbortSignal;
  declare readonly attachImage: CallContext["attachImage"];
  declare readonly progress: CallContext["progress"];
  declare readonly ask: CallContext["ask"];
  declare readonly deny: CallContext["deny"];

  constructor(call: Call, { runId, invocationId, callId, target }: ExtensionCallEffect["payload"]["context"]) {
    this.#stop = call.stop;
    this.runId = runId;
    this.invocationId = invocationId;
    this.callId = callId;
    this.target = target;
    Object.defineProperty(this, "signal", Context.SIGNAL);
    this.attachImage = (image) => call.attach(image);
    this.progress = (text) => call.progress(text);
    this.ask = (reason, { risk } = {}) => call.ask(reason, risk);
    this.deny = deny;
  }
}

function deny(reason?: unknown): never {
  throw new Denial(reason === undefined ? "" : String(reason));
}

/** One piece of news as JSON. */
export function told(text: unknown): string {
  const said = typeof text === "string" ? text : thrownMessage(text);
  const short = said.length > PROGRESS_UNITS ? `${said.slice(0, PROGRESS_UNITS)}…` : said;
  return JSON.stringify(wellFormed(short));
}

function failure(code: string, message: string): Receipt {
  return { outcome: "failed", error: { code, message } };
}

/** Bytes are copied at once: the function may use its buffer again. A blob cannot change. */
function copyOf(image: unknown): Attached {
  if (image instanceof ArrayBuffer) return new Uint8Array(image.slice(0));
  if (ArrayBuffer.isView(image)) {
    return new Uint8Array(image.buffer, image.byteOffset, image.byteLength).slice();
  }
  if (typeof (image as Blob | undefined)?.arrayBuffer === "function") return image as Blob;
  throw new HandrailError("command.invalid", "attachImage takes a Blob, a Uint8Array or an ArrayBuffer.");
}

async function bytesOf(image: Attached): Promise<Uint8Array> {
  return ArrayBuffer.isView(image) ? image : new Uint8Array(await image.arrayBuffer());
}
