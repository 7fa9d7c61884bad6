// The server of the pages gives out what it is asked to and nothing else.

import assert from "node:assert/strict";
import { get } from "node:http";
import { test } from "node:test";

import { POLICY, serve } from "../../../scripts/serve.mjs";

/** As it is asked: `fetch` would tidy the path first. */
const ask = (origin, path) => new Promise((resolve, reject) => {
  get(`${origin}${path}`, { path }, (response) => resolve(response.resume())).on("error", reject);
});

test("files of the named folders, with their types and the policy", async (t) => {
  const server = await serve({ folders: ["www", "pkg/wasm"] });
  t.after(server.close);
  for (const [path, type] of [
    ["/www/", "text/html; charset=utf-8"], ["/www/main.js", "text/javascript; charset=utf-8"],
    ["/www/style.css", "text/css; charset=utf-8"], ["/pkg/wasm/handrail_bg.wasm", "application/wasm"],
  ]) {
    const { statusCode, headers } = await ask(server.origin, path);
    assert.deepEqual([statusCode, headers["content-type"], headers["content-security-policy"]], [200, type, POLICY], path);
  }
  assert.equal((await ask(server.origin, "/")).headers.location, "/www/");
});

test("nothing else", async (t) => {
  const server = await serve({ folders: ["www"] });
  t.after(server.close);
  for (const path of [
    "/Cargo.toml", "/www", "/www/../Cargo.toml", "/www/%2e%2e/Cargo.toml", "/www/..%2fCargo.toml", "/www/..%5cCargo.toml",
    "/.git/config", "/www/%00", "/www/%", "//etc/passwd", "/www//etc/passwd", "/pkg/wasm/handrail_bg.wasm", "/www/missing.js",
  ]) {
    assert.equal((await ask(server.origin, path)).statusCode, 404, path);
  }
});
