/// <reference lib="esnext.disposable" preserve="true" />
import type { HandrailError } from "./error.js";
import type { CallContext as Call, Diagnostic, JournalEvent, LiveEvent as Live, Message, Scenario } from "./generated.js";
import type { Background } from "./background-types.js";
import type { Hooks } from "./hook-types.js";
import type { Inspect } from "./inspection-types.js";
import type { Asking, OnApproval, OnReview, OnRule, Permissions, RunPermissions } from "./permission-types.js";
import type { Checkpoint, CheckpointOptions, Resumed, ResumedInvocation, ResumeOptions, ResumeRunOptions } from "./resume-types.js";
import type { Sessions } from "./session-types.js";
import type { Programs, ProgramSources, ShellOptions, ShellResult } from "./shell-types.js";

/** Whatever `JSON.parse` can give. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A file's content: text, or bytes that need not be text. */
export type Content = string | Uint8Array;

/** Files by path, for example `{ "output/notes.md": "# Notes\n" }`. */
export type Folder = Record<string, Content>;

// ---------------------------------------------------------------------------------------------------------------------
// Tools
// ---------------------------------------------------------------------------------------------------------------------

/** A validator that follows the Standard Schema, version 1: zod 4, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a validator answers. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing a validator found wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema whose root has `type: "object"`. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The arguments that a function gets for an input schema: a validator's output, else an object as `JSON.parse` gives. */
export type Arguments<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : Record<string, any>
  : Record<string, any>;

/** The function behind a tool. What it returns is the result; what it throws is an error result with that message. */
export type Execute<Args = Record<string, any>> = (args: Args, context: CallContext) => unknown;

/** What a function learns about its call, and what it can do meanwhile. */
export interface CallContext extends Call {
  /** Fires when the call is to stop: cancelled, out of time, or its run ended. A function that then throws counts as stopped. */
  readonly signal: AbortSignal;
  /** Adds an image to a successful result. The bytes are copied; after the function settled this does nothing. */
  attachImage(image: Uint8Array | ArrayBuffer | { arrayBuffer(): Promise<ArrayBuffer> }): void;
  /** Tells those who watch the run how far the work is. The model does not see it. At most 8,000 characters are kept. */
  progress(text: string): void;
  /**
   * Asks a person whether the call may go on, for what shows only while it runs. It goes the way of every question: rules,
   * earlier answers and hooks count, and the time of the call stands still until it is answered.
   */
  ask(reason: string, options?: { risk?: Risk }): Promise<Leave>;
  /** Refuses the call: throws what ends it as denied, with this reason for the model. */
  deny(reason?: string): never;
}

/** How dangerous something is: somebody should look; a person must be asked; a person must be asked each time. */
export type Risk = "review" | "dangerous" | "critical";

/** Whether a call may go on. If not, throw the denial, or return what could be done without. */
export type Leave =
  | { readonly allowed: true }
  | { readonly allowed: false; /** Why, as the model would read it. */ readonly reason: string; readonly denial: Error };

/** Traits of a tool. All have careful defaults. */
export interface Traits {
  /** What a call can do; `exec` if missing. */
  effect?: "read" | "write" | "exec";
  /** Calls may run beside each other; `inspect`: those of which the tool says so. */
  parallel?: boolean | "inspect";
  /** Longest time a run waits for a call, in milliseconds. */
  timeoutMs?: number;
  /** A call that takes longer goes on in the background. */
  background?: boolean;
  exposure?: "direct" | "deferred" | "hidden";
  /** A failing call stops the calls that run beside it. */
  cascadesOnFailure?: boolean;
  /** Longest result the model is shown whole, in characters. */
  resultBudget?: { chars: number } | "unlimited";
  /** `block`: a call that has begun is never broken off. */
  interrupt?: "cancel" | "block";
  /** Template of what a reviewer reads of a call, for example `Mail to {to}: {subject}`; without it a person is asked. */
  classifierText?: string;
  [trait: string]: unknown;
}

