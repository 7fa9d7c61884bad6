// What the package promises as a package.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import * as page from "../dist/index.js";

const root = new URL("../", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const read = (url) => readFileSync(url, "utf8");

/** Every file that a module pulls in, and what it imports by name. */
function graph(entry) {
  const files = new Map();
  const queue = [new URL(entry, root)];
  for (const url of queue) {
    if (files.has(url.href)) continue;
    const text = read(url);
    const specifiers = [...text.matchAll(/^\s*(?:import|export)\b[\w\s{},*$]*\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/gm)].map(([, a, b]) => a ?? b);
    files.set(url.href, { text, names: specifiers.filter((name) => !name.startsWith(".")) });
    queue.push(...specifiers.filter((name) => name.startsWith(".")).map((name) => new URL(name, url)));
  }
  return files;
}

for (const entry of ["dist/index.js", "dist/worker.js", "dist/models.js"]) {
  test(`${entry} runs in a page: nothing of Node, nothing from elsewhere, no code from text`, () => {
    const files = graph(entry);
    assert.ok([...files.keys()].some((href) => href.endsWith(entry)));
    for (const [href, { text, names }] of files) {
      assert.deepEqual(names, [], href);
      assert.doesNotMatch(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ""), /\beval\s*\(|new Function\b|\bprocess\.|\brequire\s*\(|\bBuffer\.|__dirname/, href);
    }
  });
}

test("the graph of the page's entry is read whole", () => {
  const names = [...graph("dist/index.js").keys()].map((href) => href.slice(root.href.length));
  for (const wanted of ["dist/runtime.js", "dist/driver.js", "wasm/handrail.js", "dist/stringify.js"]) assert.ok(names.includes(wanted), wanted);
  assert.ok(!names.includes("dist/node.js"));
});

test("the page's entry works from bytes, a module and a response, without workers", async () => {
  const bytes = readFileSync(new URL("wasm/handrail_bg.wasm", root));
  const response = (type) => new Response(bytes, { headers: { "content-type": type } });
  const sources = [bytes, new Uint8Array(bytes).buffer, await WebAssembly.compile(bytes), response("application/wasm"), response("text/plain")];
  for (const wasm of sources) {
    const runtime = await page.createRuntime({ wasm });
    assert.equal(runtime.isolation, "inline");
    await runtime.workspace.write("output/x", "x");
    assert.equal(await runtime.workspace.read("output/x"), "x");
    await runtime.close();
  }
});

test("a module that cannot be loaded says what to do", async () => {
  const node = await import("handrail");
  for (const [create, wasm] of [
    [page.createRuntime, new Uint8Array([1, 2, 3])],
    [page.createRuntime, {}],
    [page.createRuntime, new Response("gone", { status: 404 })],
    [page.createRuntime, "http://127.0.0.1:9/x.wasm"],
    [node.createRuntime, "/no/such/file.wasm"],
    [node.createRuntime, new URL("file:///no/such/file.wasm")],
  ]) {
    await assert.rejects(create({ wasm }), ({ code, message }) => code === "runtime.wasm_failed" && /give it as wasm/.test(message));
  }
  await assert.rejects(page.createRuntime({ isolation: "worker" }), ({ code }) => code === "runtime.worker_failed");
});

test("every entry of the exports map is there", async () => {
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
  for (const target of targets(manifest.exports)) readFileSync(new URL(target.replace("*", "shell_bg"), root));
  assert.ok(import.meta.resolve("handrail").endsWith("/dist/node.js"));
  assert.ok(import.meta.resolve("handrail/handrail_bg.wasm").endsWith("/wasm/handrail_bg.wasm"));
  assert.deepEqual(Object.keys(await import("handrail")).sort(), ["HandrailError", "createRuntime"]);
  assert.deepEqual(Object.keys(page).sort(), ["HandrailError", "createRuntime"]);
  assert.deepEqual(Object.keys(await import("handrail/models")).sort(), ["ModelError", "anthropic", "openAiChat", "scripted"]);
});

test("the package brings nothing along and runs nothing when it is installed", () => {
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.type, "module");
  assert.equal(manifest.sideEffects, false);
  for (const script of Object.keys(manifest.scripts)) assert.doesNotMatch(script, /install|prepare|prepublish/);
});

test("what is packed is what is used", () => {
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: fileURLToPath(root), encoding: "utf8" }));
  const paths = files.map(({ path }) => path);
  for (const wanted of ["dist/index.js", "dist/index.d.ts", "dist/node.js", "dist/worker.js", "dist/node-worker.js", "wasm/handrail.js", "wasm/handrail_bg.wasm", "programs/shell.mjs", "programs/shell_bg.wasm"]) {
    assert.ok(paths.includes(wanted), wanted);
  }
  for (const path of paths) assert.match(path, /^(dist\/((cli|program)\/)?[\w-]+\.(js|d\.ts)|demo\/([\w-]+\.mjs|recordings\/[\w.-]+\.jsonl)|wasm-module\.d\.ts|programs\/\w+(\.mjs|_bg\.wasm)|wasm\/handrail(_bg)?\.(js|wasm|d\.ts)|package\.json|README\.md|LICENSE-\w+|THIRD-PARTY\.md)$/);
});
