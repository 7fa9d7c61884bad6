import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import type { ShellResult } from "../types.js";
import type { Desk } from "./commands.js";

/** `handrail shell`. */
export async function runShell(desk: Desk): Promise<number> {
  const { asked, home, permissions } = desk;
  const workdir = asked.workdir ?? home;
  if (asked.script === undefined && process.stdin.isTTY) return prompt(desk, workdir);
  const script = asked.script ?? (await text(process.stdin));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const result = await desk.runtime.shell(script, {
    workdir,
    signal: stop.signal,
    permissions,
    ...(!asked.json && { onOutput: write }),
  });
  if (asked.json) process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else remarks(result);
  return result.exitCode;
}

/** One command after the other, each in a fresh shell that starts in the folder where the last one ended. */
async function prompt({ runtime, approver, permissions }: Desk, start: string): Promise<number> {
  let workdir = start;
  let last = 0;
  let running: AbortController | undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: "" });
  if (approver) approver.lines = lines;
  const ask = (): void => {
    lines.setPrompt(`${last === 0 ? "" : `[${last}] `}${workdir} $ `);
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    if (running) return running.abort();
    process.stdout.write("^C\n");
    ask();
  });
  ask();
  for await (const line of lines) {
    const left = /^\s*exit(?:\s+(\d{1,3}))?\s*$/.exec(line);
    if (left) {
      last = left[1] === undefined ? last : Number(left[1]) & 255;
      break;
    }
    if (line.trim()) {
      running = new AbortController();
      const result = await runtime.shell(line, { workdir, signal: running.signal, permissions, onOutput: write });
      running = undefined;
      remarks(result);
      workdir = result.workdir;
      last = result.exitCode;
    }
    ask();
  }
  lines.close();
  return last;
}

/** What is not in the output. */
function remarks({ status, truncated, exitCode, text }: ShellResult): void {
  if (truncated) note("the output was longer than 128 KiB; the rest was dropped");
  if (status === "timed_out") note("its time was up");
  else if (status === "cancelled") note("stopped");
  else if (status === "error" && exitCode === 126) note(text);
  else if (status === "error") note(firstLine(text));
}

function write(stream: "stdout" | "stderr", bytes: Uint8Array): void {
  process[stream].write(bytes);
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}

function note(text: string): void {
  process.stderr.write(`handrail: ${text}\n`);
}
