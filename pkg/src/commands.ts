/** Commands to the core, as promises. */

import { HandrailError } from "./error.js";
import type { Steps } from "./steps.js";
import { stringify } from "./stringify.js";

/** A command: its type and its members; members that are `undefined` are left out. */
export type Command = { type: string; [member: string]: unknown };

/** How to send a command. */
export interface Sending<Value> {
  /** Bytes that go with it: their digest becomes its member `blob`. */
  blob?: Uint8Array;
  /** Called with the value of a good reply before any event or effect of the same step. */
  replied?: (value: Value) => void;
  /** Code of the error for a member that is no JSON. */
  code?: string;
}

/** Sends a command; gives the value of its reply, or rejects with why it was refused. */
export function command<Value>(steps: Steps, command: Command, sending: Sending<Value> = {}): Promise<Value> {
  const { blob, replied } = sending;
  const written = stringify(command, command.type);
  if (!written.ok) return Promise.reject(new HandrailError(sending.code ?? "command.invalid", `${written.message}.`));
  const head = written.text!.slice(0, -1);
  return new Promise((resolve, reject) => {
    steps.send({
      ...(blob && { blobs: [blob] }),
      text: ([digest]) => `{"command":${head}${digest === undefined ? "" : `,"blob":"${digest}"`}}}`,
      replied: ({ ok, value, code = "command.invalid", message = "The command was refused.", details }) => {
        if (!ok) return reject(new HandrailError(code, message, { details }));
        replied?.(value);
        resolve(value);
      },
      failed: reject,
    });
  });
}
