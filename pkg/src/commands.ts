/** Commands to the core, as promises. */

import { HandrailError } from "./error.js";
import type { Command } from "./generated.js";
import type { Steps } from "./steps.js";
import type { Task, TaskDetails } from "./background-types.js";
import { stringify } from "./stringify.js";
import type { Diagnostic, Entry, JournalEvent, Json } from "./types.js";

/** What the replies to the commands hold. The core writes them member by member, so that no type of the crate says it. */
interface Replies {
  registerTools: { toolIds: string[]; notices: Diagnostic[]; diagnostics: Diagnostic[] };
  setEnabled: {};
  unregisterTools: {};
  "tools.list": { tools: Json[]; diagnostics: Diagnostic[] };
  "profile.save": { profile: Json };
  "profile.load": { profile: Json };
  startRun: { runId: string; invocationId: string; diagnostics: Diagnostic[]; notices: Diagnostic[] };
  cancelRun: {};
  cancelCall: {};
  backgroundCall: { id: string };
  "background.list": { tasks: Task[] };
  "background.listFor": { tasks: Task[] };
  "background.adopt": { task: TaskDetails; effectId: string };
  "background.get": { task: TaskDetails };
  "background.touch": { task: TaskDetails };
  "background.cancel": { task: TaskDetails };
  "background.deliver": { text: string };
  "background.prune": { pruned: number };
  resumeRun: { runId: string; invocationId: string; sessionId: string };
  "session.delete": { runId: string | null };
  attach: { runs: { runId: string; sessionId: string; driven: boolean }[]; inFlight: any[] };
  "rules.set": {};
  setMode: {};
  addWorkingDirectory: {};
  registerHooks: {};
  "workspace.read": { text?: string; blob?: string };
  "workspace.write": { sha256: string; bytes: number };
  "workspace.list": { entries: Entry[] };
  "workspace.delete": { removed: number };
  watch: { seq: number };
  readEvents: { events: JournalEvent[]; more: boolean };
}

/** What the reply to a command holds. */
export type ReplyTo<Type extends Command["type"]> = Replies[Type];

/** How to send a command. */
export interface Sending<Value> {
  /** Bytes that go with it: their digest becomes its member `blob`. */
  blob?: Uint8Array;
  /** Called with the value of a good reply before any event or effect of the same step. */
  replied?: (value: Value) => void;
  /** Code of the error for a member that is no JSON. */
  code?: string;
}

/** Sends a command, without the members that are `undefined`; gives the value of its reply, or rejects with why it was refused. */
export function command<C extends Command>(
  steps: Steps,
  command: C,
  sending: Sending<ReplyTo<C["type"]>> = {},
): Promise<ReplyTo<C["type"]>> {
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
        const held = value as ReplyTo<C["type"]>;
        replied?.(held);
        resolve(held);
      },
      failed: reject,
    });
  });
}
