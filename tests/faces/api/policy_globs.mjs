// The pattern language, as rules use it: on the names of actions and on commands.

import { passed, sameJson, text } from "./case.mjs";
import { Script } from "./script.mjs";

export async function run({ op, pattern, text: about, verified }, { matches }, host) {
  const command = { name: "run", target: { command: "$.about" } };
  const one = verified ? { name: "all", parts: [command] } : command;
  const script = {
    tools: [{ name: "t", permission: op === "name" ? { name: "$.about" } : one }],
    rules: [{ id: "r", effect: "deny", ...(op === "name" ? { action: pattern } : { pattern }) }],
    terms: { mode: "allow" },
    replies: [[["c", "t", { about: text(about) }]]],
  };
  return Script.play(script, host, ({ host: did }) => {
    sameJson("matches", !did.some(([what]) => what === "called"), matches);
    return passed;
  });
}
