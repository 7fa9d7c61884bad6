// The shell in a page of Chromium: commands, and what hostile ones may not do to the page. The bodies run in the page.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";

import { both, pageTest } from "./in-page.mjs";

both("commands run over the files", async (isolation) => {
  const runtime = await handrail.createRuntime({ isolation, workspace: { "output/a.json": '{"a":[1,2]}' } });
  runtime.programs.register("title", () => ({ stdout: `${document.title}\n` }));
  const script = "jq -c '.a | map(. * 2)' a.json | tee b.json; title; exit 3";
  const { exitCode, stdout, stderr } = await runtime.shell(script, { workdir: "/output" });
  const written = await runtime.workspace.readText("output/b.json");
  await runtime.close();
  return { exitCode, stdout, stderr, written };
}, ({ stdout, ...found }) => {
  assert.deepEqual(found, { exitCode: 3, stderr: "", written: "[2,4]\n" });
  assert.match(stdout, /^\[2,4\]\n.+\n$/);
});

/** Runs commands and tells the longest time between two frames meanwhile. The command is cancelled after a moment. */
const watched = async ({ isolation, script }) => {
  const handrail = await import("/pkg/dist/index.js");
  const runtime = await handrail.createRuntime({ isolation, workspace: { "output/kept": "kept\n" } });
  await runtime.shell("js -e 1; jq -n 1");
  let [gap, last, going] = [0, performance.now(), true];
  const frame = (now) => {
    gap = Math.max(gap, now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  await new Promise(requestAnimationFrame);
  last = performance.now();
  requestAnimationFrame(frame);
  const controller = new AbortController();
  const onOutput = () => setTimeout(() => controller.abort(), 300);
  const command = `echo made > /output/made; echo part; ${script}`;
  const { stdout } = await runtime.shell(command, { signal: controller.signal, onOutput });
  going = false;
  const next = await runtime.shell("cat /output/kept /output/made");
  await runtime.close();
  return { part: stdout.slice(0, 5), gap, next: next.stdout };
};

const scripts = [
  ["while :; do :; done"],
  // One step of the shell lasts for seconds.
  [":(){ :|:& };:", "worker"],
  ["js -e 'while(true){}'"],
  ["js -e 'const a=[];for(;;)a.push(a)'"],
  ["js -e 'const go = () => Promise.resolve().then(go); go()'"],
  ["jq -n 'last(range(1e12))'", "worker"],
  ["js -e '/(a+)+$/.test(\"a\".repeat(40) + \"b\")'", "worker"],
  ["js -e '\"x\".repeat(1<<30)'", "worker"],
];
const javascript = existsSync(new URL("../../../pkg/programs/javascript.mjs", import.meta.url));
for (const [script, only] of scripts.filter(([script]) => javascript || !script.startsWith("js"))) {
  for (const isolation of only ? [only] : ["inline", "worker"]) {
    pageTest(`hostile: ${script} (${isolation})`, "/tests/faces/browser/page/", async (page) => {
      const { part, gap, next } = await page.evaluate(watched, { isolation, script });
      assert.deepEqual({ part, next }, { part: "part\n", next: "kept\nmade\n" });
      assert.ok(gap < 100, `${gap} ms between two frames`);
    });
  }
}
