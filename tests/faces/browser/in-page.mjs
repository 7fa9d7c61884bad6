// Tests whose body runs in a page: what it gives is looked at here.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";

import { playground, serve } from "../../../scripts/serve.mjs";
import { launch, openPage } from "./chromium.mjs";

/** Whether the package has a program module: "shell" or "javascript". */
export const has = (program) => existsSync(new URL(`../../../pkg/programs/${program}_bg.wasm`, import.meta.url));

let server;
let browser;

before(async () => {
  server = await serve({ folders: [...playground, "tests/faces"] });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A test on a page of its own, in which nothing may go wrong unnoticed: a body takes out of `troubles` what it expects. */
export function pageTest(name, path, body, { timeout = 60_000, skip = false, ...options } = {}) {
  test(name, { timeout, skip }, async () => {
    const { page, troubles } = await openPage(browser, `${server.origin}${path}`, options);
    try {
      await body(page, troubles);
      assert.deepEqual(troubles, []);
    } finally {
      await page.context().close();
    }
  });
}

/**
 * A test of the package in a page, once with the core in a worker and once inline. `inPage(isolation)` runs there, with
 * the package as `handrail` and its models as `models`; `check` gets what it gave.
 */
export function both(name, inPage, check) {
  for (const isolation of ["worker", "inline"]) {
    pageTest(`${name} (${isolation})`, "/tests/faces/browser/page/", async (page) => {
      await page.evaluate(async () => {
        globalThis.handrail = await import("/pkg/dist/index.js");
        globalThis.models = await import("/pkg/dist/models.js");
      });
      await check(await page.evaluate(inPage, isolation), isolation);
    });
  }
}
