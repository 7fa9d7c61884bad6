// What a user of the package writes, compiled strictly. Lines marked with @ts-expect-error must not compile.

import { createRuntime, HandrailError, type CallContext, type Checkpoint, type Code, type Diagnostic, type Model, type PortError, type Registration, type Run, type RunEvent, type Runtime, type Status, type Store } from "handrail";
import core from "handrail/handrail_bg.wasm";
import shell from "handrail/programs/shell_bg.wasm";
import { ModelError, anthropic, openAiChat, scripted, type RecordedReply } from "handrail/models";

const store: Store = { append: async ({ runId, records, blobs }) => void [runId.length, records[0]?.seq.toFixed(), blobs.size] };

// What follows from the crate: not `any`, and nothing but what is there.
type Is<A, B> = [A, B] extends [B, A] ? (0 extends 1 & A ? never : true) : never;
export const checked: [Is<Diagnostic["code"], Code>, Is<Extract<Status, "timed_out" | "gone">, "timed_out">, Is<Extract<PortError, `ENO${string}`>, "ENOENT" | "ENOTDIR" | "ENOTEMPTY" | "ENOSPC" | "ENOTSUP">] = [true, true, true];
// @ts-expect-error: no such code
export const code: Code = "tool.invalid_argument";

/** Where modules are imported and nothing is fetched. */
export const edge = (): Promise<Runtime> => createRuntime({ wasm: core, programs: { shell }, isolation: "inline" });

export async function page(): Promise<string> {
  await using runtime: Runtime = await createRuntime({ workspace: { "output/notes.md": "# Notes\n", "output/x": new Uint8Array(1) }, isolation: "worker", store });

  const weather = await runtime.tools.register({
    extensionId: "weather",
    name: "get_weather",
    description: "Current weather of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: async ({ city }, context) => {
      context.progress(`asking for ${context.callId}`);
      context.attachImage(new Uint8Array(1));
      if (context.signal.aborted) throw new Error("stopped");
      return { city, celsius: 21 };
    },
    traits: { effect: "read", parallel: true },
  });
  await weather.disable();
  await weather.enable();

  const registration: Registration = { extensionId: "a", name: "b", description: "c", inputSchema: { type: "object" } };
  await runtime.tools.register(registration, (args, context: CallContext) => [args["x"], context.target], { strict: true });
  await runtime.tools.register([registration, { ...registration, name: "d", execute: () => 1 }]);

  // A validator's output is the type of the arguments.
  const inputSchema = {
    "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value: value as { n: number } }), types: undefined as { input: { n: string }; output: { n: number } } | undefined },
  } as const;
  await runtime.tools.register({
    extensionId: "a", name: "n", description: "", inputSchema, jsonSchema: { type: "object" },
    execute: ({ n }) => {
      const twice: number = n * 2;
      // @ts-expect-error: the output has no such member
      const never: string = n.length;
      return [twice, never];
    },
  });
  // @ts-expect-error: there must be a description
  await runtime.tools.register({ extensionId: "a", name: "b", inputSchema: { type: "object" }, execute: () => 1 });

  const recorded: RecordedReply = { expect: "Hi", choices: [] };
  const model: Model = Math.random() < 0 ? scripted([recorded]) : openAiChat({ model: "m", apiKey: "k", baseUrl: "http://x", fetch: (url, init) => fetch(url, init) });
  const other: Model = anthropic({ model: "m", apiKey: "k", maxTokens: 1, version: "v", headers: { a: "b" }, body: { thinking: {} } });
  const run: Run = await runtime.start({ profile: "default", provider: "openai-chat", input: "Plan a picnic in Oslo.", model, toolChoice: { specific: "builtin:dice.roll" } });
  for await (const event of run.events()) show(event);
  const { status, text, error } = await run.result;
  if (status !== "completed") throw new HandrailError(error?.code ?? "x", error?.message ?? "");
  const checkpoint: Checkpoint = await run.checkpoint({ known: new Set<string>() });

  const invocation = await runtime.invocation({ messages: [{ role: "user", text: "Hi" }] });
  const messages: unknown[] = [];
  for (;;) {
    const turn = await invocation.handle({ choices: [] });
    messages.push(...turn.messages);
    if (turn.done) break;
  }
  // @ts-expect-error: a role that does not exist
  await runtime.invocation({ messages: [{ role: "tool", text: "Hi" }] });
  return text + checkpoint.state.length + (await runtime.workspace.readText("output/notes.md")) + new ModelError("a", "b", { retryable: true }).code;
}

function show(event: RunEvent): string {
  if (event.seq === undefined) return event.type;
  // @ts-expect-error: no such level
  if (event.level === "loud") return "";
  return `${event.seq} ${event.timestamp} ${event.payload["callId"]}`;
}

export async function commands(runtime: Runtime): Promise<number> {
  runtime.programs.register("count", async ({ argv, stdin, files, signal }) => {
    signal.throwIfAborted();
    const entries = await files.list(argv[1] ?? ".");
    return { exitCode: entries.length > 0 ? 0 : 1, stdout: `${entries.length + stdin.length}\n` };
  });
  const { status, exitCode, stdout, workdir } = await runtime.shell("count /output", {
    workdir: "/output",
    onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => void [stream, bytes.length],
  });
  // @ts-expect-error: a program gives an object
  runtime.programs.register("bad", () => 1);
  return status === "ok" ? exitCode : stdout.length + workdir.length;
}
