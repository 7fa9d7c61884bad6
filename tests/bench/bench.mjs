// ./dev bench: sizes and times of handrail, beside those of the Vercel AI SDK, just-bash and bashkit-wasm in the same run.
//
// Both run the same trivial tool. A sample is one step of a model's loop, without a model: handrail's
// `invocation.handle` on a recorded reply, the SDK's `generateText` on a mock model that answers at once. The rows
// without a call show what a step costs that runs no tool; the last row is free of it.

import { readFileSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { createRuntime } from "../../pkg/dist/node.js";
import { address, file, handrailStep, otherAddresses, otherFiles, strangers } from "./handrail.mjs";
import { sdkStep, sdkVersion } from "./ai-sdk.mjs";
import { shell } from "./shell.mjs";

const pkg = new URL("../../pkg/", import.meta.url);
const samples = Number(process.argv[2] ?? 300);

function median(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** The median time of each of some async functions in ms, sampled in turns so that all see the same machine. */
async function compare(prepare, count) {
  const times = prepare.map(() => []);
  for (let sample = -Math.ceil(count / 5); sample < count; sample += 1) {
    for (const [index, ready] of prepare.entries()) {
      const run = await ready();
      const start = performance.now();
      await run();
      const time = performance.now() - start;
      if (sample >= 0) times[index].push(time);
    }
  }
  return times.map(median);
}

const columns = (label, ...cells) => console.log(label.padEnd(44) + cells.map((cell) => String(cell).padStart(14)).join(""));
const wide = (label, ...cells) => console.log(label.padEnd(44) + cells.map((cell) => String(cell).padStart(22)).join(""));
const micro = (ms) => `${(ms * 1000).toFixed(1)} µs`;

function sizes() {
  const files = (folder, ending) => readdirSync(new URL(folder, pkg)).filter((name) => name.endsWith(ending)).map((name) => folder + name);
  const row = (label, paths) => {
    const bytes = Buffer.concat(paths.map((path) => readFileSync(new URL(path, pkg))));
    const kb = (buffer) => `${(buffer.length / 1000).toFixed(1)} KB`;
    columns(label, kb(bytes), kb(gzipSync(bytes, { level: 9 })), kb(brotliCompressSync(bytes)));
  };
  columns("size", "raw", "gzip", "brotli");
  row("core module", ["wasm/handrail_bg.wasm"]);
  row("shell module (bash, jq)", ["programs/shell_bg.wasm"]);
  row("JavaScript module", ["programs/javascript_bg.wasm"]);
  row("JavaScript of the package, not minified", ["wasm/handrail.js", ...files("dist/", ".js")]);
}

async function starting() {
  const bytes = readFileSync(new URL("wasm/handrail_bg.wasm", pkg));
  const compiled = await WebAssembly.compile(bytes);
  const glue = await import(new URL("wasm/handrail.js", pkg));
  const [compile, instantiate, runtime] = await compare(
    [
      () => () => WebAssembly.compile(bytes),
      () => {
        const core = glue.instantiate();
        return () => core.init({ module_or_path: compiled });
      },
      () => () => createRuntime({ isolation: "inline" }),
    ],
    20,
  );
  columns("start", "time");
  columns("compile the core module", `${compile.toFixed(1)} ms`);
  columns("instantiate the core module", `${instantiate.toFixed(2)} ms`);
  columns("createRuntime, module compiled", `${runtime.toFixed(2)} ms`);
}

async function calls() {
  const row = (label, ours, theirs) => columns(label, micro(ours), micro(theirs), `${(theirs / ours).toFixed(1)} ×`);
  columns("one step of the loop", "handrail", `ai ${sdkVersion}`, "ratio");
  const step = async (count, many) => compare([await handrailStep(count), await sdkStep(count)], many);
  const none = await step(0, samples);
  row("no call", ...none);
  const one = await step(1, samples);
  row("1 call", ...one);
  const hundred = await step(100, Math.ceil(samples / 5));
  row("100 calls", ...hundred);
  row("one call more, (100 calls - 1 call) / 99", ...one.map((time, index) => (hundred[index] - time) / 99));
}

/** What rules cost a call: the same step of 100 calls, with and without them, by what a call of the tool is about. */
async function rules() {
  const cases = [
    ["no rules", []],
    ["100 rules about other tools", strangers],
    ["no rules, the call is about a file", [], file],
    ["100 rules about other files", otherFiles, file],
    ["no rules, the call is about an address", [], address],
    ["100 rules about other addresses", otherAddresses, address],
  ];
  const prepared = await Promise.all(cases.map(([, rules, target]) => handrailStep(100, rules, target)));
  const times = (await compare(prepared, Math.ceil(samples / 5))).map((time) => time / 100);
  columns("one call of 100", "time", "ratio");
  for (const [index, [label]] of cases.entries()) {
    const without = times[index - (index % 2)];
    columns(label, micro(times[index]), `${(times[index] / without).toFixed(2)} ×`);
  }
}

console.log(`Node ${process.version} on ${cpus().length} cores, medians of ${samples} samples (100 calls: a fifth of them)\n`);
sizes();
console.log();
await starting();
console.log();
await calls();
console.log();
await rules();
console.log();
await shell(wide);
process.exit(0);
