/** The host half: performs what the core asks for, and tells those who watch. */

import { Approvals } from "./approvals.js";
import { HostBackground } from "./background.js";
import type { Driver } from "./driver.js";
import { HandrailError, thrownMessage } from "./error.js";
import { callExtension, inspectCall, type Extension } from "./extension.js";
import { requestModel } from "./model.js";
import { HostPermissions } from "./permissions.js";
import type { OnRule } from "./permission-types.js";
import { HostPrograms } from "./program/registry.js";
import { Shell, type LoadProgram } from "./program/shell.js";
import { Questions } from "./questions.js";
import { receiptText, TICK, type ApprovalEffect, type CallReplyEffect, type Effect, type ExtensionCallEffect, type HookEffect, type InspectEffect, type ModelRequestEffect, type Receipt, type ReviewEffect, type RuleEffect, type StoreEffect } from "./protocol.js";
import { HostHooks } from "./hooks.js";
import type { LiveRun } from "./run.js";
import { Steps, type Entry, type Listener } from "./steps.js";
import { Stop } from "./stop.js";
import { Timers } from "./timers.js";
import type { Execute, Model, RunEvent, Store } from "./types.js";

/** The host half of one runtime. */
export class Host implements Listener {
  readonly steps: Steps;
  /** The runs that go on, by id. */
  readonly runs: Map<string, LiveRun> = new Map();
  /** The functions of the host, by tool id. */
  readonly extensions: Map<string, Extension> = new Map();
  /** The programs of the host, by name. */
  readonly programs: HostPrograms = new HostPrograms();
  readonly shell: Shell;
  readonly approvals: Approvals = new Approvals();
  private readonly send = (entry: Entry): void => this.steps.send(entry);
  private readonly questions = new Questions(this.send);
  readonly permissions: HostPermissions;
  readonly hooks: HostHooks;
  readonly background: HostBackground = new HostBackground(this);
  private readonly timers = new Timers(() => this.send({ text: TICK }));
  /** What is under way and can be told to stop, by effect id. */
  private readonly open = new Map<string, Stop>();
  /** With a store: what came before must be durable before anything later is performed. */
  private durable: Promise<void> = Promise.resolve();

  constructor(
    readonly driver: Driver,
    readonly store: Store | undefined,
    load: LoadProgram,
    onRule?: OnRule,
  ) {
    this.steps = new Steps(driver, this);
    this.hooks = new HostHooks(this.steps);
    this.permissions = new HostPermissions(this, onRule);
    this.shell = new Shell(driver, load, this.programs, this.send);
  }

