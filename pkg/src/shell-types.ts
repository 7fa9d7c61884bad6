/** What hosts see of the shell. */

import type { Status } from "./generated.js";
import type { RunPermissions } from "./permission-types.js";
import type { Content, WasmSource } from "./types.js";

/**
 * The program modules, if they cannot be found beside the package. They are loaded when a command first needs them: an
 * address that is given here is not asked for earlier.
 */
export interface ProgramSources {
  /** bash and jq. */
  readonly shell?: WasmSource;
  /** The commands `js`, `node` and `deno`. */
  readonly javascript?: WasmSource;
}

/** How to run a command. */
export interface ShellOptions {
  /** The directory it starts in, for example `/output`; `/` if missing. */
  workdir?: string;
  /** What random numbers of the command are made from; random if missing. */
  seed?: string;
  /** Hears what the command writes as it comes. Characters may be cut between two pieces. */
  onOutput?: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  /** The terms it works under; rules hold in any case. What needs a person's word is asked by the runtime's `onApproval`. */
  permissions?: RunPermissions;
  /** Cancels the command. */
  signal?: AbortSignal;
}

/** How a command ended. */
export interface ShellResult {
  /** `ok` with every exit code: the command came to its end. `error`: it did not run, or the shell crashed. */
  readonly status: Extract<Status, "ok" | "error" | "timed_out" | "cancelled">;
  /** 124 and above where the command did not come to its end; 126 where it did not begin. */
  readonly exitCode: number;
  /** What it wrote; of each stream at most 128 KiB. */
  readonly stdout: string;
  readonly stderr: string;
  /** A stream was longer. */
  readonly truncated: boolean;
  /** The directory it ended in, for the next command of a prompt; the one it began in if it was broken off. */
  readonly workdir: string;
  /** What a model would have been shown; empty if the command was cancelled. */
  readonly text: string;
}

/** Commands that the host adds to the shell (SH-57). */
export interface Programs {
  /**
   * Makes a function a command of the shell, for commands that start from now on. A program of the same name is replaced.
   * Throws `program.invalid` if the name is not 1 to 32 of `a-z`, `0-9`, `_`, `+`, `-`, or if the shell has it itself.
   */
  register(name: string, program: HostProgram): void;
  /** Takes it away again; tells whether there was one. */
  unregister(name: string): boolean;
}

/**
 * A program of the host. What it throws becomes a line on stderr and exit status 1. It shares the time of its command;
 * what it gives later is dropped.
 */
export type HostProgram = (call: ProgramCall) => ProgramResult | undefined | void | Promise<ProgramResult | undefined | void>;

/** What a program of the host is started with. */
export interface ProgramCall {
  /** The command line; the first is the program's own name. */
  readonly argv: readonly string[];
  /** What was piped into it. */
  readonly stdin: Uint8Array;
  /** The exported variables. */
  readonly env: { readonly [name: string]: string };
  /** The working directory, absolute. */
  readonly cwd: string;
  /** The workspace and `/tmp`, as the command sees them. */
  readonly files: ProgramFiles;
  /** Fires when the command that started it has ended. */
  readonly signal: AbortSignal;
}

/** How a program of the host ended. */
export interface ProgramResult {
  /** 0 if missing. */
  exitCode?: number;
  stdout?: Content;
  stderr?: Content;
}

/**
 * The files of a command. Paths are absolute (`/output/notes.md`) or from the working directory. What fails rejects with
 * a `code` that is one of `PortError`, for example `ENOENT`; `ECANCELED` when the command has ended.
 */
export interface ProgramFiles {
  /** What is there, or nothing. */
  stat(path: string): Promise<ProgramEntry | undefined>;
  list(path: string): Promise<ProgramEntry[]>;
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  write(path: string, content: Content): Promise<void>;
  append(path: string, content: Content): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
}

/** A file or directory, as a program sees it. */
export interface ProgramEntry {
  /** Its name; empty where its path was given. */
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly bytes: number;
  /** Milliseconds since the Unix epoch. */
  readonly modified: number;
}
