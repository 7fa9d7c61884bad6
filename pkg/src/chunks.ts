/** A model's reply on its way in: every form that hosts have it in, brought to JSON texts. */

import { HandrailError, thrownMessage } from "./error.js";
import { JSON_DEPTH } from "./limits.js";
import { SseReader } from "./sse.js";
import { stringify } from "./stringify.js";

/** A reply: whole, or the payloads of its stream, in batches as they come. */
export type ReplyText = { whole: string } | { stream: AsyncIterable<string[]> };

/** Payloads of one batch at most, so that a finished stream does not become one huge step. */
const BATCH = 64;

/** Reads a reply: an object or its JSON text; or a stream of parsed chunks, SSE text or SSE bytes. */
export function replyText(response: unknown): ReplyText {
  if (typeof response === "string") return { whole: jsonText(response) };
  if (typeof response !== "object" || response === null) {
    throw unreadable(`a reply is an object, its JSON text or a stream, not ${response === null ? "null" : typeof response}`);
  }
  const pieces = iterableOf(response);
  return pieces ? { stream: payloads(pieces) } : { whole: objectText(response) };
}

function iterableOf(response: object): AsyncIterable<unknown> | Iterable<unknown> | undefined {
  const { body } = response as { body?: unknown };
  const source = (body instanceof ReadableStream ? body : response) as Partial<
    AsyncIterable<unknown> & Iterable<unknown> & ReadableStream<unknown>
  >;
  if (typeof source[Symbol.asyncIterator] === "function") return source as AsyncIterable<unknown>;
  if (typeof source[Symbol.iterator] === "function") return source as Iterable<unknown>;
  return typeof source.getReader === "function" ? readAll(source as ReadableStream<unknown>) : undefined;
}

/** For browsers whose streams cannot be iterated. */
async function* readAll(stream: ReadableStream<unknown>): AsyncGenerator<unknown, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

async function* payloads(pieces: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string[], void, undefined> {
  const sse = new SseReader();
  const decoder = new TextDecoder();
  let batch: string[] = [];
  const take = (events: Iterable<string>): void => {
    for (const event of events) if (event.trim() !== "[DONE]") batch.push(jsonText(event));
  };
  const together = Symbol.iterator in pieces;
  for await (const piece of pieces) {
    if (piece instanceof Uint8Array) take(sse.read(decoder.decode(piece, { stream: true })));
    else if (typeof piece !== "string") batch.push(objectText(piece));
    else if (sse.idle && piece.trimStart().startsWith("{")) batch.push(jsonText(piece));
    else take(sse.read(piece));
    if (batch.length === 0 || (together && batch.length < BATCH)) continue;
    yield batch;
    batch = [];
  }
  take(sse.read(decoder.decode()));
  take(sse.end());
  if (batch.length > 0) yield batch;
}

function objectText(value: unknown): string {
  const written = stringify(value, "reply");
  if (!written.ok) throw unreadable(written.message);
  if (written.text === undefined) throw unreadable("reply is undefined");
  return written.text;
}

/**
 * A JSON text as it came, so that every number stays exact; or, if the core would refuse it for a lone surrogate,
 * written anew with U+FFFD in its place.
 */
function jsonText(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw unreadable(`${thrownMessage(thrown)} in: ${text.slice(0, 200)}`);
  }
  if (/\\u[dD][89a-fA-F]|\p{Surrogate}/u.test(text)) return objectText(value);
  if (deeperThan(text, JSON_DEPTH)) throw unreadable(`it is nested deeper than ${JSON_DEPTH} levels`);
  return text;
}

/** Whether a valid JSON text nests lists and objects deeper than so many levels. */
function deeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (quoted) {
      if (unit === "\\") at += 1;
      else if (unit === '"') quoted = false;
    } else if (unit === '"') quoted = true;
    else if (unit === "[" || unit === "{") depth += 1;
    else if (unit === "]" || unit === "}") depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function unreadable(why: string): HandrailError {
  return new HandrailError("model.invalid_reply", `The reply cannot be read: ${why}.`);
}
