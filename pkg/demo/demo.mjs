// A whole run, shown as it goes: node pkg/demo/demo.mjs [--provider openai-chat|anthropic] [--wire FILE]
//
// The model is a recording in real wire shape; with HANDRAIL_BASE_URL (and HANDRAIL_MODEL, HANDRAIL_API_KEY) it is an
// endpoint. HANDRAIL_PROVIDER says the same as --provider. Ends with 1 if the run does not complete.

import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { createRuntime } from "../dist/node.js";
import { anthropic, openAiChat, scripted } from "../dist/models.js";
import { follow, tree } from "./follow.mjs";
import { Screen } from "./screen.mjs";
import { folder, parks, request, weather } from "./tools.mjs";

/** The wire formats, and what makes a model of an endpoint that speaks them. */
const PROVIDERS = { "openai-chat": openAiChat, anthropic };
const USAGE = `Usage: demo.mjs [--provider ${Object.keys(PROVIDERS).join("|")}] [--wire FILE]`;

const screen = new Screen((text) => process.stdout.write(text), process.stdout.isTTY === true && !process.env.NO_COLOR);

// Whoever stops reading, `head` for example, has seen enough.
process.stdout.on("error", () => process.exit());

/** The model, and what to call it. */
async function chooseModel(args) {
  const { HANDRAIL_BASE_URL: baseUrl, HANDRAIL_MODEL: model, HANDRAIL_API_KEY: apiKey, HANDRAIL_PROVIDER } = process.env;
  const options = { "--provider": HANDRAIL_PROVIDER || undefined, "--wire": undefined };
  for (let at = 0; at < args.length; at += 2) {
    if (!Object.hasOwn(options, args[at]) || !args[at + 1]) throw new Error(USAGE);
    options[args[at]] = args[at + 1];
  }
  const { "--provider": provider = "openai-chat", "--wire": file } = options;
  if (!Object.hasOwn(PROVIDERS, provider)) throw new Error(USAGE);
  if (file) return [scripted(await readFile(file, "utf8")), `the recording ${file}`];
  const recording = new URL(`recordings/picnic.${provider}.jsonl`, import.meta.url);
  if (!baseUrl) return [scripted(await readFile(recording, "utf8")), `a recording, ${provider}`];
  if (!model) throw new Error("HANDRAIL_BASE_URL is set; set HANDRAIL_MODEL too.");
  return [PROVIDERS[provider]({ baseUrl, model, ...(apiKey && { apiKey }) }), `${model} at ${baseUrl}`];
}

async function main(args) {
  const [model, called] = await chooseModel(args);
  await withRuntime(await createRuntime({ workspace: folder, model }), async (runtime) => {
    await runtime.tools.register([weather, parks]);
    screen.line(screen.bold("handrail: a whole run"));
    screen.line(`  model   ${called}`);
    screen.line(`  task    ${request.replace(/(.{80,100}?) /g, "$1\n          ")}`);
    const run = await runtime.start({
      provider: model.codec,
      input: request,
      seed: "picnic",
      // Commands are asked about. A program for people would show the question and wait; here the script answers.
      permissions: { tiers: { workspace_shell: "ask" } },
      onApproval: () => ({ answer: "once", by: "the script" }),
    });
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

/** Shows the run that the words of a command line ask for. The process ends with 1 if it does not complete. */
export async function demo(args) {
  try {
    await main(args);
  } catch (error) {
    screen.close();
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await demo(process.argv.slice(2));
