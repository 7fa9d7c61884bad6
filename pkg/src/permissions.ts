import { ask, gone } from "./asked.js";
import { command } from "./commands.js";
import { thrownMessage } from "./error.js";
import type { Host } from "./host.js";
import type { Decision, ModeWord, OnReview, OnRule, PendingApproval, Permissions, Rule } from "./permission-types.js";
import { receiptText, type ReviewEffect, type RuleEffect } from "./protocol.js";
import type { Stop } from "./stop.js";

/** Rules and questions of a runtime. What they come to is the core's affair. */
export class HostPermissions implements Permissions {
  private held: readonly Rule[] = [];

  constructor(
    private readonly host: Host,
    private readonly onRule: OnRule | undefined,
  ) {}

  get rules(): readonly Rule[] {
    return this.held;
  }

  get pending(): readonly PendingApproval[] {
    return this.host.approvals.pending();
  }

  async setRules(rules: readonly Rule[]): Promise<void> {
    await command(this.host.steps, { type: "rules.set", rules }, { replied: () => (this.held = structuredClone([...rules])) });
  }

  decide(approvalId: string, decision: Decision): boolean {
    return this.host.approvals.decide(approvalId, decision);
  }

  async setMode(runId: string, mode: ModeWord): Promise<void> {
    await command(this.host.steps, { type: "setMode", runId, mode });
  }

  async addWorkingDirectory(runId: string, path: string): Promise<void> {
    await command(this.host.steps, { type: "addWorkingDirectory", runId, path });
  }

  /** Asks the reviewer. */
  async review({ effectId, runId, callId, payload }: ReviewEffect, onReview: OnReview | undefined, stop: Stop): Promise<void> {
    const judge = async (): Promise<unknown> => {
      const said = await onReview?.({ ...payload, runId, callId: callId ?? "" }, { signal: stop.signal });
      return typeof said === "string" ? { verdict: said, confidence: 1 } : said;
    };
    const { receipt, answer } = onReview ? await ask(judge, stop) : gone("This host has no reviewer.");
    this.host.steps.send({ text: receiptText(effectId, receipt, answer) });
  }

  /** Keeps a rule that an answer has brought. */
  async save({ effectId, runId, payload: { rule } }: RuleEffect): Promise<void> {
    const { onRule, host } = this;
    try {
      if (!onRule) throw new Error("This host keeps no rules.");
      await onRule(structuredClone(rule), { runId });
      host.steps.send({ text: receiptText(effectId, { outcome: "ok" }, "{}"), entered: () => (this.held = [...this.held, rule]) });
    } catch (thrown) {
      const error = { code: onRule ? "thrown" : "no_store", message: thrownMessage(thrown) };
      host.steps.send({ text: receiptText(effectId, { outcome: "failed", error }) });
    }
  }
}
