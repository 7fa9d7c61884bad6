/** Runs of a checkpoint go on in another runtime: what was open when it was taken is answered (RN-10). */

import { command } from "./commands.js";
import type { Host } from "./host.js";
import { receiptText, type ApprovalEffect } from "./protocol.js";
import type { LiveRun } from "./run.js";

/** An effect that waited for a receipt when the checkpoint was taken. */
interface Open {
  readonly effectId: string;
  readonly runId: string;
  readonly kind: string;
  readonly callId?: string;
  readonly payload?: ApprovalEffect["payload"];
}

/** What may be asked for again: nothing outside has changed by it. */
const PURE = ["model.request", "extension.inspect", "review.request", "shell.analyze"];

/** Takes over every run that goes on; `live` makes what this half knows of one. Runs that the host drove itself are stopped. */
export async function takeOver(host: Host, live: (runId: string) => LiveRun): Promise<LiveRun[]> {
  const runs: LiveRun[] = [];
  const driven: string[] = [];
  let open: readonly Open[] = [];
  await command(host.steps, { type: "attach" }, {
    replied: ({ runs: going, inFlight }) => {
      open = inFlight;
      for (const { runId, driven: isDriven } of going) {
        if (isDriven) driven.push(runId);
        else runs.push(live(runId));
      }
      for (const run of runs) host.runs.set(run.id, run);
    },
  });
  await Promise.all(driven.map((runId) => command(host.steps, { type: "cancelRun", runId })));
  for (const effect of open) {
    const asks = effect.kind === "approval.request";
    // A stopped run waits for no answer of a person any more.
    if (asks && driven.includes(effect.runId)) continue;
    if (asks) host.effects([{ ...effect, class: "held" } as unknown as ApprovalEffect]);
    else gone(host, effect, PURE.includes(effect.kind) ? "not_sent" : "unknown");
  }
  return runs;
}

/** Nobody here performs it any more. */
function gone({ steps }: Host, { effectId }: Open, outcome: "not_sent" | "unknown"): void {
  const error = { code: outcome, message: "The runtime that performed it has ended." };
  steps.send({ text: () => receiptText(effectId, { outcome, error }) });
}
