// Runs a folder of conformance cases in Node: node tests/faces/node/vectors.mjs FOLDER
// The last line of the output counts the cases.

import { readFileSync } from "node:fs";

import { createRuntime } from "../../../pkg/dist/node.js";
import { Cases, sum } from "../api/cases.mjs";
import { folder, pureRunner } from "../api/module.mjs";
import { caseFiles, topics } from "./files.mjs";

const compiled = new WebAssembly.Module(readFileSync(new URL("handrail_bg.wasm", folder)));
const cases = new Cases(topics, {
  createRuntime: (options) => createRuntime({ isolation: "inline", ...options }),
  runPure: pureRunner(compiled),
});
// A promise that an adapter forgot must not end the run unseen.
process.on("unhandledRejection", (error) => cases.fail("a promise nobody awaited", "", String(error)));
for (const { name, text } of caseFiles(process.argv[2])) await cases.runFile(name, text);
for (const line of cases.lines) console.log(line);
console.log(sum(cases.tally, cases.pure));
// An adapter may leave timers behind; they must not hold the process.
process.exit(cases.tally.failed === 0 ? 0 : 1);
