/** What crosses between the driver and the host half when a command runs: plain data. */

import type { Discarded } from "../generated.js";

/** A program module. Each command runs in an instance of its own. */
export type ProgramName = "shell" | "javascript";

/** One command for the shell. */
export interface Exec {
  effectId: string;
  command: string;
  /** The working directory, absolute. */
  cwd: string;
  /** Everything random follows from this text (SH-42). */
  seed: string;
  /** The time of the call; the command's clock starts here. Milliseconds since the Unix epoch. */
  now: number;
  /** When the command must have ended, on the command's clock. */
  deadline: number;
  /** How long the call has waited already (the module was loaded), in milliseconds. */
  waited: number;
  /** Names of the host's own programs. */
  programs: string[];
  /** It may go on in the background: no deadline ends it, and the last of its output counts instead of the first. */
  goesOn: boolean;
}

/** A stream that a program writes to. */
export type StreamName = "stdout" | "stderr";

/** How a command ended. What it wrote has been told before. */
export interface Ended {
  outcome: "ok" | "failed" | "timed_out" | "cancelled";
  exitCode: number;
  stdoutTruncated: boolean;
  stderrTruncated: boolean;
  /** The directory it ended in; missing if it was broken off. */
  cwd?: string;
  /** Why it failed: `refused` or `trap`, with a sentence. */
  error?: { code: string; message: string };
  /** The instance was thrown away for this (SH-40). */
  discarded?: Discarded;
}

/** Why a command is to stop. */
export type StopReason = "cancelled" | "timed_out";

/** What a program is started with by the shell. */
export interface ProgramRequest {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  [member: string]: unknown;
}

/** How such a program ended. */
export interface ProgramEnd {
  exit: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
}

/** Who hears of a command while it runs. The bytes are theirs. */
export interface Heard {
  /** It wrote something; what is over the limit of the stream is not told. */
  output(stream: StreamName, bytes: Uint8Array): void;
  /** It starts a program that the driver does not have. To be answered with `complete`. */
  spawn(id: number, request: ProgramRequest, stdin: Uint8Array): void;
}
