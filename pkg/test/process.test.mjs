// A runtime keeps its process alive while work is pending, and not a moment longer.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../", import.meta.url));

/** Runs a program; gives its output and how it ended. */
function run(program) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output: output.trim() })));
}

const head = (isolation) => `
  import { createRuntime } from "handrail";
  import { scripted } from "handrail/models";
  const runtime = await createRuntime({ isolation: "${isolation}" });
  const says = (content) => ({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] });
`;

for (const isolation of ["inline", "worker"]) {
  test(`an idle runtime holds nothing (${isolation})`, { timeout: 60_000 }, async () => {
    const { code, output } = await run(`${head(isolation)}
      await runtime.workspace.write("output/x", "x");
      await runtime.invocation({ input: "go" });
      console.log("idle");`);
    assert.deepEqual({ code, output }, { code: 0, output: "idle" });
  });

  test(`pending work holds it (${isolation})`, { timeout: 60_000 }, async () => {
    // The first attempt fails, and only the core's timer knows that there will be a second.
    const { code, output } = await run(`${head(isolation)}
      let asked = 0;
      const request = async () => {
        if ((asked += 1) === 1) throw new Error("busy");
        return says("Second try.");
      };
      const profile = { schemaVersion: 5, kind: "handrail.agentProfile", id: "p", displayName: "P", tools: { allow: [] }, run: { modelRetry: { maxRetries: 1, intervalMs: 300 } } };
      const run = await runtime.start({ model: { codec: "openai-chat", request }, input: "go", profile });
      console.log((await run.result).text);`);
    assert.deepEqual({ code, output }, { code: 0, output: "Second try." });
  });
}

test("a registration that fails unseen is not lost", { timeout: 60_000 }, async () => {
  const { code, output } = await run(`${head("worker")}
    runtime.tools.register({ extensionId: "no good", name: "x", description: "", inputSchema: { type: "object" }, execute: () => 1 });
    await runtime.workspace.list();`);
  assert.notEqual(code, 0);
  assert.match(output, /extension\.registration_invalid/);
});
