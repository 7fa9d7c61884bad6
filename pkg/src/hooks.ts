import { command } from "./commands.js";
import { HandrailError, thrownMessage } from "./error.js";
import type { Hook, HookAnswer, HookInput, Hooks, RegisteredHook } from "./hook-types.js";
import { receiptText, type HookEffect, type Receipt } from "./protocol.js";
import type { Steps } from "./steps.js";
import type { Stop } from "./stop.js";
import { stringify } from "./stringify.js";

/** The hooks through the core's command, which replaces all of them; the functions stay here. */
export class HostHooks implements Hooks {
  /** By id, in the order in which they were registered. */
  private hooks = new Map<string, Hook>();
  private count = 0;
  /** One change at a time: each sends all hooks. */
  private changed: Promise<unknown> = Promise.resolve();

  constructor(private readonly steps: Steps) {}

  async register(hook: Hook): Promise<RegisteredHook> {
    if (typeof hook.run !== "function") throw new HandrailError("command.invalid", "A hook needs a function: give it as run.");
    this.count += 1;
    const hookId = `hook_${this.count}`;
    // A copy: what is registered cannot change behind the core's back.
    await this.change((hooks) => hooks.set(hookId, { ...hook, run: (input, context) => hook.run(input, context) }));
    return { hookId, unregister: () => this.change((hooks) => hooks.delete(hookId)) };
  }

  /** Calls a hook and sends the one receipt. */
  async call({ effectId, runId, payload }: HookEffect, stop: Stop): Promise<void> {
    const { receipt, answer } = await this.answerOf({ ...payload.payload, point: payload.point, runId }, payload.hookId, stop);
    this.steps.send({ text: () => receiptText(effectId, receipt, answer) });
  }

  private change(edit: (hooks: Map<string, Hook>) => void): Promise<void> {
    const done = this.changed.then(async () => {
      const hooks = new Map(this.hooks);
      edit(hooks);
      const list = [...hooks].map(([hookId, { run: _, ...rest }]) => ({ ...rest, hookId }));
      await command(this.steps, { type: "registerHooks", hooks: list }, { replied: () => (this.hooks = hooks) });
    });
    this.changed = done.catch(() => undefined);
    return done;
  }

  private async answerOf(input: HookInput, hookId: string, stop: Stop): Promise<{ receipt: Receipt; answer?: string }> {
    const hook = this.hooks.get(hookId);
    if (!hook) return { receipt: { outcome: "not_sent", error: { code: "not_sent", message: "The hook is gone." } } };
    const stopped = new Promise<"stopped">((resolve) => stop.signal.addEventListener("abort", () => resolve("stopped")));
    try {
      const said = await Promise.race([Promise.resolve(hook.run(input, { signal: stop.signal })), stopped]);
      if (said === "stopped") return { receipt: { outcome: "cancelled", stopped: false } };
      const written = stringify((said ?? {}) satisfies HookAnswer, "answer");
      if (written.ok) return { receipt: { outcome: "ok" }, answer: written.text ?? "{}" };
      return { receipt: { outcome: "failed", error: { code: "invalid_answer", message: written.message } } };
    } catch (thrown) {
      return { receipt: { outcome: "failed", error: { code: "thrown", message: thrownMessage(thrown) } } };
    }
  }
}
