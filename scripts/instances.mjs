// Turns what `wbg --target web` writes for the core, a module with one instance for everybody, into a factory of
// instances: one that crashed takes no other with it.
//
//   node scripts/instances.mjs GLUE.js
//
// GLUE.js then exports `instantiate()`, which gives `Session` and `init({ module_or_path })`; GLUE.d.ts says so as well.
import { readFileSync, writeFileSync } from "node:fs";

const TAIL = "export { initSync, __wbg_init as default };";
const TYPES = `
/** One instance of the core module. */
export interface Core {
    /** Compiles and starts it; before that, nothing else works. */
    init(source: { module_or_path: InitInput | Promise<InitInput> }): Promise<InitOutput>;
    Session: typeof Session;
}

export function instantiate(): Core;
`;

const [file] = process.argv.slice(2);
const glue = readFileSync(file, "utf8").trim();
if (!glue.endsWith(TAIL)) {
  console.error(`${file} does not look like the output of wbg --target web.`);
  process.exit(1);
}
const body = glue.slice(0, -TAIL.length).replaceAll(/^export (?=class|function)/gm, "");
writeFileSync(file, `export function instantiate() {\n${body}return { init: __wbg_init, Session };\n}\n`);

const declarations = file.replace(/\.js$/, ".d.ts");
const types = readFileSync(declarations, "utf8");
// What is left of the module itself is types only.
const classes = types.slice(0, types.indexOf("export function initSync")).replaceAll(/^export class/gm, "export declare class");
writeFileSync(declarations, classes.slice(0, classes.lastIndexOf("/**")) + TYPES);
