import { command, type ReplyTo } from "./commands.js";
import { defaultProfile } from "./default-profile.js";
import { CoreDriver, type Driver } from "./driver.js";
import { HandrailError } from "./error.js";
import type { Command, Watch } from "./generated.js";
import type { Hooks } from "./hook-types.js";
import { Host } from "./host.js";
import { Loop } from "./invocation.js";
import { Watching } from "./watching.js";
import type { ModuleName } from "./module.js";
import type { LoadProgram } from "./program/shell.js";
import type { Asking, Permissions, RunPermissions } from "./permission-types.js";
import { checkOptions } from "./options.js";
import { runCommand, SHELL_PROFILE } from "./prompt.js";
import { RemoteDriver, type WorkerPort } from "./remote.js";
import { takeOver } from "./resume.js";
import { LiveRun, type Driving } from "./run.js";
import { HostTools } from "./tools.js";
import type {
  Background,
  Checkpoint,
  CheckpointOptions,
  Invocation,
  Json,
  Message,
  Model,
  Profiles,
  Programs,
  Resumed,
  ResumedInvocation,
  ResumeOptions,
  ResumeRunOptions,
  Run,
  RunEvent,
  RunOptions,
  Runtime,
  RuntimeOptions,
  Sessions,
  ShellOptions,
  ShellResult,
  StartOptions,
  WasmSource,
} from "./types.js";
import { HostWorkspace } from "./workspace.js";

/** What differs between hosts. */
export interface Platform {
  /** Compiles a module; the one beside the package if no source is given. */
  compile(name: ModuleName, source: WasmSource | undefined): Promise<WebAssembly.Module>;
  /** Starts a worker for the core; absent where there are none. */
  worker?: () => WorkerPort;
}

/** Makes a runtime on a platform. */
export async function openRuntime(options: RuntimeOptions, platform: Platform): Promise<Runtime> {
  checkOptions("createRuntime", options);
  const isolation = options.isolation ?? (platform.worker ? "worker" : "inline");
  if (isolation === "worker" && !platform.worker) {
    throw new HandrailError("runtime.worker_failed", 'There are no workers here; use isolation: "inline".');
  }
  const module = await platform.compile("core", options.wasm);
  const { checkpoint } = options;
  const kept = checkpoint && { state: checkpoint.state, blobs: [...checkpoint.blobs.values()], done: [] };
  const driver =
    isolation === "worker" ? await RemoteDriver.start(platform.worker!, module, kept) : await CoreDriver.start(module, kept);
  const load: LoadProgram = (name) => platform.compile(name, options.programs?.[name]);
  const runtime = runtimeOn(driver, isolation, options, load);
  try {
    if (options.workspace) await runtime.workspace.load(options.workspace);
  } catch (error) {
    await runtime.close();
    throw error;
  }
  return runtime;
}

/** A runtime with its core behind a driver. */
export function runtimeOn(
  driver: Driver,
  isolation: Runtime["isolation"],
  options: RuntimeOptions,
  load: LoadProgram = unloadable,
): Runtime {
  const host = new Host(driver, options.store, load, options.onRule);
  // Nothing of a checkpoint is due before somebody is there for it.
  if (options.checkpoint) host.steps.stand();
  return new HostRuntime(host, isolation, options);
}

const unloadable: LoadProgram = (name) =>
  Promise.reject(new HandrailError("runtime.wasm_failed", `Nobody here knows the module ${name}.`));

type StartRun = Extract<Command, { type: "startRun" }>;
type Begun = { run: LiveRun; started: ReplyTo<"startRun"> };
type Started = Pick<Run, "diagnostics" | "notices">;
type Answering = Pick<RunOptions, "onApproval" | "onReview">;

/** Of a run that goes on nothing is to be said. */
const QUIET: Started = { diagnostics: [], notices: [] };

