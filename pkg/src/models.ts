/** Models for runs: a recording for tests and demos, and adapters for providers. */

export { anthropic, type AnthropicOptions } from "./anthropic.js";
export { openAiChat, type OpenAiChatOptions } from "./openai-chat.js";
export { scripted, type RecordedReply } from "./scripted.js";
export { ModelError } from "./model-error.js";
export type { Model, ModelRequest } from "./types.js";
