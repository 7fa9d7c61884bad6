/** The shell in the host half: loads its modules when they are first needed and answers for every command. */

import type { Driver } from "../driver.js";
import { DEAD, HandrailError, thrownMessage } from "../error.js";
import { BACKGROUND_MS } from "../limits.js";
import { progressText, receiptText, type Receipt, type ShellAnalyzeEffect, type ShellExecEffect } from "../protocol.js";
import type { Entry } from "../steps.js";
import type { Stop } from "../stop.js";
import type { Ended, Exec, ProgramEnd, ProgramName, ProgramRequest, StreamName } from "./exec.js";
import { runHostProgram } from "./host-program.js";
import type { HostPrograms } from "./registry.js";
import { Transcript } from "./transcript.js";

/** Gets the compiled module of a program. */
export type LoadProgram = (name: ProgramName) => Promise<WebAssembly.Module>;

/** Who hears of the commands of a run. */
export interface Listener {
  output(stream: StreamName, bytes: Uint8Array): void;
  ended(ended: Ended, output: Transcript): void;
  /** The shell could not be loaded, or could not be started. */
  unavailable(reason: string): void;
}

/** The shell of one runtime. */
export class Shell {
  private readonly loaded = new Map<ProgramName, Promise<void>>();
  /** Those that are there. */
  private readonly here = new Set<ProgramName>();
  /** The commands that run: their runs, by effect id. */
  private readonly running = new Map<string, { runId: string; callId: string | undefined }>();
  /** By run id. */
  readonly listeners: Map<string, Listener> = new Map();

  constructor(
    private readonly driver: Driver,
    private readonly load: LoadProgram,
    private readonly programs: HostPrograms,
    private readonly send: (entry: Entry) => void,
  ) {}

  /** Runs a command and sends its receipt. */
  async run(effect: ShellExecEffect, stop: Stop): Promise<void> {
    const received = performance.now();
    const { effectId } = effect;
    try {
      await this.ready("shell");
    } catch (thrown) {
      return this.unavailable(effect, thrownMessage(thrown));
    }
    if (stop.aborted) return this.answer(effectId, { outcome: "cancelled", stopped: true });
    const transcript = new Transcript(goesOn(effect), (stream, text) => {
      const json = JSON.stringify(text);
      this.send({ text: progressText(effectId, stream, json) });
    });
    stop.signal.addEventListener("abort", () => {
      const { message } = (stop.signal.reason ?? {}) as { message?: string };
      this.driver.stopProgram(effectId, message === "timeout" ? "timed_out" : "cancelled");
    });
    try {
      const ended = await this.exec(effect, performance.now() - received, transcript);
      this.listeners.get(effect.runId)?.ended(ended, transcript);
      this.answer(effectId, receiptOf(ended), transcript.payload(ended));
    } catch (thrown) {
      transcript.end();
      const { code, message } = thrown as HandrailError;
      if (code === DEAD || code === "runtime.closed") return;
      this.unavailable(effect, message);
    }
  }

  /** Takes a command apart and sends the receipt. */
  async analyze({ effectId, payload: { command } }: ShellAnalyzeEffect): Promise<void> {
    let told: string | undefined;
    const stage = (name: string): void => this.send({ text: progressText(effectId, "stage", JSON.stringify(name)) });
    try {
      if (!this.here.has("shell")) {
        // The core gives an analysis two seconds, and a module may take longer to be loaded.
        stage("loading");
        await this.ready("shell");
        stage("loaded");
      }
      told = await this.driver.analyze(command);
    } catch (thrown) {
      return this.answer(effectId, { outcome: "not_sent", error: { code: "not_sent", message: thrownMessage(thrown) } });
    }
    if (told) return this.answer(effectId, { outcome: "ok" }, told);
    this.answer(effectId, { outcome: "failed", error: { code: "trap", message: "The analysis crashed." } });
  }

  private unavailable({ effectId, runId }: ShellExecEffect, message: string): void {
    this.listeners.get(runId)?.unavailable(message);
    this.answer(effectId, { outcome: "not_sent", error: { code: "not_sent", message } });
  }

  /** Ends a command. */
  stop(effectId: string): void {
    if (this.running.has(effectId)) this.driver.stopProgram(effectId, "cancelled");
  }

  /** Ends the commands of a run. */
  stopRun(runId: string): void {
    for (const [effectId, { runId: id }] of this.running) if (id === runId) this.driver.stopProgram(effectId, "cancelled");
  }

  /** The same for one call. */
  stopCall(runId: string, callId: string): void {
    for (const [effectId, of] of this.running) {
      if (of.runId === runId && of.callId === callId) this.driver.stopProgram(effectId, "cancelled");
    }
  }

  private async exec(effect: ShellExecEffect, waited: number, transcript: Transcript): Promise<Ended> {
    const { effectId, runId, callId, payload } = effect;
    const { command, workdir, seed, now, deadline } = payload;
    const exec: Exec = { effectId, command, cwd: workdir, seed, now, deadline, waited, programs: this.programs.names(), goesOn: goesOn(effect) };
    const over = new AbortController();
    this.running.set(effectId, { runId, callId });
    try {
      return await this.driver.exec(exec, {
        output: (stream, bytes) => {
          transcript.add(stream, bytes);
          this.listeners.get(runId)?.output(stream, bytes);
        },
        spawn: (id, request, stdin) => void this.spawn(exec, id, request, stdin, over.signal),
      });
    } finally {
      this.running.delete(effectId);
      over.abort(new HandrailError("aborted", "The command has ended."));
    }
  }

  /** Runs a program that the driver does not have. */
  private async spawn(exec: Exec, id: number, request: ProgramRequest, stdin: Uint8Array, over: AbortSignal): Promise<void> {
    const complete = (end?: ProgramEnd): void => this.driver.complete(exec.effectId, id, end);
    const program = this.programs.find(request.argv[0] ?? "");
    if (program) return complete(await runHostProgram(program, { exec, request, stdin, signal: over, driver: this.driver }));
    try {
      await this.ready("javascript");
      complete();
    } catch (thrown) {
      const stderr = `${request.argv[0]}: not available here: ${thrownMessage(thrown)}\n`;
      complete({ exit: 127, stdout: new Uint8Array(), stderr: new TextEncoder().encode(stderr) });
    }
  }

  /** Resolves when the driver has the module. One that could not be loaded is tried again. */
  private ready(name: ProgramName): Promise<void> {
    let loading = this.loaded.get(name);
    if (!loading) {
      loading = this.load(name)
        .then((module) => this.driver.addProgram(name, module))
        .then(() => void this.here.add(name));
      this.loaded.set(name, loading);
      loading.catch(() => this.loaded.delete(name));
    }
    return loading;
  }

  private answer(effectId: string, receipt: Receipt, payload?: string): void {
    this.send({ text: receiptText(effectId, receipt, payload) });
  }
}

/** Whether a command may go on in the background: its deadline is beyond that of any call. */
function goesOn({ payload }: ShellExecEffect): boolean {
  return payload.deadline - payload.now >= BACKGROUND_MS;
}

function receiptOf({ outcome, error, discarded }: Ended): Receipt {
  return {
    outcome,
    ...(error && { error }),
    ...((outcome === "timed_out" || outcome === "cancelled") && { stopped: true }),
    ...(discarded && { discarded }),
  };
}
