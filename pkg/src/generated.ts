// Made by scripts/types.mjs from src/protocol of the crate. Change it there, then run ./dev types.

/** Deepest nesting of lists and objects in a value; the core reads no deeper. */
export const JSON_DEPTH = 128;

/** One input of a step. As JSON: an object with one member, the kind. */
export type Input =
  /** Something the host or a person wants; answered by one reply. */
  | {
    command: Command;
  }
  /** The final answer to an effect. */
  | {
    receipt: Receipt;
  }
  /** News about an open effect. */
  | {
    progress: Progress;
  }
  /** Time passed. */
  | {
    tick: {};
  };

/** A command; as JSON an object whose `type` names it. Each is answered by one reply in the same step. */
export type Command =
  /** Register extension tools. Reply: `{toolIds, notices, diagnostics}`. */
  | {
    type: "registerTools";
    /** The registrations, as chapter 14 describes them. */
    tools: unknown[];
    /** A tool that is registered already is an error instead of being replaced. */
    strict?: boolean | undefined;
  }
  /** Allow or block new calls of an extension tool. */
  | {
    type: "setEnabled";
    /** Which. */
    toolId: string;
    /** Whether new calls are allowed. */
    enabled: boolean;
  }
  /** Forget extension tools. */
  | {
    type: "unregisterTools";
    /** Which. */
    toolIds: string[];
  }
  /** List the catalog. Reply: `{tools, diagnostics}`. */
  | {
    type: "tools.list";
    /** Only tools of this scenario. */
    context?: Scenario | undefined;
  }
  /** Check a profile, bring it to schema 5 and keep it. Reply: `{profile}`. */
  | {
    type: "profile.save";
    /** The profile. */
    profile: unknown;
  }
  /** Read a kept profile. Reply: `{profile}`. */
  | {
    type: "profile.load";
    /** Its id. */
    id: string;
  }
  /** Start a run. Reply: `{runId, invocationId, diagnostics, notices}`. */
  | {
    type: "startRun";
    /** The session it belongs to; `default` if missing. */
    sessionId?: string | undefined;
    /** Its id; `run_<n>` if missing. */
    runId?: string | undefined;
    /** Randomness for dice and the like; any text. */
    seed?: string | undefined;
    /** Where it lives. */
    scenario: Scenario;
    /** The profile: an object, or the id of a kept one as a string; the default profile if missing. */
    profile?: unknown;
    /** The host's prompt. */
    promptMessages?: Message[] | undefined;
    /** The conversation so far, newest last. */
    messages?: Message[] | undefined;
    /** The model, as the host calls it. */
    model?: unknown;
    /** What the other side can do. */
    capabilities?: Capabilities | undefined;
    /** Files to put into the workspace first. */
    files?: { [member: string]: string } | undefined;
    /** The tool choice of every step; `auto` if missing. */
    toolChoice?: unknown;
    /**
     * The host drives the model itself: it answers each `model.request` when it likes, and a reply without calls ends
     * nothing; the next request then carries what the host adds.
     */
    driven?: boolean | undefined;
    /** For whom it is: `{id?, level?, roles?, groups?}`; the host's own user if missing. */
    subject?: unknown;
    /** The mode the caller wants, or one of its synonyms. */
    mode?: string | undefined;
    /** Those that others want beside it, such as the route and plugins; the strictest verdict counts. */
    modes?: string[] | undefined;
    /** Directories below which the run may write without leaving its bounds, beside the writable roots. */
    workingDirectories?: string[] | undefined;
    /** Hosts that it may reach so, as patterns. */
    allowedHosts?: string[] | undefined;
    /** Whether somebody can be asked; yes if missing. */
    canPrompt?: boolean | undefined;
    /** Nobody watches; shown with each question. */
    unattended?: boolean | undefined;
    /** The way the request came in, as the host calls it; rules can be about it. */
    route?: string | undefined;
    /** The platform, as the host calls it; rules can be about it. */
    platform?: string | undefined;
    /** Data for `context.target` of extension functions. */
    target?: unknown;
  }
  /** Cancel a run. */
  | {
    type: "cancelRun";
    /** Which. */
    runId: string;
  }
  /** Stop one call; its run goes on with the result. One that must not be broken off goes on. */
  | {
    type: "cancelCall";
    /** The run it belongs to. */
    runId: string;
    /** Which. */
    callId: string;
  }
  /** Let a running call go on in the background; it is answered with a placeholder. Reply: `{id}`. */
  | {
    type: "backgroundCall";
    /** The run it belongs to. */
    runId: string;
    /** Which. */
    callId: string;
  }
  /** List the work in the background, oldest first. Reply: `{tasks}`. */
  | {
    type: "background.list";
    /** Only that of this session. */
    sessionId?: string | undefined;
    /** Only that which this run began. */
    runId?: string | undefined;
  }
  /** List that of one invocation, oldest first. Reply: `{tasks}`. */
  | {
    type: "background.listFor";
    /** The run of the invocation. */
    runId: string;
    /** Which. */
    invocationId: string;
  }
  /**
   * Take on work that the host does by itself. Its result is delivered like that of a call; it ends by a receipt for
   * the effect id of the reply, tells news by progress for it, and is told to stop by an `abort` of it. Reply: `{task,
   * effectId}`.
   */
  | {
    type: "background.adopt";
    /** What it is, in one line; the model reads it. */
    name: string;
    /** The session it belongs to, `default` if missing; with `runId` that of the run. */
    sessionId?: string | undefined;
    /** The run whose invocation it belongs to; cancelling it stops the work. */
    runId?: string | undefined;
    /** When it began; now if missing. */
    startedAt?: number | undefined;
  }
  /** Read what is known of one piece of work, with its log. Reply: `{task}`. */
  | {
    type: "background.get";
    /** Which. */
    id: string;
  }
  /** Say that it is alive. Reply: `{task}`. */
  | {
    type: "background.touch";
    /** Which. */
    id: string;
  }
  /** Stop it; what it comes to is delivered like any other result. Reply: `{task}`. */
  | {
    type: "background.cancel";
    /** Which. */
    id: string;
  }
  /**
   * Take the message that would bring its result; it counts as delivered, and the model is not told. Reply: `{text}`.
   */
  | {
    type: "background.deliver";
    /** Which. */
    id: string;
  }
  /** Forget what was delivered. Reply: `{pruned}`, a number. */
  | {
    type: "background.prune";
    /** Only that of this session. */
    sessionId?: string | undefined;
  }
  /**
   * Delete a session: its run is cancelled, its work in the background is told to stop, what was allowed in it and what
   * it has kept are gone; its id is refused from then on. Files of the workspace stay. Reply: `{runId}`, the run that
   * is being cancelled, if one goes on.
   */
  | {
    type: "session.delete";
    /** Which. */
    sessionId: string;
  }
  /** Read a file. Reply: `{text}` for text, `{blob}` (a digest) for other bytes. */
  | {
    type: "workspace.read";
    /** Which. */
    path: string;
  }
  /** Write a file, as the host: any visible root. Exactly one of `text` and `blob`. Reply: `{sha256, bytes}`. */
  | {
    type: "workspace.write";
    /** Which. */
    path: string;
    /** Text content. */
    text?: string | undefined;
    /** Digest of bytes handed over before. */
    blob?: string | undefined;
  }
  /** List files below a path. Reply: `{entries: [{path, kind, bytes?}]}`, all levels. */
  | {
    type: "workspace.list";
    /** Where; the whole workspace if missing. */
    path?: string | undefined;
  }
  /** Delete a file or a directory, as the host. Reply: `{removed}` (number of files). */
  | {
    type: "workspace.delete";
    /** Which. */
    path: string;
  }
  /**
   * Choose which events of a run the outputs carry from now on. Reply: `{seq}`, the last line of the journal so far.
   */
  | {
    type: "watch";
    /** Which run. */
    runId: string;
    /** Which events. */
    events: Watch;
  }
  /**
   * A new host takes over after a restore, before anything else: the next model request of each run holds the whole
   * conversation, what was to wake the session is set anew, and pure effects that wait have their whole time again; the
   * first receipt `not_sent` for one makes it anew under another id. Reply: `{runs: [{runId, sessionId, driven}],
   * inFlight}`: the runs that go on, and the effects that wait for a receipt.
   */
  | {
    type: "attach";
  }
  /** Continue a run that has failed, with a new request to the model. Reply: `{runId, invocationId, sessionId}`. */
  | {
    type: "resumeRun";
    /** Which. */
    runId: string;
    /** The model may be told of calls that nobody knows the outcome of; without this they refuse it. */
    acceptUnknown?: boolean | undefined;
    /** The host drives the model itself. It must do so if and only if it did at the start. */
    driven?: boolean | undefined;
  }
  /**
   * Set the rules; they replace those there are. A snapshot does not hold them: after a restore they are to be set
   * before anything else.
   */
  | {
    type: "rules.set";
    /** The rules, as chapter 04 describes them. */
    rules: unknown;
  }
  /** Register hooks; they replace those there are. */
  | {
    type: "registerHooks";
    /** The hooks: `{hookId, point, order?, include?, exclude?, timeoutMs?}` each. */
    hooks: unknown;
  }
  /** Set the mode that the caller of a run wants; that of its profile counts beside it. */
  | {
    type: "setMode";
    /** Which run. */
    runId: string;
    /** A mode or one of its synonyms. */
    mode: string;
  }
  /** Let a run write below one more directory without leaving its bounds. */
  | {
    type: "addWorkingDirectory";
    /** Which run. */
    runId: string;
    /** The directory. */
    path: string;
  }
  /** Read the journal of a run. Reply: `{events, more}`. */
  | {
    type: "readEvents";
    /** Which run. */
    runId: string;
    /** Only later ones. */
    afterSeq?: number | undefined;
    /** Only earlier ones. */
    beforeSeq?: number | undefined;
    /** At most this many, 500 at the highest. */
    limit?: number | undefined;
    /** Only this invocation. */
    invocationId?: string | undefined;
  };

