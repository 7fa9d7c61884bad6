import { replyText } from "./chunks.js";
import { Conversation } from "./conversation.js";
import { HandrailError } from "./error.js";
import { modelFailure, sendReply } from "./model.js";
import { receiptText, type ModelRequestEffect, type Receipt } from "./protocol.js";
import type { Driving } from "./run.js";
import type { Steps } from "./steps.js";
import type { Turn } from "./types.js";

/** A model request that waits for the host's reply. */
interface Open {
  effect: ModelRequestEffect;
  answered: () => void;
}

type Waiting = { resolve: (open: Open) => void; reject: (error: HandrailError) => void };

/** The host's own loop: keeps the core's model request open until the host hands over a reply. */
export class Loop implements Driving {
  private open: Open | undefined;
  private tools: unknown[] = [];
  private busy = false;
  private waiting: Waiting | undefined;
  private end: HandrailError | undefined;

  constructor(private readonly steps: Steps) {}

  requested(effect: ModelRequestEffect, signal: AbortSignal): Promise<void> {
    return new Promise((answered) => {
      const open = { effect, answered };
      signal.addEventListener("abort", () => this.answer(open, { outcome: "cancelled", stopped: true }));
      this.open = open;
      this.tools = effect.payload.request.tools ?? this.tools;
      this.waiting?.resolve(open);
    });
  }

  refused(error: HandrailError): void {
    this.waiting?.reject(error);
  }

  ended(error: HandrailError): void {
    this.end = error;
    this.waiting?.reject(error);
  }

  /** The tools of the present step. */
  listTools(): unknown[] {
    return [...this.tools];
  }

  /** Resolves when the core waits for a reply. */
  async ready(): Promise<Open> {
    return this.open ?? this.next();
  }

  async handle(response: unknown): Promise<Turn> {
    if (this.busy) {
      throw new HandrailError("invocation.busy", "A reply is being handled; wait for it before you hand over the next.");
    }
    this.busy = true;
    try {
      return await this.turn(response);
    } finally {
      this.busy = false;
    }
  }

  private async turn(response: unknown): Promise<Turn> {
    const reply = replyText(response);
    const open = await this.ready();
    this.open = undefined;
    const next = this.next();
    // It may fail before it is awaited.
    next.catch(() => undefined);
    try {
      await sendReply(open.effect.effectId, reply, (entry) => this.steps.send(entry));
    } catch (thrown) {
      const error = modelFailure(thrown);
      this.answer(open, { outcome: "failed", error: { ...error, retryable: true } });
      // Until the core has put the attempt aside, the next reply would meet its refusal.
      await next.catch(() => undefined);
      throw new HandrailError(error.code, error.message, { cause: thrown });
    } finally {
      open.answered();
    }
    const { effect } = await next;
    return { messages: Conversation.fresh(effect), done: effect.payload.done === true };
  }

  private next(): Promise<Open> {
    if (this.end) return Promise.reject(this.end);
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  private answer({ effect, answered }: Open, receipt: Receipt): void {
    answered();
    this.steps.send({ text: () => receiptText(effect.effectId, receipt) });
  }
}
