import { post, type EndpointOptions } from "./endpoint.js";
import { REPLY_TOKENS } from "./limits.js";
import type { Model, ModelRequest } from "./types.js";

/** How to reach an endpoint of Anthropic's messages. */
export interface AnthropicOptions extends EndpointOptions {
  /** Address before `/v1/messages`, with or without the `/v1`; `https://api.anthropic.com` if missing. */
  baseUrl?: string;
  /** Sent as `x-api-key`. In a page everybody can read it, and Anthropic asks for a header that says you know. */
  apiKey?: string;
  /** Most tokens of one reply, which the API has to be told; 8,192 if missing. */
  maxTokens?: number;
  /** The version of the API; `2023-06-01` if missing. */
  version?: string;
}

/**
 * A model behind an endpoint that speaks Anthropic's messages, streamed or whole. Whatever else the API has goes into
 * `body`, for example `{ thinking: { type: "enabled", budget_tokens: 4096 } }`.
 */
export function anthropic(options: AnthropicOptions): Model {
  const { baseUrl = "https://api.anthropic.com", apiKey, model, maxTokens = REPLY_TOKENS, version = "2023-06-01" } = options;
  const url = `${baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/messages`;
  return {
    codec: "anthropic",
    name: model,
    async request({ body, stream, signal }: ModelRequest): Promise<unknown> {
      const sent = { "anthropic-version": version, ...(apiKey && { "x-api-key": apiKey }), ...options.headers };
      const whole = { ...body, model, max_tokens: maxTokens, ...(stream && { stream }), ...options.body };
      return post(url, sent, whole, signal, options.fetch);
    },
  };
}
