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

// Whoever stops reading, `head` for example, has seen enough.
process.stdout.on("error", () => process.exit());

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
  const calls = new Map();
  const call = ({ callId }) => calls.get(callId) ?? { name: callId, states: [], files: [] };
  /** The argument texts of a reply's calls, as they are streamed. */
  let texts = [];
  const shows = {
    model_request_created: ({ round }) => {
      texts = [];
      screen.round(round);
    },
    model_delta: ({ text }) => screen.piece(text),
    model_call_attempt_failed: ({ code, message }) => screen.note(`the model's reply was no use: ${code}: ${message}`),
    model_call_retry_scheduled: () => screen.note("it will be asked again"),
    tool_begin: ({ callId, name, index }) => calls.set(callId, { name, index, states: [], files: [] }),
    tool_call_requested: (payload) => screen.asked(payload.name, texts[call(payload).index] ?? ""),
    tool_update: (payload) => {
      if (payload.argsDelta) texts[payload.index] = (texts[payload.index] ?? "") + payload.argsDelta;
      if (payload.output) screen.said(call(payload).name, payload.output);
      if (payload.state) call(payload).states.push(payload.state);
      if (payload.state === "settled") screen.ended(call(payload));
    },
    tool_result_stored: async (payload) => {
      call(payload).stored = JSON.parse(await workspace.readText(payload.resultRef));
    },
    tool_result_readable_view_stored: (payload) => call(payload).files.push(`the whole result is in ${payload.path}`),
    workspace_file_written: (payload) => call(payload).files.push(`wrote ${payload.path}`),
    workspace_patch_applied: (payload) => call(payload).files.push(`changed ${payload.path}`),
  };
  for await (const { type, payload } of run.events()) await shows[type]?.(payload);
  screen.close();
}

/** The files, and the directories that hold any. */
async function tree(workspace) {
  const entries = await workspace.list();
  const files = entries.filter(({ kind }) => kind === "file").map(({ path }) => path);
  return entries.filter(({ path, kind }) => kind === "file" || files.some((file) => file.startsWith(`${path}/`)));
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
    screen.tree(await tree(runtime.workspace));
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
