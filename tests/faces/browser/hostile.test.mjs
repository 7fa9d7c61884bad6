// Hostile scripts in a page, with the core and the programs in a worker: the page goes on drawing, the next command
// works, and no file is lost.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { has, pageTest } from "./in-page.mjs";

const root = new URL("../../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("tests/hostile.json", root), "utf8"));

/** The longest time between two frames of the page, in milliseconds. */
const LONGEST_GAP = 100;
/** What a script has before it is stopped; one that nothing can interrupt ends with its worker. */
const PATIENCE = 2_000;
/** A gap may be the fault of a busy machine; one that is there each time is ours. */
const ATTEMPTS = 3;

for (const { script, javascript } of scripts) {
  const skip = !has("shell") || (javascript && !has("javascript"));
  pageTest(`hostile in the page: ${script}`, "/tests/faces/browser/page/", async (page) => {
    const gaps = [];
    for (let attempt = 0; attempt < ATTEMPTS && !(gaps.at(-1) < LONGEST_GAP); attempt += 1) {
      const { gap, frames, took, status, exitCode, folder, next } = await page.evaluate(attempted, { script, patience: PATIENCE });
      gaps.push(gap);
      console.log(`frames ${frames}, longest gap ${gap.toFixed(0)} ms, ended after ${took.toFixed(0)} ms: ${status} ${exitCode}: ${script}`);
      assert.ok(took < PATIENCE + 8_000, `it took ${took} ms`);
      assert.deepEqual(folder, ["kept\n", "made\n"]);
      assert.equal(next, "kept\nmade\n");
      assert.ok(frames > took / LONGEST_GAP, `only ${frames} frames in ${took} ms`);
    }
    assert.ok(Math.min(...gaps) < LONGEST_GAP, `the page stood still for ${gaps.join(", ")} ms`);
  }, { timeout: 90_000, skip });
}

/** In the page: the script, the frames meanwhile, then another command. */
async function attempted({ script, patience }) {
  const { createRuntime } = await import("/pkg/dist/index.js");
  const runtime = await createRuntime({ isolation: "worker", workspace: { "output/kept": "kept\n" } });
  // What is loaded once is not what is measured.
  await runtime.shell("echo warm; js -e 0");
  let [frames, gap, last] = [0, 0, performance.now()];
  let watched = true;
  const frame = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    [frames, last] = [frames + 1, now];
    if (watched) requestAnimationFrame(frame);
  };
  const begun = performance.now();
  requestAnimationFrame(frame);
  const { status, exitCode } = await runtime.shell(`echo made > /output/made; echo part; ${script}; echo ended`, {
    signal: AbortSignal.timeout(patience),
  });
  const took = performance.now() - begun;
  frame();
  watched = false;
  const { stdout: next } = await runtime.shell("cat /output/kept /output/made");
  const folder = [await runtime.workspace.readText("output/kept"), await runtime.workspace.readText("output/made")];
  await runtime.close();
  return { gap, frames, took, status, exitCode, folder, next };
}
