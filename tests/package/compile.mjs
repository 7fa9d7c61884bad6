// What the compiler says to a program, for several ways to set it up: in one process, which reads its libraries once.

import { fileURLToPath } from "node:url";

import ts from "../../pkg/node_modules/typescript/lib/typescript.js";

export const typeRoots = [fileURLToPath(new URL("../../pkg/node_modules/@types", import.meta.url))];

const libraries = new Map();

/** The complaints of the compiler about a file, as it prints them. `options` are written as in a tsconfig.json. */
export function complaints(file, options) {
  const { options: read, errors } = ts.convertCompilerOptionsFromJson({ ...options, noEmit: true }, ".");
  const host = ts.createCompilerHost(read);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) => {
    if (!name.includes("/typescript/lib/")) return getSourceFile(name, ...more);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...more));
    return libraries.get(name);
  };
  const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram([file], read, host))];
  return ts.formatDiagnostics(found, host);
}