class HostRuntime implements Runtime {
  readonly tools: HostTools;
  readonly workspace: HostWorkspace;
  readonly profiles: Profiles;
  readonly programs: Programs;
  readonly permissions: Permissions;
  readonly hooks: Hooks;
  readonly background: Background;
  readonly sessions: Sessions;
  private prompts = 0;
  private resumed = false;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  constructor(
    private readonly host: Host,
    readonly isolation: "inline" | "worker",
    private readonly options: RuntimeOptions,
  ) {
    this.hooks = host.hooks;
    this.background = host.background;
    this.permissions = host.permissions;
    this.tools = new HostTools(host);
    this.workspace = new HostWorkspace(host);
    this.profiles = new HostProfiles(host);
    this.programs = host.programs;
    this.sessions = new HostSessions(host);
    // Engines without the symbol cannot say `await using` anyway.
    if (Symbol.asyncDispose) Object.defineProperty(this, Symbol.asyncDispose, { value: () => this.close() });
  }

  async start(options: StartOptions): Promise<Run> {
    checkOptions("start", options);
    const model = options.model ?? this.options.model;
    if (!model) {
      throw new HandrailError("command.invalid", "There is no model: give one to start() or to createRuntime().");
    }
    const { provider = model.codec } = options;
    if (provider !== model.codec) {
      throw new HandrailError("command.invalid", `The provider is ${provider}, but the model speaks ${model.codec}.`);
    }
    const { run, started } = await this.begin({ ...options, provider }, model, {
      model: model.name === undefined ? undefined : { provider: model.codec, name: model.name },
    });
    return this.runOf(run, started);
  }

  async resume(options: ResumeOptions = {}): Promise<Resumed> {
    checkOptions("resume", options);
    const { model = this.options.model } = options;
    if (!this.options.checkpoint) throw new HandrailError("command.invalid", "There is nothing to resume: give createRuntime() a checkpoint.");
    if (this.resumed) throw new HandrailError("command.invalid", "The checkpoint has been resumed already.");
    const loops = new Map<LiveRun, Loop>();
    const found = await takeOver(this.host, (runId, driven) => {
      if (!driven) return model && this.live(runId, model, options);
      const loop = new Loop(this.host.steps);
      const run = this.live(runId, loop, options);
      loops.set(run, loop);
      return run;
    });
    this.resumed = true;
    return {
      runs: found.filter((run) => !loops.has(run)).map((run) => this.runOf(run, QUIET, new Watching(this.host.steps, run))),
      invocations: [...loops].map(([run, loop]) => this.resumedOf(run, loop)),
    };
  }

  async resumeRun(runId: string, options: ResumeRunOptions = {}): Promise<Run> {
    checkOptions("resumeRun", options);
    const { model = this.options.model } = options;
    if (!model) throw new HandrailError("command.invalid", "There is no model: give one to resumeRun() or to createRuntime().");
    const run = this.live(runId, model, options);
    await this.goOn(run, options, false);
    return this.runOf(run, QUIET, new Watching(this.host.steps, run));
  }

  async resumeInvocation(runId: string, options: Omit<ResumeRunOptions, "model"> = {}): Promise<ResumedInvocation> {
    checkOptions("resumeInvocation", options);
    const loop = new Loop(this.host.steps);
    const run = this.live(runId, loop, options);
    await this.goOn(run, options, true);
    await loop.ready();
    return this.resumedOf(run, loop);
  }

  /** What this half knows of a run, with the functions of the runtime where it brings none. */
  private live(runId: string, answering: Model | Driving, options: Answering): LiveRun {
    const { onApproval = this.options.onApproval, onReview = this.options.onReview } = options;
    return new LiveRun(runId, answering, onApproval, onReview);
  }

  private async goOn(run: LiveRun, { acceptUnknown = false, signal }: ResumeRunOptions, driven: boolean): Promise<void> {
    signal?.throwIfAborted();
    const { steps, runs } = this.host;
    await steps.go();
    const resume = { type: "resumeRun", runId: run.id, acceptUnknown, driven } as const;
    await command(steps, resume, { replied: ({ sessionId }) => void runs.set(run.id, run.of(sessionId)) });
    this.heed(signal, run);
  }

