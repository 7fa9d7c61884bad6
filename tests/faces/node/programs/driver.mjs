// How a driver runs a program module: the poll loop that lets the event loop run, timers that die with their instance,
// output that is capped, and an instance that is thrown away after its command or its crash.
import { readFileSync } from "node:fs";

/** Bytes of each output stream that are kept (SH-04). */
const STREAM_BYTES = 128 * 1024;
/** How long polling may keep the event loop waiting, in milliseconds. */
const SLICE_MS = 8;

/** Loads a program module: its compiled WebAssembly and the factory of its instances. */
export const load = async (folder, name) => ({
  compiled: new WebAssembly.Module(readFileSync(new URL(`${name}_bg.wasm`, folder))),
  instantiate: (await import(new URL(`${name}.mjs`, folder))).instantiate,
});

class Stream {
  chunks = [];
  size = 0;
  truncated = false;

  push(bytes) {
    const kept = bytes.slice(0, STREAM_BYTES - this.size);
    this.truncated ||= kept.length < bytes.length;
    if (kept.length === 0) return;
    this.size += kept.length;
    this.chunks.push(kept);
  }

  text() {
    return new TextDecoder().decode(Buffer.concat(this.chunks));
  }
}

/** One instance of a program module, for one command. */
export class Instance {
  /**
   * @param files the file operations of the port
   * @param options {now, spawn}: the clock, and what runs other programs: `spawn(request, stdin)` gives or promises
   * `{exit, stdout, stderr}`
   */
  constructor({ compiled, instantiate }, files, { now = () => Date.now(), spawn } = {}) {
    this.timers = new Set();
    this.dead = false;
    this.woken = false;
    this.stdout = new Stream();
    this.stderr = new Stream();
    this.onOutput = () => {};
    const port = {
      stat: (path) => files.stat(path),
      list: (path) => files.list(path),
      read: (path) => files.read(path),
      write: (path, bytes) => files.write(path, bytes),
      append: (path, bytes) => files.append(path, bytes),
      mkdir: (path, recursive) => files.mkdir(path, recursive),
      remove: (path, recursive) => files.remove(path, recursive),
      rename: (from, to) => files.rename(from, to),
      copy: (from, to) => files.copy(from, to),
      stdout: (bytes) => (this.stdout.push(bytes), this.onOutput("stdout", bytes)),
      stderr: (bytes) => (this.stderr.push(bytes), this.onOutput("stderr", bytes)),
      // Called from inside `poll` as well, so it only leaves a sign.
      wake: () => {
        this.woken = true;
        this.resume?.();
      },
      now,
      spawn: (id, request, stdin) => this.spawn(spawn, id, JSON.parse(request), Uint8Array.from(stdin)),
    };
    this.program = instantiate(port, (...timer) => this.setTimer(...timer), (id) => this.clearTimer(id));
    this.program.initSync({ module: compiled });
  }

  /** Runs the command of this instance to its end. Never rejects. */
  async run(request, stdin = new Uint8Array()) {
    let end = { exitCode: 134 };
    try {
      this.program.start(JSON.stringify(request), stdin);
      while (!this.dead && !this.slice()) await this.pause();
      if (!this.dead) end = JSON.parse(this.program.finish());
    } catch (error) {
      this.crash(error);
    }
    if (this.stopped !== undefined) end = { exitCode: 137, limit: this.stopped };
    else if (this.trap !== undefined) end = { exitCode: 134, trap: this.trap };
    this.discard();
    return {
      ...end,
      stdout: this.stdout.text(),
      stderr: this.stderr.text(),
      stdoutTruncated: this.stdout.truncated,
      stderrTruncated: this.stderr.truncated,
    };
  }

  /** Asks the program to end; it does so at its next poll. */
  cancel() {
    if (!this.dead) this.program.cancel();
  }

  /** Ends the program without asking it: nothing of it runs again. */
  stop(reason) {
    this.stopped = reason;
    this.discard();
    this.resume?.();
  }

  /** Polls for a while; true when the command has ended. */
  slice() {
    const end = performance.now() + SLICE_MS;
    do {
      this.woken = false;
      if (this.program.poll()) return true;
    } while (this.woken && !this.dead && performance.now() < end);
    return false;
  }

  /** One turn of the event loop when there is more to do at once, else until the program is woken. */
  async pause() {
    if (this.woken) return new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => (this.resume = resolve));
    this.resume = undefined;
  }

  spawn(spawn, id, request, stdin) {
    const bytes = (text) => (typeof text === "string" ? new TextEncoder().encode(text) : text ?? new Uint8Array());
    const complete = ({ exit = 0, stdout, stderr }) => {
      if (!this.dead) this.guard(() => this.program.complete(id, exit, bytes(stdout), bytes(stderr)));
    };
    const answer = spawn?.(request, stdin) ?? { exit: 127, stderr: `${request.argv[0]}: not available\n` };
    if (typeof answer.then === "function") answer.then(complete);
    else complete(answer);
  }

  setTimer(callback, delay) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.dead) this.guard(callback);
    }, delay);
    this.timers.add(timer);
    return timer;
  }

  clearTimer(timer) {
    this.timers.delete(timer);
    clearTimeout(timer);
  }

  guard(call) {
    try {
      call();
    } catch (error) {
      this.crash(error);
      this.resume?.();
    }
  }

  /** Whatever comes out of a program as an exception is its death: its memory can not be trusted any more. */
  crash(error) {
    this.trap = String(error);
    this.discard();
  }

  discard() {
    this.dead = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
