// The package in a page of Chromium, from its files as they are, under a strict policy. The bodies run in the page: they
// see nothing of this file, only `handrail`, `models` and what they are given.

import assert from "node:assert/strict";

import { both, pageTest } from "./in-page.mjs";

both("a run calls a function of the page and answers", async (isolation) => {
  const call = { id: "c1", type: "function", function: { name: "title", arguments: '{"loud": "true"}' } };
  const model = models.scripted([
    { choices: [{ message: { role: "assistant", tool_calls: [call] } }] },
    { expect: "HANDRAIL UNDER TEST", choices: [{ message: { role: "assistant", content: "Done." } }] },
  ]);
  const runtime = await handrail.createRuntime({ isolation, model });
  await runtime.tools.register({
    extensionId: "page", name: "title", description: "The page's title.",
    inputSchema: { type: "object", properties: { loud: { type: "boolean" } }, required: ["loud"] },
    // Only the page has a document: the function runs here, wherever the core is.
    execute: ({ loud }) => (loud === true ? document.title.toUpperCase() : document.title),
  });
  const run = await runtime.start({ input: "What is it called?" });
  const types = [];
  for await (const { type } of run.events()) types.push(type);
  const { status, text } = await run.result;
  await runtime.close();
  return { isolation: runtime.isolation, status, text, types };
}, ({ status, text, types, ...found }, isolation) => {
  assert.deepEqual({ status, text, ...found }, { status: "completed", text: "Done.", isolation });
  for (const type of ["tool_begin", "tool_call_completed", "run_completed"]) {
    assert.ok(types.includes(type), `${type} is missing among ${types.join(", ")}`);
  }
});

both("files go in and out, as text and as bytes", async (isolation) => {
  const runtime = await handrail.createRuntime({ isolation, workspace: { "output/a.txt": "æ\n", "output/b.bin": new Uint8Array([0, 255]) } });
  await runtime.workspace.write("output/c.txt", "c");
  const folder = await runtime.workspace.toFolder();
  const missing = await runtime.workspace.read("output/none").catch(({ code }) => code);
  await runtime.close();
  return { a: folder["output/a.txt"], b: [...folder["output/b.bin"]], c: folder["output/c.txt"], missing };
}, (found) => {
  assert.deepEqual(found, { a: "æ\n", b: [0, 255], c: "c", missing: "workspace.file_not_found" });
});

both("two runtimes in one page share nothing", async (isolation) => {
  const [one, two] = await Promise.all([1, 2].map(() => handrail.createRuntime({ isolation })));
  await Promise.all([one.workspace.write("output/same.txt", "one"), two.workspace.write("output/same.txt", "two")]);
  await one.close();
  const kept = await two.workspace.readText("output/same.txt");
  const gone = await one.workspace.readText("output/same.txt").catch(({ code }) => code);
  await two.close();
  return { kept, gone };
}, (found) => {
  assert.deepEqual(found, { kept: "two", gone: "runtime.closed" });
});

both("closing aborts what runs and rejects what is open", async (isolation) => {
  const runtime = await handrail.createRuntime({ isolation });
  let aborted = false;
  let started;
  const running = new Promise((resolve) => (started = resolve));
  await runtime.tools.register({
    extensionId: "page", name: "wait", description: "Waits.", inputSchema: { type: "object" },
    execute: (_, { signal }) => new Promise(() => {
      signal.addEventListener("abort", () => (aborted = true));
      started();
    }),
  });
  const invocation = await runtime.invocation();
  const call = { id: "c1", type: "function", function: { name: "wait", arguments: "{}" } };
  const handled = invocation.handle({ choices: [{ message: { role: "assistant", tool_calls: [call] } }] }).catch(({ code }) => code);
  await running;
  await runtime.close();
  return { code: await handled, aborted };
}, (found) => {
  assert.deepEqual(found, { code: "runtime.closed", aborted: true });
});

both("an answer is streamed over fetch from the page's own origin", async (isolation) => {
  const model = models.openAiChat({
    baseUrl: new URL("/v1", location.href).href, model: "none",
    fetch: async () => new Response(
      ["Hel", "lo."].map((content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`).join("") +
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      { headers: { "content-type": "text/event-stream" } }),
  });
  const runtime = await handrail.createRuntime({ isolation, model });
  const run = await runtime.start({ input: "Say hello." });
  const deltas = [];
  for await (const { type, payload } of run.events()) if (type === "model_delta") deltas.push(payload.text);
  const { text } = await run.result;
  await runtime.close();
  return { text, deltas };
}, ({ text, deltas }) => {
  assert.equal(text, "Hello.");
  assert.equal(deltas.join(""), "Hello.");
});

pageTest("the page's policy is strict: no eval, no inline script", "/tests/faces/browser/page/", async (page) => {
  const refused = await page.evaluate(async () => {
    // What the debugger calls may evaluate; what goes on later is the page's own.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      return new Function("return 'run'")();
    } catch (error) {
      return error.name;
    }
  });
  assert.equal(refused, "EvalError");
});

pageTest("a worker that cannot be loaded is said, and inline still works", "/tests/faces/browser/page/", async (page, troubles) => {
  const found = await page.evaluate(async () => {
    const { createRuntime } = await import("/pkg/dist/index.js");
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor() {
        super("/pkg/dist/no-such-worker.js", { type: "module" });
      }
    };
    const code = await createRuntime().catch(({ code }) => code);
    const runtime = await createRuntime({ isolation: "inline" });
    await runtime.workspace.write("output/a.txt", "a");
    return { code, text: await runtime.workspace.readText("output/a.txt") };
  });
  assert.deepEqual(found, { code: "runtime.worker_failed", text: "a" });
  assert.match(troubles.splice(0).join("\n"), /^failed: .*no-such-worker\.js/);
});
