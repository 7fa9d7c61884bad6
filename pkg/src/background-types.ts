/** What hosts see of work in the background. */

import type { Status } from "./generated.js";

/** A call that went on after it was answered. */
export interface Task {
  /** As the model knows it: `bg-` and 16 characters. */
  readonly id: string;
  readonly sessionId: string;
  /** The run that began it. */
  readonly runId: string;
  readonly callId: string;
  readonly toolId: string;
  /** The tool as the model calls it. */
  readonly name: string;
  /**
   * `running`; `stopping`: it was told to stop and has not answered; `finished`: the model has yet to be told;
   * `delivered`: it has been.
   */
  readonly state: "running" | "stopping" | "finished" | "delivered";
  /** The model asked for it, the limit of waiting passed, or the user did it. */
  readonly movedBy: "request" | "timeout" | "user";
  /** Milliseconds since the Unix epoch, as all times. */
  readonly startedAt: number;
  readonly movedAt: number;
  /** When something was last heard of it. */
  readonly touchedAt: number;
  readonly endedAt?: number;
  /** How it ended, once its result is stored. That takes a run of its session. */
  readonly status?: Status;
  readonly errorCode?: string;
  /** What ended it before its end. */
  readonly stoppedBy?: "user" | "model" | "session" | "trap";
  /** The exit code of a command. */
  readonly exitCode?: number;
  /** The script of a command. */
  readonly command?: string;
  /** The file of its result in the workspace. */
  readonly resultRef?: string;
}

/** The same with what it has put out. */
export interface TaskDetails extends Task {
  /** What the model will be told, until it has been. */
  readonly content?: string;
  readonly stdout?: TaskOutput;
  readonly stderr?: TaskOutput;
  /** The progress that a function reported. */
  readonly text?: TaskOutput;
}

/** The last 128 KiB of a stream. */
export interface TaskOutput {
  readonly text: string;
  /** Bytes before it that are not kept. */
  readonly dropped: number;
}
