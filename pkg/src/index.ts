/** handrail for pages, workers and edge hosts. */

import { Modules } from "./module.js";
import type { WorkerPort } from "./remote.js";
import { openRuntime, type Platform } from "./runtime.js";
import type { Runtime, RuntimeOptions } from "./types.js";

export { HandrailError } from "./error.js";
export type * from "./types.js";

const modules = new Modules(
  {
    core: () => new URL("../wasm/handrail_bg.wasm", import.meta.url),
    shell: () => new URL("../programs/shell_bg.wasm", import.meta.url),
    javascript: () => new URL("../programs/javascript_bg.wasm", import.meta.url),
  },
  (address) => fetch(address),
);

const platform: Platform = {
  compile: (name, source) => modules.compile(name, source),
  ...(typeof Worker === "function" && { worker: startWorker }),
};

/**
 * Makes a runtime. Loads the core module (once) and starts the core, in a worker where there are workers.
 * Rejects with `runtime.wasm_failed` or `runtime.worker_failed` if that does not work, and with the code of the file that
 * cannot be put into the workspace.
 */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntime(options, platform);
}

function startWorker(): WorkerPort {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "handrail" });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.addEventListener("message", ({ data }) => listener(data)),
    onDeath: (listener) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        listener(event.message || "its file could not be loaded");
      });
      worker.addEventListener("messageerror", () => listener("a message could not be read"));
    },
    // A page lives without its workers' consent.
    keepAlive: () => undefined,
    terminate: () => worker.terminate(),
  };
}
