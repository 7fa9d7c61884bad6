// Commands and programs of the host in a page of Chromium. The body runs in the page.

import assert from "node:assert/strict";

import { both } from "./in-page.mjs";

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
