/** One run of a program of the host: whatever it does, it is one end with an exit status. */

import type { Driver } from "../driver.js";
import { HandrailError, thrownMessage } from "../error.js";
import type { HostProgram, ProgramEntry, ProgramFiles } from "../types.js";
import { wellFormed } from "../stringify.js";
import type { Exec, ProgramEnd, ProgramRequest } from "./exec.js";
import type { FilePort } from "./files.js";

/** What it is run with. */
export interface Running {
  exec: Exec;
  request: ProgramRequest;
  stdin: Uint8Array;
  /** Fires when the command has ended. */
  signal: AbortSignal;
  driver: Driver;
}

/** Runs it. Never rejects. */
export async function runHostProgram(program: HostProgram, running: Running): Promise<ProgramEnd> {
  const { request, stdin, signal } = running;
  const { argv, env, cwd } = request;
  try {
    const result = (await program({ argv, stdin, env, cwd, signal, files: filesOf(running) })) ?? {};
    const { exitCode = 0, stdout, stderr } = result;
    if (!Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255) {
      throw new HandrailError("program.invalid", "its exitCode is no integer from 0 to 255");
    }
    return { exit: exitCode, stdout: bytesOf(stdout), stderr: bytesOf(stderr) };
  } catch (thrown) {
    return { exit: 1, stdout: new Uint8Array(), stderr: bytesOf(`${argv[0]}: ${thrownMessage(thrown)}\n`) };
  }
}

/** The file port, from here. Relative paths are meant from the working directory. */
function filesOf({ exec, request, driver, signal }: Running): ProgramFiles {
  const ask = async <Operation extends keyof FilePort>(
    operation: Operation,
    ...values: Parameters<FilePort[Operation]>
  ): Promise<ReturnType<FilePort[Operation]>> => {
    signal.throwIfAborted();
    return await driver.file(exec.effectId, operation, values);
  };
  const at = (path: string): string => absolute(request.cwd, path);
  return {
    stat: async (path) => entryOf("", await ask("stat", at(path))),
    list: async (path) => listed(await ask("list", at(path))),
    read: (path) => ask("read", at(path)),
    readText: async (path) => new TextDecoder().decode(await ask("read", at(path))),
    write: (path, content) => ask("write", at(path), bytesOf(content)),
    append: (path, content) => ask("append", at(path), bytesOf(content)),
    mkdir: (path, { recursive = false } = {}) => ask("mkdir", at(path), recursive),
    remove: (path, { recursive = false } = {}) => ask("remove", at(path), recursive),
    rename: (from, to) => ask("rename", at(from), at(to)),
    copy: (from, to) => ask("copy", at(from), at(to)),
  };
}

/** A path from the root, without `.` and `..`. */
function absolute(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function listed(listing: string): ProgramEntry[] {
  return listing.split("\0").flatMap((line) => {
    const [name, ...numbers] = line.split("/");
    return entryOf(name!, numbers.map(Number)) ?? [];
  });
}

function entryOf(name: string, [kind, size = 0, modified = 0]: ArrayLike<number> & Iterable<number>): ProgramEntry | undefined {
  if (kind === undefined) return undefined;
  return { name, kind: kind === 2 ? "directory" : "file", bytes: size, modified };
}

function bytesOf(content: string | Uint8Array | undefined): Uint8Array {
  if (content === undefined) return new Uint8Array();
  if (typeof content === "string") return new TextEncoder().encode(wellFormed(content));
  if (content instanceof Uint8Array) return content.slice();
  throw new HandrailError("program.invalid", "content is a string or a Uint8Array");
}
