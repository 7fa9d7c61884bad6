/**
 * Why and whether something under way is to stop. Most calls never ask for the signal, and making one costs more than
 * the rest of a short call, so it is made when it is first looked at.
 */
export class Stop {
  private controller: AbortController | undefined;
  private reason: unknown;
  /** Whether it is to stop. */
  aborted = false;

  /** The same as an `AbortSignal`. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** Tells it to stop. The first reason counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.controller?.abort(reason);
  }
}
