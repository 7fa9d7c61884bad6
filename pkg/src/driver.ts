/**
 * The driver half: it owns the core, knows nothing of the host and is spoken to with plain data only. In the caller's
 * thread it is a `CoreDriver`; in a worker the same behind a `RemoteDriver`.
 */

import init, { Session } from "../wasm/handrail.js";
import { DEAD, HandrailError, thrownMessage } from "./error.js";

/** What may also be there at once: the inline driver never makes its caller wait. */
export type Soon<T> = T | Promise<T>;

/** A core, wherever it runs. Every operation fails with a `HandrailError`; with the code `DEAD` the core is gone. */
export interface Driver {
  /** Hands a JSON array of inputs to the core; gives its JSON output. */
  step(inputs: string, now: number): Soon<string>;
  /** Hands bytes over; gives their digests. */
  putBlobs(blobs: Uint8Array[]): Soon<string[]>;
  /** Fetches bytes by digest. */
  blobs(digests: string[]): Soon<(Uint8Array | undefined)[]>;
  /** The state, and the digests of the blobs it needs. */
  snapshot(): Soon<Snapshot>;
  /** Ends the core. */
  close(): void;
}

/** A state without the blobs it needs. */
export interface Snapshot {
  state: Uint8Array;
  digests: string[];
}

/** The core in this thread. */
export class CoreDriver implements Driver {
  private dead: HandrailError | undefined;

  private constructor(private readonly session: Session) {}

  /** Starts a core from its compiled module. */
  static async start(module: WebAssembly.Module): Promise<CoreDriver> {
    try {
      await init({ module_or_path: module });
      return new CoreDriver(new Session());
    } catch (cause) {
      throw stopped(cause);
    }
  }

  step(inputs: string, now: number): string {
    return this.ask((session) => session.step(inputs, now));
  }

  putBlobs(blobs: Uint8Array[]): string[] {
    return this.ask((session) => blobs.map((bytes) => session.putBlob(bytes)));
  }

  blobs(digests: string[]): (Uint8Array | undefined)[] {
    return this.ask((session) => digests.map((digest) => session.blob(digest)));
  }

  snapshot(): Snapshot {
    return this.ask((session) => ({ state: session.snapshot(), digests: session.snapshotBlobs() }));
  }

  close(): void {
    if (!this.dead) this.session.free();
    this.dead ??= new HandrailError("runtime.closed", "The runtime is closed.");
  }

  /** A fault (an error with a code) leaves the core as it was; anything else that comes out of it is its end. */
  private ask<T>(operation: (session: Session) => T): T {
    if (this.dead) throw this.dead;
    try {
      return operation(this.session);
    } catch (thrown) {
      const { code, details } = thrown as { code?: unknown; details?: unknown };
      if (typeof code === "string") throw new HandrailError(code, thrownMessage(thrown), { details });
      this.dead = stopped(thrown);
      throw this.dead;
    }
  }
}

/** The error of a core that stopped. */
export function stopped(cause: unknown): HandrailError {
  const message = `The core stopped (${thrownMessage(cause)}). This runtime cannot go on; make a new one.`;
  return new HandrailError(DEAD, message, { cause });
}
