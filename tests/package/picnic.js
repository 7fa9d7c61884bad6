// What a user's own program does, the same in a bundle, in a plain page and in Node: a run with a tool call, and a
// command in the shell. Each project has a copy of this file.

import { createRuntime, HandrailError } from "handrail";
import { scripted } from "handrail/models";

/** Runs both; `where` is called by the tool and tells something that only the user's side knows. */
export async function picnic(where, options) {
  const call = { id: "c1", type: "function", function: { name: "where", arguments: '{"loud": "true",}' } };
  const model = scripted([
    { choices: [{ message: { role: "assistant", tool_calls: [call] } }] },
    { choices: [{ message: { role: "assistant", content: "There." } }] },
  ]);
  const runtime = await createRuntime({ ...options, model, workspace: { "output/a.json": '{"a":[1,2]}' } });
  await runtime.tools.register({
    extensionId: "own", name: "where", description: "Where this runs.",
    inputSchema: { type: "object", properties: { loud: { type: "boolean" } }, required: ["loud"] },
    execute: ({ loud }) => (loud === true ? where().toUpperCase() : where()),
  });
  const run = await runtime.start({ input: "Where are you?" });
  const calls = [];
  for await (const { type, payload } of run.events()) if (type === "tool_call_completed") calls.push(payload.message);
  const { status, text } = await run.result;
  const script = "jq -c '.a | map(. * 2)' a.json | tee b.json; js -e 'console.log(6 * 7)'";
  const { exitCode, stdout, stderr } = await runtime.shell(script, { workdir: "/output" });
  const written = await runtime.workspace.readText("output/b.json");
  const error = await runtime.workspace.read("output/none").catch((thrown) => thrown);
  await runtime.close();
  return {
    isolation: runtime.isolation, calls, status, text, exitCode, stdout, stderr, written,
    error: error instanceof HandrailError && error.code,
  };
}
