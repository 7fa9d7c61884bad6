// What a listing shows.

import { passed, pins } from "./case.mjs";
import { Replay } from "./replay.mjs";

export async function run({ files, dirs = [], visibleRoots, args }, expect, host) {
  return Replay.run(host, async (replay) => {
    await replay.write(Object.fromEntries(files.map((path) => [path, "x"])));
    await replay.makeDirectories(dirs);
    const profile = visibleRoots ? { workspace: { visibleRoots } } : {};
    await replay.begin(["builtin:workspace.list_files"], { profile });
    const { isError, errorCode, structured, shown } = await replay.call("workspace_list_files", args);
    if (expect.isError) {
      pins({ isError, code: errorCode }, expect);
      return passed;
    }
    const { entries, truncated } = structured;
    const { must = [], mustNot = [], ...rest } = expect;
    pins({ isError, truncated, entryCount: entries.length }, rest);
    const lines = shown.split("\n");
    for (const { path, kind } of must) {
      if (!entries.some((entry) => entry.path === path && entry.kind === kind)) throw new Error(`${path} (${kind}) is not listed`);
      const line = kind === "directory" ? `${path}/` : path;
      if (!lines.includes(line)) throw new Error(`the text has no line ${line}: ${shown.slice(0, 300)}`);
    }
    for (const path of mustNot) {
      if (entries.some((entry) => entry.path === path)) throw new Error(`${path} must not be listed`);
    }
    const extra = lines.filter((line) => !entries.some((entry) => line.replace(/\/$/, "") === entry.path));
    if (truncated && extra.length === 0) throw new Error("no line says that the listing was cut");
    return passed;
  });
}
