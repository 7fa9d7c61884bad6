/** Options as plain JavaScript hands them over: one that nobody knows is refused, and none is ignored in silence. */

import { HandrailError } from "./error.js";
import type { AdoptedWork, ResumeOptions, ResumeRunOptions, RuntimeOptions, ShellOptions, StartOptions } from "./types.js";

/** Every name of an options type; the compiler sees that none is missing. */
type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

const RUNTIME: Names<RuntimeOptions> = {
  workspace: true, isolation: true, model: true, wasm: true, programs: true, store: true, onApproval: true, onReview: true,
  onRule: true, checkpoint: true,
};

const RUN: Names<Omit<StartOptions, "model">> = {
  profile: true, provider: true, messages: true, input: true, system: true, seed: true, files: true, toolChoice: true,
  images: true, scenario: true, sessionId: true, target: true, permissions: true, onApproval: true, onReview: true, signal: true,
};

const SHELL: Names<ShellOptions> = { workdir: true, seed: true, onOutput: true, permissions: true, signal: true };

const RESUME: Names<ResumeOptions> = { model: true, onApproval: true, onReview: true };

const GO_ON: Names<Omit<ResumeRunOptions, "model">> = { acceptUnknown: true, onApproval: true, onReview: true, signal: true };

const ADOPT: Names<AdoptedWork> = { name: true, sessionId: true, invocation: true, startedAt: true, run: true };

type Call = "background.adopt" | "createRuntime" | "resume" | "resumeRun" | "resumeInvocation" | "start" | "invocation" | "shell";

const KNOWN: { readonly [Of in Call]: { readonly [name: string]: true } } = {
  createRuntime: RUNTIME,
  start: { model: true, ...RUN },
  resume: RESUME,
  resumeRun: { model: true, ...GO_ON },
  resumeInvocation: GO_ON,
  invocation: RUN,
  shell: SHELL,
  "background.adopt": ADOPT,
};

/** Throws `command.invalid` for options with a name that `call` does not take. */
export function checkOptions(call: Call, options: object): void {
  const known = KNOWN[call];
  const strange = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (strange === undefined) return;
  const names = Object.keys(known).join(", ");
  throw new HandrailError("command.invalid", `${call}: there is no option ${JSON.stringify(strange)}; expected some of ${names}.`);
}
