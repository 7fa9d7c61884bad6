// What a component asks of its host and what it offers.

import { componentWit } from "@bytecodealliance/jco-transpile/wasm-tools";

/** The interfaces that a component imports and exports, by their full names. */
export async function worldOf(component) {
  const world = /^world \w+ \{([^}]*)\}/m.exec(await componentWit(component));
  if (!world) throw new Error("this component has no world");
  const names = (kind) => [...world[1].matchAll(new RegExp(`^ *${kind} ([^;]+);`, "gm"))].map(([, name]) => name);
  return { imports: names("import"), exports: names("export") };
}
