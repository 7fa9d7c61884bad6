/** The host half's memory of a core in a worker: enough to make it again. */

import type { Changed } from "./files.js";

/** The whole state of a core. */
export interface Checkpoint {
  state: Uint8Array;
  /** All blobs it needs. */
  digests: string[];
  /** Those of them that have not been told before. */
  fresh: Map<string, Uint8Array>;
}

/** Something a core did. */
export type Done = { step: string; now: number } | { blobs: Uint8Array[] } | { change: Changed };

/** What a new core is made from: a state, and what was done since, in order. */
export interface Kept {
  state: Uint8Array;
  blobs: Uint8Array[];
  done: Done[];
}

/** The last checkpoint and everything since. */
export class Log {
  private state: Uint8Array | undefined;
  private blobs = new Map<string, Uint8Array>();
  private done: Done[] = [];

  checkpoint({ state, digests, fresh }: Checkpoint): void {
    this.state = state;
    this.blobs = new Map(digests.flatMap((digest) => {
      const bytes = fresh.get(digest) ?? this.blobs.get(digest);
      return bytes ? [[digest, bytes] as const] : [];
    }));
    // Bytes that the step which names them has not followed yet are in no state.
    const last = this.done.findLastIndex((done) => "step" in done);
    this.done = this.done.slice(last + 1).filter((done) => "blobs" in done);
  }

  /** The core did this. */
  add(done: Done): void {
    // Bytes that are handed over may be named in a step after the next checkpoint.
    if (this.state || "blobs" in done) this.done.push(done);
    else this.done = [];
  }

  forget(): void {
    this.state = undefined;
    this.done = [];
  }

  /** What a new core is made from; nothing if no state has been kept. */
  get kept(): Kept | undefined {
    return this.state && { state: this.state, blobs: [...this.blobs.values()], done: this.done };
  }
}
