// Runs a folder of conformance cases in a page of Chromium: node tests/faces/browser/vectors.mjs FOLDER
// Those of the public API run on a core in a worker. The last line of the output counts the cases.

import { serve } from "../../../scripts/serve.mjs";
import { sum } from "../api/cases.mjs";
import { caseFiles, topics } from "../node/files.mjs";
import { launch, openPage } from "./chromium.mjs";

const files = caseFiles(process.argv[2]);
const server = await serve({ folders: ["tests/faces", "pkg/dist", "pkg/wasm", "target/testing-wasm"] });
const browser = await launch();
let result;
// A case that never ends must not hold the stage for ever.
const impatient = setTimeout(() => void browser.close(), 300_000);
try {
  const { page, troubles } = await openPage(browser, `${server.origin}/tests/faces/browser/page/`);
  await page.evaluate(async (topics) => {
    const { prepare } = await import("./cases.mjs");
    globalThis.cases = await prepare(topics, "worker");
  }, topics);
  for (const { name, text } of files) {
    await page.evaluate(({ name, text }) => globalThis.cases.runFile(name, text), { name, text });
  }
  // What the page noticed besides is a failure of its own.
  for (const trouble of troubles) await page.evaluate((text) => globalThis.cases.fail("the page", "", text), trouble);
  result = await page.evaluate(() => ({ lines: globalThis.cases.lines, tally: globalThis.cases.tally, pure: globalThis.cases.pure }));
} finally {
  clearTimeout(impatient);
  await browser.close();
  server.close();
}
for (const line of result.lines) console.log(line);
console.log(sum(result.tally, result.pure));
process.exitCode = result.tally.failed === 0 ? 0 : 1;
