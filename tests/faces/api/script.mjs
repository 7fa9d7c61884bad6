// Plays a script: runs of one session, in which the model, the tools, the hooks and the person say what the case says.
// What the host was asked for and what the journal tells is compared with the case.
//
// The form of a script stands in the `format` of tests/vectors/approvals.json.

import { text } from "./case.mjs";
import { check } from "./report.mjs";
import { settled } from "./replay.mjs";

export async function run(script, expect, host) {
  return Script.play(script, host, (played) => check(played, expect));
}

/** What events end a run. */
const ENDS = ["run_completed", "run_failed", "run_cancelled", "run_partial_success"];

/** A script while it is played. */
export class Script {
  /** What the functions of the host were asked for, in order. */
  host = [];
  /** All messages of the requests to the model. */
  requests = [];
  events = [];
  #rules = [];
  /** What tools still have to say of their calls; a new process goes on with that. */
  #looks = new Map();
  /** The hooks by the ids they got. */
  #hooks = new Map();

  /** Plays a script to its end, on a clock of its own, and gives what `look` makes of it. */
  static async play(given, host, look) {
    const { now } = Date;
    const script = new Script(given, host);
    Date.now = () => script.now;
    try {
      await script.#open();
      await script.#setRules(given.rules);
      for (const run of given.runs ?? [{}]) await script.#play({ ...given, ...run });
      return await look(script);
    } finally {
      Date.now = now;
      await script.runtime?.close();
    }
  }

  constructor(given, host) {
    this.given = given;
    this.faces = host;
    this.tools = given.tools ?? [];
    this.now = given.now ?? 1_000_000;
    this.said = new Map((given.hooks ?? []).map(({ id, answers = [] }) => [id, [...answers]]));
  }