/** Where a run lives. */
export type Scenario =
  /** A chat with committed messages. */
  | "chat"
  /** A plain conversation: a reply without calls is the answer. */
  | "session";

/** A message of the conversation before this run, or of the host's prompt. */
export interface Message {
  /** Whose. */
  role: "system" | "user" | "assistant";
  /** The text. */
  text: string;
}

/** What the other side can do. */
export interface Capabilities {
  /** The model takes images; missing means not known. */
  images?: boolean | undefined;
  /** The wire format; `openai-chat` if missing. */
  codec?: string | undefined;
  /** Options of the wire format. */
  wireOptions?: unknown;
  /** The host keeps the messages of earlier requests: send only the new ones. */
  incremental?: boolean | undefined;
  /** Which events the outputs carry; the command `watch` changes it. */
  events?: Watch | undefined;
  /** The host answers `review.request`; it counts only where the profile wants a reviewer. */
  reviewer?: boolean | undefined;
  /** The host has a store: emit `store.append` before the effects it covers. */
  store?: boolean | undefined;
}

/** Which events of a run the outputs carry. The journal is kept whole in any case, see `readEvents`. */
export type Watch =
  /** All. */
  | "all"
  /** Those of the journal: nobody looks at a screen. */
  | "journal"
  /** Those of the run as a whole, and failed model requests: nobody watches. */
  | "run";

