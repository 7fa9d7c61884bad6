// Reads, writes and patches of one invocation, one after another, and changes from outside in between.

import { checkText, passed, pins, sameJson, skipped, text } from "./case.mjs";
import { parse } from "./read_file.mjs";
import { Replay } from "./replay.mjs";

/** The calls of a step's tool: its name and its arguments. */
const tools = {
  read: ({ path, start_line, line_count }) => ["workspace_read_file", { path, start_line, line_count }],
  write: ({ path, content, mode }) => ["workspace_write_file", { path, content: text(content), mode }],
  patch: ({ path, old, new: fresh, replace_all }) =>
    ["workspace_apply_patch", { path, old_string: text(old), new_string: text(fresh), replace_all }],
  edit: ({ path, edits }) => ["workspace_edit", { path, edits }],
};

/** Longer files are not compared. */
const COMPARED = 4_000;

export async function run({ files, dirs = [], steps }, expect, host) {
  return Replay.run(host, async (replay) => {
    await replay.write(files);
    await replay.makeDirectories(dirs);
    const edits = steps.some(({ op }) => op === "edit");
    await replay.begin(["read_file", "write_file", "apply_patch"].map((name) => `builtin:workspace.${name}`), {
      profile: { features: { multiEdit: edits } },
    });
    if (edits && !replay.names.includes("workspace_edit")) return skipped("workspace.edit is not built");
    for (const [place, step] of steps.entries()) await check(replay, step, expect.steps[place], place + 1);
    const after = Object.entries(await replay.files()).filter(([, content]) => content.length <= COMPARED);
    sameJson("files", Object.fromEntries(after), expect.files);
    return passed;
  });
}

async function check(replay, step, expect, place) {
  if (step.op === "outside_write") return replay.write({ [step.path]: step.content });
  const { isError, errorCode, structured, shown } = await replay.call(...tools[step.op](step));
  const actual = { isError, code: errorCode, structured };
  if (step.op === "read" && !isError) actual.fullRead = parse(step.path, shown).fullRead;
  const { contains, numbers, ...rest } = expect;
  try {
    pins(actual, rest);
    checkText(shown, { contains, numbers });
  } catch (error) {
    throw new Error(`step ${place} (${step.op}): ${error.message}`);
  }
}
