/** The driver in a worker, as the host half has it: requests and answers with numbers, in order. */

import { stopped, type Driver, type Snapshot } from "./driver.js";
import { HandrailError, thrownMessage } from "./error.js";
import { KILL_AFTER_STOP_MS, KILL_MS, OUTPUT_BYTES, PATIENCE_MS, PULSE_MS } from "./limits.js";
import type { Ended, Exec, Heard, ProgramEnd, ProgramName, StopReason, StreamName } from "./program/exec.js";
import type { FilePort } from "./program/files.js";
import { Log, type Kept } from "./program/log.js";
import { nextTurn } from "./program/turn.js";
import type { Answer, News, Operation, Request, Start } from "./serve.js";

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

type Waiting = {
  operation: Operation;
  values: unknown[];
  sent: boolean;
  resolve: (value: any) => void;
  reject: (error: HandrailError) => void;
};

/** A command that runs in the worker. */
interface Open {
  exec: Exec;
  heard: Heard;
  /** When it must have ended; milliseconds since the Unix epoch. */
  due: number;
  /** Bytes it wrote. */
  written: Record<StreamName, number>;
  /** Why it is to stop. */
  reason: StopReason | undefined;
  alarm: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The core in a worker. A command that neither ends nor stops is ended with the worker: a new one takes over with the
 * state that the log has kept, and nobody else notices.
 */
export class RemoteDriver implements Driver {
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly open = new Map<string, Open>();
  private readonly programs = new Map<ProgramName, WebAssembly.Module>();
  private readonly log = new Log();
  private dead: HandrailError | undefined;
  /** Whether the worker takes requests; else they wait for it. */
  private ready = false;
  private port!: WorkerPort;

  private constructor(
    private readonly spawn: () => WorkerPort,
    private readonly module: WebAssembly.Module,
  ) {}

  /** Starts a core in a worker. */
  static async start(spawn: () => WorkerPort, module: WebAssembly.Module, kept?: Kept): Promise<RemoteDriver> {
    const driver = new RemoteDriver(spawn, module);
    try {
      await driver.begin(kept);
      driver.ready = true;
      if (driver.waiting.size === 0) driver.port.keepAlive(false);
    } catch (cause) {
      driver.port.terminate();
      if (kept && cause instanceof HandrailError && cause.code.startsWith("state.")) throw cause;
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

  blobs(digests: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.ask("blobs", [digests]);
  }

  snapshot(): Promise<Snapshot> {
    return this.ask("snapshot", []);
  }

  async addProgram(name: ProgramName, module: WebAssembly.Module): Promise<void> {
    await this.ask("addProgram", [name, module]);
    this.programs.set(name, module);
  }

  async exec(exec: Exec, heard: Heard): Promise<Ended> {
    const { effectId, deadline, now, waited } = exec;
    const left = deadline - now - waited;
    const written = { stdout: 0, stderr: 0 };
    const open: Open = { exec, heard, due: Date.now() + left, written, reason: undefined, alarm: undefined };
    this.open.set(effectId, open);
    if (exec.goesOn) this.feel(open);
    else this.watch(open, left + KILL_MS);
    try {
      return await this.ask<Ended>("exec", [exec]);
    } finally {
      clearTimeout(open.alarm);
      this.open.delete(effectId);
    }
  }

  analyze(command: string): Promise<string | undefined> {
    return this.ask("analyze", [command]);
  }

  stopProgram(effectId: string, reason: StopReason): void {
    const open = this.open.get(effectId);
    if (!open || open.reason) return;
    open.reason = reason;
    this.watch(open, KILL_AFTER_STOP_MS);
    this.tell("stopProgram", [effectId, reason]);
  }

  complete(effectId: string, id: number, end?: ProgramEnd): void {
    this.tell("complete", [effectId, id, end]);
  }

  file<Operation extends keyof FilePort>(
    effectId: string,
    operation: Operation,
    values: Parameters<FilePort[Operation]>,
  ): Promise<ReturnType<FilePort[Operation]>> {
    return this.ask("file", [effectId, operation, values]);
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
      const waiting: Waiting = { operation, values, sent: false, resolve, reject };
      this.waiting.set(id, waiting);
      if (this.ready) this.send(id, waiting);
    });
  }

  /** Asks for something whose answer nobody needs. */
  private tell(operation: Operation, values: unknown[]): void {
    this.ask(operation, values).catch(() => undefined);
  }

  private send(id: number, waiting: Waiting): void {
    waiting.sent = true;
    this.port.post({ id, operation: waiting.operation, arguments: waiting.values } satisfies Request, []);
  }

  private answered(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.port.keepAlive(false);
    const { value, error } = answer;
    if (error) return waiting.reject(new HandrailError(error.code, error.message, { details: error.details }));
    const [first, now] = waiting.values;
    if (waiting.operation === "step") this.log.add({ step: first as string, now: now as number });
    if (waiting.operation === "putBlobs") this.log.add({ blobs: first as Uint8Array[] });
    waiting.resolve(value);
  }

