// The package with the component as its core: a copy of its compiled files beside a `wasm/handrail.js` of ours.

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { folder } from "./component.mjs";

const copy = new URL("package/", folder);
const core = new URL("core.mjs", import.meta.url);

/** Makes the copy and loads it. */
export async function loadPackage() {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(new URL("wasm/", copy), { recursive: true });
  cpSync(fileURLToPath(new URL("../../../pkg/dist/", import.meta.url)), fileURLToPath(new URL("dist/", copy)), { recursive: true });
  writeFileSync(new URL("package.json", copy), '{"type": "module"}\n');
  writeFileSync(new URL("wasm/handrail.js", copy), `export { instantiate } from ${JSON.stringify(core.href)};\n`);
  return import(new URL("dist/node.js", copy));
}
