/** The modules, compiled from whatever the host has them in. */

import { HandrailError, thrownMessage } from "./error.js";
import type { ProgramName } from "./program/exec.js";
import type { WasmSource } from "./types.js";

/** The core, or a program. */
export type ModuleName = "core" | ProgramName;

/** Gets what stands behind an address. */
export type Fetch = (address: URL | string) => Promise<ArrayBuffer | Uint8Array | Response>;

/** How the option of a module is written, and what is lost without it. */
const MODULES: Record<ModuleName, { title: string; option: string }> = {
  core: { title: "The core module", option: "wasm" },
  shell: { title: "The shell module", option: "programs.shell" },
  javascript: { title: "The JavaScript module", option: "programs.javascript" },
};

/** The modules of a platform: those beside the package are compiled once for all runtimes, when they are first needed. */
export class Modules {
  private readonly compiled = new Map<ModuleName, Promise<WebAssembly.Module>>();

  constructor(
    /** Where they are; not asked where a source is given, for a bundle of an edge host has no address. */
    private readonly beside: Record<ModuleName, () => URL>,
    private readonly fetchBytes: Fetch,
  ) {}

  /** Compiles a module; the one beside the package if no source is given. */
  compile(name: ModuleName, source: WasmSource | undefined): Promise<WebAssembly.Module> {
    if (source !== undefined) return compileModule(name, () => source, this.fetchBytes);
    let compiled = this.compiled.get(name);
    if (!compiled) {
      this.compiled.set(name, (compiled = compileModule(name, this.beside[name], this.fetchBytes)));
      compiled.catch(() => this.compiled.delete(name));
    }
    return compiled;
  }
}

async function compileModule(name: ModuleName, sourceOf: () => WasmSource, fetchBytes: Fetch): Promise<WebAssembly.Module> {
  let from = "";
  try {
    const source = sourceOf();
    if (typeof source !== "string" && !(source instanceof URL)) return await compile(source);
    from = ` from ${String(source)}`;
    return await compile(await fetchBytes(source));
  } catch (cause) {
    const { title, option } = MODULES[name];
    throw new HandrailError(
      "runtime.wasm_failed",
      `${title} could not be loaded${from} (${thrownMessage(cause)}). Make the file reachable, or give it as ${option}.`,
      { cause },
    );
  }
}

async function compile(source: object): Promise<WebAssembly.Module> {
  // By its tag: a module may come from another realm.
  if (Object.prototype.toString.call(source) === "[object WebAssembly.Module]") return source as WebAssembly.Module;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (!("arrayBuffer" in source && "headers" in source)) throw new Error("this is neither a module nor its bytes");
  const response = source as Response;
  if (!response.ok) throw new Error(`the answer was ${response.status}`);
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
