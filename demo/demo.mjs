// A whole run, shown as it goes: node demo/demo.mjs [--wire FILE]
//
// The model is a recording in real wire shape; with HANDRAIL_BASE_URL (and HANDRAIL_MODEL, HANDRAIL_API_KEY) it is an
// endpoint. Ends with 1 if the run does not complete.

import { readFile } from "node:fs/promises";

import { createRuntime } from "../pkg/dist/node.js";
import { openAiChat, scripted } from "../pkg/dist/models.js";
import { Screen } from "./screen.mjs";
import { folder, parks, request, weather } from "./tools.mjs";

const RECORDING = new URL("recordings/picnic.openai-chat.jsonl", import.meta.url);

const screen = new Screen((text) => process.stdout.write(text), process.stdout.isTTY === true && !process.env.NO_COLOR);

/** The model, and what to call it. */
async function chooseModel(args) {
  const { HANDRAIL_BASE_URL: baseUrl, HANDRAIL_MODEL: model, HANDRAIL_API_KEY: apiKey } = process.env;
  const [option, file, ...more] = args;
  if (more.length > 0 || (option && (option !== "--wire" || !file))) throw new Error("Usage: demo.mjs [--wire FILE]");
  if (file) return [scripted(await readFile(file, "utf8")), `the recording ${file}`];
  if (!baseUrl) return [scripted(await readFile(RECORDING, "utf8")), "a recording"];
  if (!model) throw new Error("HANDRAIL_BASE_URL is set; set HANDRAIL_MODEL too.");
  return [openAiChat({ baseUrl, model, ...(apiKey && { apiKey }) }), `${model} at ${baseUrl}`];
}

/** Shows the events of a run until it ends. */
async function follow(run, workspace) {
  const names = new Map();
  const name = ({ callId }) => names.get(callId) ?? callId;
  const record = async (path) => JSON.parse(await workspace.readText(path));
  const shows = {
    model_request_created: ({ round }) => screen.round(round),
    model_delta: ({ text }) => screen.piece(text),
    model_call_attempt_failed: ({ code, message }) => screen.note(`the model's reply was no use: ${code}: ${message}`),
    model_call_retry_scheduled: () => screen.note("it is asked again"),
    tool_call_requested: async (payload) => {
      names.set(payload.callId, payload.name);
      const { arguments: args, invalid } = await record(payload.argumentsRef);
      screen.asked(payload.name, invalid ?? JSON.stringify(args));
    },
    tool_update: (payload) => {
      if (payload.state) screen.state(name(payload), payload.state);
      if (payload.output) screen.state(name(payload), `says: ${payload.output}`);
    },
    tool_result_stored: async (payload) => {
      const stored = await record(payload.resultRef);
      const { startedAt, endedAt } = stored.meta;
      for (const { kind, data } of stored.notes) screen.note(`${kind.replaceAll("_", " ")}: ${JSON.stringify(data)}`);
      screen.ended(stored.name, { status: stored.status, code: stored.errorCode, text: stored.content, ms: startedAt ? endedAt - startedAt : 0 });
    },
    tool_result_readable_view_stored: ({ path }) => screen.file(path, "the whole result is in"),
    workspace_file_written: ({ path }) => screen.file(path, "wrote"),
    workspace_patch_applied: ({ path }) => screen.file(path, "patched"),
  };
  for await (const { type, payload } of run.events()) await shows[type]?.(payload);
  screen.close();
}

async function main(args) {
  const [model, called] = await chooseModel(args);
  await withRuntime(await createRuntime({ workspace: folder, model }), async (runtime) => {
    await runtime.tools.register([weather, parks]);
    screen.line(screen.bold("handrail: a whole run"));
    screen.line(`  model   ${called}`);
    screen.line(`  task    ${request.replace(/(.{80,100}?) /g, "$1\n          ")}`);
    const run = await runtime.start({ provider: model.codec, input: request, seed: "picnic" });
    await follow(run, runtime.workspace);
    const { status, text, error } = await run.result;
    screen.line();
    screen.line(screen.bold("Files"));
    screen.tree(await runtime.workspace.list());
    screen.line();
    if (status === "completed") return screen.line(`${screen.good("completed")} ${text}`);
    screen.line(`${screen.bad(status)} ${error.code}: ${error.message}`);
    process.exitCode = 1;
  });
}

/** Node 20 has no `await using` yet. */
async function withRuntime(runtime, body) {
  try {
    await body(runtime);
  } finally {
    await runtime.close();
  }
}

main(process.argv.slice(2)).catch((error) => {
  screen.close();
  console.error(error.message);
  process.exitCode = 1;
});
