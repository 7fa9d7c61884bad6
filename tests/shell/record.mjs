// Runs the recorded cases with the bash of this machine and writes down what it gives: node tests/shell/record.mjs [FILE…]
// A case that the machine's tools answer otherwise than before shows up as a change of its file.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const folder = new URL("./", import.meta.url);
const names = process.argv.slice(2);
const all = readdirSync(folder).filter((name) => name.endsWith(".json"));

for (const name of names.length > 0 ? names : all) {
  const file = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  if (file.recorded === undefined) continue;
  for (const one of file.cases) Object.assign(one, run(one, file.files));
  writeFileSync(new URL(name, folder), `${JSON.stringify(file, undefined, 1)}\n`);
  console.log(`${name}: ${file.cases.length} cases`);
}

function run({ script, files }, shared) {
  const home = mkdtempSync(join(tmpdir(), "shell-"));
  for (const [path, content] of Object.entries({ ...shared, ...files })) {
    const place = join(home, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  const env = { HOME: "/", PATH: process.env.PATH, LANG: "C.UTF-8", TZ: "UTC", TERM: "dumb" };
  const { stdout, status } = spawnSync("bash", ["-c", script], { cwd: join(home, "output"), env, encoding: "utf8" });
  rmSync(home, { recursive: true });
  return { stdout, exit: status };
}
