// Hostile scripts. Each ends within its limits; after each the next command works and no file is lost.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

import { inShell } from "./shells.mjs";

const javascript = existsSync(new URL("../programs/javascript_bg.wasm", import.meta.url));

const { scripts } = JSON.parse(readFileSync(new URL("../../tests/hostile.json", import.meta.url), "utf8"));

for (const { script, only, javascript: needed } of scripts) {
  inShell(`hostile: ${script}`, { ms: 1_000, only, skip: needed && !javascript }, async (runtime, _, isolation) => {
    await runtime.workspace.load({ "output/kept": "kept\n" });
    const started = performance.now();
    const { stdout } = await runtime.shell(`echo made > /output/made; echo part; ${script}; echo ended`);
    // Inline a single step of the shell can last; in a worker it ends with it.
    assert.ok(performance.now() - started < (isolation === "inline" ? 30_000 : 8_000));
    assert.equal(stdout.slice(0, 5), "part\n");
    const there = (await runtime.workspace.list("output")).map(({ path }) => path);
    for (const path of ["output/kept", "output/made"]) assert.ok(there.includes(path), path);
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
