// The crates of the project, as cargo knows them.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

function metadata(...args) {
  const options = ["metadata", "--locked", "--format-version", "1", ...args];
  return JSON.parse(execFileSync("cargo", options, { cwd: root, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] }));
}

/** Every crate that a lock file can bring in: for the module, for tests, for building. */
export function allCrates(manifest) {
  return metadata("--all-features", "--manifest-path", manifest).packages.filter((crate) => crate.source !== null);
}

/** The modules that ship, by the file names of the package, with the options of cargo that each is built with. */
export const shipped = {
  "handrail_bg.wasm": ["--features", "js"],
  "shell_bg.wasm": ["--no-default-features", "--features", "program-shell"],
  "javascript_bg.wasm": ["--no-default-features", "--features", "program-javascript"],
};

/** The crates whose code is in a module; macros and build scripts run earlier and leave none of their own. */
export function moduleCrates(module) {
  const { packages, resolve } = metadata(...shipped[module], "--filter-platform", "wasm32-unknown-unknown");
  const crates = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => crates.get(id).targets.some((target) => target.kind.includes("proc-macro"));
  const found = new Set();
  const waiting = [resolve.root];
  while (waiting.length > 0) {
    for (const { pkg, dep_kinds } of nodes.get(waiting.pop()).deps) {
      if (found.has(pkg) || isMacro(pkg) || !dep_kinds.some(({ kind }) => kind === null)) continue;
      found.add(pkg);
      waiting.push(pkg);
    }
  }
  return [...found].map((id) => crates.get(id)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
