/** handrail for Node, Deno and Bun. */

import { platform } from "./node-platform.js";
import { openRuntime } from "./runtime.js";
import type { Runtime, RuntimeOptions } from "./types.js";

export { HandrailError } from "./error.js";
export type * from "./types.js";

/**
 * Makes a runtime. Loads the core module (once) and starts the core in a worker thread.
 * Rejects with `runtime.wasm_failed` or `runtime.worker_failed` if that does not work, and with the code of the file that
 * cannot be put into the workspace.
 */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntime(options, platform);
}
