/** A command without a model: one call of the shell tool, in a run of its own. */

import type { Ended } from "./program/exec.js";
import type { Listener } from "./program/shell.js";
import type { Transcript } from "./program/transcript.js";
import type { Invocation, ShellOptions, ShellResult } from "./types.js";

/** What such a run may use. */
export const SHELL_PROFILE: { readonly [member: string]: unknown } = {
  schemaVersion: 5,
  kind: "handrail.agentProfile",
  id: "shell",
  displayName: "Shell",
  tools: { allow: ["builtin:workspace.shell"] },
  run: { background: false },
};

/** Runs a command as the only call of an invocation, and ends the invocation. */
export async function runCommand(
  invocation: Invocation,
  listeners: Map<string, Listener>,
  command: string,
  { workdir, onOutput, signal }: ShellOptions,
): Promise<ShellResult> {
  let ran: Pick<ShellResult, "status" | "exitCode" | "stdout" | "stderr" | "truncated" | "workdir"> | undefined;
  let stderr = "";
  listeners.set(invocation.id, {
    output: (stream, bytes) => {
      try {
        onOutput?.(stream, bytes);
      } catch (thrown) {
        // The host's own mistake: told as one, but not to the program.
        queueMicrotask(() => {
          throw thrown;
        });
      }
    },
    ended: (ended, output) => (ran = outcomeOf(ended, output, workdir ?? "/")),
    // A model is told that there is no shell; whoever can mend that needs to know why.
    unavailable: (reason) => (stderr = `${reason}\n`),
  });
  let text = "";
  try {
    const { messages } = await invocation.handle(callOf(invocation, { command, ...(workdir !== undefined && { workdir }) }));
    text = String(messages.at(-1)?.content ?? "");
    await invocation.cancel();
  } catch (thrown) {
    // Cancelled: the run ended before there was anything to say.
    if (!signal?.aborted) throw thrown;
  } finally {
    listeners.delete(invocation.id);
  }
  if (ran) return { ...ran, text };
  const begun = signal?.aborted ? ({ status: "cancelled", exitCode: 130 } as const) : ({ status: "error", exitCode: 126 } as const);
  return { ...begun, stdout: "", stderr, truncated: false, workdir: workdir ?? "/", text };
}

function callOf(invocation: Invocation, args: object): object {
  const [tool] = invocation.tools() as { function: { name: string } }[];
  const call = { id: "call_1", type: "function", function: { name: tool?.function.name, arguments: JSON.stringify(args) } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  return { choices: [{ index: 0, finish_reason: "tool_calls", message }] };
}

function outcomeOf(ended: Ended, output: Transcript, workdir: string): Omit<ShellResult, "text"> {
  const { outcome, exitCode, stdoutTruncated, stderrTruncated } = ended;
  return {
    status: outcome === "failed" ? "error" : outcome,
    exitCode,
    stdout: output.text("stdout"),
    stderr: output.text("stderr"),
    truncated: stdoutTruncated || stderrTruncated,
    workdir: ended.cwd ?? workdir,
  };
}
