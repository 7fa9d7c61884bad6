/** What users see of checkpoints and of runs that go on. */

import type { OnApproval, OnReview } from "./permission-types.js";
import type { Invocation, Model, Run } from "./types.js";

/** A state as small bytes and the files it refers to, by digest. With a store, one that the store has all of. */
export interface Checkpoint {
  readonly state: Uint8Array;
  /** The blobs that the state needs and that were not known. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** What runs of a checkpoint go on with; what is missing is that of the runtime. */
export interface ResumeOptions {
  /** Needed if there are runs; invocations ask no model. */
  model?: Model;
  onApproval?: OnApproval;
  onReview?: OnReview;
}

/** What goes on of a checkpoint. */
export interface Resumed {
  readonly runs: readonly Run[];
  readonly invocations: readonly ResumedInvocation[];
}

/** How a failed run goes on; what is missing is that of the runtime. */
export interface ResumeRunOptions extends ResumeOptions {
  /**
   * The run may go on although nobody knows what some calls of its last reply did: the model is told to look before it
   * repeats them. Without this they refuse it, with `run.resume_unknown_side_effect` and their ids in `details.callIds`.
   */
  acceptUnknown?: boolean;
  /** Cancels the run. */
  signal?: AbortSignal;
}

/** What a checkpoint leaves out. */
export interface CheckpointOptions {
  /** Digests that are stored already: their bytes are not handed over again. */
  known?: { has(digest: string): boolean };
}

/** An invocation that goes on. */
export interface ResumedInvocation extends Invocation {
  /**
   * The whole conversation so far, as the provider wants it: what to ask the model with next. Resolves when the calls that
   * were under way have their results, and with them the questions that wait.
   */
  messages(): Promise<any[]>;
}
