// Hostile scripts. Each ends within its limits; after each the next command works and no file is lost.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";

import { inShell } from "./shells.mjs";

const javascript = existsSync(new URL("../programs/javascript_bg.wasm", import.meta.url));

/** What can be interrupted is tried in both isolations, the rest where the worker can be ended. */
const scripts = [
  { script: "while :; do :; done" },
  { script: "f() { f; }; f" },
  { script: ":(){ :|:& };:" },
  { script: "printf '[%.0s' {1..100000} | jq ." },
  { script: "x=a; while :; do x=$x$x; done" },
  { script: "jq -n 'def f: f; f'", only: "worker" },
  { script: "awk 'BEGIN{while(1){}}'", only: "worker" },
  { script: "js -e 'while(true){}'", javascript },
  { script: "js -e 'const a=[];for(;;)a.push(a)'", javascript },
  { script: "js -e '\"x\".repeat(1<<30)'", javascript },
  { script: "js -e 'const go = () => Promise.resolve().then(go); go()'", javascript },
  { script: "js -e '/(a+)+$/.test(\"a\".repeat(40) + \"b\")'", javascript, only: "worker" },
  { script: "js -e 'new Array(1e8).fill(0)'", javascript, only: "worker" },
  { script: "js -e 'const f = () => f(); f()'", javascript },
];

for (const { script, only, javascript: there = true } of scripts) {
  inShell(`hostile: ${script}`, { ms: 700, only, skip: !there }, async (runtime, _, isolation) => {
    await runtime.workspace.load({ "output/kept": "kept\n" });
    const started = performance.now();
    const { stdout } = await runtime.shell(`echo made > /output/made; echo part; ${script}; echo ended`);
    // Inline a single step of the shell can last; in a worker it ends with it.
    assert.ok(performance.now() - started < (isolation === "inline" ? 30_000 : 8_000));
    assert.equal(stdout.slice(0, 5), "part\n");
    assert.deepEqual((await runtime.workspace.list("output")).map(({ path }) => path), ["output/kept", "output/made"]);
    assert.equal((await runtime.shell("cat /output/kept /output/made")).stdout, "kept\nmade\n");
  });
}

inShell("hostile: filling the workspace", { ms: 20_000 }, async (runtime) => {
  await runtime.workspace.load({ "output/kept": "kept\n" });
  const script = "head -c 8000000 /dev/zero > a; i=0; while cp a f$i 2> /tmp/e; do i=$((i+1)); done; cat /tmp/e; rm f* a; cat kept";
  const { stdout } = await runtime.shell(script, { workdir: "/output" });
  assert.match(stdout, /No space left on device\nkept\n$/);
  assert.equal((await runtime.shell("ls /output")).stdout, "kept\n");
});

inShell("hostile: a hundred thousand files", { ms: 25_000 }, async (runtime) => {
  const folder = { "output/kept": "kept\n" };
  for (let at = 0; at < 60_000; at += 1) folder[`output/f${Math.floor(at / 4_000)}/${at}`] = "";
  await runtime.workspace.load(folder);
  const script = "for d in {1..10}; do mkdir d$d; touch d$d/{1..4000} || exit 9; done";
  const { exitCode, stderr, status } = await runtime.shell(script, { workdir: "/output" });
  assert.deepEqual([status, exitCode], ["ok", 9]);
  assert.match(stderr, /No space left on device/);
  assert.equal((await runtime.shell("cat kept; rm -rf d*; ls", { workdir: "/output" })).stdout.slice(0, 5), "kept\n");
  assert.equal((await runtime.workspace.list("output/f14")).length, 4_000);
});
