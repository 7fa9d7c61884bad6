import type { Invocation, Json, RunPermissions, Runtime } from "../types.js";

/** The stored record of a call: what a model reads, and what is known beside it. */
export interface Record {
  readonly callId: string;
  readonly name: string;
  readonly status: string;
  readonly isError: boolean;
  readonly errorCode: string | null;
  readonly content: string;
  readonly structured?: { [member: string]: Json };
  readonly fileChanges: readonly { path: string; operation: string }[];
  readonly resultRef: string;
}

/** Calls of a person, one after the other, on the same way that those of a model take. */
export class Calls {
  private last = 0;

  private constructor(
    private readonly runtime: Runtime,
    private readonly invocation: Invocation,
  ) {}

  static async open(runtime: Runtime, permissions: RunPermissions): Promise<Calls> {
    return new Calls(runtime, await runtime.invocation({ permissions }));
  }

  /** The tools, as a model is told of them. */
  tools(): { name: string; description: string; parameters: Json }[] {
    return this.invocation.tools().map((tool) => (tool as { function: any }).function);
  }

  /** Calls a tool with arguments as a model would write them. */
  async call(name: string, args: string): Promise<Record> {
    const id = `call_${(this.last += 1)}`;
    const stored = this.stored(id);
    const calls = [{ id, type: "function", function: { name, arguments: args } }];
    await this.invocation.handle({ choices: [{ message: { role: "assistant", content: null, tool_calls: calls } }] });
    return JSON.parse(await this.runtime.workspace.readText(await stored)) as Record;
  }

  private async stored(callId: string): Promise<string> {
    for await (const { type, payload } of this.invocation.events()) {
      if (type === "tool_result_stored" && payload["callId"] === callId) return payload["resultRef"] as string;
    }
    throw new Error("The runtime ended before the call did.");
  }
}
