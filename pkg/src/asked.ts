/** Functions of the host that are asked something: each is answered by one receipt, whatever it does. */

import { thrownMessage } from "./error.js";
import type { Receipt } from "./protocol.js";
import type { Stop } from "./stop.js";
import { stringify } from "./stringify.js";

/** What a function said: a receipt, and with it the answer as JSON text. */
export interface Said {
  receipt: Receipt;
  answer?: string;
}

/** Asks a function and waits for its answer, or until nobody waits for it any more. Never rejects. */
export async function ask(question: () => unknown, stop: Stop): Promise<Said> {
  const stopped = new Promise<typeof STOPPED>((resolve) => stop.signal.addEventListener("abort", () => resolve(STOPPED)));
  try {
    const said = await Promise.race([Promise.resolve(question()), stopped]);
    if (said === STOPPED || stop.aborted) return { receipt: { outcome: "cancelled", stopped: false } };
    const written = stringify(said ?? {}, "answer");
    if (written.ok) return { receipt: { outcome: "ok" }, answer: written.text ?? "{}" };
    return { receipt: { outcome: "failed", error: { code: "invalid_answer", message: written.message } } };
  } catch (thrown) {
    return { receipt: { outcome: "failed", error: { code: "thrown", message: thrownMessage(thrown) } } };
  }
}

const STOPPED = Symbol("stopped");

/** Nobody is there to be asked. */
export function gone(message: string): Said {
  return { receipt: { outcome: "not_sent", error: { code: "not_sent", message } } };
}