/** The final answer to one effect. The first one counts. */
export interface Receipt {
  /** The effect it answers. */
  effectId: string;
  /** How it ended. */
  outcome: ReceiptOutcome;
  /** What an `ok` brings; its shape depends on the effect. */
  payload?: unknown;
  /** Why it failed. */
  error?: ReceiptError | undefined;
  /** The work certainly stopped; missing means no. */
  stopped?: boolean | undefined;
  /** The instance of the program that did the work is gone. */
  discarded?: Discarded | undefined;
}

/** How an effect ended. */
export type ReceiptOutcome =
  /** Performed; the payload is valid. */
  | "ok"
  /** Known to have failed; nothing is pending. */
  | "failed"
  /** Certainly never left the host. */
  | "not_sent"
  /** May have been performed; no further answer will come. */
  | "unknown"
  /** Ended because of an abort. */
  | "cancelled"
  /** Ended by the host's own deadline. */
  | "timed_out";

/** Why an effect failed, in the host's words. */
export interface ReceiptError {
  /** The host's code, for example `timeout`. */
  code: string;
  /** One sentence. */
  message: string;
  /** Where it failed, for effects with stages. */
  stage?: string | undefined;
  /** The model request may be tried again; absent means yes. */
  retryable?: boolean | undefined;
  /** Wait at least this long before trying again. */
  retryAfterMs?: number | undefined;
}

