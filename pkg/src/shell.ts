/** A command of a person: a run of its own whose only tool is the shell. */

import { HandrailError } from "./error.js";
import type { Ended, StreamName } from "./program/exec.js";
import { joined } from "./program/output.js";
import type { Watcher } from "./program/shell.js";
import type { Invocation, RunOptions, ShellOptions, ShellResult } from "./types.js";

const PROFILE = {
  schemaVersion: 5,
  kind: "handrail.agentProfile",
  id: "shell",
  displayName: "Shell",
  tools: { allow: ["builtin:workspace.shell"] },
  // A person may well try the same thing three times.
  run: { loopGuard: false },
};

/** What a command of a person needs of its runtime. */
export interface ShellHost {
  invocation(options: RunOptions): Promise<Invocation>;
  /** From now on the commands of the run tell the watcher too. */
  watch(runId: string, watcher: Watcher): void;
  /** The next number for a session. */
  next(): number;
}

/** What a command wrote and how it ended. */
class Seen implements Watcher {
  ended: Ended | undefined;
  private readonly pieces: Record<StreamName, Uint8Array[]> = { stdout: [], stderr: [] };

  constructor(private readonly told: ShellOptions["onOutput"]) {}

  output(stream: StreamName, bytes: Uint8Array): void {
    this.pieces[stream].push(bytes);
    this.told?.(stream, bytes);
  }

  end(ended: Ended): void {
    this.ended = ended;
  }

  text(stream: StreamName): string {
    return new TextDecoder().decode(joined(this.pieces[stream]));
  }
}

/** Runs it. */
export async function runShell(host: ShellHost, command: string, options: ShellOptions): Promise<ShellResult> {
  const { workdir = "/", signal, onOutput } = options;
  if (typeof command !== "string") throw new HandrailError("command.invalid", "The command must be a string.");
  const invocation = await host.invocation({
    profile: PROFILE,
    sessionId: `shell_${host.next()}`,
    ...(signal && { signal }),
  });
  const seen = new Seen(onOutput);
  host.watch(invocation.id, seen);
  const said = await answered(invocation, command, workdir, signal);
  await invocation.cancel();
  return resultOf(seen, said, signal?.aborted === true);
}

/** Hands the command over; gives what a model would read of it, or nothing if it was stopped before. */
async function answered(
  invocation: Invocation,
  command: string,
  workdir: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const [tool] = invocation.tools() as { function: { name: string } }[];
  if (!tool) throw new HandrailError("tool.not_bound", "This core has no shell.");
  const call = { name: tool.function.name, arguments: JSON.stringify({ command, workdir }) };
  const message = { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: call }] };
  try {
    const { messages } = await invocation.handle({ choices: [{ message }] });
    return messages.at(-1)?.content as string | undefined;
  } catch (thrown) {
    if (signal?.aborted) return undefined;
    throw thrown;
  }
}

function resultOf(seen: Seen, said: string | undefined, aborted: boolean): ShellResult {
  const { ended } = seen;
  const written = { stdout: seen.text("stdout"), stderr: seen.text("stderr") };
  if (!ended) {
    const cut = { ...written, stdoutTruncated: false, stderrTruncated: false };
    if (aborted) return { status: "cancelled", ...cut, message: "It was stopped." };
    return { status: "error", ...cut, message: said ?? "It was not run." };
  }
  const { outcome, exitCode, stdoutTruncated, stderrTruncated, error } = ended;
  const result = { ...written, stdoutTruncated, stderrTruncated };
  if (outcome === "ok") return { status: "ok", exitCode, ...result };
  if (outcome === "failed") return { status: "error", exitCode, ...result, message: error?.message ?? "It failed." };
  const message = outcome === "timed_out" ? "Its time was up." : "It was stopped.";
  return { status: outcome, ...result, message: `${message} Files it had changed stay changed.` };
}
