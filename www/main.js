// The page: one runtime, the demo, its files, and a shell.

import { createRuntime } from "../pkg/dist/index.js";
import { folder, request, runDemo } from "./demo.js";
import { Files } from "./files.js";
import { Prompt } from "./prompt.js";
import { runCommand } from "./shell.js";

const [state, task, start, box] = ["state", "task", "start", "screen"].map((id) => document.getElementById(id));
const files = new Files();
const prompt = new Prompt(async (command, options) => {
  try {
    return await runCommand(runtime, command, options);
  } finally {
    await files.refresh();
  }
});
let runtime;
let used = false;

/** A new runtime with the files the demo begins with. */
async function open() {
  const begun = performance.now();
  prompt.enable(false);
  await runtime?.close();
  runtime = await createRuntime({ workspace: folder });
  state.textContent = `Ready after ${Math.round(performance.now() - begun)} ms; the core runs ${runtime.isolation === "worker" ? "in a worker" : "inline"}.`;
  await files.show(runtime.workspace);
  prompt.reset();
  prompt.enable(true);
  used = false;
}

start.onclick = async () => {
  start.disabled = true;
  try {
    // The recording answers a fresh workspace.
    if (used) await open();
    used = true;
    await runDemo(runtime, box, { opened: (path) => void files.open(path), changed: () => void files.refresh() });
    await files.refresh();
    start.textContent = "Start over and run again";
  } catch (error) {
    complain(error);
  } finally {
    start.disabled = false;
  }
};

function complain(error) {
  state.className = "bad";
  state.textContent = error.message;
}

task.textContent = request;
try {
  await open();
  start.disabled = false;
} catch (error) {
  complain(error);
}
