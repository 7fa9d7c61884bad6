import { runAdopted } from "./adopted.js";
import type { AdoptedWork, Background, Task, TaskDetails, TaskUpdate } from "./background-types.js";
import { command } from "./commands.js";
import { HandrailError } from "./error.js";
import type { Host } from "./host.js";
import { checkOptions } from "./options.js";
import type { RunEvent } from "./types.js";

/** What the events of work in the background begin with. */
const PREFIX = "background_";
/** The one invocation of a run so far. */
const ROOT = "inv_1";

/** Work in the background through the core's commands. */
export class HostBackground implements Background {
  private readonly listeners = new Set<(update: TaskUpdate) => void>();
  /** The effects of the work that runs, by its ids. */
  private readonly effects = new Map<string, string>();

  constructor(private readonly host: Host) {}

  async list(filter: { sessionId?: string; runId?: string } = {}): Promise<Task[]> {
    const { sessionId, runId } = filter;
    return (await command(this.host.steps, { type: "background.list", sessionId, runId })).tasks;
  }

  async listFor({ id: runId }: { readonly id: string }): Promise<Task[]> {
    return (await command(this.host.steps, { type: "background.listFor", runId, invocationId: ROOT })).tasks;
  }

  async adopt(work: AdoptedWork): Promise<TaskDetails> {
    checkOptions("background.adopt", work);
    const { name, sessionId, invocation, startedAt, run } = work;
    if (typeof run !== "function") throw new HandrailError("command.invalid", "background.adopt: run has to be a function.");
    const adopted = await command(
      this.host.steps,
      { type: "background.adopt", name, sessionId, runId: invocation?.id, startedAt },
      { replied: ({ effectId }) => runAdopted(this.host, effectId, run) },
    );
    return adopted.task;
  }

  async get(id: string): Promise<TaskDetails> {
    return (await command(this.host.steps, { type: "background.get", id })).task;
  }

  async touch(id: string): Promise<TaskDetails> {
    return (await command(this.host.steps, { type: "background.touch", id })).task;
  }

  async cancel(id: string): Promise<TaskDetails> {
    const cancelled = command(this.host.steps, { type: "background.cancel", id });
    // While a command keeps the core waiting, the core cannot say so itself.
    const effectId = this.effects.get(id);
    if (effectId !== undefined) this.host.shell.stop(effectId);
    return (await cancelled).task;
  }

  async take(id: string): Promise<string> {
    return (await command(this.host.steps, { type: "background.deliver", id })).text;
  }

  async prune(filter: { sessionId?: string } = {}): Promise<number> {
    return (await command(this.host.steps, { type: "background.prune", sessionId: filter.sessionId })).pruned;
  }

  onUpdate(listener: (update: TaskUpdate) => void): () => void {
    // A function of its own: the same listener may be there twice.
    const heard = (update: TaskUpdate): void => listener(update);
    this.listeners.add(heard);
    return () => void this.listeners.delete(heard);
  }

  /** Takes an event of any run. */
  happened({ type, runId, payload }: RunEvent): void {
    if (!type.startsWith(PREFIX)) return;
    const update = { ...payload, type: type.slice(PREFIX.length), runId } as unknown as TaskUpdate;
    if (update.type === "started") this.effects.set(update.id, String(payload["effectId"]));
    if (update.type === "finished") this.effects.delete(update.id);
    for (const listener of this.listeners) {
      try {
        listener(update);
      } catch {
        // Who listens cannot stop the work.
      }
    }
  }
}