  /** A session begins, or goes on with a checkpoint: its tools and hooks. */
  async #open(more) {
    const { hooks = [] } = this.given;
    this.runtime = await this.faces.createRuntime({ onRule: (rule) => this.#keep(rule), ...more });
    await this.#register(this.tools);
    this.#hooks.clear();
    for (const { id, answers: _, ...hook } of hooks) {
      const { hookId } = await this.runtime.hooks.register({ ...hook, run: (input) => this.#hear(id, input) });
      this.#hooks.set(hookId, id);
    }
  }

  async #register(tools) {
    this.tools = tools;
    await this.runtime.tools.register(tools.map((tool) => this.#registration(tool)));
  }

  async #setRules(rules) {
    if (!rules) return;
    this.#rules = [...rules];
    await this.runtime.permissions.setRules(rules);
  }

  async #play({ replies = [], answers = [], reviews, acts = [], terms = {}, profile = {}, ...run }) {
    if (run.tools && run.tools !== this.given.tools) await this.#register(run.tools);
    // Another process: nothing is left but the rules that were kept.
    if (run.restart) {
      await this.runtime.close();
      await this.#open();
      await this.#setRules(this.#rules);
    }
    if (run !== this.given) await this.#setRules(run.rules === this.given.rules ? undefined : run.rules);
    [this.replies, this.answers, this.reviews] = [[...replies], [...answers], [...(reviews ?? [])]];
    const { sessionId, ...permissions } = terms;
    this.answering = {
      model: { codec: "openai-chat", request: async ({ body }) => this.#reply(body) },
      onApproval: (request) => this.#ask(request),
      ...(reviews && { onReview: (request) => this.#review(request) }),
    };
    this.run = await this.runtime.start({
      ...this.answering,
      input: "Go on.",
      files: this.given.files ?? {},
      profile: this.#profile(profile),
      permissions,
      ...(sessionId && { sessionId }),
    });
    this.#watch(this.run);
    const ended = () => ENDS.includes(this.events.at(-1)?.type);
    for (const act of acts) {
      await this.#settled();
      if (ended()) throw new Error("the run ended before everything was done");
      await this.#act(act);
    }
    await this.#settled();
    if (!ended()) throw new Error("nothing is left to do, and the run has not ended");
  }

  #profile({ policy = {}, permissions = {}, run = {} }) {
    const { builtins = [] } = this.given;
    const allow = [...builtins, ...this.tools.map(({ extensionId = "x", name }) => `extension/${extensionId}:${name}`)];
    const named = { schemaVersion: 5, kind: "handrail.agentProfile", id: "case", displayName: "Case" };
    return { ...named, tools: { allow, policy }, permissions, run };
  }

  #registration({ gives = "done", throws, looks, ...tool }) {
    const execute = (args, { callId, signal }) => {
      this.host.push(["called", callId, args]);
      if (throws !== undefined) throw new Error(throws);
      if (gives !== "waits") return gives;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    return { extensionId: "x", description: "A tool.", inputSchema: { type: "object" }, ...tool, execute, ...(looks && { inspect: this.#look(looks) }) };
  }

  /** The last answer of a look is that of all that follow. */
  #look(looks) {
    if (!this.#looks.has(looks)) this.#looks.set(looks, [...looks]);
    const answers = this.#looks.get(looks);
    return (args, { callId }) => {
      this.host.push(["looked", callId, args]);
      return said(answers.length > 1 ? answers.shift() : answers[0]);
    };
  }

  #review({ callId, action, text }) {
    this.host.push(["reviewed", callId, { action, text }]);
    return said(this.reviews.shift() ?? "waits");
  }

  #reply({ messages }) {
    this.requests.push(messages);
    return replyOf(this.replies.shift() ?? "Done.");
  }

  #hear(id, input) {
    this.host.push(["hook", id, input]);
    return said(this.said.get(id)?.shift() ?? {});
  }

  #ask(request) {
    this.host.push(["asked", request.callId, request]);
    return said(this.answers.shift() ?? "waits");
  }

  #keep(rule) {
    this.host.push(["keeps", rule]);
    if (this.given.keeps === false) throw new Error("The disk is full.");
    this.#rules.push(rule);
  }

  async #act(act) {
    const [[kind, value]] = Object.entries(act);
    const { permissions } = this.runtime;
    if (kind === "decide") this.#decide("then" in act ? [value, act.then] : [value]);
    else if (kind === "pass") this.now += value;
    else if (kind === "restore") await this.#restore();
    else if (kind === "cancel") await this.run.cancel();
    else if (kind === "rules") await this.#setRules(value);
    else if (kind === "mode") await permissions.setMode(this.run.id, value);
    else if (kind === "directory") await permissions.addWorkingDirectory(this.run.id, value);
    else throw new Error(`unknown act ${kind}`);
  }

  /** A person answers the oldest question that is open, or once more the last one. */
  #decide(decisions) {
    this.last = this.run.pending()[0]?.approvalId ?? this.last;
    for (const decision of decisions) this.host.push(["decided", this.run.decide(this.last, decision)]);
  }

  /** The process ends, and another one takes up what was written down. */
  async #restore() {
    const checkpoint = await this.run.checkpoint();
    const { runtime } = this;
    await this.#open({ checkpoint });
    await runtime.close();
    await this.#setRules(this.#rules);
    const { runs: [run] } = await this.runtime.resume(this.answering);
    this.run = run;
    this.#watch(run, this.events.at(-1).seq);
  }

  #settled() {
    return settled(this.runtime, () => this.events.length + this.host.length + this.requests.length);
  }

  /** Keeps the events of a run; those up to the one with this number are known. */
  async #watch(run, known = 0) {
    try {
      for await (const event of run.events()) if (event.seq > known) this.events.push(event);
    } catch (error) {
      if (error.code !== "runtime.closed") throw error;
    }
  }

  /** A hook by the name the case has for it. */
  hookName(hookId) {
    return this.#hooks.get(hookId) ?? hookId;
  }
}

/** What somebody says; `waits`: nothing, ever. */
function said(answer) {
  if (answer === "waits") return new Promise(() => undefined);
  if (answer?.throws !== undefined) throw new Error(answer.throws);
  return answer?.context?.parts ? { ...answer, context: text(answer.context) } : answer;
}

/** A reply of the model: a text, or calls `[id, name, arguments]`. */
function replyOf(said) {
  const reply = (message, reason) => ({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: reason }] });
  if (typeof said === "string") return reply({ content: said }, "stop");
  const calls = said.map(([id, name, args]) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  return reply({ content: null, tool_calls: calls }, "tool_calls");
}