  private heard(news: News): void {
    switch (news.news) {
      case "checkpoint":
        return this.log.checkpoint(news.checkpoint);
      case "changed":
        return this.log.add({ change: news.change });
      case "forget":
        return this.log.forget();
      case "output": {
        const open = this.open.get(news.effectId);
        if (!open) return;
        open.written[news.stream] += news.bytes.length;
        return open.heard.output(news.stream, news.bytes);
      }
      case "spawn":
        return this.open.get(news.effectId)?.heard.spawn(news.id, news.request, news.stdin);
    }
  }

  /** Asks now and then whether the worker still answers, while a command is in it that no deadline ends. */
  private feel(open: Open): void {
    this.watch(open, PATIENCE_MS);
    this.ask("blobs", [[]]).then(
      () => {
        if (this.open.get(open.exec.effectId) !== open || open.reason) return;
        clearTimeout(open.alarm);
        open.alarm = setTimeout(() => this.feel(open), PULSE_MS);
      },
      () => undefined,
    );
  }

  /** Ends the command with its worker if it has not ended in this time. */
  private watch(open: Open, ms: number): void {
    clearTimeout(open.alarm);
    open.alarm = setTimeout(() => void this.late(open), Math.max(ms, 0));
  }

  private async late(open: Open): Promise<void> {
    const { effectId } = open.exec;
    // What has come in while this thread was busy counts.
    await nextTurn();
    await nextTurn();
    if (!this.ready || this.open.get(effectId) !== open) return;
    await this.replace((ended) => {
      const late = ended === open || Date.now() >= ended.due;
      const outcome = ended.reason ?? (late ? "timed_out" : "cancelled");
      return { outcome, discarded: outcome === "timed_out" ? "timeout" : "killed" };
    });
  }

  /** The worker ended by itself: with a program in it, that is what ended it. */
  private ended(cause: unknown): void {
    const error = stopped(cause);
    if (!this.ready || this.open.size === 0 || !this.log.kept) return this.die(error);
    const message = `its worker ended (${thrownMessage(cause)})`;
    void this.replace(() => ({ outcome: "failed", error: { code: "trap", message }, discarded: "trap" }));
  }

  /** Ends the worker and goes on in a new one. Commands that were in it end like this. */
  private async replace(end: (open: Open) => Pick<Ended, "outcome" | "error" | "discarded">): Promise<void> {
    this.ready = false;
    this.port.terminate();
    const lost = [...this.waiting].filter(([, { sent }]) => sent);
    try {
      await this.begin();
    } catch (thrown) {
      return this.die(thrown instanceof HandrailError ? thrown : stopped(thrown));
    }
    for (const [id, { operation, values, resolve, reject }] of lost) {
      if (operation !== "exec" && operation !== "file" && operation !== "complete") continue;
      this.waiting.delete(id);
      const open = operation === "exec" && this.open.get((values[0] as Exec).effectId);
      if (open) resolve({ ...cutShort(open), ...end(open) });
      else reject(new HandrailError("ECANCELED", "The command has ended."));
    }
    for (const [id, waiting] of this.waiting) this.send(id, waiting);
    this.ready = true;
    this.port.keepAlive(this.waiting.size > 0);
  }

  /** Starts a worker, with the state that was kept. */
  private async begin(kept: Kept | undefined = this.log.kept): Promise<void> {
    const port = this.spawn();
    this.port = port;
    await new Promise<void>((resolve, reject) => {
      port.onMessage((message: Answer | News) => {
        if (this.port !== port) return;
        if ("news" in message) return this.heard(message);
        if (message.id > 0) return this.answered(message);
        const { error } = message;
        if (error) reject(new HandrailError(error.code, error.message, { details: error.details }));
        else resolve();
      });
      port.onDeath((cause) => {
        if (this.port !== port) return;
        reject(stopped(cause));
        if (this.ready) this.ended(cause);
      });
      port.keepAlive(true);
      const start: Start = { module: this.module, programs: [...this.programs], kept };
      port.post({ id: 0, operation: "start", arguments: [start] } satisfies Request, []);
    });
    if (this.dead) throw this.dead;
  }

  private die(error: HandrailError): void {
    if (this.dead) return;
    this.dead = error;
    for (const { alarm } of this.open.values()) clearTimeout(alarm);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.port.terminate();
    this.port.keepAlive(false);
  }
}

/** What is known of a command whose worker is gone. */
function cutShort({ written }: Open): Omit<Ended, "outcome"> {
  return {
    exitCode: 137,
    stdoutTruncated: written.stdout >= OUTPUT_BYTES,
    stderrTruncated: written.stderr >= OUTPUT_BYTES,
  };
}
