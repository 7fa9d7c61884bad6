/** Questions of running functions: each is told to the core, and waits for its reply. */

import { HandrailError } from "./error.js";
import { progressText, type CallReplyEffect } from "./protocol.js";
import type { Entry } from "./steps.js";
import type { Stop } from "./stop.js";
import { wellFormed } from "./stringify.js";
import type { Leave, Risk } from "./types.js";

/** What a function throws to refuse its call. */
export class Denial extends HandrailError {
  constructor(reason: string) {
    super("permission.tool_denied", reason);
  }
}

/** The questions of a runtime. */
export class Questions {
  private count = 0;
  /** By request id. */
  private readonly waiting = new Map<string, { effectId: string; resolve: (leave: Leave) => void }>();

  constructor(private readonly send: (entry: Entry) => void) {}

  /** Asks whether a call may go on. Where it is to stop, it may not. */
  ask(effectId: string, stop: Stop, reason: unknown, risk: Risk | undefined): Promise<Leave> {
    if (stop.aborted) return Promise.resolve(refused("The call is to stop."));
    this.count += 1;
    const requestId = `q${this.count}`;
    const json = JSON.stringify({ requestId, reason: wellFormed(String(reason ?? "")), risk });
    return new Promise((resolve) => {
      this.waiting.set(requestId, { effectId, resolve });
      stop.signal.addEventListener("abort", () => this.settle(requestId, refused("The call is to stop.")));
      this.send({ text: progressText(effectId, "ask", json) });
    });
  }

  /** The core has decided. */
  replied({ payload: { requestId, result } }: CallReplyEffect): void {
    this.settle(requestId, result.allowed ? { allowed: true } : refused(result.message ?? ""));
  }

  /** The function has ended: nobody hears what it asked. */
  forget(effectId: string): void {
    for (const [requestId, waiting] of this.waiting) {
      if (waiting.effectId === effectId) this.settle(requestId, refused("The call is over."));
    }
  }

  private settle(requestId: string, leave: Leave): void {
    this.waiting.get(requestId)?.resolve(leave);
    this.waiting.delete(requestId);
  }
}

function refused(reason: string): Leave {
  return { allowed: false, reason, denial: new Denial(reason) };
}
