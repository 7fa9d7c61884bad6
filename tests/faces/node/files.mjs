// The case files of a folder, and how their topics are run.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const topics = JSON.parse(readFileSync(new URL("../topics.json", import.meta.url), "utf8"));

/** The names and texts of the case files in a folder. A folder without any ends the process. */
export function caseFiles(folder) {
  const names = folder ? readdirSync(folder).filter((name) => name.endsWith(".json")).sort() : [];
  if (names.length === 0) {
    console.log(folder ? `${folder} holds no case file (*.json).` : "Name the folder of case files.");
    console.log("0 passed, 1 failed, 0 skipped");
    process.exit(1);
  }
  return names.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