/** An extension tool. */
export interface Registration<Schema = JsonSchema> {
  /** Whose tool it is: 1 to 128 of letters, digits, `.`, `_`, `-`. */
  extensionId: string;
  /** Its name; the model sees it with every unusual character replaced by `_`. */
  name: string;
  /** What it does, for the model. */
  description: string;
  /** Its arguments: a JSON Schema, or a Standard Schema validator. */
  inputSchema: Schema;
  /** The JSON Schema the model is shown, for a validator that cannot give one. */
  jsonSchema?: JsonSchema;
  /** The function. */
  execute?: Execute<Arguments<Schema>>;
  /**
   * Looks at a call before it is decided about, within 5 seconds: whether its arguments are any good, what it is about,
   * whether it only reads. It must not do anything. A call whose look fails or takes too long may be anything: a
   * rule that forbids some calls of the tool forbids it, and where the mode asks, a person is asked.
   */
  inspect?: Inspect<Arguments<Schema>>;
  /** Where it can be used; both if missing. */
  contexts?: Scenario[];
  /** `false`: new calls are refused until it is enabled. */
  enabled?: boolean;
  /** It attaches images: only models that take images get it. */
  returnsImages?: boolean;
  /** `blocks`: `{ text }` and `{ content: […] }` are read as such; `json` (the default) takes every value as data. */
  returns?: "json" | "blocks";
  /** What its values look like. */
  outputSchema?: JsonSchema;
  traits?: Traits;
  permission?: unknown;
  /** One line for people, for example `Find notes: {query}`. */
  summary?: string;
  /** Earlier names, so that old histories resolve. */
  formerNames?: string[];
  [member: string]: unknown;
}

/** Tools that have been registered. */
export interface Registered {
  /** Their stable ids, `extension/<extensionId>:<name>`, in the order given. */
  readonly toolIds: readonly string[];
  /** What is worth knowing, for example that a tool was replaced. */
  readonly notices: readonly Diagnostic[];
  /** Allows new calls. */
  enable(): Promise<void>;
  /** Refuses new calls; running ones go on. */
  disable(): Promise<void>;
  /** Forgets the tools. */
  unregister(): Promise<void>;
}

/** The tools of a runtime. */
export interface Tools {
  /** Registers a tool, or several of which either all are taken or none. A tool of the same id is replaced. */
  register<Schema>(
    registration: Registration<Schema>,
    execute?: Execute<Arguments<Schema>>,
    options?: RegisterOptions,
  ): Promise<Registered>;
  register(registrations: readonly Registration<any>[], execute?: undefined, options?: RegisterOptions): Promise<Registered>;
  /** Lists every known tool, for a settings screen. */
  list(options?: { context?: Scenario }): Promise<{ tools: Json[]; diagnostics: Diagnostic[] }>;
}

/** How tools are registered. */
export interface RegisterOptions {
  /** Refuse a tool that is registered already (`extension.duplicate_registration`) instead of replacing it. */
  strict?: boolean;
}

// ---------------------------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------------------------

/** A model: performs one request of the provider's API. See `handrail/models` for ready ones. */
export interface Model {
  /** The wire format it speaks: `openai-chat`, `anthropic` or `neutral`. */
  readonly codec: string;
  /** What it is called, for records. */
  readonly name?: string;
  /**
   * Performs one request. Gives the provider's whole reply (an object, or its JSON text) or its stream (parsed payloads,
   * their JSON texts, or the text or bytes of server-sent events). JSON text keeps every number exact. Throws to say that
   * it failed; the members `code`, `retryable` and `retryAfterMs` of what it throws are heeded (see `ModelError`).
   */
  request(request: ModelRequest): Promise<unknown> | AsyncIterable<unknown>;
}

