/** What a core in a worker tells the host half, so that its state outlives the worker. */

import type { Session } from "../../wasm/handrail.js";
import { LOG_BYTES, LOG_ENTRIES } from "../limits.js";
import type { Changed } from "./files.js";
import type { Checkpoint } from "./log.js";

/** Who keeps it. */
export interface Keeper {
  /** The whole state; what was told before is not needed any more. */
  checkpoint(checkpoint: Checkpoint): void;
  /** A change through the file port. */
  changed(change: Changed): void;
  /** Nothing can be lost now: what was told need not be kept. */
  forget(): void;
}

/**
 * Tells the state before a program starts, and then every change by programs. What the host half asked for itself it
 * knows, so state, steps and changes in the order in which they come are all that a new core needs to be the same.
 */
export class Recorder {
  private telling = false;
  private entries = 0;
  private bytes = 0;
  /** Digests of the blobs that were told. */
  private readonly known = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly keeper: Keeper,
  ) {}

  /** A program is about to start. */
  begin(): void {
    if (!this.telling) this.checkpoint();
  }

  /** The core did what it was asked. `open`: whether a program runs. */
  did(bytes: number, open: boolean): void {
    if (!this.telling) return;
    this.entries += 1;
    this.bytes += bytes;
    if (this.entries < LOG_ENTRIES && this.bytes < LOG_BYTES) return;
    if (open) return this.checkpoint();
    this.telling = false;
    this.keeper.forget();
  }

  /** A program changed something. */
  changed(change: Changed): void {
    const told = "bytes" in change ? { ...change, bytes: change.bytes.slice() } : change;
    const size = "bytes" in told ? told.bytes.length : 0;
    this.keeper.changed(told);
    this.did(size, true);
  }

  private checkpoint(): void {
    const { session } = this;
    const state = session.snapshot();
    const digests = session.snapshotBlobs();
    const fresh = new Map<string, Uint8Array>();
    for (const digest of digests) {
      if (this.known.has(digest)) continue;
      const bytes = session.blob(digest);
      if (bytes) fresh.set(digest, bytes);
    }
    this.known.clear();
    for (const digest of digests) this.known.add(digest);
    this.entries = this.bytes = 0;
    this.telling = true;
    this.keeper.checkpoint({ state, digests, fresh });
  }
}
