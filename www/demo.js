// The demo of the repository, in the page: the same request, tools, files and recorded stream.

import { scripted } from "../pkg/dist/models.js";
import { follow } from "../pkg/demo/follow.mjs";
import { folder, parks, request, weather } from "../pkg/demo/tools.mjs";
import { Screen } from "./screen.js";

export { folder, request };

const RECORDING = new URL("../pkg/demo/recordings/picnic.openai-chat.jsonl", import.meta.url);
/** How long after one piece of a reply the next comes, in milliseconds: recordings come at once, models do not. */
const PACE = 25;

/** Runs the demo on a runtime and shows it in a box. `changed` is called after each call. */
export async function runDemo(runtime, box, { opened, changed }) {
  const screen = new Screen(box, opened);
  const response = await fetch(RECORDING);
  if (!response.ok) throw new Error(`The recording could not be loaded (${response.status}).`);
  const model = paced(scripted(await response.text()));
  await runtime.tools.register([weather, parks]);
  const run = await runtime.start({ model, input: request, seed: "picnic" });
  await follow(run, runtime.workspace, {
    round: (number) => screen.round(number),
    piece: (text) => screen.piece(text),
    note: (text) => screen.note(text),
    typed: (call) => screen.typed(call),
    asked: (call) => screen.asked(call),
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

/** A model whose stream takes its time. */
function paced(model) {
  return {
    ...model,
    async request(request) {
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