/** Why the instance of a program was thrown away. */
export type Discarded = "trap" | "timeout" | "killed" | "memory";

/** News about an open effect. `data` has one of the members `chunk`, `text`, `stdout`, `stderr`, … */
export interface Progress {
  /** The effect it is about. */
  effectId: string;
  /** The news. */
  data: unknown;
}

/** Everything one step asks for and tells, each list in order. */
export interface Output {
  /** What the host has to perform. */
  readonly effects: readonly Effect[];
  /** What people and hosts watch. */
  readonly events: readonly Event[];
  /** One answer per command. */
  readonly replies: readonly Reply[];
}

/** Something the host has to perform and, unless it is one-way, to answer with one receipt. */
export type Effect = {
  /** `e<n>`, never repeated in a run. */
  readonly effectId: string;
  /** How it may be treated. */
  readonly class: Class;
  /** The run it belongs to. */
  readonly runId: string;
  /** The invocation it belongs to. */
  readonly invocationId?: string;
  /** The call it belongs to. */
  readonly callId?: string;
  /** When the answer is needed; milliseconds since the Unix epoch. */
  readonly deadline?: number;
} & (
      /**
       * Ask the model. Answer: `{reply}` (a whole provider reply), or `chunk` progress followed by an `ok` without a
       * reply.
       */
      | {
        readonly kind: "model.request";
        readonly payload: {
          /** The step, from 1. */
          readonly round: number;
          /** The wire format. */
          readonly codec: string;
          /**
           * The provider's request body without its transport. With `messagesFrom` its `messages` are only the new
           * ones, and the tools with the tool choice, which stay the same, stand only in the first that is answered.
           */
          readonly request: { readonly [member: string]: any };
          /** Whether a stream is wanted. */
          readonly stream: boolean;
          /**
           * Present when the run was started with `capabilities.incremental`: how many messages of the request the host
           * already has; it puts the new ones behind them.
           */
          readonly messagesFrom?: number;
          /** Only in a run whose host drives the model: whether the last reply made no calls. */
          readonly done?: boolean;
        };
      }
      /** Call a function of the host. Answer: `{value?, images: [digest]}`; `value` missing means `undefined`. */
      | {
        readonly kind: "extension.call";
        readonly payload: {
          /** Which. */
          readonly toolId: string;
          /** With what; always an object. */
          readonly args: { readonly [member: string]: any };
          /** What the function learns about its call. */
          readonly context: CallContext;
        };
      }
      /**
       * Run a command in the shell, over the file port of this effect. Answer: `{exitCode, stdout, stderr,
       * stdoutTruncated, stderrTruncated}`; an answer that is not ok may bring the same as output so far.
       */
      | {
        readonly kind: "shell.exec";
        readonly payload: {
          /** The script. */
          readonly command: string;
          /** Where it starts: an absolute path. */
          readonly workdir: string;
          /** When it has to be over; milliseconds since the Unix epoch. */
          readonly deadline: number;
          /** Where its clock starts. */
          readonly now: number;
          /** What its random numbers are made from. */
          readonly seed: string;
          /** Whether it runs on in the background. */
          readonly background: boolean;
        };
      }
      /**
       * Ask a person whether a call may be made. Held: it waits over snapshot and restore. Answer: `{answer, args?,
       * message?, by?, scope?}`.
       */
      | {
        readonly kind: "approval.request";
        readonly payload: { readonly [member: string]: any };
      }
      /** Judge an action that a mode does not allow by itself. Answer: `{verdict: safe|unsafe|unsure, confidence}`. */
      | {
        readonly kind: "review.request";
        readonly payload: {
          /** The action. */
          readonly action: unknown;
          /** What the tool says of the call. */
          readonly text: string;
        };
      }
      /**
       * Let a tool say about one of its calls what is to be known before it is judged. Answer: `{action?, parallel?,
       * readOnly?, check?, validation?, classifierText?, summary?}`.
       */
      | {
        readonly kind: "extension.inspect";
        readonly payload: {
          /** Which. */
          readonly toolId: string;
          /** With what; always an object. */
          readonly args: { readonly [member: string]: any };
        };
      }
      /** Take a command of the shell apart. Answer: `{parts: [{kind: read|write|program, target}], complete}`. */
      | {
        readonly kind: "shell.analyze";
        readonly payload: {
          /** The script. */
          readonly command: string;
        };
      }
      /** Call a hook. Answer: what it says, `{decision?, reason?, args?, mergeArgs?, context?, halt?, result?}`. */
      | {
        readonly kind: "hook.run";
        readonly payload: {
          /** Which. */
          readonly hookId: string;
          /** Where. */
          readonly point: unknown;
          /** What it is told. */
          readonly payload: unknown;
        };
      }
      /** Keep a rule that an answer has brought. Answer: `{}`. */
      | {
        readonly kind: "rules.save";
        readonly payload: {
          /** The rule. */
          readonly rule: unknown;
        };
      }
      /** Make these durable before anything else of this output is performed. Answer: `{}`. */
      | {
        readonly kind: "store.append";
        readonly payload: {
          /** Journal events, in order. */
          readonly records: readonly JournalEvent[];
          /** Digests of new blobs; the bytes are fetched out of band. */
          readonly blobs: readonly string[];
        };
      }
      /** Wake the session with a tick at this time. One-way. */
      | {
        readonly kind: "timer.set";
        readonly payload: {
          /** Which timer. */
          readonly timerId: string;
          /** When; milliseconds since the Unix epoch. */
          readonly at: number;
        };
      }
      /** Forget this timer. One-way. */
      | {
        readonly kind: "timer.cancel";
        readonly payload: {
          /** Which timer. */
          readonly timerId: string;
        };
      }
      /**
       * Answer a question that a running function has asked with the progress `{ask: {requestId, reason, risk?}}`.
       * One-way.
       */
      | {
        readonly kind: "call.reply";
        readonly payload: {
          /** The effect of its call. */
          readonly targetEffectId: string;
          /** The question, as the function named it. */
          readonly requestId: string;
          /** `{allowed: true}`, or `{allowed: false, code, message}`. */
          readonly result: unknown;
        };
      }
      /** Tell running work to stop. One-way; the work still answers with its own receipt. */
      | {
        readonly kind: "abort";
        readonly payload: {
          /** The effect that is to stop. */
          readonly targetEffectId: string;
          /** Why. */
          readonly reason: AbortReason;
        };
      }
  );

