// What a search in the workspace finds and shows.

import { passed, pins, sameJson, skipped } from "./case.mjs";
import { Replay } from "./replay.mjs";

export async function run({ op, files, args }, expect, host) {
  if (op !== "search") return skipped(`\`${op}\` is a single function, which the package does not offer`);
  return Replay.run(host, async (replay) => {
    await replay.write(files);
    await replay.begin(["builtin:workspace.search_files"]);
    const { isError, errorCode, shown } = await replay.call("workspace_search_files", args);
    if (expect.isError) {
      pins({ isError, code: errorCode }, expect);
      return passed;
    }
    sameJson("isError", isError, expect.isError);
    sameJson("hits", hits(shown), expect.hits);
    sameJson("skippedFiles", skippedFiles(shown), expect.skippedFiles);
    return passed;
  });
}

/** The hits, as the model reads them. */
function hits(shown) {
  const pattern = /^(.+) score (\d+\.\d+) ref (workspace:.+#L(\d+)-L(\d+))\n((?: *\d+ \| .*\n?)+)/gm;
  return [...shown.matchAll(pattern)].map(([, path, score, ref, startLine, endLine, rows]) => ({
    path, score, ref, startLine: Number(startLine), endLine: Number(endLine), snippet: rows.replace(/\n$/, ""),
  }));
}

function skippedFiles(shown) {
  const said = /([\d,]+) files? (?:was|were) skipped/.exec(shown)?.[1] ?? "0";
  return Number(said.replaceAll(",", ""));
}
