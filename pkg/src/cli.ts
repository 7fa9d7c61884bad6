#!/usr/bin/env node
/** The command `handrail`: the tools, the shell and the demo without writing a program. */

import { version } from "./cli/version.js";
import { perform } from "./cli/commands.js";
import { read, Usage } from "./cli/options.js";
import { GENERAL } from "./cli/help.js";

// Whoever stops reading, `head` for example, has seen enough.
process.stdout.on("error", () => process.exit());

async function main(words: string[]): Promise<number> {
  if (words[0] === "--version") {
    process.stdout.write(`handrail ${await version()}\n`);
    return 0;
  }
  if (words.length === 0 || words[0] === "--help" || words[0] === "-h" || words[0] === "help") {
    process.stdout.write(GENERAL);
    return 0;
  }
  return perform(read(words));
}

main(process.argv.slice(2)).then(
  (status) => void (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`handrail: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Usage ? 2 : 1;
  },
);
