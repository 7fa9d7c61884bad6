/** Models behind an HTTP endpoint: what is the same for every provider. */

import { ModelError } from "./model-error.js";
import { SseReader } from "./sse.js";

/** What every endpoint is told. */
export interface EndpointOptions {
  /** What to call the model. */
  model: string;
  /** More headers. */
  headers?: Record<string, string>;
  /** More members of every request body, for example `{ temperature: 0 }`. They win over the runtime's. */
  body?: Record<string, unknown>;
  /** Instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Statuses besides 5xx after which asking again can help: timeout, conflict, too early, too many requests. */
const RETRYABLE = [408, 409, 425, 429];
/** Characters of a provider's error text that are kept. */
const DETAIL = 500;
/** Types of errors after which asking again cannot help. */
const FINAL = [
  "authentication_error",
  "billing_error",
  "invalid_request_error",
  "not_found_error",
  "permission_error",
  "request_too_large",
];

/** Posts a request. Gives the whole reply, or the payloads of its stream. */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  signal: AbortSignal,
  send: EndpointOptions["fetch"] = (url, init) => fetch(url, init),
): Promise<string | AsyncIterable<string>> {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body), signal };
  const response = await send(url, init).catch((cause: unknown) => {
    throw signal.aborted ? cause : unreachable(url, cause);
  });
  if (!response.ok) throw await refusal(response);
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("text/event-stream")) return checked(await response.text());
  return payloads(response.body!, signal);
}

/** The payloads of the stream as JSON texts, so that their numbers stay exact. */
async function* payloads(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const sse = new SseReader();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw signal.aborted ? cause : lost(cause);
      });
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      for (const payload of done ? [...sse.read(text), ...sse.end()] : sse.read(text)) {
        if (payload.trim() === "[DONE]") return;
        yield checked(payload);
      }
      if (done) return;
    }
  } finally {
    // Whoever stops reading hangs up.
    void reader.cancel().catch(() => undefined);
  }
}

/** A whole reply or one payload. Some endpoints report an error with status 200. */
function checked(text: string): string {
  let value: { error?: unknown } | null;
  try {
    value = JSON.parse(text) as { error?: unknown } | null;
  } catch (cause) {
    const message = `The endpoint answered with something that is no JSON: ${text.slice(0, 100)}`;
    throw new ModelError("bad_answer", message, { retryable: true, cause });
  }
  if (typeof value?.error !== "object" || value.error === null) return text;
  const { code, type } = value.error as { code?: unknown; type?: unknown };
  const status = Number(code);
  const retryable = status >= 400 ? isRetryable(status) : !FINAL.includes(String(type));
  throw new ModelError("endpoint_error", `The endpoint reported an error: ${detail(text)}`, { retryable });
}

async function refusal(response: Response): Promise<ModelError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const retryable = isRetryable(status);
  const after = retryAfter(response.headers);
  const message = `The endpoint answered ${status}: ${detail(text) || response.statusText || "no reason given"}`;
  return new ModelError(`http_${status}`, message, { retryable, ...(after !== undefined && { retryAfterMs: after }) });
}

function isRetryable(status: number): boolean {
  return status >= 500 || RETRYABLE.includes(status);
}

function detail(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const message = typeof error === "string" ? error : error?.message;
    if (typeof message === "string") return message.slice(0, DETAIL);
  } catch {
    // Not the usual form: the text itself is the reason.
  }
  return text.slice(0, DETAIL);
}

/** Milliseconds to wait, from `retry-after-ms`, or from `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const said = headers.get("retry-after");
  if (said === null) return undefined;
  const seconds = Number(said);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(said) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined;
}

function lost(cause: unknown): ModelError {
  return new ModelError("connection_lost", "The connection to the model broke off.", { retryable: true, cause });
}

function unreachable(url: string, cause: unknown): ModelError {
  const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : String(cause);
  return new ModelError("unreachable", `${url} cannot be reached: ${reason}`, { retryable: true, cause });
}
