// The examples of README.md, run as a reader would run them: in a new project, against the packed package.
//
// A block that opens with ```js run or ```ts run is a program. When the next block opens with ```text output, the
// program must print exactly that. Other js and ts blocks are listed as skipped.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const pkg = join(root, "pkg");
const secondsPerExample = 60;

/** The fenced blocks of a Markdown text: where, how they open, what they hold. */
function blocks(markdown) {
  const found = [];
  let open;
  markdown.split("\n").forEach((line, index) => {
    if (!open && line.startsWith("```")) open = { line: index + 1, info: line.slice(3).trim().split(/\s+/), body: [] };
    else if (open && line.startsWith("```")) open = void found.push({ ...open, body: `${open.body.join("\n")}\n` });
    else open?.body.push(line);
  });
  return found;
}

/** The programs among them, each with the output it must print. */
function examples(found) {
  return found.flatMap(({ line, info: [language, mark], body }, index) => {
    if (!/^(js|ts|javascript|typescript|python)$/.test(language)) return [];
    const next = found[index + 1];
    const output = next?.info[0] === "text" && next.info[1] === "output" ? next.body : undefined;
    return [{ line, language, typed: language.startsWith("t"), run: mark === "run", body, output }];
  });
}

/** A new project with the package and the packages that the examples import. */
function project(programs) {
  const folder = mkdtempSync(join(tmpdir(), "handrail-readme-"));
  const pinned = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8")).devDependencies;
  const specifiers = programs.flatMap(({ language, body }) => language === "python" ? [] : [...body.matchAll(/(?:from|import)\s+"([^"]+)"/g)].map(([, name]) => name));
  const others = new Set(specifiers.filter((name) => !/^(handrail(\/|$)|node:|\.)/.test(name)));
  const wanted = [...others].map((name) => (pinned[name] ? `${name}@${pinned[name]}` : name));
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: pkg, encoding: "utf8" }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  cpSync(join(root, "target/component"), join(folder, "component"), { recursive: true });
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, join(folder, filename), ...wanted], { cwd: folder, stdio: "inherit" });
  return folder;
}

/** Compiles the typed examples, strictly, with the types of the packed package. */
function compile(folder, files) {
  const options = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom,dom.asynciterable,esnext.disposable"];
  const types = ["--typeRoots", join(pkg, "node_modules/@types"), "--types", "node"];
  return spawnSync(process.execPath, [join(pkg, "node_modules/typescript/bin/tsc"), ...options, ...types, ...files],
    { cwd: folder, encoding: "utf8" });
}

/** What is wrong with an example, or nothing. */
function problem(folder, { line, language, typed, body, output }) {
  const isPython = language === "python";
  const file = `example-${line}.${isPython ? "py" : typed ? "mts" : "mjs"}`;
  writeFileSync(join(folder, file), body);
  if (typed) {
    const { status, stdout } = compile(folder, [file]);
    if (status !== 0) return stdout;
  }
  const interpreter = isPython ? join(root, ".tools/venv/bin/python") : process.execPath;
  const { status, stdout, stderr, error } = spawnSync(interpreter, [typed ? `example-${line}.mjs` : file],
    { cwd: folder, encoding: "utf8", timeout: secondsPerExample * 1000 });
  if (error) return error.message;
  if (status !== 0) return `it ended with ${status}\n${stdout}${stderr}`;
  if (output !== undefined && stdout.trimEnd() !== output.trimEnd()) return `expected:\n${output}\ngot:\n${stdout}`;
}

const all = examples(blocks(readFileSync(join(root, "README.md"), "utf8")));
const programs = all.filter(({ run }) => run);
const tally = { passed: 0, failed: 0, skipped: all.length - programs.length };
for (const { line } of all.filter(({ run }) => !run)) console.log(`skipped README.md:${line}: not marked to be run`);
if (programs.length === 0) {
  tally.failed += 1;
  console.log("failed  README.md: it holds no example that is marked to be run");
} else {
  const folder = project(programs);
  for (const program of programs) {
    const wrong = problem(folder, program);
    tally[wrong ? "failed" : "passed"] += 1;
    console.log(wrong ? `failed  README.md:${program.line}: ${wrong}` : `ok      README.md:${program.line}`);
  }
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exitCode = tally.failed === 0 ? 0 : 1;
