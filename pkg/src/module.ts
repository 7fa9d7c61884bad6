/** The core module, compiled from whatever the host has it in. */

import { HandrailError, thrownMessage } from "./error.js";
import type { WasmSource } from "./types.js";

/** Gets what stands behind an address. */
export type Fetch = (address: URL | string) => Promise<ArrayBuffer | Uint8Array | Response>;

/** Compiles the core module. */
export async function compileModule(source: WasmSource, fetchBytes: Fetch): Promise<WebAssembly.Module> {
  try {
    const isAddress = typeof source === "string" || source instanceof URL;
    return await compile(isAddress ? await fetchBytes(source) : source);
  } catch (cause) {
    const from = source instanceof URL || typeof source === "string" ? ` from ${String(source)}` : "";
    throw new HandrailError(
      "runtime.wasm_failed",
      `The core module could not be loaded${from} (${thrownMessage(cause)}). Make the file reachable, or give it as wasm.`,
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
