/** What Node, Deno and Bun have: files and worker threads. */

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

import { Modules, type Fetch } from "./module.js";
import type { WorkerPort } from "./remote.js";
import type { Platform } from "./runtime.js";

/** A string is a path or an address. */
const read: Fetch = (address) => {
  const text = String(address);
  if (/^https?:/.test(text)) return fetch(text);
  return readFile(/^file:/.test(text) ? new URL(text) : text);
};

const modules = new Modules(
  {
    core: () => new URL("../wasm/handrail_bg.wasm", import.meta.url),
    shell: () => new URL("../programs/shell_bg.wasm", import.meta.url),
    javascript: () => new URL("../programs/javascript_bg.wasm", import.meta.url),
  },
  read,
);

/** This platform. */
export const platform: Platform = {
  compile: (name, source) => modules.compile(name, source),
  worker: startWorker,
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
