// A program as a component, in the place of its module: what `load` of ../node/programs/driver.mjs gives.

import { readFileSync } from "node:fs";

const folder = new URL("../../../target/component-javascript/js/", import.meta.url);

/** The refusals of the port by their POSIX names. */
const refusals = {
  ENOENT: "not-found", EISDIR: "is-directory", ENOTDIR: "not-directory", EEXIST: "exists", ENOTEMPTY: "not-empty", EACCES: "denied",
  EINVAL: "invalid", EFBIG: "too-large", ENOSPC: "full", ENOTSUP: "unsupported", ECANCELED: "cancelled",
};

/** An operation of the port, whose refusals become those of the interface; jco takes what is thrown as the error. */
const refusing = (operation) => (...values) => {
  try {
    return operation(...values);
  } catch (error) {
    throw refusals[error.code] ?? "io";
  }
};

const statOf = ([kind, size, modified]) => ({
  kind: Number(kind) === 2 ? "directory" : "file", size: BigInt(size), modified: BigInt(Math.trunc(Number(modified))),
});

/** The imports of an instance, from the port of a command and the timers of its driver. */
function imports(port, setTimeout, clearTimeout) {
  let timer;
  const files = {
    statOf: refusing((path) => {
      const stat = port.stat(path);
      return stat.length === 0 ? undefined : statOf(stat);
    }),
    entriesOf: refusing((path) => port.list(path).split("\0").filter((entry) => entry !== "").map((entry) => {
      const [name, ...stat] = entry.split("/");
      return { name, stat: statOf(stat) };
    })),
  };
  for (const name of ["read", "write", "append", "mkdir", "remove", "rename", "copy"]) files[name] = refusing(port[name]);
  const stayAsleep = () => clearTimeout(timer);
  const wakeAfter = (ms) => {
    stayAsleep();
    timer = setTimeout(() => port.wake(), Math.ceil(ms));
  };
  return {
    "handrail:agent/files": files,
    "handrail:agent/clock": { now: port.now, wake: port.wake, wakeAfter, stayAsleep },
    "handrail:agent/output": { stdout: port.stdout, stderr: port.stderr },
    "handrail:agent/spawn": { begin: refusing(port.spawn) },
  };
}

/** The JavaScript program. `./dev` builds it. */
export async function load() {
  const component = await import(new URL("javascript.js", folder));
  const compiled = new Map();
  const coreModule = (path) => {
    if (!compiled.has(path)) compiled.set(path, new WebAssembly.Module(readFileSync(new URL(path, folder))));
    return compiled.get(path);
  };
  const instantiateCore = (module, imports) => new WebAssembly.Instance(module, imports);
  return {
    instantiate: (...outside) => {
      const { process } = component.instantiate(coreModule, imports(...outside), instantiateCore);
      return { ...process, initSync: () => undefined };
    },
  };
}
