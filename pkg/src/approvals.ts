/** The questions to a person: each is answered once, by `onApproval` or by `decide`, whoever comes first. */

import { HandrailError, thrownMessage } from "./error.js";
import type { ApprovalRequest, Decision, OnApproval, PendingApproval } from "./permission-types.js";
import { receiptText, type ApprovalEffect, type Receipt } from "./protocol.js";
import type { Entry } from "./steps.js";
import type { Stop } from "./stop.js";
import { stringify } from "./stringify.js";

/** How a question ended: with an answer as JSON text, or without. */
interface Ending {
  receipt: Receipt;
  answer?: string;
}

/** A question that waits. The first that settles it counts. */
class Question {
  settled = false;
  readonly ended: Promise<Ending>;
  private resolve!: (ending: Ending) => void;

  constructor(
    readonly runId: string,
    readonly request: ApprovalRequest,
  ) {
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  settle(ending: Ending): boolean {
    if (this.settled) return false;
    this.settled = true;
    this.resolve(ending);
    return true;
  }
}

/** The questions of a runtime. */
export class Approvals {
  /** By approval id. */
  private readonly questions = new Map<string, Question>();

  /** The questions that wait, oldest first; of one run only, if it is named. */
  pending(runId?: string): PendingApproval[] {
    const waiting = [...this.questions.values()].filter((one) => !one.settled && (runId === undefined || one.runId === runId));
    return waiting.map(({ runId, request }) => ({ runId, request }));
  }

  /** Answers a question, of this run if one is named. Tells whether it still waited. */
  decide(approvalId: string, decision: Decision, runId?: string): boolean {
    const question = this.questions.get(approvalId);
    if (!question || (runId !== undefined && question.runId !== runId)) return false;
    return question.settle(endingOf(decision));
  }

  /** A question has come up: it can be answered from now on, also if it is asked only later. */
  announce({ runId, payload }: ApprovalEffect): void {
    this.questions.set(payload.approvalId, new Question(runId, payload));
  }

  /** Asks it, and sends the one receipt. */
  async ask(effect: ApprovalEffect, onApproval: OnApproval | undefined, stop: Stop, send: (entry: Entry) => void): Promise<void> {
    const { effectId, runId, payload } = effect;
    const question = this.questions.get(payload.approvalId);
    if (!question) return;
    const end = (): void => void question.settle({ receipt: { outcome: "cancelled", stopped: true } });
    stop.signal.addEventListener("abort", end);
    if (stop.aborted) end();
    const closing = new AbortController();
    if (onApproval && !question.settled) {
      void answerOf(onApproval, payload, { runId, signal: closing.signal }).then((ending) => question.settle(ending));
    }
    const { receipt, answer } = await question.ended;
    this.questions.delete(payload.approvalId);
    closing.abort(stop.aborted ? stop.signal.reason : new HandrailError("aborted", "The question has been settled."));
    send({ text: receiptText(effectId, receipt, answer) });
  }

  /** The questions that never came to be asked are gone with the runtime. */
  clear(): void {
    this.questions.clear();
  }
}

async function answerOf(onApproval: OnApproval, request: ApprovalRequest, context: Parameters<OnApproval>[1]): Promise<Ending> {
  try {
    return endingOf(await onApproval(request, context));
  } catch (thrown) {
    return failed("thrown", thrownMessage(thrown));
  }
}

/** Whether it is an answer at all, and one that was offered, is for the core to say. */
function endingOf(decision: Decision): Ending {
  const written = stringify(typeof decision === "string" ? { answer: decision } : decision, "answer");
  if (!written.ok) return failed("invalid_answer", written.message);
  return { receipt: { outcome: "ok" }, answer: written.text ?? "null" };
}

function failed(code: string, message: string): Ending {
  return { receipt: { outcome: "failed", error: { code, message } } };
}
