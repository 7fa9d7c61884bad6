/** A folder of this machine as the workspace: copied in, and what has changed copied back. */

import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Content, Folder, Runtime } from "../types.js";
import { Usage } from "./options.js";

const ROOTS = ["output", "persist", "plan", "scratch", "skills", "summaries", "tool-results"];
/** What nobody wants to have in there. */
const LEFT_OUT = [".git", "node_modules"];

/** A folder that was copied in. */
export interface Copied {
  directory: string;
  /** Where its files are in the workspace: at the top, or below `output/`. */
  prefix: "" | "output/";
  files: Folder;
  /** What was left out, for a person. */
  notes: string[];
}

/**
 * Reads a folder. One that holds nothing but the roots of a workspace is the workspace; the files of any other are put
 * below `output/`.
 */
export async function copyIn(directory: string): Promise<Copied> {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw new Usage(`${directory} is not a folder.`);
  const top = (await readdir(directory)).filter((name) => !LEFT_OUT.includes(name));
  const prefix = top.length > 0 && top.every((name) => ROOTS.includes(name)) ? "" : "output/";
  const copied: Copied = { directory, prefix, files: Object.create(null) as Folder, notes: [] };
  if (prefix) copied.notes.push(`the files of ${directory} are in ${prefix}`);
  await collect(copied, "");
  return copied;
}

async function collect(copied: Copied, below: string): Promise<void> {
  const entries = await readdir(join(copied.directory, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (LEFT_OUT.includes(entry.name)) copied.notes.push(`${path} is left out`);
    else if (entry.isDirectory()) await collect(copied, path);
    else if (entry.isFile()) copied.files[copied.prefix + path] = await readFile(join(copied.directory, path));
    else copied.notes.push(`${path} is left out: it is neither a file nor a folder`);
  }
}

/** Writes what has changed back: files that are new or different, and removes those that are gone. Says what it did. */
export async function copyBack(copied: Copied, runtime: Runtime): Promise<string[]> {
  const now = await runtime.workspace.toFolder();
  const done: string[] = [];
  for (const [path, content] of Object.entries(now)) {
    if (isRecord(path) || same(content, copied.files[path])) continue;
    if (!path.startsWith(copied.prefix)) {
      if (!path.startsWith("tool-results/")) done.push(`not saved: ${path} (only what is below ${copied.prefix} belongs to ${copied.directory})`);
      continue;
    }
    const target = join(copied.directory, path.slice(copied.prefix.length));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    done.push(`saved ${target}`);
  }
  for (const path of Object.keys(copied.files)) {
    if (Object.hasOwn(now, path)) continue;
    const target = join(copied.directory, path.slice(copied.prefix.length));
    await rm(target);
    done.push(`removed ${target}`);
  }
  return done;
}

/** The runtime's own account of a call. A long result beside it is text, and the caller's. */
function isRecord(path: string): boolean {
  return path.startsWith("tool-results/") && path.endsWith(".json");
}

function same(content: Content, before: Content | undefined): boolean {
  return before !== undefined && Buffer.compare(bytes(content), bytes(before)) === 0;
}

function bytes(content: Content): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}
