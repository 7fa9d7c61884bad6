// What a read of a file shows.

import { passed, pins, text, toHex } from "./case.mjs";
import { Replay } from "./replay.mjs";

export async function run({ path, text: content, args }, expect, host) {
  return Replay.run(host, async (replay) => {
    await replay.write({ [path]: content });
    await replay.begin(["builtin:workspace.read_file"]);
    const { isError, errorCode, shown } = await replay.call("workspace_read_file", { path, ...args });
    if (expect.isError) {
      pins({ isError, code: errorCode }, expect);
      return passed;
    }
    const { cutLine, ...rest } = expect;
    const parts = parse(path, shown);
    pins({ isError, ...parts, rowsSha256: await sha256(parts.rows) }, rest);
    if (cutLine) checkCut(shown, text(content).split("\n"), cutLine);
    return passed;
  });
}

async function sha256(text) {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** The parts of a shown file. */
export function parse(path, shown) {
  const [header, ...lines] = shown.split("\n");
  const said = /^(.*) lines (\d+)-(\d+) of (\d+), chars (\d+), words (\d+)( \(preview\))?$/.exec(header);
  if (said?.[1] !== path) throw new Error(`this is no header line of ${path}: ${header.slice(0, 200)}`);
  const [startLine, endLine, totalLines, totalChars] = said.slice(2, 6).map(Number);
  const rows = lines.slice(0, startLine === 0 ? 0 : endLine - startLine + 1);
  const notices = lines.slice(rows.length).join("\n");
  return {
    startLine, endLine, totalLines, totalChars,
    preview: said[7] !== undefined,
    fullRead: said[7] === undefined,
    rows: rows.join("\n"),
    firstRow: rows[0],
    lastRow: rows.at(-1),
    nextLine: Number(/start_line (\d+)/.exec(notices)?.[1]),
  };
}

/** A line that is cut shows its beginning, at most so many characters, and a note tells so. */
function checkCut(shown, content, { line, maxChars }) {
  const [, ...lines] = shown.split("\n");
  const row = lines.find((row) => row.trimStart().startsWith(`${line} | `));
  const part = row.slice(row.indexOf("| ") + 2);
  if ([...part].length > maxChars) throw new Error(`line ${line} is shown with ${[...part].length} characters`);
  if (!content[line - 1].startsWith(part)) throw new Error(`line ${line} does not begin with what is shown of it`);
  const notes = lines.filter((other) => other !== row).join(" ");
  if (!notes.includes(`${line}`)) throw new Error(`nothing says that line ${line} is cut: ${notes}`);
}
