// The conformance cases in a page: what the runner outside asks for, file by file.

import { createRuntime } from "../../../../pkg/dist/index.js";
import { Cases } from "../../api/cases.mjs";
import { folder, pureRunner } from "../../api/module.mjs";

/** Makes what runs the cases of a file; `isolation` is where the core of the public API runs. */
export async function prepare(topics, isolation) {
  const compiled = await WebAssembly.compileStreaming(fetch(new URL("handrail_bg.wasm", folder)));
  return new Cases(topics, {
    createRuntime: (options) => createRuntime({ isolation, ...options }),
    runPure: pureRunner(compiled),
  });
}
