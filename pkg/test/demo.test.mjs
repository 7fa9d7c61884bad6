// The demo is a promise too: a whole run on a recorded stream, shown as it goes.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../demo/demo.mjs", import.meta.url));

function demo(...args) {
  const { HANDRAIL_BASE_URL: _, HANDRAIL_PROVIDER: __, ...env } = process.env;
  return spawnSync(process.execPath, [script, ...args], { encoding: "utf8", env, timeout: 60_000 });
}

for (const provider of ["openai-chat", "anthropic"]) {
  test(`the recorded run completes and shows what it promises, ${provider}`, () => {
    const { status, stdout, stderr } = demo("--provider", provider);
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout, /\u001b/, "no colours where there is no terminal");
    const order = [
      /Round 1\n/,
      /ok +workspace_list_files closed · admitted · running · settled/,
      /call +get_weather \{"city": "Oslo", "days": \["friday"/,
      /get_weather says: asking for 3 days/,
      /arguments repaired/,
      /the whole result is in tool-results\/run_1\//,
      /error +workspace_read_file tool\.invalid_arguments/,
      /ok +workspace_read_file/,
      /Rolled 1d3: \d\./,
      /wrote output\/plan\.md/,
      /call +workspace_shell .*jq -R/,
      /ask +May workspace_shell run\? \S/,
      /\n {10}\$ cd output\n {12}jq -R/,
      /answer +workspace_shell allowed once, by the script/,
      /ok +workspace_shell closed · admitted · awaiting_approval · running · settled/,
      /kg strawberries +0\.25 each/,
      /changed plan\/notes\.md/,
      /Files\n {2}output\/\n {4}items\.json.*\n {4}plan\.md/,
      /^completed The picnic is planned/m,
    ];
    let rest = stdout;
    for (const pattern of order) {
      const found = pattern.exec(rest);
      assert.ok(found, `${pattern} is missing in: ${rest}`);
      rest = rest.slice(found.index + found[0].length);
    }
  });
}

test("a run that does not complete ends with 1", () => {
  const file = join(mkdtempSync(join(tmpdir(), "handrail-demo-")), "short.jsonl");
  writeFileSync(file, `${JSON.stringify({ expect: "something nobody asked", choices: [] })}\n`);
  const { status, stdout } = demo("--wire", file);
  assert.equal(status, 1);
  assert.match(stdout, /failed model\.request_failed: Reply 1 of the recording/);
});

test("what cannot be used is said in one sentence", () => {
  for (const args of [["--wire"], ["--unknown", "x"], ["--wire", "/no/such/file"], ["--provider", "telepathy"], ["--provider"]]) {
    const { status, stderr } = demo(...args);
    assert.equal(status, 1);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  }
});
