import { post, type EndpointOptions } from "./endpoint.js";
import type { Model, ModelRequest } from "./types.js";

/** How to reach a chat-completions endpoint. */
export interface OpenAiChatOptions extends EndpointOptions {
  /** Address before `/chat/completions`; `https://api.openai.com/v1` if missing. */
  baseUrl?: string;
  /** Sent as a bearer token. */
  apiKey?: string;
}

/** A model behind an endpoint that speaks OpenAI's chat completions, streamed or whole. */
export function openAiChat(options: OpenAiChatOptions): Model {
  const { baseUrl = "https://api.openai.com/v1", apiKey, model, headers, body: more } = options;
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  return {
    codec: "openai-chat",
    name: model,
    async request({ body, stream, signal }: ModelRequest): Promise<unknown> {
      const streaming = stream ? { stream: true, stream_options: { include_usage: true } } : {};
      const sent = { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers };
      return post(url, sent, { ...body, model, ...streaming, ...more }, signal, options.fetch);
    },
  };
}
