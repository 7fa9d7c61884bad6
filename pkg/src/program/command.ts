/** One command in the driver: an instance of the shell, and those of the programs that it starts. */

import { MEMORY_BYTES, OUTPUT_BYTES, OVERTIME_MS, PROGRAMS_AT_ONCE, STOP_MS } from "../limits.js";
import type { Ended, Exec, Heard, ProgramEnd, ProgramName, ProgramRequest, StopReason, StreamName } from "./exec.js";
import type { FilePort } from "./files.js";
import type { End, Instance, Surroundings } from "./instance.js";
import type { Program } from "./module.js";
import { joined, Output } from "./output.js";

/** The commands that are the JavaScript module. */
const JAVASCRIPT = new Set(["js", "node", "deno"]);

type Started = { request: ProgramRequest; stdin: Uint8Array };

/** A command that runs. */
export class Command {
  private readonly began: number;
  private readonly output: Output;
  private shell: Instance | undefined;
  private readonly running = new Set<Instance>();
  private slots = PROGRAMS_AT_ONCE;
  private readonly queue: (() => void)[] = [];
  /** Programs that the host is asked about. */
  private readonly asked = new Map<number, Started>();
  private reason: StopReason | undefined;
  private over = false;
  private discarded: Ended["discarded"];
  private alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly exec: Exec,
    private readonly programs: ReadonlyMap<ProgramName, Program>,
    files: (now: () => number) => FilePort,
    private readonly heard: Heard,
  ) {
    this.began = performance.now() - exec.waited;
    this.files = files(() => this.now());
    this.output = new Output((stream, bytes) => heard.output(stream, bytes), exec.goesOn ? Infinity : OUTPUT_BYTES);
  }

  /** The workspace, for the programs of this command. */
  readonly files: FilePort;

  /** Runs it to its end. Rejects only if the shell cannot be instantiated. */
  async run(): Promise<Ended> {
    const { command, cwd, seed, deadline, programs } = this.exec;
    const shell = await this.programs.get("shell")!.take();
    if (this.reason) {
      this.over = true;
      return this.ended({ stopped: true });
    }
    this.shell = shell;
    this.alarm = setTimeout(() => this.stop("timed_out", 0), deadline + OVERTIME_MS - this.now());
    const request = { command, cwd, seed, now: this.exec.now, deadlineMs: deadline, programs };
    const end = await shell.run(JSON.stringify(request), new Uint8Array(), {
      files: this.files,
      now: () => this.now(),
      output: (stream, bytes) => this.output.push(stream, bytes),
      paused: () => this.output.pause(),
      spawn: (id, text, stdin) => this.spawn(id, text, stdin.slice()),
    });
    this.over = true;
    clearTimeout(this.alarm);
    for (const instance of this.running) instance.stop();
    this.output.flush();
    return this.ended(end);
  }

  /** Asks the command to end, and throws its instances away if it has not after a moment. */
  stop(reason: StopReason, patience: number = STOP_MS): void {
    if (this.over) return;
    this.reason ??= reason;
    if (!this.shell) return;
    clearTimeout(this.alarm);
    if (patience === 0) return this.shell.stop();
    this.alarm = setTimeout(() => this.shell?.stop(), patience);
    for (const instance of this.running) instance.cancel();
    this.shell.cancel();
  }

  /** The end of a program that the host was asked about; without one, its module has been loaded. */
  complete(id: number, end?: ProgramEnd): void {
    const started = this.asked.get(id);
    if (!started || this.over) return;
    this.asked.delete(id);
    if (end) return this.answer(id, end);
    void this.runModule(id, started, this.programs.get("javascript")!);
  }

  /** The command's clock (SH-42). */
  private now(): number {
    return this.exec.now + (performance.now() - this.began);
  }

  private spawn(id: number, text: string, stdin: Uint8Array): void {
    const request = JSON.parse(text) as ProgramRequest;
    const started = { request, stdin };
    const module = JAVASCRIPT.has(request.argv[0] ?? "") && this.programs.get("javascript");
    if (module) return void this.runModule(id, started, module);
    this.asked.set(id, started);
    // Who hears it may keep the bytes.
    this.heard.spawn(id, request, stdin.slice());
  }

  private answer(id: number, { exit, stdout, stderr }: ProgramEnd): void {
    if (!this.over) this.shell?.complete(id, exit, stdout, stderr);
  }

  /** Runs a program of the shell in an instance of its own. */
  private async runModule(id: number, { request, stdin }: Started, module: Program): Promise<void> {
    // Also when there is room: the shell has asked from inside of its poll and cannot be answered there.
    await (this.slots > 0 ? void (this.slots -= 1) : new Promise<void>((go) => this.queue.push(go)));
    if (this.over) return;
    const written: Record<StreamName, Uint8Array[]> = { stdout: [], stderr: [] };
    const output = new Output((stream, bytes) => written[stream].push(bytes));
    const around: Surroundings = {
      files: this.files,
      now: () => this.now(),
      output: (stream, bytes) => output.push(stream, bytes),
      spawn: () => undefined,
    };
    let instance: Instance;
    try {
      instance = await module.take();
    } catch (thrown) {
      return this.answer(id, sentence(request, 126, `cannot be started (${String(thrown)})`));
    }
    this.running.add(instance);
    // The shell comes to its deadline first, so that the command is what ran out of time.
    const { deadlineMs, ...rest } = request;
    const late = { ...rest, deadlineMs: Number(deadlineMs) + STOP_MS };
    const end = await instance.run(JSON.stringify(late), stdin, around);
    this.running.delete(instance);
    const next = this.queue.shift();
    if (next) next();
    else this.slots += 1;
    output.flush();
    const cut = output.truncated("stdout") || output.truncated("stderr");
    if ("trap" in end) this.discarded = "trap";
    const said = "trap" in end ? crashed(end) : cut ? "its output was cut at 128 KiB" : undefined;
    const stderr = said === undefined ? written.stderr : [...written.stderr, line(request, said)];
    const exit = "exitCode" in end ? end.exitCode : 134;
    this.answer(id, { exit, stdout: joined(written.stdout), stderr: joined(stderr) });
  }

  private ended(end: End): Ended {
    const truncated = {
      stdoutTruncated: this.output.truncated("stdout"),
      stderrTruncated: this.output.truncated("stderr"),
    };
    if ("stopped" in end) return this.stopped(137, truncated);
    if ("trap" in end) {
      const message = `it ${crashed(end)}`;
      return { outcome: "failed", exitCode: 134, ...truncated, error: { code: "trap", message }, discarded: "trap" };
    }
    const { exitCode, limit, refused, memory, cwd } = end;
    if (refused !== undefined) {
      return { outcome: "failed", exitCode, ...truncated, error: { code: "refused", message: refused } };
    }
    if (limit === "time" || limit === "cancel") {
      this.reason ??= limit === "time" ? "timed_out" : "cancelled";
      return this.stopped(exitCode, truncated);
    }
    if (memory > MEMORY_BYTES) this.discarded ??= "memory";
    const { discarded } = this;
    return { outcome: "ok", exitCode, ...truncated, ...(cwd !== undefined && { cwd }), ...(discarded && { discarded }) };
  }

  private stopped(exitCode: number, truncated: Pick<Ended, "stdoutTruncated" | "stderrTruncated">): Ended {
    const outcome = this.reason ?? "cancelled";
    return { outcome, exitCode, ...truncated, ...(outcome === "timed_out" && { discarded: "timeout" }) };
  }
}

/** What is said of a crash. */
function crashed({ memory, trap }: { memory: number; trap: string }): string {
  return memory > MEMORY_BYTES / 2 ? "ran out of memory" : `crashed (${trap})`;
}

function line({ argv }: ProgramRequest, said: string): Uint8Array {
  return new TextEncoder().encode(`${argv[0]}: ${said}\n`);
}

function sentence(request: ProgramRequest, exit: number, said: string): ProgramEnd {
  return { exit, stdout: new Uint8Array(), stderr: line(request, said) };
}
