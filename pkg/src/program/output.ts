/** What a program writes, on its way out of the driver: counted, cut at the limit, and told soon. */

import { OUTPUT_BURST, OUTPUT_BYTES, OUTPUT_PAUSE_MS } from "../limits.js";
import type { StreamName } from "./exec.js";

/** One stream: what of it is new, and whether something was cut. */
class Stream {
  truncated = false;
  private size = 0;
  private fresh: Uint8Array[] = [];

  constructor(private readonly most: number) {}

  /** Takes a copy: the bytes are a view of the program's memory. */
  push(bytes: Uint8Array): void {
    const kept = bytes.slice(0, this.most - this.size);
    if (kept.length < bytes.length) this.truncated = true;
    this.size += kept.length;
    if (kept.length > 0) this.fresh.push(kept);
  }

  take(): Uint8Array | undefined {
    if (this.fresh.length === 0) return undefined;
    const bytes = joined(this.fresh);
    this.fresh = [];
    return bytes;
  }
}

/**
 * Both streams of a program. A program that hangs must have said what it wrote before, so the first writes are told at
 * once; those of a program that writes a lot are gathered until it pauses.
 */
export class Output {
  private readonly streams: Record<StreamName, Stream>;
  private burst = 0;
  private since = 0;

  /** `most`: bytes of a stream that are told. */
  constructor(
    private readonly tell: (stream: StreamName, bytes: Uint8Array) => void,
    most: number = OUTPUT_BYTES,
  ) {
    this.streams = { stdout: new Stream(most), stderr: new Stream(most) };
  }

  push(name: StreamName, bytes: Uint8Array): void {
    this.streams[name].push(bytes);
    this.burst += 1;
    if (this.burst <= OUTPUT_BURST || performance.now() - this.since > OUTPUT_PAUSE_MS) this.flush();
  }

  /** The program pauses. */
  pause(): void {
    if (this.burst > OUTPUT_BURST && performance.now() - this.since <= OUTPUT_PAUSE_MS) return;
    this.flush();
  }

  /** Tells what has not been told. */
  flush(): void {
    const now = performance.now();
    if (now - this.since > OUTPUT_PAUSE_MS) {
      this.since = now;
      this.burst = 0;
    }
    for (const name of ["stdout", "stderr"] as const) {
      const bytes = this.streams[name].take();
      if (bytes) this.tell(name, bytes);
    }
  }

  truncated(name: StreamName): boolean {
    return this.streams[name].truncated;
  }
}

/** Pieces as one. */
export function joined(pieces: Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
