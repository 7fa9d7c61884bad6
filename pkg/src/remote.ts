/** The driver in a worker: requests and answers with numbers, in order. Both ends live here. */

import { CoreDriver, stopped, type Driver, type Snapshot } from "./driver.js";
import { HandrailError } from "./error.js";

/** One end of the connection between host and worker. */
export interface Port {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  onMessage(listener: (message: any) => void): void;
}

/** The host's end: also tells that the worker died, and whether it may keep the process alive. */
export interface WorkerPort extends Port {
  onDeath(listener: (cause: unknown) => void): void;
  keepAlive(wanted: boolean): void;
  terminate(): void;
}

type Operation = "start" | "step" | "putBlobs" | "blobs" | "snapshot";
type Request = { id: number; operation: Operation; arguments: unknown[] };
type Answer = { id: number; value?: unknown; error?: { code: string; message: string; details?: unknown } };
type Waiting = { resolve: (value: any) => void; reject: (error: HandrailError) => void };

/** The core in a worker. */
export class RemoteDriver implements Driver {
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();
  private dead: HandrailError | undefined;

  private constructor(private readonly port: WorkerPort) {
    port.onMessage((answer: Answer) => this.answered(answer));
    port.onDeath((cause) => this.die(stopped(cause)));
  }

  /** Starts a core in the worker behind the port. */
  static async start(port: WorkerPort, module: WebAssembly.Module): Promise<RemoteDriver> {
    const driver = new RemoteDriver(port);
    try {
      await driver.ask("start", [module]);
    } catch (cause) {
      port.terminate();
      throw new HandrailError(
        "runtime.worker_failed",
        `The worker could not be started (${(cause as Error).message}). Make its file reachable, or use isolation: "inline".`,
        { cause },
      );
    }
    return driver;
  }

  step(inputs: string, now: number): Promise<string> {
    return this.ask("step", [inputs, now]);
  }

  putBlobs(blobs: Uint8Array[]): Promise<string[]> {
    return this.ask("putBlobs", [blobs]);
  }

  blobs(digests: string[]): Promise<(Uint8Array | undefined)[]> {
    return this.ask("blobs", [digests]);
  }

  snapshot(): Promise<Snapshot> {
    return this.ask("snapshot", []);
  }

  close(): void {
    this.port.terminate();
    this.die(new HandrailError("runtime.closed", "The runtime is closed."));
  }

  private ask<T>(operation: Operation, values: unknown[]): Promise<T> {
    if (this.dead) return Promise.reject(this.dead);
    const id = (this.last += 1);
    return new Promise<T>((resolve, reject) => {
      if (this.waiting.size === 0) this.port.keepAlive(true);
      this.waiting.set(id, { resolve, reject });
      this.port.post({ id, operation, arguments: values } satisfies Request, []);
    });
  }

  private answered({ id, value, error }: Answer): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.port.keepAlive(false);
    if (error) waiting.reject(new HandrailError(error.code, error.message, { details: error.details }));
    else waiting.resolve(value);
  }

  private die(error: HandrailError): void {
    if (this.dead) return;
    this.dead = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.port.keepAlive(false);
  }
}

/** The worker's end: performs what the host asks on a core of its own. */
export function serve(port: Port): void {
  let driver: CoreDriver | undefined;
  const perform = async (operation: Operation, values: any[]): Promise<unknown> => {
    if (operation === "start") return void (driver = await CoreDriver.start(values[0]));
    if (!driver) throw new Error("the core has not been started");
    return (driver[operation] as (...values: any[]) => unknown)(...values);
  };
  port.onMessage(async ({ id, operation, arguments: values }: Request) => {
    try {
      const value = await perform(operation, values);
      port.post({ id, value } satisfies Answer, buffers(operation, value));
    } catch (thrown) {
      const { code, message, details } = thrown instanceof HandrailError ? thrown : stopped(thrown);
      port.post({ id, error: { code, message, ...(details === undefined ? {} : { details }) } } satisfies Answer, []);
    }
  });
}

/** The buffers of an answer, which nobody in the worker needs any more. */
function buffers(operation: Operation, value: unknown): ArrayBuffer[] {
  if (operation === "snapshot") return [(value as Snapshot).state.buffer as ArrayBuffer];
  if (operation !== "blobs") return [];
  const distinct = new Set((value as (Uint8Array | undefined)[]).map((bytes) => bytes?.buffer));
  return [...distinct].filter((buffer) => buffer !== undefined) as ArrayBuffer[];
}
