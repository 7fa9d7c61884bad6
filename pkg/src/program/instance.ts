/** One instance of a program module, for one command. */

import { SLICE_MS, SLICE_POLLS } from "../limits.js";
import type { StreamName } from "./exec.js";
import type { FilePort } from "./files.js";
import { nextTurn } from "./turn.js";

/** The factory of a program module's instances, as the glue of the module has it. */
export type Instantiate = (
  port: object,
  setTimeout: (callback: () => void, delay?: number) => unknown,
  clearTimeout: (timer: any) => void,
) => Exports;

/** What an instance can be asked. Whatever it throws means that it crashed. */
interface Exports {
  init(source: { module: WebAssembly.Module }): Promise<{ memory?: WebAssembly.Memory }>;
  start(request: string, stdin: Uint8Array): void;
  /** Goes on with the command; true when it has ended. */
  poll(): boolean;
  complete(id: number, exit: number, stdout: Uint8Array, stderr: Uint8Array): void;
  cancel(): void;
  finish(): string;
  /** Takes a command apart; only the shell has it. */
  analyze?(command: string): string;
}

/** What an instance works on. */
export interface Surroundings {
  files: FilePort;
  /** The command's clock, in milliseconds since the Unix epoch. */
  now(): number;
  /** It wrote something. The bytes are a view of its memory. */
  output(stream: StreamName, bytes: Uint8Array): void;
  /** It pauses. */
  paused?(): void;
  /** It starts another program, to be answered with `complete`. */
  spawn(id: number, request: string, stdin: Uint8Array): void;
}

/** How the command of an instance ended. */
export type End = Finished | { trap: string; memory: number } | { stopped: true };

/** How a command ended by itself. */
export interface Finished {
  exitCode: number;
  /** The bound that ended it: `time`, `cancel`, or a sentence that it wrote to stderr as well. */
  limit?: string;
  /** What it would not begin. */
  refused?: string;
  /** The directory it ended in. */
  cwd?: string;
  /** Size of its memory in bytes. */
  memory: number;
}

/**
 * Polls the module until its command ends, and lets the event loop turn in between. Its timers are its own and end with
 * it: one that fired later would crash outside of everything that could catch it.
 */
export class Instance {
  private around: Surroundings | undefined;
  private program: Exports | undefined;
  private memory: WebAssembly.Memory | undefined;
  private readonly timers = new Set<unknown>();
  private woken = false;
  private resume: (() => void) | undefined;
  private end: End | undefined;

  private constructor() {}

  /** Makes one; not at once, since pages refuse that for large modules. Rejects if the module cannot be instantiated. */
  static async make(module: WebAssembly.Module, instantiate: Instantiate): Promise<Instance> {
    const instance = new Instance();
    const program = instantiate(
      instance.port(),
      (callback, delay) => instance.setTimer(callback, delay),
      (timer) => instance.clearTimer(timer),
    );
    instance.memory = (await program.init({ module })).memory;
    instance.program = program;
    return instance;
  }

  /** Runs its one command. Never rejects. */
  async run(request: string, stdin: Uint8Array, around: Surroundings): Promise<End> {
    this.around = around;
    this.guard((program) => program.start(request, stdin));
    while (!this.end && !this.slice()) {
      around.paused?.();
      await this.pause();
    }
    this.guard((program) => {
      const memory = this.memory?.buffer.byteLength ?? 0;
      this.end = { exitCode: 134, ...JSON.parse(program.finish() || "{}"), memory };
    });
    this.discard();
    return this.end!;
  }

  /** Takes a command apart instead of running one, and is used up. Nothing: it crashed. */
  analyze(command: string): string | undefined {
    let told: string | undefined;
    this.guard((program) => (told = program.analyze?.(command)));
    this.discard();
    return told;
  }

  /** Hands over the end of a program it started. */
  complete(id: number, exit: number, stdout: Uint8Array, stderr: Uint8Array): void {
    this.guard((program) => program.complete(id, exit, stdout, stderr));
  }

  /** Asks the command to end; it does so at its next poll. */
  cancel(): void {
    this.guard((program) => program.cancel());
  }

  /** Ends it without asking: nothing of it runs again. */
  stop(): void {
    this.end ??= { stopped: true };
    this.discard();
  }

  /** What the module imports. Called from inside of `poll`, so nothing here may call back into it. */
  private port(): object {
    const around = (): Surroundings => {
      if (!this.around || this.end) throw Object.assign(new Error("the program has ended"), { code: "ECANCELED" });
      return this.around;
    };
    return {
      stat: (path: string) => around().files.stat(path),
      list: (path: string) => around().files.list(path),
      read: (path: string) => around().files.read(path),
      write: (path: string, bytes: Uint8Array) => around().files.write(path, bytes),
      append: (path: string, bytes: Uint8Array) => around().files.append(path, bytes),
      mkdir: (path: string, recursive: boolean) => around().files.mkdir(path, recursive),
      remove: (path: string, recursive: boolean) => around().files.remove(path, recursive),
      rename: (from: string, to: string) => around().files.rename(from, to),
      copy: (from: string, to: string) => around().files.copy(from, to),
      stdout: (bytes: Uint8Array) => around().output("stdout", bytes),
      stderr: (bytes: Uint8Array) => around().output("stderr", bytes),
      now: () => this.around?.now() ?? 0,
      spawn: (id: number, request: string, stdin: Uint8Array) => around().spawn(id, request, stdin),
      wake: () => {
        this.woken = true;
        this.resume?.();
      },
    };
  }

  /** Polls for a while; true when the command has ended. */
  private slice(): boolean {
    const until = performance.now() + SLICE_MS;
    let ended = false;
    for (let polls = 0; polls < SLICE_POLLS; polls += 1) {
      this.woken = false;
      this.guard((program) => (ended = program.poll()));
      if (ended || this.end || !this.woken || performance.now() >= until) break;
    }
    return ended;
  }

  /** One turn of the event loop when there is more to do at once, else until it is woken. */
  private async pause(): Promise<void> {
    if (this.end) return;
    if (this.woken) return nextTurn();
    await new Promise<void>((resolve) => (this.resume = resolve));
    this.resume = undefined;
  }

  private setTimer(callback: () => void, delay?: number): unknown {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.guard(callback);
    }, delay);
    this.timers.add(timer);
    return timer;
  }

  private clearTimer(timer: any): void {
    this.timers.delete(timer);
    clearTimeout(timer);
  }

  /** Whatever comes out of the module as an exception is its death: its memory cannot be trusted any more. */
  private guard(call: (program: Exports) => void): void {
    if (this.end || !this.program) return;
    try {
      call(this.program);
    } catch (thrown) {
      this.end = { trap: trapOf(thrown), memory: this.memory?.buffer.byteLength ?? 0 };
      this.discard();
    }
  }

  private discard(): void {
    for (const timer of this.timers) clearTimeout(timer as ReturnType<typeof setTimeout>);
    this.timers.clear();
    this.program = undefined;
    this.memory = undefined;
    this.resume?.();
  }
}

/** The engine's words for a crash. */
function trapOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
