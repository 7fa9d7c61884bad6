// What we build on: every licence is one that lets the module ship under ours, and nothing in the core is random.

import { readFileSync } from "node:fs";

import { allCrates, moduleCrates } from "../scripts/crates.mjs";

const allowed = new Set([
  "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC",
  "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib", "bzip2-1.0.6",
]);
/** Good besides for what only the tests run: nobody is given it, and only changes to its own files must be shared. */
const allowedInTests = new Set([...allowed, "MPL-2.0"]);
/** Crates that bring randomness or a clock along: the core imports neither. */
const unwanted = ["ahash", "getrandom", "instant", "rand", "web-time"];
const crateFolders = ["Cargo.toml", "pkg/bindgen/Cargo.toml"];
const npmFolders = ["pkg", "pkg/bindgen", "pkg/component", "tests", "tests/bench"];
/** Here the .npmrc leaves optional packages out, so they are never installed. */
const withoutOptional = ["tests/bench"];

/** Whether an SPDX expression can be satisfied by allowed licences; `/` is an old way to write OR. */
function satisfied(expression, licences = allowed) {
  const words = expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+/g) ?? [];
  const any = () => {
    let good = all();
    while (words[0] === "OR") good = words.shift() && all() || good;
    return good;
  };
  const all = () => {
    let good = one();
    while (words[0] === "AND") good = words.shift() && one() && good;
    return good;
  };
  const one = () => {
    const word = words.shift();
    if (word === "(") {
      const good = any();
      words.shift();
      return good;
    }
    return licences.has(words[0] === "WITH" ? `${word} ${words.shift()} ${words.shift()}` : word);
  };
  return any();
}

let read = 0;
let problems = 0;
function check(name, good, problem) {
  read += 1;
  if (good) return;
  problems += 1;
  console.log(`${name}: ${problem}`);
}

for (const [expression, good] of [
  ["MIT OR GPL-3.0", true], ["MIT AND GPL-3.0", false], ["(GPL-2.0 OR MIT) AND Zlib", true], ["GPL-3.0", false],
  ["MIT/Apache-2.0", true], ["Apache-2.0 WITH LLVM-exception", true], ["GPL-2.0 WITH Classpath-exception-2.0", false],
]) {
  check(`the reading of ${expression}`, satisfied(expression) === good, "is wrong");
}
for (const manifest of crateFolders) {
  for (const { name, version, license } of allCrates(manifest)) {
    check(`${name} ${version} of ${manifest}`, satisfied(license ?? ""), `its licence is ${license ?? "not stated"}`);
  }
}
for (const folder of npmFolders) {
  const licences = folder === "tests" ? allowedInTests : allowed;
  for (const [path, { license, link, optional }] of Object.entries(npmPackages(folder))) {
    if (path === "" || link || (optional && withoutOptional.includes(folder))) continue;
    check(`${path} of ${folder}`, satisfied(license ?? "", licences), `its licence is ${license ?? "not stated"}`);
  }
}
for (const { name } of moduleCrates("handrail_bg.wasm")) {
  check(`${name} in the core module`, !unwanted.includes(name), "the core must import neither randomness nor a clock");
}
console.log(`${read} facts of dependencies checked, ${problems} of them bad`);
process.exitCode = problems === 0 ? 0 : 1;

function npmPackages(folder) {
  try {
    return JSON.parse(readFileSync(new URL(`../${folder}/package-lock.json`, import.meta.url), "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}
