// The directed scenarios IV-101 to IV-128 of the specification. scenarios.json says of each situation which tests show
// it, or why it is not here.
//
//   node tests/scenarios.mjs           fails when a scenario has no account, or a test that is named does not exist
//   node tests/scenarios.mjs LOG…      the logs of a test run; fails as well when a test that is named did not pass in it

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const [FIRST, LAST] = [101, 128];

const root = new URL("../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const { absent, scenarios } = JSON.parse(read("tests/scenarios.json"));

/** The lines of the logs, by the name of their stage. */
const logs = new Map(process.argv.slice(2).map((path) => [basename(path, ".log"), readFileSync(path, "utf8").split("\n")]));

/** The module that a file of Rust tests is: `src/a/b_tests.rs` is `a::b::tests`. */
const moduleOf = (file) => file.replace(/^src\/|(\/mod)?\.rs$/g, "").replace(/_tests$/, "/tests").replaceAll("/", "::");

/** The tests of a module that passed, in the words of cargo test and of nextest. */
function passedInRust(module, lines) {
  const line = new RegExp(`(?:^test |PASS \\[.*\\].* handrail )${module}::(\\w+)(?: \\.\\.\\. ok)?$`);
  return lines.flatMap((text) => line.exec(text)?.slice(1) ?? []);
}

/** The tests that passed in Node's runner, in each isolation they have. */
function passedInNode(_, lines) {
  const ended = lines.flatMap((text) => {
    const [, not, name, skip] = /^ *(not )?ok \d+ - (.*?)( # (?:SKIP|TODO)\b.*)?$/.exec(text) ?? [];
    if (name === undefined) return [];
    return [{ name: name.replace(/ \((inline|worker)\)$/, "").replace(/\\([#\\])/g, "$1"), passed: !not && !skip }];
  });
  const lost = new Set(ended.filter(({ passed }) => !passed).map(({ name }) => name));
  return ended.map(({ name }) => name).filter((name) => !lost.has(name));
}

/** The cases of a topic, without those that the runner skipped. */
function passedCases(file, lines) {
  const { topic, cases } = JSON.parse(read(file));
  const lost = new Set(lines.flatMap((text) => /^(?:failed|skipped) +(\S+) (\S+): /.exec(text)?.slice(1).join(" ") ?? []));
  const ended = lines.some((text) => /^\d+ passed, 0 failed, /.test(text));
  return cases.map(({ id }) => id).filter((id) => ended && !lost.has(`${topic} ${id}`));
}

/** The scripts of a file run in one test that is named as the file is. */
function passedScripts(file, lines) {
  const names = JSON.parse(read(file)).map(({ name }) => name);
  return passedInRust("session::tests::script", lines).includes(basename(file, ".json")) ? names : [];
}

/** For the files of tests: their stages, the names in a file where they stand there as they are told, and what passed. */
const kinds = [
  {
    files: /^tests\/vectors\//, stages: ["cases-native", "cases-node"], passed: passedCases,
    names: (file) => JSON.parse(read(file)).cases.map(({ id }) => id),
  },
  {
    files: /^tests\/session\//, stages: ["rust-tests"], passed: passedScripts,
    names: (file) => JSON.parse(read(file)).map(({ name }) => name),
  },
  {
    files: /^src\/.*\.rs$/, stages: ["rust-tests"], passed: (file, lines) => passedInRust(moduleOf(file), lines),
    names: (file) => [...read(file).matchAll(/\bfn (\w+)\(/g)].map(([, name]) => name),
  },
  { files: /^pkg\/test\//, stages: ["package-tests"], passed: passedInNode },
  { files: /^tests\/faces\/node\/shell-/, stages: ["shell-tests"], passed: passedInNode },
  { files: /^tests\/faces\/node\/javascript-/, stages: ["javascript-tests"], passed: passedInNode },
];

/** What is wrong with the tests that are named of one file. */
function problemsOf(file, tests) {
  const kind = kinds.find(({ files }) => files.test(file));
  if (kind === undefined || !existsSync(new URL(file, root))) return [`there is no file of tests ${file}`];
  const known = new Set(kind.names?.(file) ?? tests);
  const missing = tests.filter((name) => !known.has(name)).map((name) => `${file} has no test "${name}"`);
  if (logs.size === 0) return missing;
  const lost = kind.stages.flatMap((stage) => {
    const passed = new Set(kind.passed(file, logs.get(stage) ?? []));
    return tests.filter((name) => known.has(name) && !passed.has(name)).map((name) => `${stage} does not tell that ${file} "${name}" passed`);
  });
  return [...missing, ...lost];
}

const problems = [];
const reasons = new Set();
let [shown, missing] = [0, 0];
for (let number = FIRST; number <= LAST; number += 1) {
  const id = `IV-${number}`;
  const situations = scenarios[id] ?? [];
  if (situations.length === 0) problems.push(`${id}: nothing is said of it`);
  for (const { what, by, absent: reason } of situations) {
    const problem = (text) => problems.push(`${id}, ${what}: ${text}`);
    if (!what || (by === undefined) === (reason === undefined)) problem("either the tests that show it or why it is not here");
    if (reason !== undefined) {
      missing += 1;
      reasons.add(reason);
      if (absent[reason] === undefined) problem(`there is no reason "${reason}"`);
    }
    if (by !== undefined) {
      shown += 1;
      if (Object.values(by).flat().length === 0) problem("no test is named");
      for (const [file, tests] of Object.entries(by)) problemsOf(file, tests).forEach(problem);
    }
  }
}
problems.push(...Object.keys(absent).filter((reason) => !reasons.has(reason)).map((reason) => `nothing is absent because of "${reason}"`));
problems.push(...Object.keys(scenarios).filter((id) => !(Number(/^IV-(\d+)$/.exec(id)?.[1]) >= FIRST && id <= `IV-${LAST}`)).map((id) => `there is no scenario ${id}`));

for (const problem of problems) console.log(problem);
console.log(`note: of ${shown + missing} situations of the directed scenarios ${shown} are shown by tests, ${missing} wait for what is not built`);
process.exitCode = problems.length === 0 ? 0 : 1;
