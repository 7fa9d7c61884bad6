import { ask, gone } from "./asked.js";
import { command } from "./commands.js";
import { HandrailError } from "./error.js";
import type { Hook, HookInput, Hooks, RegisteredHook } from "./hook-types.js";
import { receiptText, type HookEffect } from "./protocol.js";
import type { Steps } from "./steps.js";
import type { Stop } from "./stop.js";

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
    const hook = this.hooks.get(payload.hookId);
    const input: HookInput = { ...payload.payload, point: payload.point, runId };
    const { receipt, answer } = hook ? await ask(() => hook.run(input, { signal: stop.signal }), stop) : gone("The hook is gone.");
    this.steps.send({ text: receiptText(effectId, receipt, answer) });
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
}
