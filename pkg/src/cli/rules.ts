import type { Rule } from "../types.js";
import { Usage } from "./options.js";

/** Rules from words of a command line: `TOOL` or `TOOL(PATTERN)`, where the pattern is about the path or the command. */
export function rules(effect: Rule["effect"], words: readonly string[] = []): Rule[] {
  return words.map((word, at) => {
    const read = /^([^()]+)(?:\((.*)\))?$/s.exec(word);
    if (!read) throw new Usage(`--${effect} takes TOOL or TOOL(PATTERN), for example --${effect} 'workspace_shell(rm *)'; ${word} is neither.`);
    const [, tool, pattern] = read;
    return { id: `--${effect} ${at + 1}`, effect, tool: tool!.replaceAll(".", "_"), ...(pattern !== undefined && { pattern }) };
  });
}
