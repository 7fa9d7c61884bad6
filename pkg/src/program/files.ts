/** The file port: how programs reach the workspace. Every operation is atomic and done when it returns (FP-04). */

import type { Session } from "../../wasm/handrail.js";

/**
 * The file port of one command. Paths are absolute, for example `/output/notes.md`. What fails throws an error with the
 * `code` of FP-01, for example `ENOENT`.
 */
export interface FilePort {
  /** Empty if there is nothing, else kind (1 file, 2 directory), size in bytes, time of change in milliseconds. */
  stat(path: string): Float64Array;
  /** The entries of a directory, separated by NUL: `name/kind/size/time`. */
  list(path: string): string;
  read(path: string): Uint8Array;
  write(path: string, bytes: Uint8Array): void;
  append(path: string, bytes: Uint8Array): void;
  mkdir(path: string, recursive: boolean): void;
  remove(path: string, recursive: boolean): void;
  rename(from: string, to: string): void;
  copy(from: string, to: string): void;
}

/** Operations that change something: all that a new core needs to be told to have the same files. */
export type Change =
  | { operation: "write" | "append"; path: string; bytes: Uint8Array }
  | { operation: "mkdir" | "remove"; path: string; recursive: boolean }
  | { operation: "rename" | "copy"; path: string; to: string };

/** A change that happened: by which command, and when. */
export type Changed = Change & { effectId: string; now: number };

/** A core, for one operation. */
export type Ask = <T>(operation: (session: Session) => T) => T;

/** Where what is private to a command lies (FP-05). */
const PRIVATE = "/tmp";

/** The file port of a command on a core; every change of the workspace that worked is told. */
export function filesOf(effectId: string, ask: Ask, now: () => number, changed?: (change: Changed) => void): FilePort {
  const perform = (change: Change): void => {
    const happened = { ...change, effectId, now: now() };
    ask((session) => apply(session, happened));
    if (changed) for (const told of inWorkspace(happened, files)) changed(told);
  };
  const files: FilePort = {
    stat: (path) => ask((session) => session.portStat(effectId, path)),
    list: (path) => ask((session) => session.portList(effectId, path)),
    read: (path) => ask((session) => session.portRead(effectId, path)),
    write: (path, bytes) => perform({ operation: "write", path, bytes }),
    append: (path, bytes) => perform({ operation: "append", path, bytes }),
    mkdir: (path, recursive) => perform({ operation: "mkdir", path, recursive }),
    remove: (path, recursive) => perform({ operation: "remove", path, recursive }),
    rename: (path, to) => perform({ operation: "rename", path, to }),
    copy: (path, to) => perform({ operation: "copy", path, to }),
  };
  return files;
}

/** What a change that happened was to the workspace. What is private ends with its command, so nobody need repeat it. */
function inWorkspace(change: Changed, files: FilePort): Changed[] {
  const here = !isPrivate(change.path);
  if (!("to" in change)) return here ? [change] : [];
  const there = !isPrivate(change.to);
  if (here && there) return [change];
  const { effectId, now, path, to, operation } = change;
  if (there) return [...content(to, files)].map((made) => ({ ...made, effectId, now }));
  return here && operation === "rename" ? [{ operation: "remove", path, recursive: true, effectId, now }] : [];
}

/** The changes that make what is there. */
function* content(path: string, files: FilePort): Generator<Change> {
  if (files.stat(path)[0] === 1) return yield { operation: "write", path, bytes: files.read(path) };
  yield { operation: "mkdir", path, recursive: true };
  for (const entry of files.list(path).split("\0")) {
    if (entry !== "") yield* content(`${path}/${entry.slice(0, entry.indexOf("/"))}`, files);
  }
}

function isPrivate(path: string): boolean {
  return path === PRIVATE || path.startsWith(`${PRIVATE}/`);
}

/** Performs a change, the first time or again. */
export function apply(session: Session, change: Changed): void {
  const { effectId, path, now } = change;
  switch (change.operation) {
    case "write":
      return session.portWrite(effectId, path, change.bytes, now);
    case "append":
      return session.portAppend(effectId, path, change.bytes, now);
    case "mkdir":
      return session.portMkdir(effectId, path, change.recursive, now);
    case "remove":
      return session.portRemove(effectId, path, change.recursive, now);
    case "rename":
      return session.portRename(effectId, path, change.to, now);
    case "copy":
      return session.portCopy(effectId, path, change.to, now);
  }
}