  private runOf(run: LiveRun, started: Started, events: AsyncIterable<RunEvent> = run.log): Run {
    return {
      id: run.id,
      diagnostics: started.diagnostics,
      notices: started.notices,
      events: () => events,
      result: run.result,
      ...this.steering(run),
    };
  }

  async invocation(options: RunOptions = {}): Promise<Invocation> {
    checkOptions("invocation", options);
    const loop = new Loop(this.host.steps);
    const { run, started } = await this.begin(options, loop, { driven: true }, "run");
    await loop.ready();
    return this.invocationOf(run, loop, started);
  }

  private invocationOf(run: LiveRun, loop: Loop, started: Started): Invocation {
    const watching = new Watching(this.host.steps, run);
    return {
      id: run.id,
      diagnostics: started.diagnostics,
      notices: started.notices,
      tools: () => loop.listTools(),
      handle: (response) => loop.handle(response),
      events: () => watching,
      ...this.steering(run),
    };
  }

  private resumedOf(run: LiveRun, loop: Loop): ResumedInvocation {
    return { ...this.invocationOf(run, loop, QUIET), messages: () => loop.messages() };
  }

  /** What can be done with a run, whoever asks its model. */
  private steering(run: LiveRun): Pick<Run, "cancel" | "cancelCall" | "background" | "checkpoint"> & Asking {
    return {
      cancel: () => this.cancel(run),
      cancelCall: (callId) => this.cancelCall(run, callId),
      background: (callId) => this.toBackground(run, callId),
      checkpoint: (options) => this.checkpoint(options),
      ...this.asking(run),
    };
  }

  async shell(command: string, options: ShellOptions = {}): Promise<ShellResult> {
    checkOptions("shell", options);
    const { seed, signal, permissions } = options;
    this.prompts += 1;
    const invocation = await this.invocation({
      profile: SHELL_PROFILE,
      sessionId: `shell-${this.prompts}`,
      ...(seed !== undefined && { seed }),
      ...(signal && { signal }),
      ...(permissions && { permissions }),
    });
    return runCommand(invocation, this.host.shell.listeners, command, options);
  }

  async close(): Promise<void> {
    this.host.stop(new HandrailError("runtime.closed", "The runtime is closed."));
  }

  private async begin(
    options: RunOptions,
    answering: Model | Driving,
    more: Partial<StartRun>,
    events: Watch = "all",
  ): Promise<Begun> {
    options.signal?.throwIfAborted();
    const { steps, runs, store } = this.host;
    await steps.go();
    const { signal, permissions: { tiers, ...terms } = {} } = options;
    const { onApproval = this.options.onApproval, onReview = this.options.onReview } = options;
    const files = Object.entries(options.files ?? {});
    const texts = files.flatMap(([path, content]) => (typeof content === "string" ? [[path, content] as const] : []));
    // Bytes cannot be part of the command; they are put there first.
    await this.workspace.load(Object.fromEntries(files.filter(([, content]) => typeof content !== "string")));
    let run: LiveRun | undefined;
    const started = await command(
      steps,
      {
        type: "startRun",
        sessionId: options.sessionId,
        seed: options.seed ?? randomSeed(),
        scenario: options.scenario ?? "session",
        profile: await this.tiered(await this.profile(options.profile, onReview !== undefined), tiers),
        promptMessages: options.system === undefined ? [] : [{ role: "system", text: options.system }],
        messages: messagesOf(options),
        capabilities: {
          images: options.images,
          codec: options.provider,
          incremental: true,
          events,
          store: store !== undefined,
          reviewer: onReview !== undefined,
        },
        files: Object.fromEntries(texts),
        toolChoice: options.toolChoice,
        target: options.target,
        ...terms,
        canPrompt: terms.canPrompt ?? onApproval !== undefined,
        ...more,
      },
      { replied: ({ runId }) => void runs.set(runId, (run = this.live(runId, answering, options).of(options.sessionId ?? "default"))) },
    );
    this.heed(signal, run!);
    return { run: run!, started };
  }

