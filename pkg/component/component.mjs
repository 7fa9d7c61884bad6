// Makes a component out of a core module that wit-bindgen has prepared, and JavaScript out of the component:
//
//   node pkg/component/component.mjs MODULE.wasm FOLDER NAME
//
// FOLDER then holds NAME.component.wasm, for any host of components, and in FOLDER/js what jco makes of it for hosts of
// JavaScript: `instantiate(getCoreModule, imports)` in NAME.js, and the core modules that it asks for.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { transpileBytes } from "@bytecodealliance/jco-transpile";
import { componentNew } from "@bytecodealliance/jco-transpile/wasm-tools";

const [module, folder, name] = process.argv.slice(2);
if (!name) {
  console.error("usage: node pkg/component/component.mjs MODULE.wasm FOLDER NAME");
  process.exit(2);
}
const component = await componentNew(readFileSync(module), []);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, `${name}.component.wasm`), component);

const js = join(folder, "js");
rmSync(js, { recursive: true, force: true });
mkdirSync(js);
const { files } = await transpileBytes(component, { name, instantiation: "async" });
const entries = Array.isArray(files) ? files : Object.entries(files);
for (const [path, bytes] of entries) {
  mkdirSync(join(js, path, ".."), { recursive: true });
  writeFileSync(join(js, path), bytes);
}
// Where no package.json says so, an older Node takes a .js file for CommonJS.
writeFileSync(join(js, "package.json"), '{"type": "module"}\n');
