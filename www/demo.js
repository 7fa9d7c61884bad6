// The demo of the repository, in the page: the same request, tools, files and recorded stream.

import { scripted } from "../pkg/dist/models.js";
import { follow } from "../pkg/demo/follow.mjs";
import { folder, parks, request, weather } from "../pkg/demo/tools.mjs";
import { Screen } from "./screen.js";

export { folder, request };

/** `?provider=anthropic` in the address takes the recording of that provider. */
const provider = new URL(location).searchParams.get("provider") === "anthropic" ? "anthropic" : "openai-chat";
const RECORDING = new URL(`../pkg/demo/recordings/picnic.${provider}.jsonl`, import.meta.url);
/** How long after one piece of a reply the next comes, in milliseconds: recordings come at once, models do not. */
const PACE = 25;

/** Runs the demo on a runtime and shows it in a box. `changed` is called after each call. */
export async function runDemo(runtime, box, { opened, changed }) {
  const screen = new Screen(box, opened);
  const response = await fetch(RECORDING);
  if (!response.ok) throw new Error(`The recording could not be loaded (${response.status}).`);
  const model = paced(scripted(await response.text()));
  await runtime.tools.register([weather, parks]);
  const run = await runtime.start({
    model,
    input: request,
    seed: "picnic",
    // Commands are asked about; the buttons on the screen answer.
    permissions: { tiers: { workspace_shell: "ask" }, canPrompt: true },
  });
  await follow(run, runtime.workspace, {
    round: (number) => screen.round(number),
    piece: (text) => screen.piece(text),
    note: (text) => screen.note(text),
    typed: (call) => screen.typed(call),
    asked: (call) => screen.asked(call),
    question: (call, question, decide) => screen.question(call, question, decide),
    answered: (call, text) => screen.answered(call, text),
    said: (call, text) => screen.said(call, text),
    ended: (call) => {
      screen.ended(call);
      changed();
    },
    close: () => screen.close(),
  });
  const result = await run.result;
  screen.finished(result);
  return result;
}

const UNDONE = "Without the command I stop here: the plan and the list are written, the notes are as they were.";

/** How the model ends when the command may not run, in the events of either provider. */
const undone = {
  "openai-chat": [
    { choices: [{ index: 0, delta: { role: "assistant", content: UNDONE }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ],
  anthropic: [
    { type: "message_start", message: { id: "msg_undone", type: "message", role: "assistant", content: [], usage: { input_tokens: 0, output_tokens: 0 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: UNDONE } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 24 } },
    { type: "message_stop" },
  ],
};

/** Whether the last results say that something was not permitted. */
const denied = (message) => /Error \(permission\.|did not allow this call/.test(JSON.stringify(message.content));

/** A model whose stream takes its time. */
function paced(model) {
  return {
    ...model,
    async request(request) {
      // The recording knows only what happens if the command may run.
      if (denied(request.body.messages.at(-1))) return slowly(undone[provider]);
      const reply = await model.request(request);
      return Symbol.asyncIterator in reply ? slowly(reply) : reply;
    },
  };
}

async function* slowly(stream) {
  for await (const piece of stream) {
    await new Promise((resolve) => setTimeout(resolve, PACE));
    yield piece;
  }
}
