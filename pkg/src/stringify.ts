/**
 * JSON text from a value nobody vouches for. The core reads strict JSON with well-formed Unicode; whatever a function of
 * the host returned is brought into that form here, or refused with a sentence that says where and why. Nothing is
 * thrown, nothing recurses, and reading a value costs at most its bounds: a Proxy may lie, a getter may throw.
 */

import { thrownMessage } from "./error.js";
import { JSON_DEPTH, JSON_UNITS } from "./limits.js";

/** The text (`undefined` for `undefined`). */
export interface Written {
  ok: true;
  text: string | undefined;
  /** Lone surrogates that became U+FFFD. */
  replaced: number;
}

/** The outcome: the text, or why there is none. */
export type Stringified = Written | { ok: false; message: string };

/** JSON text of a value; `root` is what messages call it, for example `value` in `value.items[3] is a BigInt`. */
export function stringify(value: unknown, root = "value"): Stringified {
  const writer = new Writer(root);
  try {
    const text = writer.write(value);
    return { ok: true, text, replaced: writer.replaced };
  } catch (thrown) {
    if (thrown instanceof NotJson) return { ok: false, message: thrown.message };
    return { ok: false, message: `${writer.path()} cannot be read: ${thrownMessage(thrown)}` };
  }
}

/** The text with every lone surrogate replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return hasLone(text) ? text.replace(LONE_ALL, "\ufffd") : text;
}

const LONE = /\p{Surrogate}/u;
/** Whether a text has a lone surrogate; engines of 2023 and later say so at once. */
const hasLone: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => !(text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => LONE.test(text);
const LONE_ALL = /\p{Surrogate}/gu;
const quoteNative = JSON.stringify;
/** What stands in quotes as it is; asked of short texts only, which are most. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const SHORT = 64;

const PIECES = 4_096;

class NotJson extends Error {}

/** A list or an object that is being written. */
interface Open {
  holder: object;
  /** Member names; absent for a list. */
  keys: string[] | undefined;
  length: number;
  /** The item being written; one more than the last one written. */
  index: number;
  /** Whether an item stands before the next one. */
  comma: boolean;
}

/** What a value is when its members can be read but do not say what it holds, and what to do instead. */
const REFUSED_KINDS: Record<string, string> = {
  Map: "return Object.fromEntries(map)",
  Set: "return an array",
  WeakMap: "return plain data",
  WeakSet: "return plain data",
  WeakRef: "return plain data",
  Promise: "await it first",
  RegExp: "return its source",
  Error: "return its message, or throw it",
  ArrayBuffer: "return text, or attach an image with context.attachImage",
  SharedArrayBuffer: "return text",
  DataView: "return text",
  Blob: "return text, or attach an image with context.attachImage",
  File: "return text, or attach an image with context.attachImage",
  BigInt: "return a string or number",
  Symbol: "return a string",
};

class Writer {
  replaced = 0;
  private units = 0;
  private pieces: string[] = [];
  /** Pieces that are joined already: one by one they would cost more memory than the text. */
  private readonly joined: string[] = [];
  private readonly stack: Open[] = [];
  /** What stands before the next value: a comma, the name of its member. */
  private lead = "";

  constructor(private readonly root: string) {}

  write(value: unknown): string | undefined {
    const first = prepare(value, "");
    if (first === undefined) return undefined;
    this.emit(first);
    for (let open = this.stack.at(-1); open; open = this.stack.at(-1)) {
      if (open.index === open.length) this.close(open);
      else if (open.keys) this.member(open, open.keys[open.index++]!);
      else this.item(open);
    }
    return this.joined.join("") + this.pieces.join("");
  }

  /** Where the writer is, as one would write it in JavaScript. */
  path(): string {
    let path = this.root;
    for (const open of this.stack) {
      if (open.index === 0) break;
      path += open.keys ? step(open.keys[open.index - 1]!) : `[${open.index - 1}]`;
    }
    return path.length > 200 ? `${path.slice(0, 120)} … ${path.slice(-60)}` : path;
  }

  private item(open: Open): void {
    const index = open.index++;
    const value = prepare((open.holder as unknown[])[index], index);
    this.lead = index === 0 ? "" : ",";
    this.emit(value === undefined ? null : value);
  }

  private member(open: Open, key: string): void {
    const value = prepare((open.holder as Record<string, unknown>)[key], key);
    if (value === undefined) return;
    this.lead = `${open.comma ? "," : ""}${this.quote(key)}:`;
    open.comma = true;
    this.emit(value);
  }

  private emit(value: unknown): void {
    switch (typeof value) {
      case "string":
        if (value.length > JSON_UNITS) this.refuseLength();
        return this.append(this.quote(value));
      case "number":
        if (!Number.isFinite(value)) this.refuse(`is ${value}`, "return a finite number, null or a string");
        return this.append(Object.is(value, -0) ? "0" : `${value}`);
      case "boolean":
        return this.append(value ? "true" : "false");
      case "object":
        return value === null ? this.append("null") : this.begin(value);
      case "bigint":
        return this.refuse("is a BigInt", "return a string or number");
      case "symbol":
        return this.refuse("is a symbol", "return a string");
      default:
        return this.refuse("is a function", "return the value it gives");
    }
  }

  private begin(holder: object): void {
    // As deep as it may become, looking through it costs no more than keeping a set.
    for (const open of this.stack) if (open.holder === holder) this.refuse("contains itself", "return data without a cycle");
    if (this.stack.length === JSON_DEPTH) {
      this.refuse(`is nested deeper than ${JSON_DEPTH} levels`, "return flatter data");
    }
    const list = Array.isArray(holder);
    if (!list) this.checkKind(holder);
    const keys = list ? undefined : Object.keys(holder);
    const length = keys ? keys.length : listLength(holder as unknown[]);
    // Each item of a list costs two units at least: what cannot fit is refused before it is read.
    if (list && length * 2 > JSON_UNITS - this.units) this.refuseLength();
    this.append(list ? "[" : "{");
    this.stack.push({ holder, keys, length, index: 0, comma: false });
  }

  private close(open: Open): void {
    this.append(open.keys ? "}" : "]");
    this.stack.pop();
  }

  private checkKind(holder: object): void {
    const prototype: unknown = Object.getPrototypeOf(holder);
    if (prototype === Object.prototype || prototype === null) return;
    if (ArrayBuffer.isView(holder)) {
      this.refuse("holds bytes", "return text, or attach an image with context.attachImage");
    }
    const kind = Object.prototype.toString.call(holder).slice("[object ".length, -1);
    const instead = Object.hasOwn(REFUSED_KINDS, kind) ? REFUSED_KINDS[kind] : undefined;
    if (instead) this.refuse(`is ${/^[AE]/.test(kind) ? "an" : "a"} ${kind}`, instead);
  }

  private quote(text: string): string {
    if (text.length <= SHORT && PLAIN.test(text)) return `"${text}"`;
    if (!hasLone(text)) return quoteNative(text);
    const mended = text.replace(LONE_ALL, () => {
      this.replaced += 1;
      return "\ufffd";
    });
    return quoteNative(mended);
  }

  private append(value: string): void {
    const piece = this.lead + value;
    this.lead = "";
    this.units += piece.length;
    if (this.units > JSON_UNITS) this.refuseLength();
    this.pieces.push(piece);
    if (this.pieces.length < PIECES) return;
    this.joined.push(this.pieces.join(""));
    this.pieces = [];
  }

  private refuseLength(): never {
    const millions = Math.round(JSON_UNITS / (1024 * 1024));
    throw new NotJson(`${this.root} has more than ${millions} Mi characters as JSON; return less of it`);
  }

  private refuse(what: string, instead: string): never {
    throw new NotJson(`${this.path()} ${what}; ${instead}`);
  }
}

/** A value as JSON sees it: what its `toJSON` gives, and the content of a boxed primitive. */
function prepare(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return value;
  // Bytes first: a Buffer has a `toJSON` that spells out every byte.
  if (ArrayBuffer.isView(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  const plain: unknown = typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
  if (plain instanceof String) return String(plain);
  if (plain instanceof Number) return Number(plain);
  if (plain instanceof Boolean) return Boolean.prototype.valueOf.call(plain);
  return plain;
}

/** A list's length, also if a Proxy lies about it. */
function listLength(list: unknown[]): number {
  const length = Math.trunc(Number(list.length));
  return length > 0 ? length : 0;
}

function step(key: string): string {
  if (/^[A-Za-z_$][\w$]{0,60}$/.test(key)) return `.${key}`;
  return `[${quoteNative(key.length > 60 ? `${key.slice(0, 60)}…` : key)}]`;
}
