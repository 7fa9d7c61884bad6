import { createRuntime } from "../node.js";
import type { Mode, RunPermissions, Runtime } from "../types.js";
import { Approver } from "./approver.js";
import { callTool } from "./call.js";
import { copyBack, copyIn } from "./folder.js";
import { CALL, DEMO, SHELL } from "./help.js";
import { Calls } from "./one-call.js";
import type { Asked } from "./options.js";
import { rules } from "./rules.js";
import { runShell } from "./shell.js";

const HELP = { call: CALL, shell: SHELL, demo: DEMO };

/** What a command works with. */
export interface Desk {
  runtime: Runtime;
  calls: Calls;
  asked: Asked;
  /** The person at the terminal, if there is one. */
  approver: Approver | undefined;
  permissions: RunPermissions;
  /** Where the files of the caller are; the shell starts there. */
  home: string;
}

/** Does what was asked for; gives the exit status. */
export async function perform(asked: Asked): Promise<number> {
  if (asked.help) {
    process.stdout.write(HELP[asked.command]);
    return 0;
  }
  if (asked.command === "demo") return demo(asked);
  return atDesk(asked, asked.command === "call" ? callTool : runShell);
}

async function atDesk(asked: Asked, work: (desk: Desk) => Promise<number>): Promise<number> {
  const copied = asked.workspace === undefined ? undefined : await copyIn(asked.workspace);
  copied?.notes.forEach(note);
  // Only who sits at a terminal can be asked; where standard input is the arguments, nobody is.
  const seen = process.stdin.isTTY && process.stderr.isTTY && !asked.words.includes("-");
  const approver = seen ? new Approver({ input: process.stdin, output: process.stderr }) : undefined;
  const runtime = await createRuntime({ workspace: copied?.files ?? {}, ...(approver && { onApproval: approver.answer }) });
  try {
    await runtime.permissions.setRules([...rules("deny", asked.deny), ...rules("ask", asked.ask), ...rules("allow", asked.allow)]);
    const permissions: RunPermissions = asked.mode === undefined ? {} : { mode: asked.mode as Mode };
    const calls = await Calls.open(runtime, permissions);
    const status = await work({ runtime, calls, asked, approver, permissions, home: copied?.prefix === "" ? "/" : "/output" });
    if (asked.save && copied) (await copyBack(copied, runtime)).forEach(note);
    return status;
  } finally {
    await runtime.close();
  }
}

function note(text: string): void {
  process.stderr.write(`handrail: ${text}\n`);
}

async function demo({ provider, wire }: Asked): Promise<number> {
  const address = new URL("../../demo/demo.mjs", import.meta.url).href;
  const { demo: show } = (await import(address)) as { demo: (words: string[]) => Promise<void> };
  const options = Object.entries({ "--provider": provider, "--wire": wire });
  await show(options.flatMap(([option, value]) => (value === undefined ? [] : [option, value])));
  return Number(process.exitCode ?? 0);
}
