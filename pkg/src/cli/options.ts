import { parseArgs, type ParseArgsConfig } from "node:util";

/** A command that was not understood. */
export class Usage extends Error {}

/** What was asked for. */
export interface Asked {
  command: "call" | "shell" | "demo";
  /** What stands beside the options. */
  words: string[];
  /** Everything that has a value or was given. */
  workspace?: string;
  save: boolean;
  json: boolean;
  help: boolean;
  script?: string;
  workdir?: string;
  wire?: string;
  provider?: string;
  mode?: string;
  allow?: string[];
  ask?: string[];
  deny?: string[];
}

const CALLS: ParseArgsConfig["options"] = {
  workspace: { type: "string" },
  save: { type: "boolean" },
  json: { type: "boolean" },
  mode: { type: "string" },
  allow: { type: "string", multiple: true },
  ask: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
};

const COMMANDS: Record<Asked["command"], { options: NonNullable<ParseArgsConfig["options"]>; words: number }> = {
  call: { options: { ...CALLS }, words: 2 },
  shell: { options: { ...CALLS, script: { type: "string", short: "c" }, workdir: { type: "string" } }, words: 0 },
  demo: { options: { wire: { type: "string" }, provider: { type: "string" } }, words: 0 },
};

/** Reads the words of a command line. */
export function read(words: readonly string[]): Asked {
  const [command, ...rest] = words as [Asked["command"], ...string[]];
  if (!Object.hasOwn(COMMANDS, command)) throw new Usage(`There is no command ${command}. Try handrail --help.`);
  const { options, words: most } = COMMANDS[command];
  const { values, positionals } = parse(command, rest, options);
  const extra = positionals[most];
  if (extra !== undefined) throw new Usage(`${extra} is too much. Try handrail ${command} --help.`);
  if (values["save"] && values["workspace"] === undefined) throw new Usage("--save needs --workspace DIR.");
  return { save: false, json: false, help: false, ...values, command, words: positionals };
}

type Parsed = { values: Record<string, string | boolean | string[] | undefined>; positionals: string[] };

function parse(command: string, args: string[], options: NonNullable<ParseArgsConfig["options"]>): Parsed {
  try {
    return parseArgs({ args, options: { ...options, help: { type: "boolean", short: "h" } }, allowPositionals: true }) as Parsed;
  } catch (error) {
    // Its first sentence says which word is wrong.
    const [said] = (error as Error).message.split(/\. (?=To )/);
    throw new Usage(`${said!.replace(/\.$/, "")}. Try handrail ${command} --help.`);
  }
}
