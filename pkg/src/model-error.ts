/** Why a model gave no reply. A runtime asks again unless `retryable` is false. */
export class ModelError extends Error {
  override readonly name: string = "ModelError";
  /** What kind of failure, for example `http_429`. */
  readonly code: string;
  /** Whether asking again can help. */
  readonly retryable: boolean;
  /** Ask again no sooner than this; milliseconds. */
  readonly retryAfterMs?: number;

  constructor(code: string, message: string, options: { retryable: boolean; retryAfterMs?: number; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}