/** What may be done with an effect after a failure or a restore. */
export type Class =
  /** Changes nothing outside; may be emitted anew under a new id. */
  | "pure"
  /** Never emitted twice for the same purpose of one call. */
  | "effectful"
  /** Waits for a person; never emitted again. */
  | "held"
  /** Durability. */
  | "storage"
  /** No receipt. */
  | "one-way";

/** What an extension function learns about its call; the glue adds the functions. */
export interface CallContext {
  /** The run. */
  readonly runId: string;
  /** The invocation. */
  readonly invocationId: string;
  /** The call. */
  readonly callId: string;
  /** The chat or session of the run, as data. */
  readonly target: unknown;
}

/** One line of the journal. */
export interface JournalEvent {
  /** 1, 2, 3, … in its run, without gaps. */
  readonly seq: number;
  /** `evt_<seq>`. */
  readonly id: string;
  /** The run. */
  readonly runId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** How loud. */
  readonly level: Level;
  /** What happened, for example `tool_call_completed`. */
  readonly type: string;
  /** The facts. */
  readonly payload: Facts;
  /** The effect that caused it, if one did. */
  readonly effectId?: string;
}

/** How loud a journal event is. */
export type Level = "debug" | "info" | "warn" | "error";

/** The facts of an event. Which members there are depends on its type, and no type says so: look before use. */
export type Facts = { readonly [member: string]: any };

/** Why running work is told to stop. */
export type AbortReason = "user" | "timeout" | "cascade" | "run_end" | "loop";

/** One event. A journal event has `seq`; a live event has not. */
export type Event = JournalEvent | LiveEvent;

