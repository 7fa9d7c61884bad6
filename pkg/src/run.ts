import { Conversation } from "./conversation.js";
import { HandrailError } from "./error.js";
import { EventLog } from "./events.js";
import type { OnApproval, OnReview } from "./permission-types.js";
import type { ModelRequestEffect } from "./protocol.js";
import type { JournalEvent, Model, RunEvent, RunResult } from "./types.js";

/** The events that end a run, and what its status is then. */
const ENDS: Record<string, RunResult["status"]> = {
  run_completed: "completed",
  run_cancelled: "cancelled",
  run_failed: "failed",
  run_partial_success: "partial_success",
};

/** What a host answers a model request of a driven run with. */
export interface Driving {
  /** A request is open; resolves when it has been answered. */
  requested(effect: ModelRequestEffect, signal: AbortSignal): Promise<void>;
  /** The last reply could not be used. */
  refused(error: HandrailError): void;
  /** Nothing is asked any more. */
  ended(error: HandrailError): void;
}

/** What the host half knows of one run while it goes on. */
export class LiveRun {
  readonly log: EventLog<RunEvent> = new EventLog();
  readonly result: Promise<RunResult>;
  readonly conversations: Map<string, Conversation> = new Map();
  /** The session it belongs to. */
  sessionId: string | undefined;
  /** Set in the step in which the run ended. */
  end: RunResult | undefined;
  private settle!: { resolve: (result: RunResult) => void; reject: (error: HandrailError) => void };

  constructor(
    readonly id: string,
    /** Who answers its model requests. */
    readonly answering: Model | Driving,
    /** Who answers its questions, if it is a function of the host. */
    readonly onApproval: OnApproval | undefined,
    /** Who reviews its calls. */
    readonly onReview: OnReview | undefined,
  ) {
    this.result = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    // Nobody has to look at the result: an unread one must not end the process.
    this.result.catch(() => undefined);
  }

  /** Says which session it belongs to. */
  of(sessionId: string): this {
    this.sessionId = sessionId;
    return this;
  }

  /** The host that drives the model itself, if it does. */
  get driving(): Driving | undefined {
    return "requested" in this.answering ? this.answering : undefined;
  }

  /** The provider's messages of one invocation. */
  conversation(invocationId = ""): Conversation {
    let conversation = this.conversations.get(invocationId);
    if (!conversation) this.conversations.set(invocationId, (conversation = new Conversation()));
    return conversation;
  }

  /** Takes an event of this run. */
  happened(event: RunEvent): void {
    this.log.add(event);
    if (event.type === "model_call_attempt_failed") this.driving?.refused(failureOf(event.payload));
    const status = Object.hasOwn(ENDS, event.type) ? ENDS[event.type] : undefined;
    if (status) this.end = resultOf(status, event as JournalEvent);
  }

  /** Tells the end, once everything of the step in which it came has been told. */
  finish(result: RunResult): void {
    this.log.end();
    this.settle.resolve(result);
    const { code, message } = result.error ?? { code: "run.ended", message: `The run has ended: ${result.status}.` };
    this.driving?.ended(new HandrailError(code, message));
  }

  /** The runtime is gone before the run ended. */
  fail(error: HandrailError): void {
    this.log.end(error);
    this.settle.reject(error);
    this.driving?.ended(error);
  }
}

function resultOf(status: RunResult["status"], { payload }: JournalEvent): RunResult {
  const text = typeof payload["text"] === "string" ? payload["text"] : "";
  const usage = payload["usage"];
  if (status === "completed") return { status, text, usage };
  const { code, message, details } = failureOf(payload);
  return { status, text, usage, error: { code, message, ...(details === undefined ? {} : { details }) } };
}

function failureOf(payload: JournalEvent["payload"]): HandrailError {
  const { code = "run.ended", message = "The run has ended.", details } = payload;
  return new HandrailError(String(code), String(message), { details });
}
