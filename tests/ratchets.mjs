// What must only improve: size and imports of every module that ships, kept in ratchets.json.
//
//   node tests/ratchets.mjs            fails when a module grew by more than 1 %, or imports something new
//   node tests/ratchets.mjs --update   records what is there now

import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { worldOf } from "../pkg/component/world.mjs";

const root = new URL("../", import.meta.url);
const record = new URL("ratchets.json", import.meta.url);

/** The modules that ship, with the glue that was generated for each and the bar it has to reach. */
const modules = [
  { name: "core", wasm: "pkg/wasm/handrail_bg.wasm", glue: "./handrail_bg.js", gzipBar: 350 * 1024 },
  { name: "shell", wasm: "pkg/programs/shell_bg.wasm", glue: "./shell_bg.js", gzipBar: 2_700_000 },
  { name: "javascript", wasm: "pkg/programs/javascript_bg.wasm", glue: "./javascript_bg.js", gzipBar: 1_400_000 },
];
/** The components, with the interfaces that each may import; what it may not, it cannot reach. */
const components = [
  { name: "component", wasm: "target/component/handrail.component.wasm", mayImport: [], gzipBar: 360 * 1024 },
  {
    name: "component javascript", wasm: "target/component-javascript/javascript.component.wasm", gzipBar: 1_400_000,
    mayImport: ["types", "files", "clock", "output", "spawn"],
  },
];
const growth = 1.01;
const shrinkage = 0.97;

const update = process.argv.includes("--update");
const recorded = JSON.parse(readFileSync(record, "utf8"));
const tally = { passed: 0, failed: 0 };

function check(name, good, problem) {
  tally[good ? "passed" : "failed"] += 1;
  console.log(good ? `ok      ${name}` : `failed  ${name}: ${problem}`);
}

function measure({ wasm }) {
  const bytes = readFileSync(new URL(wasm, root));
  const module = new WebAssembly.Module(bytes);
  // The names end with a hash that any change of the glue changes.
  const imports = WebAssembly.Module.imports(module).map(({ name }) => name.replace(/_[0-9a-f]{16}$/, ""));
  return { bytes, module, now: { ...sizes(bytes), imports: imports.sort() } };
}

async function measureComponent({ wasm }) {
  const bytes = readFileSync(new URL(wasm, root));
  const { imports } = await worldOf(bytes);
  return { bytes, now: { ...sizes(bytes), imports: imports.sort() } };
}

const sizes = (bytes) => ({
  raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length,
});

/** What holds whatever is recorded. */
function checkRules({ name, glue, gzipBar }, { bytes, module, now }) {
  const foreign = WebAssembly.Module.imports(module)
    .filter((entry) => entry.module !== glue || entry.kind !== "function" || !/^__(wbg|wbindgen)/.test(entry.name))
    .map((entry) => `${entry.module} ${entry.name}`);
  check(`${name} imports only its own glue`, foreign.length === 0, foreign.join(", "));
  const testing = WebAssembly.Module.exports(module).some((entry) => entry.name === "run_case");
  check(`${name} carries no entry for tests`, !testing, "it exports run_case");
  checkBytes(name, gzipBar, bytes, now);
}

function checkComponentRules({ name, mayImport, gzipBar }, { bytes, now }) {
  const allowed = mayImport.map((entry) => `handrail:agent/${entry}@0.1.0`);
  const foreign = now.imports.filter((entry) => !allowed.includes(entry));
  const what = mayImport.length === 0 ? "imports nothing" : "imports only interfaces of ours";
  check(`${name} ${what}`, foreign.length === 0, foreign.join(", "));
  checkBytes(name, gzipBar, bytes, now);
}

function checkBytes(name, gzipBar, bytes, now) {
  const paths = bytes.toString("latin1").match(/[\w./-]*\/registry\/src\/[\w./-]*/g) ?? [];
  check(`${name} holds no path of the machine that built it`, paths.length === 0, paths[0]);
  // The bar is where the module has to get to; until then the recorded size keeps it from growing.
  if (now.gzip > gzipBar) console.log(`note: ${name} has ${now.gzip} bytes in gzip, ${now.gzip - gzipBar} over its bar of ${gzipBar}`);
}

/** What may not get worse than what is recorded. */
function checkRecord(name, now, before) {
  const again = "if that is meant, run ./dev test --update-ratchets and commit tests/ratchets.json";
  if (!before) return check(`${name} is recorded`, false, "run ./dev test --update-ratchets and commit tests/ratchets.json");
  for (const measure of ["raw", "gzip", "brotli"]) {
    const [is, was] = [now[measure], before[measure]];
    const percent = ((is / was - 1) * 100).toFixed(1);
    check(`${name} ${measure}: ${is} bytes, ${percent} %`, is <= was * growth, `${was} recorded; ${again}`);
    if (is < was * shrinkage) console.log(`note: ${name} ${measure} shrank from ${was} to ${is}: run ./dev test --update-ratchets to keep it`);
  }
  const added = now.imports.filter((entry) => !before.imports.includes(entry));
  check(`${name} imports: ${now.imports.join(", ")}`, added.length === 0, `${added.join(", ")} is new; ${again}`);
  const gone = before.imports.filter((entry) => !now.imports.includes(entry));
  if (gone.length > 0) console.log(`note: ${name} no longer imports ${gone.join(", ")}: run ./dev test --update-ratchets to keep it`);
}

const measured = modules.map((entry) => {
  const found = measure(entry);
  checkRules(entry, found);
  return { ...entry, ...found };
});
for (const entry of components) {
  const found = await measureComponent(entry);
  checkComponentRules(entry, found);
  measured.push({ ...entry, ...found });
}
for (const { name, now } of measured) {
  if (update) recorded[name] = now;
  else checkRecord(name, now, recorded[name]);
}
if (update) writeFileSync(record, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`${tally.passed} passed, ${tally.failed} failed, 0 skipped`);
process.exitCode = tally.failed === 0 ? 0 : 1;
