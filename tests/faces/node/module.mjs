// The testing build of the module, with its one entry for single functions. `./dev` builds it.

import { readFileSync } from "node:fs";

const folder = new URL("../../../target/testing-wasm/", import.meta.url);
let compiled;
let instance;
let generation = 0;

/** A new instance of the module. The glue keeps one instance for each import, so each import gets an address of its own. */
async function instantiate() {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("handrail_bg.wasm", folder)));
  const glue = await import(new URL(`handrail.js?${(generation += 1)}`, folder));
  glue.initSync({ module: compiled });
  return glue;
}

/** Runs one case of a topic of single functions. A trap is the answer to that case; the next gets a new instance.
 * `undefined`: no single function runs this topic. */
export async function runCase(topic, input, expect) {
  instance ??= await instantiate();
  let answer;
  try {
    answer = JSON.parse(instance.run_case(topic, JSON.stringify(input), JSON.stringify(expect)));
  } catch (error) {
    instance = undefined;
    return { verdict: "failed", text: `the module ended: ${error.message}` };
  }
  return answer.verdict === "unknown" ? undefined : answer;
}
