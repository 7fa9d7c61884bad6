/** What hosts see of work in the background. */

import type { Status } from "./generated.js";

/** A call that went on after it was answered, or work of the host's own. */
export interface Task {
  /** As the model knows it: `bg-` and 16 characters. */
  readonly id: string;
  readonly sessionId: string;
  /** The run that began it; absent for work that was taken on for a session. */
  readonly runId?: string;
  /** Absent for work of the host's own, like `toolId`. */
  readonly callId?: string;
  readonly toolId?: string;
  /** The tool as the model calls it, or what the host calls its work. */
  readonly name: string;
  /**
   * `running`; `stopping`: it was told to stop and has not answered; `finished`: the model has yet to be told;
   * `delivered`: it has been.
   */
  readonly state: "running" | "stopping" | "finished" | "delivered";
  /** The model asked for it, the limit of waiting passed, the user did it; `host`: it was taken on by `adopt`. */
  readonly movedBy: "request" | "timeout" | "user" | "host";
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

/** News of work in the background, in the order in which they happen. */
export interface TaskUpdate {
  /**
   * `started`: its call was answered with a placeholder; `progress`: it put something out, or it has ended while no run of
   * its session goes on; `finished`: its result is stored; `delivered`: the model is told.
   */
  readonly type: "started" | "progress" | "finished" | "delivered";
  readonly id: string;
  /** Absent for work of the host's own. */
  readonly callId?: string;
  /** The run that tells it: that which began it, or a later one of the session; empty where there is none. */
  readonly runId: string;
  /** Of `started`: the tool as the model calls it, or what the host calls its work. */
  readonly name?: string;
  /** Of `progress`: where it comes from, and what it is. */
  readonly stream?: "stdout" | "stderr" | "text";
  readonly output?: string;
  /** Of `progress` without output: it has ended. */
  readonly state?: "finished";
  /** Of `finished` and `delivered`: how it ended. */
  readonly status?: Status;
  readonly errorCode?: string;
  /** Of `finished`: the beginning of the result, and the file of it. */
  readonly message?: string;
  readonly resultRef?: string;
}

/** Work that the host does by itself, and that the model is to hear of. */
export interface AdoptedWork {
  /** What it is, in one line of at most 128 characters; the model reads it. */
  name: string;
  /** The session whose runs are told; `default` if there is neither this nor `invocation`. */
  sessionId?: string;
  /** A run or an invocation that it belongs to: cancelling that stops it. */
  invocation?: { readonly id: string };
  /** When it began, if that was before; milliseconds since the Unix epoch. */
  startedAt?: number;
  /**
   * The work itself, called once it is taken on. What it returns or throws is its result, like that of a tool's function.
   * Work that runs already is `() => promise`.
   */
  run(context: AdoptedContext): unknown;
}

/** What work of the host's own is given. */
export interface AdoptedContext {
  /** Fires when it is told to stop; it then has five seconds to end. */
  readonly signal: AbortSignal;
  /** Tells how far it is. Of each of these the last 128 KiB are kept. */
  progress(text: string): void;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Adds an image to the result. */
  attachImage(image: Blob | Uint8Array | ArrayBuffer): void;
}

/**
 * Work that goes on after its call was answered. The model is told what came of it before its next request, in the run
 * that goes on or the next one of the session, once. A command of the shell ends with its run; a function goes on unless
 * its run is cancelled.
 */
export interface Background {
  /** All work there is, oldest first. */
  list(filter?: { sessionId?: string; runId?: string }): Promise<Task[]>;
  /** That of one run or invocation, oldest first. */
  listFor(invocation: { readonly id: string }): Promise<Task[]>;
  /** Takes work of your own on: it is listed, stopped and told to the model like any other. */
  adopt(work: AdoptedWork): Promise<TaskDetails>;
  /** One piece, with what it has put out. */
  get(id: string): Promise<TaskDetails>;
  /** Notes that it is alive, for those who look at `touchedAt`. */
  touch(id: string): Promise<TaskDetails>;
  /** Stops it. The signal of a function fires; it has five seconds to say how it ended. */
  cancel(id: string): Promise<TaskDetails>;
  /** The message that the model would be told. It counts as delivered then. Rejects while there is none. */
  take(id: string): Promise<string>;
  /** Forgets what was delivered; gives how many. */
  prune(filter?: { sessionId?: string }): Promise<number>;
  /** Calls a function with all news from now on; gives one that ends that. */
  onUpdate(listener: (update: TaskUpdate) => void): () => void;
}
