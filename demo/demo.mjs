// A whole run, shown as it goes: node demo/demo.mjs [--wire FILE]
//
// The model is a recording in real wire shape; with HANDRAIL_BASE_URL (and HANDRAIL_MODEL, HANDRAIL_API_KEY) it is an
// endpoint. Ends with 1 if the run does not complete.

import { readFile } from "node:fs/promises";

import { createRuntime } from "../pkg/dist/node.js";
import { openAiChat, scripted } from "../pkg/dist/models.js";
import { follow, tree } from "./follow.mjs";
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

async function main(args) {
  const [model, called] = await chooseModel(args);
  await withRuntime(await createRuntime({ workspace: folder, model }), async (runtime) => {
    await runtime.tools.register([weather, parks]);
    screen.line(screen.bold("handrail: a whole run"));
    screen.line(`  model   ${called}`);
    screen.line(`  task    ${request.replace(/(.{80,100}?) /g, "$1\n          ")}`);
    const run = await runtime.start({ provider: model.codec, input: request, seed: "picnic" });
    await follow(run, runtime.workspace, screen);
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
