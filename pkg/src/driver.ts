/**
 * The driver half: it owns the core, knows nothing of the host and is spoken to with plain data only. In the caller's
 * thread it is a `CoreDriver`; in a worker the same behind a `RemoteDriver`.
 */

import { instantiate, type Session } from "../wasm/handrail.js";
import { DEAD, HandrailError, thrownMessage } from "./error.js";
import { Command } from "./program/command.js";
import type { Ended, Exec, Heard, ProgramEnd, ProgramName, StopReason } from "./program/exec.js";
import { apply, filesOf, type FilePort } from "./program/files.js";
import type { Kept } from "./program/log.js";
import { Program } from "./program/module.js";
import { Recorder, type Keeper } from "./program/recorder.js";

/** What may also be there at once: the inline driver never makes its caller wait. */
export type Soon<T> = T | Promise<T>;

/** A core, wherever it runs. Every operation fails with a `HandrailError`; with the code `DEAD` the core is gone. */
export interface Driver {
  /** Hands a JSON array of inputs to the core; gives its JSON output. */
  step(inputs: string, now: number): Soon<string>;
  /** Hands bytes over; gives their digests. */
  putBlobs(blobs: Uint8Array[]): Soon<string[]>;
  /** Fetches bytes by digest. */
  blobs(digests: readonly string[]): Soon<(Uint8Array | undefined)[]>;
  /** The state, and the digests of the blobs it needs. */
  snapshot(): Soon<Snapshot>;
  /** Hands over the compiled module of a program. Rejects if it cannot be used. */
  addProgram(name: ProgramName, module: WebAssembly.Module): Promise<void>;
  /** Runs a command to its end. Rejects only if it could not begin, or if the core is gone. */
  exec(exec: Exec, heard: Heard): Promise<Ended>;
  /** Takes a command apart without running it: `{parts, complete}` as JSON text, nothing if that crashed. */
  analyze(command: string): Promise<string | undefined>;
  /** Ends a command; its `exec` resolves soon after. */
  stopProgram(effectId: string, reason: StopReason): void;
  /** Answers `Heard.spawn`; without an end the driver goes on with the module that it has been given meanwhile. */
  complete(effectId: string, id: number, end?: ProgramEnd): void;
  /** One operation of the file port of a command that runs. Rejects with the codes of FP-01. */
  file<Operation extends keyof FilePort>(
    effectId: string,
    operation: Operation,
    values: Parameters<FilePort[Operation]>,
  ): Soon<ReturnType<FilePort[Operation]>>;
  /** Ends the core. */
  close(): void;
}

/** A state without the blobs it needs. */
export interface Snapshot {
  state: Uint8Array;
  digests: string[];
}

/** The core in this thread, and the programs beside it. */
export class CoreDriver implements Driver {
  private dead: HandrailError | undefined;
  private recorder: Recorder | undefined;
  private readonly programs = new Map<ProgramName, Program>();
  private readonly commands = new Map<string, Command>();

  private constructor(private readonly session: Session) {}

  /**
   * Starts a core from its compiled module; with `kept`, the one that was lost. With a keeper, what the next one would
   * need is told.
   */
  static async start(module: WebAssembly.Module, kept?: Kept, keeper?: Keeper): Promise<CoreDriver> {
    try {
      // An instance for each: one that crashes takes no other with it.
      const core = instantiate();
      await core.init({ module_or_path: module });
      const session = new core.Session();
      if (kept) remake(session, kept);
      const driver = new CoreDriver(session);
      if (keeper) driver.recorder = new Recorder(session, keeper);
      return driver;
    } catch (cause) {
      const { code, details } = (cause ?? {}) as { code?: unknown; details?: unknown };
      if (typeof code === "string" && code.startsWith("state.")) throw new HandrailError(code, thrownMessage(cause), { details });
      throw stopped(cause);
    }
  }

  step(inputs: string, now: number): string {
    const output = this.ask((session) => session.step(inputs, now));
    this.recorder?.did(inputs.length, this.commands.size > 0);
    return output;
  }

  putBlobs(blobs: Uint8Array[]): string[] {
    const digests = this.ask((session) => blobs.map((bytes) => session.putBlob(bytes)));
    this.recorder?.did(blobs.reduce((size, { length }) => size + length, 0), this.commands.size > 0);
    return digests;
  }

  blobs(digests: readonly string[]): (Uint8Array | undefined)[] {
    return this.ask((session) => digests.map((digest) => session.blob(digest)));
  }

  snapshot(): Snapshot {
    return this.ask((session) => ({ state: session.snapshot(), digests: session.snapshotBlobs() }));
  }

  async addProgram(name: ProgramName, module: WebAssembly.Module): Promise<void> {
    const program = await Program.load(name, module);
    if (!this.programs.has(name)) this.programs.set(name, program);
  }

  async exec(exec: Exec, heard: Heard): Promise<Ended> {
    this.ask(() => this.recorder?.begin());
    const { effectId } = exec;
    const ask = <T>(operation: (session: Session) => T): T => this.ask(operation);
    const files = (now: () => number): FilePort =>
      filesOf(effectId, ask, now, this.recorder && ((change) => this.recorder!.changed(change)));
    const command = new Command(exec, this.programs, files, heard);
    this.commands.set(effectId, command);
    try {
      return await command.run();
    } finally {
      this.commands.delete(effectId);
      if (this.commands.size === 0) setTimeout(() => this.warm(), 0);
    }
  }

  async analyze(command: string): Promise<string | undefined> {
    const instance = await this.programs.get("shell")!.take();
    const told = instance.analyze(command);
    setTimeout(() => this.warm(), 0);
    return told;
  }

  stopProgram(effectId: string, reason: StopReason): void {
    this.commands.get(effectId)?.stop(reason);
  }

  complete(effectId: string, id: number, end?: ProgramEnd): void {
    this.commands.get(effectId)?.complete(id, end);
  }

  file<Operation extends keyof FilePort>(
    effectId: string,
    operation: Operation,
    values: Parameters<FilePort[Operation]>,
  ): ReturnType<FilePort[Operation]> {
    const files = this.commands.get(effectId)?.files;
    if (!files) throw new HandrailError("ECANCELED", "The command has ended.");
    return (files[operation] as (...values: unknown[]) => ReturnType<FilePort[Operation]>)(...values);
  }

  close(): void {
    if (!this.dead) this.session.free();
    this.dead ??= new HandrailError("runtime.closed", "The runtime is closed.");
    for (const command of this.commands.values()) command.stop("cancelled", 0);
    this.programs.clear();
  }

  /** Makes the instances of the next command while nothing else is to do. */
  private warm(): void {
    if (this.commands.size > 0) return;
    for (const program of this.programs.values()) program.warm();
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

/** Brings a new core to where the lost one was. What it says on the way has been heard before. */
function remake(session: Session, { state, blobs, done }: Kept): void {
  for (const bytes of blobs) session.putBlob(bytes);
  session.restore(state);
  for (const one of done) {
    if ("step" in one) session.step(one.step, one.now);
    else if ("change" in one) apply(session, one.change);
    else for (const bytes of one.blobs) session.putBlob(bytes);
  }
}

/** The error of a core that stopped. */
export function stopped(cause: unknown): HandrailError {
  const message = `The core stopped (${thrownMessage(cause)}). This runtime cannot go on; make a new one.`;
  return new HandrailError(DEAD, message, { cause });
}
