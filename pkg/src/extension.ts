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
import { stringify, wellFormed } from "./stringify.js";
import type { CallContext, Execute } from "./types.js";

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
  send({ text: () => receiptText(effectId, receipt, answer) });
}

type Attached = Uint8Array | { arrayBuffer(): Promise<ArrayBuffer> };

/** Runs the function and sends its receipt. */
export async function callExtension(
  effect: ExtensionCallEffect,
  extension: Extension,
  stop: Stop,
  send: (entry: Entry) => void,
  questions: Questions,
): Promise<void> {
  const call = new Call(effect, stop, send, questions);
  const settled = await call.run(extension);
  call.over = true;
  questions.forget(effect.effectId);
  if ("receipt" in settled) return send({ text: () => receiptText(effect.effectId, settled.receipt) });
  const { value, notes, images } = settled;
  send({
    blobs: images,
    text: (digests) => {
      const returned = value === undefined ? "" : `"value":${value},`;
      const noted = notes.length === 0 ? "" : `"notes":${JSON.stringify(notes)},`;
      return okText(effect.effectId, `{${returned}${noted}"images":${JSON.stringify(digests)}}`);
    },
    // The core refuses to read the value for a reason of its own: the call still gets its one result.
    failed: (error) => {
      const receipt = failure("invalid_result", `the value cannot be read: ${error.message}`);
      send({ text: () => receiptText(effect.effectId, receipt) });
    },
  });
}

/** What a function came to: its value as JSON text with remarks for the record, or a receipt without a value. */
type Settled = { value: string | undefined; notes: object[]; images: Uint8Array[] } | { receipt: Receipt };

class Call {
  over = false;
  private readonly attached: Attached[] = [];

  constructor(
    private readonly effect: ExtensionCallEffect,
    private readonly stop: Stop,
    private readonly send: (entry: Entry) => void,
    private readonly questions: Questions,
  ) {}

  async run({ execute, validate }: Extension): Promise<Settled> {
    let returned: unknown;
    try {
      let args: unknown = this.effect.payload.args;
      if (validate) {
        const checked = await validate(args);
        if (!checked.ok) return { receipt: failure("invalid_arguments", checked.message) };
        args = checked.value;
      }
      returned = await execute(args as Record<string, any>, this.context());
    } catch (thrown) {
      if (this.stop.aborted) return { receipt: { outcome: "cancelled", stopped: true } };
      if (thrown instanceof Denial) return { receipt: failure("denied", thrown.message) };
      return { receipt: failure("thrown", thrownMessage(thrown)) };
    }
    this.over = true;
    const written = stringify(returned);
    if (!written.ok) return { receipt: failure("invalid_result", written.message) };
    const { text, replaced } = written;
    const notes = replaced === 0 ? [] : [{ kind: "surrogates_replaced", data: { count: replaced } }];
    try {
      const images = this.attached.length === 0 ? [] : await Promise.all(this.attached.map(bytesOf));
      return { value: text, notes, images };
    } catch (thrown) {
      return { receipt: failure("thrown", `An attached image could not be read: ${thrownMessage(thrown)}`) };
    }
  }

  private context(): CallContext {
    const { stop } = this;
    // Spelled out: spreading an object before a getter costs more than all the rest of a short call here.
    const { runId, invocationId, callId, target } = this.effect.payload.context;
    return {
      runId,
      invocationId,
      callId,
      target,
      get signal() {
        return stop.signal;
      },
      attachImage: (image) => {
        if (!this.over) this.attached.push(copyOf(image));
      },
      progress: (text) => this.progress(text),
      ask: (reason, { risk } = {}) => this.questions.ask(this.effect.effectId, this.stop, reason, risk),
      deny: (reason) => {
        throw new Denial(reason === undefined ? "" : String(reason));
      },
    };
  }

  private progress(text: unknown): void {
    if (this.over) return;
    const json = told(text);
    this.send({ text: () => progressText(this.effect.effectId, "text", json) });
  }
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
