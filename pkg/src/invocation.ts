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

/** The next request, for all who wait for it. */
class Waiting {
  readonly next: Promise<Open>;
  resolve!: (open: Open) => void;
  reject!: (error: HandrailError) => void;

  constructor() {
    this.next = new Promise((resolve, reject) => ([this.resolve, this.reject] = [resolve, reject]));
  }
}

/** The host's own loop: keeps the core's model request open until the host hands over a reply. */
export class Loop implements Driving {
  private open: Open | undefined;
  private tools: unknown[] = [];
  private busy = false;
  /** What the first request holds. */
  private begun: unknown[] = [];
  private asked = 0;
  private waiting: Waiting | undefined;
  private end: HandrailError | undefined;

  constructor(private readonly steps: Steps) {}

  requested(effect: ModelRequestEffect, signal: AbortSignal): Promise<void> {
    return new Promise((answered) => {
      const open = { effect, answered };
      signal.addEventListener("abort", () => this.answer(open, { outcome: "cancelled", stopped: true }));
      this.open = open;
      this.tools = effect.payload.request.tools ?? this.tools;
      if (this.asked === 0) this.begun = Conversation.fresh(effect);
      this.asked += 1;
      this.arrived()?.resolve(open);
    });
  }

  refused(error: HandrailError): void {
    this.arrived()?.reject(error);
  }

  ended(error: HandrailError): void {
    this.end = error;
    this.arrived()?.reject(error);
  }

  /** The conversation that the first request begins with. */
  async messages(): Promise<unknown[]> {
    if (this.asked === 0) await this.ready();
    return [...this.begun];
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
    this.waiting ??= new Waiting();
    return this.waiting.next;
  }

  private arrived(): Waiting | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  private answer({ effect, answered }: Open, receipt: Receipt): void {
    answered();
    this.steps.send({ text: receiptText(effect.effectId, receipt) });
  }
}