  events(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.runs.get(event.runId)?.happened(event);
      this.background.happened(event);
    }
  }

  effects(effects: readonly Effect[]): void {
    for (const effect of effects) if (effect.kind === "approval.request") this.approvals.announce(effect as ApprovalEffect);
    if (this.store && effects.length > 0) this.durable = this.durable.then(() => this.performDurably(effects, this.store!));
    else for (const effect of effects) this.perform(effect);
    for (const [id, run] of this.runs) {
      if (!run.end) continue;
      this.runs.delete(id);
      run.finish(run.end);
    }
  }

  /** Resolves when the core knows that all it had to store is durable: who takes over can store nothing of it (RN-10). */
  async stored(): Promise<void> {
    for (let pending: Promise<void> | undefined; pending !== this.durable; ) {
      pending = this.durable;
      await pending;
      await this.steps.entered();
    }
  }

  died(error: HandrailError): void {
    this.stop(error);
  }

  /** Ends everything with this error. */
  stop(error: HandrailError): void {
    this.steps.end(error);
    this.timers.clear();
    for (const stop of this.open.values()) stop.abort(error);
    this.open.clear();
    this.approvals.clear();
    for (const run of this.runs.values()) run.fail(error);
    this.runs.clear();
    this.driver.close();
  }

  /**
   * A run is being cancelled. Its commands are told at once: while one of them keeps the core waiting, the core cannot
   * say so itself.
   */
  cancelled(runId: string): void {
    this.shell.stopRun(runId);
  }

  /** One call is being cancelled; the same for its command. */
  callCancelled(runId: string, callId: string): void {
    this.shell.stopCall(runId, callId);
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case "extension.call":
        return this.call(effect);
      case "model.request":
        return this.ask(effect);
      case "shell.exec":
        return void this.underWay(effect, (stop) => this.shell.run(effect, stop));
      case "shell.analyze":
        return void this.shell.analyze(effect);
      case "approval.request":
        return void this.underWay(effect, (stop) => this.askPerson(effect as ApprovalEffect, stop));
      case "hook.run":
        return void this.underWay(effect, (stop) => this.hooks.call(effect as HookEffect, stop));
      case "extension.inspect":
        return this.inspect(effect);
      case "review.request":
        return void this.underWay(effect, (stop) => this.permissions.review(effect as ReviewEffect, this.runs.get(effect.runId)?.onReview, stop));
      case "rules.save":
        return void this.permissions.save(effect as RuleEffect);
      case "call.reply":
        return this.questions.replied(effect as CallReplyEffect);
      case "timer.set":
        return this.timers.set(`${effect.runId} ${effect.payload.timerId}`, effect.payload.at);
      case "timer.cancel":
        return this.timers.cancel(`${effect.runId} ${effect.payload.timerId}`);
      case "abort":
        return this.open.get(effect.payload.targetEffectId)?.abort(new HandrailError("aborted", effect.payload.reason));
      default:
        return this.refuse(effect, `This host cannot perform ${effect.kind}.`);
    }
  }

  /** Runs work of the host's own, which the core knows by this id. */
  adopt(effectId: string, execute: Execute): void {
    const effect = { effectId, payload: { args: {}, context: {} } } as unknown as ExtensionCallEffect;
    const extension: Extension = { execute, inspect: undefined, validate: undefined };
    void this.underWay(effect, (stop) => callExtension(effect, extension, stop, this.send, this.questions));
  }

  private call(effect: ExtensionCallEffect): void {
    const extension = this.extensions.get(effect.payload.toolId);
    if (!extension) return this.refuse(effect, "The function of this tool is gone.");
    void this.underWay(effect, (stop) => callExtension(effect, extension, stop, this.send, this.questions));
  }

  private inspect(effect: InspectEffect): void {
    const extension = this.extensions.get(effect.payload.toolId);
    if (!extension) return this.refuse(effect, "The function of this tool is gone.");
    void this.underWay(effect, (stop) => inspectCall(effect, extension, stop, this.send));
  }

  private ask(effect: ModelRequestEffect): void {
    const run = this.runs.get(effect.runId);
    if (!run) return this.refuse(effect, "Nobody here knows the run.");
    const { driving } = run;
    if (driving) return void this.underWay(effect, ({ signal }) => driving.requested(effect, signal));
    const model = run.answering as Model;
    if (model.codec !== effect.payload.codec) {
      const message = `The run speaks ${effect.payload.codec}, but the model ${model.codec}.`;
      return this.answer(effect, { outcome: "failed", error: { code: "model.request_failed", message, retryable: false } });
    }
    const body = run.conversation(effect.invocationId).body(effect);
    void this.underWay(effect, ({ signal }) => requestModel(effect, model, body, signal, this.send));
  }

  private askPerson(effect: ApprovalEffect, stop: Stop): Promise<void> {
    return this.approvals.ask(effect, this.runs.get(effect.runId)?.onApproval, stop, this.send);
  }

  private async underWay(effect: Effect, work: (stop: Stop) => Promise<void>): Promise<void> {
    const stop = new Stop();
    this.open.set(effect.effectId, stop);
    await work(stop);
    this.open.delete(effect.effectId);
  }

  private async performDurably(effects: readonly Effect[], store: Store): Promise<void> {
    let kept = true;
    for (const effect of effects) {
      if (effect.kind === "store.append") kept = (await this.append(effect, store)) && kept;
      else if (kept) this.perform(effect);
      else this.refuse(effect, "What it follows from could not be stored.");
    }
  }

  private async append(effect: StoreEffect, store: Store): Promise<boolean> {
    const { records, blobs: digests } = effect.payload;
    try {
      const found = digests.length > 0 ? await this.driver.blobs(digests) : [];
      const blobs = new Map(digests.flatMap((digest, at) => (found[at] ? [[digest, found[at]] as const] : [])));
      await store.append({ runId: effect.runId, records, blobs });
    } catch (thrown) {
      this.answer(effect, { outcome: "failed", error: { code: "store_failed", message: thrownMessage(thrown) } });
      return false;
    }
    this.answer(effect, { outcome: "ok" }, "{}");
    return true;
  }

  private refuse(effect: Effect, message: string): void {
    if (effect.class === "one-way") return;
    this.answer(effect, { outcome: "not_sent", error: { code: "not_sent", message } });
  }

  private answer(effect: Effect, receipt: Receipt, payload?: string): void {
    this.send({ text: receiptText(effect.effectId, receipt, payload) });
  }
}