/** One live event: `tool_begin`, `tool_update`, `tool_end`, `model_delta`. */
export interface LiveEvent {
  /** The run. */
  readonly runId: string;
  /** What happened. */
  readonly type: string;
  /** The facts. */
  readonly payload: Facts;
}

/** The answer to one command. */
export interface Reply {
  /** Place of the command in the inputs of the step. */
  readonly input: number;
  /** Whether it was done. */
  readonly ok: boolean;
  /** What it gives. */
  readonly value?: unknown;
  /** Why it was refused. */
  readonly code?: Code;
  /** The sentence for the developer. */
  readonly message?: string;
  /** Data to act on. */
  readonly details?: unknown;
}

/** An error code. Codes are stable: a new situation gets a new code, a code never changes what it means. */
export type Code =
  | "tool.id_invalid"
  | "tool.provider_id_empty"
  | "tool.provider_id_invalid"
  | "tool.native_name_empty"
  | "tool.catalog_duplicate_id"
  | "tool.former_name_conflict"
  | "tool.descriptor_invalid"
  | "tool.description_override_unknown_property"
  | "tool.description_override_properties_invalid"
  | "tool.description_override_property_schema_invalid"
  | "tool.snapshot_schema_unsupported"
  | "tool.snapshot_id_empty"
  | "tool.snapshot_duplicate_id"
  | "tool.snapshot_duplicate_alias"
  | "tool.snapshot_alias_empty"
  | "tool.snapshot_invalid"
  | "tool.turn_duplicate_id"
  | "tool.turn_required_empty"
  | "tool.turn_specific_not_available"
  | "tool.turn_tool_not_in_snapshot"
  | "tool.turn_snapshot_mismatch"
  | "tool.result_identity_mismatch"
  | "tool.alias_suffixed"
  | "tool.replaced"
  | "tool.schema_not_enforced"
  | "agent.tool_override_invalid"
  | "agent.profile_unknown_tool"
  | "agent.profile_id_empty"
  | "agent.profile_id_too_long"
  | "agent.profile_id_invalid"
  | "agent.profile_invalid"
  | "agent.profile_schema_unsupported"
  | "agent.profile_requires_model"
  | "agent.profile_not_runnable"
  | "tool.invalid_arguments"
  | "model.unknown_tool_call"
  | "model.tool_choice_violation"
  | "agent.tool_denied"
  | "tool.not_loaded"
  | "tool.loop_blocked"
  | "agent.loop_detected"
  | "tool.forward_loop"
  | "tool.invalid_result"
  | "tool.timeout"
  | "tool.outcome_unknown"
  | "tool.interrupted"
  | "tool.interrupted_before_start"
  | "tool.skipped_after_failure"
  | "tool.skipped_batch_ended"
  | "tool.skipped_run_ended"
  | "tool.internal_error"
  | "effect.bad_payload"
  | "model.request_failed"
  | "model.invalid_tool_call"
  | "model.reply_incomplete"
  | "model.output_truncated"
  | "model.provider_refusal"
  | "model.tool_call_required"
  | "permission.rule_denied"
  | "permission.mode_denied"
  | "permission.tool_denied"
  | "permission.level_too_low"
  | "permission.rejected"
  | "permission.timeout"
  | "permission.no_approver"
  | "permission.hook_denied"
  | "permission.rule_save_failed"
  | "hook.rewrite_loop"
  | "hook.halted"
  | "agent.tool_after_finish"
  | "agent.child_finish_denied"
  | "agent.foreground_commit_required"
  | "agent.chat_commit_failed"
  | "agent.invalid_worldinfo_activation_snapshot"
  | "agent.session_busy"
  | "agent.session_not_found"
  | "agent.session_history_changed"
  | "agent.guidance_empty"
  | "agent.guidance_too_large"
  | "agent.guidance_mailbox_full"
  | "agent.guidance_mailbox_closed"
  | "agent.guidance_active_run_missing"
  | "agent.delegation_policy_denied"
  | "agent.handoff_policy_denied"
  | "agent.profile_cannot_delegate"
  | "agent.profile_cannot_handoff"
  | "agent.target_not_callable"
  | "agent.target_not_subagent"
  | "agent.target_not_handoff"
  | "agent.target_caller_denied"
  | "agent.target_profile_not_found"
  | "agent.await_task_not_found"
  | "agent.no_child_tasks"
  | "agent.handoff_pending_tasks"
  | "agent.handoff_depth_exhausted"
  | "agent.task_return_denied"
  | "agent.task_already_finished"
  | "run.resume_unknown_side_effect"
  | "run.not_resumable"
  | "state.snapshot_unsupported"
  | "state.snapshot_corrupt"
  | "storage.append_failed"
  | "storage.image_failed"
  | "storage.corrupt"
  | "chat.not_found"
  | "chat.message_not_found"
  | "chat.invalid_message_range"
  | "worldinfo.activation_unavailable"
  | "worldinfo.entry_not_found"
  | "worldinfo.invalid_entry_range"
  | "worldinfo.read_too_large"
  | "dice.invalid_formula"
  | "workspace.invalid_path"
  | "workspace.path_not_visible"
  | "workspace.path_not_writable"
  | "workspace.path_not_found"
  | "workspace.file_not_found"
  | "workspace.path_is_directory"
  | "workspace.path_not_directory"
  | "workspace.not_text"
  | "workspace.file_too_large"
  | "workspace.storage_full"
  | "workspace.list_depth_too_large"
  | "workspace.search_limit_invalid"
  | "workspace.search_limit_too_large"
  | "workspace.search_context_too_large"
  | "workspace.search_incomplete"
  | "workspace.invalid_line_range"
  | "workspace.write_mode_invalid"
  | "workspace.commit_mode_invalid"
  | "workspace.write_requires_read"
  | "workspace.patch_requires_read"
  | "workspace.write_stale_file"
  | "workspace.patch_stale_file"
  | "workspace.patch_requires_full_read"
  | "workspace.patch_empty_old_string"
  | "workspace.patch_no_change"
  | "workspace.patch_old_string_not_found"
  | "workspace.patch_old_string_not_unique"
  | "workspace.edit_overlap"
  | "workspace.required_artifact_empty"
  | "workspace.delete_root"
  | "workspace.delete_protected"
  | "workspace.shell_exit"
  | "workspace.shell_timeout"
  | "workspace.shell_cancelled"
  | "workspace.shell_failed"
  | "workspace.shell_busy"
  | "workspace.shell_command_not_found"
  | "workspace.persist_conflict"
  | "workspace.review_stale"
  | "workspace.review_conflict"
  | "workspace.restore_exists"
  | "workspace.trash_not_found"
  | "extension.tool_error"
  | "extension.tool_unavailable"
  | "extension.call_outcome_unknown"
  | "extension.tool_needs_image_input"
  | "extension.registration_invalid"
  | "extension.duplicate_registration"
  | "mcp.tool_error"
  | "mcp.server_error"
  | "mcp.unsupported_response"
  | "mcp.call_outcome_unknown"
  | "mcp.tool_unavailable"
  | "mcp.registration_paused"
  | "mcp.tool_disabled"
  | "mcp.arguments_too_large"
  | "mcp.not_connected"
  | "mcp.not_sent"
  | "mcp.call_metadata_unsupported"
  | "mcp.definition_changed"
  | "skill.invalid"
  | "image.encode_failed"
  | "tool.search_no_match"
  | "tool.not_callable_from_code"
  | "tool.code_failed"
  | "tool.code_unavailable"
  | "history.result_not_found"
  | "history.digest_mismatch"
  | "history.offset_out_of_range"
  | "builtin.tool_unavailable"
  | "tool.registration_unknown"
  | "input.invalid"
  | "command.invalid"
  | "command.unknown"
  | "run.not_found"
  | "call.not_found";

