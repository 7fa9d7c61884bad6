// The package as its users get it: packed, installed into new projects, built and run there.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { build } from "vite";

import { POLICY, serve } from "../../scripts/serve.mjs";
import { launch, openPage } from "../faces/browser/chromium.mjs";
import { complaints, typeRoots } from "./compile.mjs";

const here = fileURLToPath(new URL("./", import.meta.url));
const tests = join(here, "..");
const pkg = join(here, "../../pkg");
const start = promisify(execFile);

let folder;
let tarball;

// One folder with the package for all projects: each is a folder below it, and nothing of the repository is near.
before(() => {
  folder = mkdtempSync(join(tmpdir(), "handrail-package-"));
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: pkg, encoding: "utf8" }));
  tarball = join(folder, filename);
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", tarball], { cwd: folder });
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Copies a project to where the package is installed; gives its folder. */
function project(name) {
  const copy = join(folder, name);
  mkdirSync(copy);
  cpSync(join(here, name), copy, { recursive: true });
  cpSync(join(here, "picnic.js"), join(copy, "picnic.js"));
  return copy;
}

/** Runs a program of the tests' own packages on the packed package; fails with what it prints. */
async function judge(program, ...args) {
  await start(process.execPath, [join(tests, "node_modules", program), ...args], { cwd: folder })
    .catch(({ stdout, stderr }) => assert.fail(`${stdout}${stderr}`));
}

/** What `picnic` has to find. */
function asExpected(found, where, isolation = "worker") {
  assert.deepEqual(found, {
    isolation, calls: [where], status: "completed", text: "There.", exitCode: 0, stdout: "[2,4]\n42\n", stderr: "",
    written: "[2,4]\n", error: "workspace.file_not_found",
  });
}

/** Opens a page of the folder and gives what its program found. */
async function foundIn(path, policy = POLICY) {
  const server = await serve({ root: pathToFileURL(`${folder}/`), folders: [path, "node_modules/handrail"], policy });
  const browser = await launch();
  try {
    const { page, troubles } = await openPage(browser, `${server.origin}/${path}/`);
    const found = await page.waitForFunction(() => globalThis.found, undefined, { timeout: 30_000 })
      .then((found) => found.jsonValue())
      .catch((error) => assert.fail([error.message, ...troubles].join("\n")));
    assert.deepEqual(troubles, []);
    return found;
  } finally {
    await browser.close();
    server.close();
  }
}

test("publint finds nothing", async () => {
  await judge("publint/src/cli.js", "run", tarball, "--strict");
});

test("every entry has types, for every way in which an ES module is found", async () => {
  await judge("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only");
});

test("a script in Node, and the command", { timeout: 60_000 }, async () => {
  for (const file of ["node.mjs", "picnic.js"]) cpSync(join(here, file), join(folder, file));
  const { stdout, stderr } = await start(process.execPath, ["node.mjs"], { cwd: folder });
  assert.equal(stderr, "");
  asExpected(JSON.parse(stdout), "NODE");
  const command = await start(join(folder, "node_modules/.bin/handrail"), ["shell", "-c", "echo hi"]);
  assert.equal(command.stdout, "hi\n");
});

test("a page without a bundler, with an import map", { timeout: 60_000 }, async () => {
  const page = readFileSync(join(project("plain"), "index.html"), "utf8");
  // An import map is an inline script: a strict policy has to name it.
  const [, map] = page.match(/<script type="importmap">([^]*?)<\/script>/);
  const named = `'sha256-${createHash("sha256").update(map).digest("base64")}'`;
  asExpected(await foundIn("plain", POLICY.replace("script-src", `script-src ${named}`)), "HANDRAIL AS IT IS");
});

test("a page built by Vite without configuration", { timeout: 120_000 }, async () => {
  const root = project("vite");
  const told = [];
  const logger = { info() {}, warn: (text) => told.push(text), warnOnce: (text) => told.push(text), error: (text) => told.push(text), clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };
  await build({ root, base: "./", configFile: false, logLevel: "warn", customLogger: logger });
  assert.deepEqual(told, []);
  const built = readdirSync(join(root, "dist/assets")).join(" ");
  for (const module of ["handrail", "javascript", "shell"]) assert.match(built, new RegExp(`\\b${module}_bg-[\\w-]+\\.wasm\\b`));
  asExpected(await foundIn("vite/dist"), "HANDRAIL IN A BUNDLE");
});

test("a worker of workerd, where modules are imported and code has no address", { timeout: 60_000 }, async () => {
  const root = project("workerd");
  // What wrangler does: one script, in which modules stay imports.
  const output = { codeSplitting: false, paths: (name) => basename(name) };
  await build({
    root, configFile: false, logLevel: "warn", ssr: { target: "webworker", noExternal: true },
    build: { ssr: "worker.js", rolldownOptions: { external: /\.wasm$/, output } },
  });
  const { stdout } = await start(process.execPath, [join(tests, "node_modules/workerd/bin/workerd"), "test", join(root, "config.capnp")]);
  const { message, found } = JSON.parse(stdout);
  assert.match(message, /Make the file reachable, or give it as wasm\.$/);
  asExpected(found, "EDGE", "inline");
});

const node16 = { module: "node16", moduleResolution: "node16" };
const bundler = { module: "esnext", moduleResolution: "bundler" };
const dom = { lib: ["ES2022", "DOM"], types: [] };
const consumers = {
  "node16, without lib esnext.disposable": { ...node16, ...dom },
  "node16, with lib esnext.disposable": { ...node16, ...dom, lib: [...dom.lib, "ESNext.Disposable"] },
  "node16, in Node, without DOM": { ...node16, lib: ["ES2022"], types: ["node"], typeRoots },
  "bundler, without lib esnext.disposable": { ...bundler, ...dom },
  "bundler, with lib esnext.disposable": { ...bundler, ...dom, lib: [...dom.lib, "ESNext.Disposable"] },
};

for (const [name, options] of Object.entries(consumers)) {
  test(`a strict consumer compiles (${name})`, () => {
    const consumer = join(folder, "consumer.ts");
    cpSync(join(here, "consumer.ts"), consumer);
    assert.equal(complaints(consumer, { target: "ES2022", strict: true, exactOptionalPropertyTypes: true, ...options }), "");
  });
}
