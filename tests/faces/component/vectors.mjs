// Runs the conformance cases of the public API in a folder on the component: node tests/faces/component/vectors.mjs FOLDER
// What was asked of the component and what it answered is left in target/component/transcript.jsonl, for replay.py. The
// last line of the output counts the cases.

import { readFileSync, writeFileSync } from "node:fs";

import { Cases, sum } from "../api/cases.mjs";
import { caseFiles, topics } from "../node/files.mjs";
import { folder } from "./component.mjs";
import { loadPackage } from "./package.mjs";
import * as transcript from "./transcript.mjs";

const { createRuntime } = await loadPackage();
const wasm = new WebAssembly.Module(readFileSync(new URL("js/handrail.core.wasm", folder)));
const cases = new Cases(topics, {
  begin: transcript.entitle,
  createRuntime: (options) => createRuntime({ wasm, isolation: "inline", ...options }),
  runPure: () => ({ verdict: "skipped", text: "a single function, which the component does not offer" }),
});
process.on("unhandledRejection", (error) => cases.fail("a promise nobody awaited", "", String(error)));
transcript.begin();
const files = caseFiles(process.argv[2]);
const ours = files.filter(({ text }) => topics.api.includes(JSON.parse(text).topic));
for (const { name, text } of ours) await cases.runFile(name, text);
writeFileSync(new URL("transcript.jsonl", folder), transcript.text());
for (const line of cases.lines) console.log(line);
console.log(`${files.length - ours.length} files hold cases of single functions, which run natively and in Node only`);
console.log(sum(cases.tally, cases.pure));
// An adapter may leave timers behind; they must not hold the process.
process.exit(cases.tally.failed === 0 ? 0 : 1);
