/** Runs of a checkpoint go on in another runtime: what was open when it was taken is answered (RN-10). */

import { command } from "./commands.js";
import { HandrailError } from "./error.js";
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

/** What the core asks for anew: nothing outside has changed by it (EF-03). */
const PURE = ["model.request", "extension.inspect", "review.request", "shell.analyze"];

/** Takes over every run that goes on; `live` makes what this half knows of one, or nothing if it has no model. */
export async function takeOver(host: Host, live: (runId: string, driven: boolean) => LiveRun | undefined): Promise<LiveRun[]> {
  const runs: LiveRun[] = [];
  let open: readonly Open[] = [];
  let orphan: string | undefined;
  await host.steps.go();
  await command(host.steps, { type: "attach" }, {
    replied: ({ runs: going, inFlight }) => {
      open = inFlight;
      for (const { runId, sessionId, driven } of going) {
        const run = live(runId, driven);
        if (run) runs.push(run.of(sessionId));
        else orphan ??= runId;
      }
      if (orphan === undefined) for (const run of runs) host.runs.set(run.id, run);
    },
  });
  if (orphan !== undefined) {
    throw new HandrailError("command.invalid", `There is no model for ${orphan}: give one to resume() or to createRuntime().`);
  }
  for (const effect of open) {
    if (effect.kind === "approval.request") host.effects([{ ...effect, class: "held" } as unknown as ApprovalEffect]);
    else gone(host, effect, PURE.includes(effect.kind) ? "not_sent" : "unknown");
  }
  return runs;
}

/** Nobody here performs it any more. */
function gone({ steps }: Host, { effectId }: Open, outcome: "not_sent" | "unknown"): void {
  const error = { code: outcome, message: "The runtime that performed it has ended." };
  steps.send({ text: receiptText(effectId, { outcome, error }) });
}