/** Something worth knowing that stops nothing. */
export interface Diagnostic {
  /** The tool it is about, if it is about one. */
  readonly toolId?: string;
  /** What kind of thing happened. */
  readonly code: Code;
  /** The sentence for the developer. */
  readonly message: string;
}

/** The stored result of one call. Never altered once stored. */
export interface CallRecord {
  /** The call. */
  readonly callId: string;
  /** The provider's own id of the call. */
  readonly providerId: string | null;
  /** The tool's stable identity; absent for a name that resolved to nothing. */
  readonly toolId: string | null;
  /** The name the model used. */
  readonly name: string;
  /** The invocation. */
  readonly invocationId: string;
  /** The step. */
  readonly round: number;
  /** The place in the batch, from 0. */
  readonly index: number;
  /** The outer call of a nested one. */
  readonly parentCallId: string | null;
  /** The tool that ran instead. */
  readonly forwardedTo: string | null;
  /** `!isError`. */
  readonly ok: boolean;
  /** How it ended. */
  readonly status: Status;
  /** The error mark. */
  readonly isError: boolean;
  /** Why it failed. */
  readonly errorCode: Code | null;
  /** What the model reads: the text parts joined by one blank line. */
  readonly content: string;
  /** Text and images in order. */
  readonly parts: readonly Part[];
  /** The structured value. */
  readonly structured: unknown;
  /** Paths that belong to the result. */
  readonly resourceRefs: readonly string[];
  /** The images. */
  readonly images: readonly StoredImage[];
  /** Remarks. */
  readonly notes: readonly Note[];
  /** Messages added after the batch. */
  readonly extraMessages: readonly ExtraMessage[];
  /** Data for the screen. */
  readonly display: unknown;
  /** What happened to files. */
  readonly fileChanges: readonly FileChange[];
  /** The result ended the batch. */
  readonly terminate: boolean;
  /** Times. */
  readonly meta: Meta;
  /** Where the arguments lie. */
  readonly argumentsRef: string;
  /** Where the whole result lies. */
  readonly resultRef: string;
}

