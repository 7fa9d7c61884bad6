import type { ModelRequestEffect } from "./protocol.js";

/**
 * The messages a provider has been sent so far. The core hands over only what is new in each request, so that a long
 * history costs nothing at the border; here it becomes whole again.
 */
export class Conversation {
  private readonly messages: unknown[] = [];
  /** What stands only in the first request: the tools, the tool choice, a system prompt. */
  private lasting: { tools?: unknown[]; [member: string]: unknown } = {};

  /** The messages of a request that the host did not have. */
  static fresh(effect: ModelRequestEffect): unknown[] {
    return effect.payload.request.messages ?? [];
  }

  /** The whole body of a request. */
  body(effect: ModelRequestEffect): ModelRequestEffect["payload"]["request"] {
    const { request, messagesFrom } = effect.payload;
    if (messagesFrom === undefined) return request;
    this.messages.length = Math.min(this.messages.length, messagesFrom);
    for (const message of Conversation.fresh(effect)) this.messages.push(message);
    const { messages: _, ...members } = request;
    this.lasting = { ...this.lasting, ...members };
    return { ...this.lasting, messages: [...this.messages] };
  }
}
