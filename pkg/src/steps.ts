/**
 * The one line in front of the core. Inputs that come while a step is under way wait and enter together in the next one,
 * in the order they came: fewer crossings, and no input ever overtakes another.
 */

import { stopped, type Driver, type Soon } from "./driver.js";
import { DEAD, HandrailError } from "./error.js";
import { TICK, type Effect, type Output, type Reply } from "./protocol.js";
import type { RunEvent } from "./types.js";

/** One input on its way to the core. */
export interface Entry {
  /** The input as JSON text; that of one with bytes is made when their digests are known. */
  text: string | ((digests: string[]) => string);
  /** Bytes that go with it. */
  blobs?: Uint8Array[];
  /** The reply to a command; called before anything else of that step. */
  replied?: (reply: Reply) => void;
  /** The input has been taken; called after everything else of that step. */
  entered?: () => void;
  /** The core could not read the input, or is gone. */
  failed?: (error: HandrailError) => void;
}

/** Who hears what a step gave, in this order: replies (through the entries), events, effects. */
export interface Listener {
  events(events: readonly RunEvent[]): void;
  effects(effects: readonly Effect[]): void;
  /** The core is gone; nothing comes any more. */
  died(error: HandrailError): void;
}

/** Whatever is to happen as soon as nothing else does follows it: cheaper than a microtask of its own. */
const NOW = Promise.resolve();

/** The line. */
export class Steps {
  private queue: Entry[] = [];
  private running = false;
  private dead: HandrailError | undefined;
  /** For the core no time passes: who takes over its runs is not there yet. */
  private stands = false;

  constructor(
    private readonly driver: Driver,
    private readonly listener: Listener,
  ) {}

  /** From now on the core is told no time, so that nothing of it is due; until `go`. */
  stand(): void {
    this.stands = true;
  }

  /** The core is told the time again, once all that is on its way has entered. */
  async go(): Promise<void> {
    if (!this.stands) return;
    await this.entered();
    this.stands = false;
  }

  /** Resolves when all that is on its way has entered, or cannot any more. */
  entered(): Promise<void> {
    return new Promise((resolve) => this.send({ text: TICK, entered: resolve, failed: () => resolve() }));
  }

  /** Puts an input at the end of the line. */
  send(entry: Entry): void {
    if (this.dead) return void entry.failed?.(this.dead);
    this.queue.push(entry);
    if (this.running) return;
    this.running = true;
    void NOW.then(this.run);
  }

  /** Ends the line: what waits in it, and what comes later, fails with this error. */
  end(error: HandrailError): void {
    if (this.dead) return;
    this.dead = error;
    for (const entry of this.queue.splice(0)) entry.failed?.(error);
  }

  private readonly run = async (): Promise<void> => {
    while (this.queue.length > 0) {
      const entries = this.queue;
      this.queue = [];
      try {
        const soon = this.step(entries);
        // A turn of the event loop's queue costs as much as the rest of a short step.
        if (soon) await soon;
      } catch (thrown) {
        this.die(thrown instanceof HandrailError ? thrown : stopped(thrown), entries);
      }
    }
    this.running = false;
  };

  /** One step; what the driver answers at once is delivered at once. */
  private step(entries: Entry[]): Soon<void> {
    if (!entries.some(({ blobs }) => blobs)) return this.cross(entries, []);
    const soon = this.driver.putBlobs(entries.flatMap(({ blobs }) => blobs ?? []));
    return soon instanceof Promise ? soon.then((digests) => this.cross(entries, digests)) : this.cross(entries, soon);
  }

  private cross(entries: Entry[], digests: string[]): Soon<void> {
    let used = 0;
    let texts = "";
    for (const { text, blobs } of entries) {
      if (texts !== "") texts += ",";
      texts += typeof text === "string" ? text : text(digests.slice(used, (used += blobs?.length ?? 0)));
    }
    let soon: Soon<string>;
    try {
      soon = this.driver.step(`[${texts}]`, this.stands ? 0 : Date.now());
    } catch (thrown) {
      return this.apart(entries, thrown);
    }
    if (typeof soon === "string") return this.deliver(soon, entries);
    return soon.then(
      (output) => this.deliver(output, entries),
      (thrown) => this.apart(entries, thrown),
    );
  }

  /** The core could not read these inputs and did nothing: each goes alone, so that one bad input harms no other. */
  private async apart(entries: Entry[], thrown: unknown): Promise<void> {
    if (!(thrown instanceof HandrailError) || thrown.code === DEAD) throw thrown;
    if (entries.length === 1) return void entries[0]!.failed?.(thrown);
    for (const entry of entries) await this.step([entry]);
  }

  private deliver(text: string, entries: Entry[]): void {
    const output = JSON.parse(text) as Output;
    for (const reply of output.replies) entries[reply.input]?.replied?.(reply);
    this.listener.events(output.events);
    this.listener.effects(output.effects);
    for (const entry of entries) entry.entered?.();
  }

  private die(error: HandrailError, entries: Entry[]): void {
    const first = !this.dead;
    for (const entry of entries) entry.failed?.(error);
    this.end(error);
    if (first) this.listener.died(error);
  }
}
