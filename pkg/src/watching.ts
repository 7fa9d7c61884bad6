import { command } from "./commands.js";
import type { LiveRun } from "./run.js";
import type { Steps } from "./steps.js";
import type { RunEvent } from "./types.js";

/**
 * The events of a run that nobody watched from its start: what the journal kept of the time before, then everything. A
 * core that need not tell anybody is faster, and a loop that drives the model itself seldom looks.
 */
export class Watching implements AsyncIterable<RunEvent> {
  /** Where in the journal, and where in the log, the time begins in which everything was told. */
  private begun: Promise<{ seq: number; place: number }> | undefined;

  constructor(
    private readonly steps: Steps,
    private readonly run: LiveRun,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    const { seq, place } = await (this.begun ??= this.begin());
    for (let after = 0; after < seq; ) {
      const { events } = await command(this.steps, {
        type: "readEvents",
        runId: this.run.id,
        afterSeq: after,
        beforeSeq: seq + 1,
      });
      if (events.length === 0) break;
      yield* events;
      after = events.at(-1)!.seq;
    }
    // What came before it in the step in which the watching began stands in the journal and in the log.
    for await (const event of this.run.log.from(place)) if (event.seq === undefined || event.seq > seq) yield event;
  }

  private async begin(): Promise<{ seq: number; place: number }> {
    let place = 0;
    const { seq } = await command(
      this.steps,
      { type: "watch", runId: this.run.id, events: "all" },
      { replied: () => (place = this.run.log.length) },
    );
    return { seq, place };
  }
}
