import { command } from "./commands.js";
import { HandrailError } from "./error.js";
import type { Extension } from "./extension.js";
import type { Host } from "./host.js";
import { inputSchema } from "./schema.js";
import type { Diagnostic, Execute, Json, Registered, RegisterOptions, Registration, Scenario, Tools } from "./types.js";

/** The tools through the core's commands; the functions stay here. */
export class HostTools implements Tools {
  /** Resolves when every registration so far has been answered. */
  settled: Promise<unknown> = Promise.resolve();

  constructor(private readonly host: Host) {}

  async register(
    registrations: Registration<any> | readonly Registration<any>[],
    execute?: Execute<any>,
    options: RegisterOptions = {},
  ): Promise<Registered> {
    const sent = this.send(registrations, execute, options);
    this.settled = Promise.allSettled([this.settled, sent]).then(() => undefined);
    return sent;
  }

  async list(options: { context?: Scenario } = {}): Promise<{ tools: Json[]; diagnostics: Diagnostic[] }> {
    return command(this.host.steps, { type: "tools.list", context: options.context });
  }

  private async send(
    registrations: Registration<any> | readonly Registration<any>[],
    execute: Execute<any> | undefined,
    options: RegisterOptions,
  ): Promise<Registered> {
    const list: readonly Registration<any>[] = Array.isArray(registrations) ? registrations : [registrations];
    const read = list.map((registration) => readRegistration(registration, execute));
    const { toolIds, notices } = await command(
      this.host.steps,
      { type: "registerTools", tools: read.map(({ descriptor }) => descriptor), strict: options.strict === true },
      {
        code: "extension.registration_invalid",
        replied: ({ toolIds }) => toolIds.forEach((id, at) => this.host.extensions.set(id, read[at]!.extension)),
      },
    );
    return new RegisteredTools(this.host, toolIds, notices);
  }
}

class RegisteredTools implements Registered {
  constructor(
    private readonly host: Host,
    readonly toolIds: readonly string[],
    readonly notices: readonly Diagnostic[],
  ) {}

  enable(): Promise<void> {
    return this.setEnabled(true);
  }

  disable(): Promise<void> {
    return this.setEnabled(false);
  }

  async unregister(): Promise<void> {
    const { extensions, steps } = this.host;
    await command(steps, { type: "unregisterTools", toolIds: [...this.toolIds] });
    for (const id of this.toolIds) extensions.delete(id);
  }

  private async setEnabled(enabled: boolean): Promise<void> {
    const { steps } = this.host;
    await Promise.all(this.toolIds.map((toolId) => command(steps, { type: "setEnabled", toolId, enabled })));
  }
}

/** Parts a registration into what the core gets and what stays here. */
function readRegistration(registration: Registration<any>, apart?: Execute): { descriptor: object; extension: Extension } {
  const { execute = apart, inspect, jsonSchema, inputSchema: schema, ...rest } = registration;
  const tool = `${String(rest.extensionId)}:${String(rest.name)}`;
  if (typeof execute !== "function") {
    throw new HandrailError("extension.registration_invalid", `${tool} needs a function: give it as execute.`);
  }
  if (inspect !== undefined && typeof inspect !== "function") {
    throw new HandrailError("extension.registration_invalid", `inspect of ${tool} must be a function.`);
  }
  const { json, validate } = inputSchema(schema, jsonSchema, tool);
  const descriptor = { ...rest, inputSchema: json, ...(inspect && { inspect: true }) };
  return { descriptor, extension: { execute, inspect, validate } };
}
