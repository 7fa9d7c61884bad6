// Runs a folder of conformance cases in Node: node tests/faces/node/vectors.mjs FOLDER
//
// tests/faces/topics.json says how a topic is run, here and natively. Topics of single functions run inside the
// testing build of the module; a topic of the public API needs a file TOPIC.mjs beside this one, which exports
// `run(input, expect)` and gives `{ verdict: "passed" | "failed" | "skipped", text }`, or throws. The last line of
// the output counts the cases.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { runCase } from "./module.mjs";

const topics = JSON.parse(readFileSync(new URL("../topics.json", import.meta.url), "utf8"));
const tally = { passed: 0, failed: 0, skipped: 0 };

function count(name, why, { verdict, text }) {
  tally[verdict] += 1;
  if (verdict === "failed") console.log(`failed  ${name}: ${why}\n        ${text}`);
  if (verdict === "skipped") console.log(`skipped ${name}: ${text}`);
}

/** What runs the cases of a topic, or of one `op` of it. */
async function adapter(topic, op) {
  const file = new URL(`${topic}.mjs`, import.meta.url);
  const pure = topics.pureOps[topic]?.[op] ?? (topics.api.includes(topic) ? undefined : topic);
  if (pure) return (input, expect) => runCase(pure, input, expect);
  if (!existsSync(file)) return () => undefined;
  const { run } = await import(file);
  const instead = topics.pureInstead[topic];
  // What the public API cannot show yet (a tool or a room that is not built) is still run as a single function.
  return async (input, expect) => {
    const result = await run(input, expect);
    return instead && result?.verdict === "skipped" ? runCase(instead, input, expect) : result;
  };
}

/** The answer for a topic that nothing runs: its room is built later, or nobody has heard of it. */
function unknown(topic) {
  const later = topics.later[topic];
  return later ? { verdict: "skipped", text: later } : { verdict: "failed", text: `no adapter for the topic ${topic}` };
}

async function runFile(path) {
  const { topic, cases } = JSON.parse(readFileSync(path, "utf8"));
  if (typeof topic !== "string" || !Array.isArray(cases)) throw new Error("it lacks `topic` or `cases`");
  for (const { id, why, input, expect } of cases) {
    let answer;
    try {
      const run = await adapter(topic, input?.op);
      answer = (await run(input, expect)) ?? unknown(topic);
      if (!(answer?.verdict in tally)) answer = { verdict: "failed", text: "the adapter gave no verdict" };
    } catch (error) {
      answer = { verdict: "failed", text: String(error?.stack ?? error).split("\n").slice(0, 3).join(" ") };
    }
    count(`${topic} ${id}`, why, answer);
  }
}

const folder = process.argv[2];
if (!folder) {
  console.error("Name the folder of case files.");
  process.exit(1);
}
// A promise that an adapter forgot must not end the run unseen.
process.on("unhandledRejection", (error) =>
  count("a promise nobody awaited", "", { verdict: "failed", text: String(error) }));
const files = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
if (files.length === 0) count(folder, "a folder of cases", { verdict: "failed", text: "it holds no *.json file" });
for (const name of files) {
  try {
    await runFile(join(folder, name));
  } catch (error) {
    count(name, "a case file", { verdict: "failed", text: error.message });
  }
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
// An adapter may leave timers behind; they must not hold the process.
process.exit(tally.failed === 0 ? 0 : 1);
