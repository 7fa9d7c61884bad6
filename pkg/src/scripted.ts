import { ModelError } from "./model-error.js";
import { SseReader } from "./sse.js";
import type { Model, ModelRequest } from "./types.js";

/**
 * One recorded reply. A whole reply is the provider's body, as it is; a streamed one lists what its stream sent, as
 * parsed payloads or as the text of the stream, however cut.
 */
export interface RecordedReply {
  /** Texts that must occur in the messages of the request, so that a recording is not played to something else. */
  expect?: string | readonly string[];
  /** The stream. */
  chunks?: readonly unknown[];
  [member: string]: unknown;
}

/**
 * A model that plays a recording, reply by reply, in real wire shape. The recording is a list of replies, or text: JSON
 * lines of replies, or a captured event stream, each of whose replies ends with `data: [DONE]` or `message_stop`. The
 * wire format is told from the replies if it is not given.
 */
export function scripted(recording: string | readonly RecordedReply[], options: { codec?: string } = {}): Model {
  const replies = typeof recording === "string" ? parse(recording) : recording;
  let played = 0;
  return {
    codec: options.codec ?? codecOf(replies[0]),
    name: "scripted",
    async request({ body }) {
      const reply = replies[played];
      if (!reply) throw mismatch(`The recording has ${replies.length} replies, and one more was asked for.`);
      played += 1;
      check(reply, body, played);
      if (reply.chunks) return play(reply.chunks);
      const { expect: _, ...whole } = reply;
      return whole;
    },
  };
}

/** As a stream comes: each piece in a turn of its own. */
async function* play(chunks: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
  for (const chunk of chunks) yield chunk;
}

function check({ expect = [] }: RecordedReply, body: ModelRequest["body"], place: number): void {
  const said = texts(body.messages ?? []).join("\n");
  for (const wanted of typeof expect === "string" ? [expect] : expect) {
    if (!said.includes(wanted)) {
      throw mismatch(`Reply ${place} of the recording answers a request that contains ${JSON.stringify(wanted)}; this one does not.`);
    }
  }
}

/** The wire format of a reply: only one of them names the types of its messages and events. */
function codecOf({ chunks, ...whole }: RecordedReply = {}): string {
  const shown = chunks ? chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk))).join("") : "";
  if (whole["type"] === "message" || /"type"\s*:\s*"message_start"/.test(shown)) return "anthropic";
  return Array.isArray(whole["parts"]) ? "neutral" : "openai-chat";
}

/** Every string in the messages. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}

function parse(text: string): RecordedReply[] {
  const start = text.trimStart();
  if (start.startsWith("[")) return JSON.parse(start) as RecordedReply[];
  return start.startsWith("{") ? parseLines(text) : parseCapture(text);
}

function parseLines(text: string): RecordedReply[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as RecordedReply];
    } catch (cause) {
      throw new SyntaxError(`Line ${at + 1} of the recording is no JSON: ${(cause as Error).message}`);
    }
  });
}

function parseCapture(text: string): RecordedReply[] {
  const reader = new SseReader();
  const replies: RecordedReply[] = [];
  let chunks: string[] = [];
  for (const event of [...reader.read(text), ...reader.end()]) {
    const marker = event.trim() === "[DONE]";
    if (!marker) chunks.push(event);
    if (chunks.length > 0 && (marker || isLast(event))) replies.push({ chunks: chunks.splice(0) });
  }
  return chunks.length > 0 ? [...replies, { chunks }] : replies;
}

function isLast(event: string): boolean {
  return /"type"\s*:\s*"message_stop"/.test(event);
}

function mismatch(message: string): ModelError {
  return new ModelError("recording_mismatch", message, { retryable: false });
}
