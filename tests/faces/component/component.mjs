// The runtime as a component, transpiled by jco, in Node. `./dev` builds it.

import { readFileSync } from "node:fs";

/** Where `./dev` puts the component and what jco makes of it. */
export const folder = new URL("../../../target/component/", import.meta.url);

const compiled = new Map();

/** A core module of the component; compiled once for all instances. */
function coreModule(path) {
  if (!compiled.has(path)) compiled.set(path, new WebAssembly.Module(readFileSync(new URL(`js/${path}`, folder))));
  return compiled.get(path);
}

/** A new instance of the component: its exports. It imports nothing. */
export async function instantiate() {
  const component = await import(new URL("js/handrail.js", folder));
  return component.instantiate(coreModule, {});
}
