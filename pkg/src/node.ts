/** handrail for Node, Deno and Bun. */

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

import { compileModule, type Fetch } from "./module.js";
import type { WorkerPort } from "./remote.js";
import { openRuntime, type Platform } from "./runtime.js";
import type { Runtime, RuntimeOptions } from "./types.js";

export { HandrailError } from "./error.js";
export type * from "./types.js";

/** The module beside the package, compiled once for all runtimes. */
let beside: Promise<WebAssembly.Module> | undefined;

const platform: Platform = {
  compile: (source) => {
    if (source !== undefined) return compileModule(source, read);
    beside ??= compileModule(new URL("../wasm/handrail_bg.wasm", import.meta.url), read);
    beside.catch(() => (beside = undefined));
    return beside;
  },
  worker: startWorker,
};

/**
 * Makes a runtime. Loads the core module (once) and starts the core in a worker thread.
 * Rejects with `runtime.wasm_failed` or `runtime.worker_failed` if that does not work, and with the code of the file that
 * cannot be put into the workspace.
 */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntime(options, platform);
}

/** A string is a path or an address. */
const read: Fetch = (address) => {
  const text = String(address);
  if (/^https?:/.test(text)) return fetch(text);
  return readFile(/^file:/.test(text) ? new URL(text) : text);
};

function startWorker(): WorkerPort {
  // Flags of this process (a test runner's, `--input-type`) are not the worker's.
  const worker = new Worker(new URL("./node-worker.js", import.meta.url), { name: "handrail", execArgv: [] });
  // It keeps the process alive only while something is asked of it.
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => void worker.on("message", listener),
    onDeath: (listener) => {
      worker.on("error", listener);
      worker.on("messageerror", listener);
      worker.on("exit", (code) => listener(`the worker ended with code ${code}`));
    },
    keepAlive: (wanted) => (wanted ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