  /** The signal cancels the run. */
  private heed(signal: AbortSignal | undefined, run: LiveRun): void {
    const cancel = (): void => void this.cancel(run).catch(() => undefined);
    signal?.addEventListener("abort", cancel);
    void run.result.catch(() => undefined).then(() => signal?.removeEventListener("abort", cancel));
    if (signal?.aborted) cancel();
  }

  /** The profile asked for. `default` is the default one unless the host keeps one of that name. */
  private async profile(asked: RunOptions["profile"], reviewer: boolean): Promise<RunOptions["profile"]> {
    if (asked !== undefined && asked !== "default") return asked;
    const kept = asked && (await this.profiles.load(asked).catch(() => undefined));
    if (kept) return asked;
    await this.tools.settled;
    return defaultProfile(this.host.extensions.keys(), reviewer);
  }

  /** The profile with more tiers. */
  private async tiered(profile: RunOptions["profile"], tiers: RunPermissions["tiers"]): Promise<RunOptions["profile"]> {
    if (!tiers) return profile;
    const whole = (typeof profile === "string" ? await this.profiles.load(profile) : profile) as { tools?: { policy?: object } };
    return { ...whole, tools: { ...whole.tools, policy: { ...whole.tools?.policy, ...tiers } } };
  }

  /** The questions of a run. */
  private asking({ id }: LiveRun): Asking {
    const { approvals } = this.host;
    return {
      pending: () => approvals.pending(id).map(({ request }) => request),
      decide: (approvalId, decision) => approvals.decide(approvalId, decision, id),
    };
  }

  private async cancel(run: LiveRun): Promise<void> {
    if (!this.host.runs.has(run.id)) return;
    const cancelled = command(this.host.steps, { type: "cancelRun", runId: run.id });
    this.host.cancelled(run.id);
    await cancelled;
  }

  private async toBackground(run: LiveRun, callId: string): Promise<string> {
    return (await command(this.host.steps, { type: "backgroundCall", runId: run.id, callId })).id;
  }

  private async cancelCall(run: LiveRun, callId: string): Promise<void> {
    const cancelled = command(this.host.steps, { type: "cancelCall", runId: run.id, callId });
    this.host.callCancelled(run.id, callId);
    await cancelled;
  }

  private async checkpoint(options: CheckpointOptions = {}): Promise<Checkpoint> {
    const { driver, store } = this.host;
    if (store) await this.host.stored();
    const { state, digests } = await driver.snapshot();
    const wanted = digests.filter((digest) => !options.known?.has(digest));
    const found = await driver.blobs(wanted);
    return { state, blobs: new Map(wanted.flatMap((digest, at) => (found[at] ? [[digest, found[at]] as const] : []))) };
  }
}

class HostProfiles implements Profiles {
  constructor(private readonly host: Host) {}

  async save(profile: { readonly [member: string]: unknown }): Promise<Json> {
    return (await command(this.host.steps, { type: "profile.save", profile })).profile;
  }

  async load(id: string): Promise<Json> {
    return (await command(this.host.steps, { type: "profile.load", id })).profile;
  }
}

class HostSessions implements Sessions {
  constructor(private readonly host: Host) {}

  async delete(sessionId: string): Promise<void> {
    const { runs, steps } = this.host;
    const deleted = command(steps, { type: "session.delete", sessionId });
    for (const run of runs.values()) if (run.sessionId === sessionId) this.host.cancelled(run.id);
    await deleted;
  }
}

function messagesOf({ messages = [], input }: RunOptions): Message[] {
  const said = messages.map(({ role, text }) => ({ role, text }));
  return input === undefined ? said : [...said, { role: "user", text: input }];
}

/** 128 random bits as text. */
function randomSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