/** How a call ended; exactly one per call, and it never changes. */
export type Status =
  | "ok"
  | "error"
  | "denied"
  | "cancelled"
  | "timed_out"
  | "skipped"
  | "unknown"
  | "backgrounded";

/** One piece of what the model is shown, in order. */
export type Part =
  /** Text. */
  | {
    readonly type: "text";
    /** The text. */
    readonly text: string;
  }
  /** An image, by its place in the list of images. */
  | {
    readonly type: "image";
    /** Index into `images`. */
    readonly image: number;
  };

/** An image as history keeps it: a path and what the bytes are, never the bytes. */
export interface StoredImage {
  /** Where it lies in the workspace. */
  readonly path: string;
  /** Its media type, from its bytes. */
  readonly mimeType: string;
}

/** A remark in the record, for the developer and the audit; the model does not see it. */
export interface Note {
  /** What kind of remark, for example `arguments_repaired`. */
  readonly kind: string;
  /** What it says, for example `{"locations": ["/a"]}`. */
  readonly data: unknown;
}

/** A user message a tool adds after the results of its batch. */
export interface ExtraMessage {
  /** The text. */
  readonly text: string;
}

/** One change of one file by one call. */
export interface FileChange {
  /** `chg_<n>`. */
  readonly changeId: string;
  /** The call that did it. */
  readonly callId: string;
  /** The invocation it did it in. */
  readonly invocationId: string;
  /** Which file. */
  readonly path: string;
  /** What happened. */
  readonly operation: FileOperation;
  /** Whether the file existed before. */
  readonly existedBefore: boolean;
  /** Whether it exists now. */
  readonly existsAfter: boolean;
  /** SHA-256 of the content before, which is also the digest of its blob. */
  readonly sha256Before: string | null;
  /** SHA-256 of the content after, which is also the digest of its blob. */
  readonly sha256After: string | null;
}

/** What happened to a file. */
export type FileOperation = "create" | "modify" | "append" | "delete" | "restore";

/** When the call went through which door; milliseconds since the Unix epoch. */
export interface Meta {
  /** The batch closed. */
  readonly queuedAt: number;
  /** The tool started; absent if it never did. */
  readonly startedAt: number | null;
  /** The result was settled. */
  readonly endedAt: number;
  /** The text shown is not the whole. */
  readonly truncated: boolean;
}

/** Why an operation on the files of a command is refused; nothing has changed then. */
export type PortError =
  | "ENOENT"
  | "EISDIR"
  | "ENOTDIR"
  | "EEXIST"
  | "ENOTEMPTY"
  | "EACCES"
  | "EINVAL"
  | "EFBIG"
  | "ENOSPC"
  | "ENOTSUP"
  | "ECANCELED";