/** One request to a model. */
export interface ModelRequest {
  /** The step of the run, from 1. */
  readonly round: number;
  /** The wire format of `body`. */
  readonly codec: string;
  /** The provider's request body: messages and tools. Model name, key and transport are the model's own. */
  readonly body: { readonly messages?: readonly unknown[]; readonly tools?: readonly unknown[]; readonly [member: string]: unknown };
  /** Whether a stream is wanted. */
  readonly stream: boolean;
  readonly runId: string;
  readonly invocationId: string | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------------------------------------------------

/** Which tools a step may or must call. `specific` names a tool id. */
export type ToolChoice = "none" | "auto" | "required" | { specific: string };

/** What every run starts with. */
export interface RunOptions {
  /**
   * The profile: an object, or the id of a saved one. If missing, or `default` with none saved under that id: the builtin
   * tools and every tool that is registered at that moment.
   */
  profile?: string | { readonly [member: string]: unknown };
  /**
   * The wire format: `openai-chat`, `anthropic`, or `neutral` for a model layer of your own; that of the model, or
   * `openai-chat` if there is none.
   */
  provider?: string;
  /** The conversation so far, newest last. */
  messages?: readonly Message[];
  /** What the user says now; put behind `messages`. */
  input?: string;
  /** The host's own prompt. */
  system?: string;
  /** What dice and other random draws are made from; the same seed gives the same draws. Random if missing. */
  seed?: string;
  /** Files to put into the workspace first. */
  files?: Folder;
  /** Which tools each step may or must call; `auto` if missing. */
  toolChoice?: ToolChoice;
  /** Whether the model takes images; not known if missing. */
  images?: boolean;
  /** `session` (a reply without calls is the answer) if missing. */
  scenario?: Scenario;
  /** The conversation the run belongs to, `default` if missing. One run at a time. */
  sessionId?: string;
  /** Data for `context.target` of extension functions. */
  target?: unknown;
  /** The terms it works under: mode, subject, tiers, and whether somebody can be asked. */
  permissions?: RunPermissions;
  /** Answers the questions of the run; that of the runtime if missing. */
  onApproval?: OnApproval;
  /** Reviews its calls where the mode is `auto`; that of the runtime if missing. Counts where the profile says `permissions.reviewer`. */
  onReview?: OnReview;
  /** Cancels the run. */
  signal?: AbortSignal;
}

/** How to start a run. */
export interface StartOptions extends RunOptions {
  /** The model; that of the runtime if missing. */
  model?: Model;
}

/** A run: one request of a user, from its start to its end. */
export interface Run extends Asking {
  readonly id: string;
  /** What did not work out as asked, for example a selected tool that is not registered. */
  readonly diagnostics: readonly Diagnostic[];
  readonly notices: readonly Diagnostic[];
  /**
   * Everything that happens, from the start of the run to its end; any number of readers, each from the start. No event
   * is lost: the run keeps them while it is referenced. They are short (texts the model or a tool sent, never files,
   * results or images), so their memory is bounded by what the model says. Of a run that was resumed there are first
   * those that its journal holds of the time before, none of those for screens; `seq` says which you have seen.
   */
  events(): AsyncIterable<RunEvent>;
  /** The end. Also a failed or cancelled run resolves; only a runtime that was closed or died rejects. */
  readonly result: Promise<RunResult>;
  /** Stops the run. Running calls are aborted; `result` then says `cancelled`. */
  cancel(): Promise<void>;
  /**
   * Stops one call; the model is told, and the run goes on. A call whose tool says `interrupt: "block"` and which has begun
   * is not broken off. Rejects with `command.invalid` if no open call has this id.
   */
  cancelCall(callId: string): Promise<void>;
  /**
   * Lets a running call go on in the background: the run goes on without its result, and the model is told later. Gives
   * its id in `runtime.background`. Rejects if the call does not run, or if its tool or the profile does not allow it.
   */
  background(callId: string): Promise<string>;
  /** The whole state as of now. */
  checkpoint(options?: CheckpointOptions): Promise<Checkpoint>;
}

/** How a run ended. */
export interface RunResult {
  readonly status: "completed" | "cancelled" | "failed" | "partial_success";
  /** The answer; empty if there is none. */
  readonly text: string;
  /** Why it did not complete. */
  readonly error?: RunFailure;
  /** What the model's replies reported about tokens, summed up. */
  readonly usage: Json | undefined;
}

/** Why a run did not complete. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Something that happened in a run: of the journal, which lasts, or live, for screens. */
export type RunEvent = JournalEvent | LiveEvent;

/** For screens: `tool_begin`, `tool_update`, `tool_end`, `model_delta`. */
export interface LiveEvent extends Live {
  readonly seq?: undefined;
}

/** A run whose model the host drives itself. */
export interface Invocation extends Asking {
  /** The run. */
  readonly id: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly notices: readonly Diagnostic[];
  /** The tools of this step, as the provider wants them. */
  tools(): unknown[];
  /**
   * Hands over a reply of the model and waits until each of its calls has its one result. Takes a whole reply (an object,
   * or its JSON text), or a stream: the parsed chunks, SSE text or SSE bytes, for example `response.body`. A reply that
   * cannot be used rejects and changes nothing; ask the model again. One at a time.
   */
  handle(response: unknown): Promise<Turn>;
  /** Stops the calls that run and ends the invocation. */
  cancel(): Promise<void>;
  /** Stops one call, which `handle` then answers with that; see `Run.cancelCall`. */
  cancelCall(callId: string): Promise<void>;
  /** Lets a running call go on in the background: `handle` goes on without its result; see `Run.background`. */
  background(callId: string): Promise<string>;
  /**
   * Everything that happens. Of the time before somebody first looked there are only the events of the journal, none of
   * those for screens (`tool_begin`, `tool_update`, `tool_end`, `model_delta`).
   */
  events(): AsyncIterable<RunEvent>;
  /** The whole state as of now. */
  checkpoint(options?: CheckpointOptions): Promise<Checkpoint>;
}

/** What a reply came to. */
export interface Turn {
  /**
   * The messages to append to the conversation, as the provider wants them: the reply and the results of its calls. A
   * system prompt and what the user says next are yours to add; Anthropic takes two messages of the user in a row for one.
   */
  readonly messages: any[];
  /** The reply called no tool, and is no pause (`pause_turn`) after which the model goes on. */
  readonly done: boolean;
}

// ---------------------------------------------------------------------------------------------------------------------
// Runtime
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The core module: its bytes, its address, a `fetch` response with it, or a compiled `WebAssembly.Module` (the only form
 * workerd allows).
 */
export type WasmSource = URL | string | ArrayBuffer | Uint8Array | object;

/** Where what must not be lost is kept. */
export interface Store {
  /**
   * Makes the records and blobs durable, in order. Nothing that follows from them is performed before this resolves; if
   * it rejects, the run ends. `blobs` holds only new ones, by SHA-256.
   */
  append(entry: { readonly runId: string; readonly records: readonly JournalEvent[]; readonly blobs: ReadonlyMap<string, Uint8Array> }): void | Promise<void>;
}

/** How to make a runtime. */
export interface RuntimeOptions {
  /** Files to begin with. */
  workspace?: Folder;
  /**
   * Where the core runs: in a worker of its own (the default where workers exist), so that no work of it can freeze a
   * page; or `inline`, in the caller's thread.
   */
  isolation?: "inline" | "worker";
  /** The model of runs that name none. */
  model?: Model;
  /** The core module, if it cannot be found beside the package. */
  wasm?: WasmSource;
  /** The program modules, if they cannot be found beside the package. */
  programs?: ProgramSources;
  /** Where runs are kept. */
  store?: Store;
  /** The state to begin with, with all its blobs; see `resume`. */
  checkpoint?: Checkpoint;
  /** Answers the questions of runs that bring no function of their own. */
  onApproval?: OnApproval;
  /** Reviews the calls of runs that bring no function of their own. */
  onReview?: OnReview;
  /** Keeps the rules that `always` and `never` bring; without it they hold for the session. */
  onRule?: OnRule;
}

/** A runtime: one core with its tools, its workspace and its runs. */
export interface Runtime extends AsyncDisposable {
  /** Where its core runs. */
  readonly isolation: "inline" | "worker";
  readonly tools: Tools;
  readonly profiles: Profiles;
  readonly workspace: Workspace;
  /** The host's own commands in the shell. */
  readonly programs: Programs;
  /** Rules, and the questions to a person. */
  readonly permissions: Permissions;
  /** Functions that look at calls on their way, and may change them. */
  readonly hooks: Hooks;
  /** Calls that go on after they were answered. */
  readonly background: Background;
  readonly sessions: Sessions;
  /** Starts a run. Rejects if it cannot start; what happens later is told by its events and its result. */
  start(options: StartOptions): Promise<Run>;
  /**
   * Goes on with the runs and invocations of the checkpoint that the runtime was made from. Register your tools and hooks
   * and set the rules first: functions and rules are in no checkpoint. Until then no time passes for them. Questions to a
   * person are asked again; the model, a reviewer, and what tools say of their calls are asked anew. A call that was under
   * way is not repeated: the model is told that the outcome is not known.
   */
  resume(options?: ResumeOptions): Promise<Resumed>;
  /**
   * Goes on with a run that has failed, in this runtime or in one that was made from a checkpoint: with all its results,
   * its files and the tools it began with, and a new request to the model. Nothing is repeated. Rejects with
   * `run.not_resumable` if it did not fail, `run.not_found` if nobody knows it, `agent.session_busy` if another run of its
   * session goes on, and `run.resume_unknown_side_effect` (see `acceptUnknown`).
   */
  resumeRun(runId: string, options?: ResumeRunOptions): Promise<Run>;
  /** The same for an invocation. */
  resumeInvocation(runId: string, options?: Omit<ResumeRunOptions, "model">): Promise<ResumedInvocation>;
  /** Starts a run whose model the host asks itself. */
  invocation(options?: RunOptions): Promise<Invocation>;
  /**
   * Runs one command in the shell without any model, for a prompt or a script of the host. It is a call of the tool
   * `workspace.shell` in a run of its own, and goes the way of every call.
   */
  shell(command: string, options?: ShellOptions): Promise<ShellResult>;
  /** Ends the runtime. Running functions are aborted; promises that are still open reject with `runtime.closed`. */
  close(): Promise<void>;
}

/** Saved profiles. */
export interface Profiles {
  /** Checks a profile, brings it to the present schema and keeps it under its id. Gives what was kept. */
  save(profile: { readonly [member: string]: unknown }): Promise<Json>;
  /** A kept profile. */
  load(id: string): Promise<Json>;
}

/** The files that tools and host share. Paths are relative, for example `output/notes.md`. */
export interface Workspace {
  /** A file: a string if it is text (UTF-8 without NUL), else its bytes. */
  read(path: string): Promise<Content>;
  /** A file as text; rejects with `workspace.not_text` if it is none. */
  readText(path: string): Promise<string>;
  /** Writes a file, with its directories. */
  write(path: string, content: Content): Promise<void>;
  /** Everything below a path, or in the workspace, sorted by path. */
  list(path?: string): Promise<Entry[]>;
  /** Deletes a file or a directory; gives the number of files that are gone. */
  delete(path: string): Promise<number>;
  /** All files. */
  toFolder(): Promise<Folder>;
  /** Writes all files of a folder. Files that are there already are replaced; others stay. */
  load(folder: Folder): Promise<void>;
}

/** An entry of a listing. */
export interface Entry {
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly bytes?: number;
}

export type { AbortReason, Code, Diagnostic, Facts, JournalEvent, Level, Message, PortError, Scenario, Status } from "./generated.js";
export type * from "./background-types.js";
export type * from "./hook-types.js";
export type * from "./inspection-types.js";
export type * from "./permission-types.js";
export type * from "./resume-types.js";
export type * from "./session-types.js";
export type * from "./shell-types.js";
export type { HandrailError };
