/** Work of the host's own: it is run like the function of a tool, and its receipt is its end. */

import type { AdoptedContext, AdoptedWork } from "./background-types.js";
import { told } from "./extension.js";
import type { Host } from "./host.js";
import { progressText } from "./protocol.js";

type Streams = Pick<AdoptedContext, "stdout" | "stderr">;

/** Runs it. The core has taken it on under this id, and may tell it to stop by it. */
export function runAdopted(host: Host, effectId: string, run: AdoptedWork["run"]): void {
  let over = false;
  const write = (stream: keyof Streams) => (text: string) => {
    if (over || text === "") return;
    const json = told(text);
    host.steps.send({ text: progressText(effectId, stream, json) });
  };
  const streams: Streams = { stdout: write("stdout"), stderr: write("stderr") };
  host.adopt(effectId, async (_, context) => {
    try {
      return await run({
        get signal() {
          return context.signal;
        },
        progress: context.progress,
        attachImage: context.attachImage,
        ...streams,
      });
    } finally {
      over = true;
    }
  });
}
