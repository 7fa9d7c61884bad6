/** The driver in a worker, as the worker has it: performs what the host asks on a core of its own. */

import { CoreDriver, stopped, type Snapshot } from "./driver.js";
import { HandrailError } from "./error.js";
import type { Exec, Heard, ProgramName, ProgramRequest, StreamName } from "./program/exec.js";
import type { Changed } from "./program/files.js";
import type { Checkpoint, Kept } from "./program/log.js";
import type { Keeper } from "./program/recorder.js";
import type { Port } from "./remote.js";

/** What a core is started from. */
export interface Start {
  module: WebAssembly.Module;
  programs: [ProgramName, WebAssembly.Module][];
  kept: Kept | undefined;
}

export type Operation =
  | "start"
  | "step"
  | "putBlobs"
  | "blobs"
  | "snapshot"
  | "addProgram"
  | "exec"
  | "analyze"
  | "stopProgram"
  | "complete"
  | "file";
export type Request = { id: number; operation: Operation; arguments: unknown[] };
export type Answer = { id: number; value?: unknown; error?: { code: string; message: string; details?: unknown } };

/** What the worker tells without being asked, in the order in which it happens. */
export type News =
  | { news: "output"; effectId: string; stream: StreamName; bytes: Uint8Array }
  | { news: "spawn"; effectId: string; id: number; request: ProgramRequest; stdin: Uint8Array }
  | { news: "checkpoint"; checkpoint: Checkpoint }
  | { news: "changed"; change: Changed }
  | { news: "forget" };

/** Serves a host. */
export function serve(port: Port): void {
  const worker = new Served(port);
  port.onMessage((request: Request) => void worker.answer(request));
}

class Served {
  private driver: CoreDriver | undefined;

  constructor(private readonly port: Port) {}

  async answer({ id, operation, arguments: values }: Request): Promise<void> {
    try {
      const soon = this.perform(operation, values);
      // An answer must not fall behind what happens after it.
      const value = soon instanceof Promise ? await soon : soon;
      this.port.post({ id, value } satisfies Answer, buffers(operation, value));
    } catch (thrown) {
      const { code, message, details } = thrown instanceof HandrailError ? thrown : stopped(thrown);
      this.port.post({ id, error: { code, message, ...(details === undefined ? {} : { details }) } } satisfies Answer, []);
    }
  }

  private perform(operation: Operation, values: any[]): unknown {
    if (operation === "start") return this.start(values[0]);
    const { driver } = this;
    if (!driver) throw new Error("the core has not been started");
    if (operation === "exec") return driver.exec(values[0], this.heard(values[0]));
    return (driver[operation] as (...values: any[]) => unknown)(...values);
  }

  private async start({ module, programs, kept }: Start): Promise<void> {
    this.driver = await CoreDriver.start(module, kept, this.keeper());
    for (const [name, module] of programs) await this.driver.addProgram(name, module);
  }

  private heard({ effectId }: Exec): Heard {
    return {
      output: (stream, bytes) => this.tell({ news: "output", effectId, stream, bytes }, [bytes]),
      spawn: (id, request, stdin) => this.tell({ news: "spawn", effectId, id, request, stdin }, [stdin]),
    };
  }

  private keeper(): Keeper {
    return {
      checkpoint: (checkpoint) =>
        this.tell({ news: "checkpoint", checkpoint }, [checkpoint.state, ...checkpoint.fresh.values()]),
      changed: (change) => this.tell({ news: "changed", change }, "bytes" in change ? [change.bytes] : []),
      forget: () => this.tell({ news: "forget" }, []),
    };
  }

  /** The bytes go over: nobody here needs them any more. */
  private tell(news: News, bytes: Uint8Array[]): void {
    this.port.post(news, distinct(bytes));
  }
}

function buffers(operation: Operation, value: unknown): ArrayBuffer[] {
  if (operation === "snapshot") return distinct([(value as Snapshot).state]);
  if (operation === "blobs") return distinct(value as (Uint8Array | undefined)[]);
  return value instanceof Uint8Array ? distinct([value]) : [];
}

function distinct(bytes: (Uint8Array | undefined)[]): ArrayBuffer[] {
  const buffers = new Set(bytes.map((one) => one?.buffer));
  return [...buffers].filter((buffer) => buffer !== undefined) as ArrayBuffer[];
}
