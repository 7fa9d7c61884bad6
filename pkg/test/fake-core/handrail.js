// A stand-in for the core with the shape of its doors and just enough of its behaviour. Only for work on this package
// while the real module is not there.
import { createHash } from "node:crypto";

export default async function init() {}

const fault = (code, message) => Object.assign(new Error(message), { code });

export class Session {
  constructor() {
    this.blobs = new Map(); this.files = new Map(); this.tools = new Map(); this.runs = new Map();
    this.open = new Map(); this.timers = new Map(); this.ids = { e: 0, run: 0 };
  }
  free() {}
  putBlob(bytes) {
    const digest = createHash("sha256").update(bytes).digest("hex");
    this.blobs.set(digest, bytes.slice());
    return digest;
  }
  blob(digest) { return this.blobs.get(digest)?.slice(); }
  snapshot() { return new TextEncoder().encode("{}"); }
  snapshotBlobs() { return [...this.blobs.keys()]; }
  inFlight() { return "[]"; }
  step(text, now) {
    if (/\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])/.test(text)) throw fault("input.invalid", "lone surrogate");
    if (text.includes("$serde_json::private::Number")) throw fault("input.invalid", "a reserved member name");
    const inputs = JSON.parse(text);
    this.now = now;
    this.out = { effects: [], events: [], replies: [] };
    for (const [id, timer] of this.timers) if (timer.at <= now) { this.timers.delete(id); timer.ring(); }
    inputs.forEach((input, place) => {
      const [[kind, value]] = Object.entries(input);
      if (kind === "command") {
        try {
          this.out.replies.push({ input: place, ok: true, value: this[`c_${value.type.replace(".", "_")}`](value) });
        } catch (error) {
          if (!error.code) throw error;
          this.out.replies.push({ input: place, ok: false, code: error.code, message: error.message });
        }
      } else if (kind === "progress") this.progress(value);
      else if (kind === "receipt") this.receipt(value);
    });
    return JSON.stringify(this.out);
  }
  effect(run, kind, payload, more = {}) {
    const effectId = `e${(this.ids.e += 1)}`;
    this.out.effects.push({ effectId, class: "pure", runId: run.id, kind, payload, ...more });
    return effectId;
  }
  note(run, type, payload) {
    run.seq += 1;
    this.out.events.push({ seq: run.seq, id: `evt_${run.seq}`, runId: run.id, timestamp: this.now, level: "info", type, payload });
  }
  live(run, type, payload) { this.out.events.push({ runId: run.id, type, payload }); }
  timer(run, id, at, ring) {
    this.timers.set(id, { at, ring });
    this.effect(run, "timer.set", { timerId: id, at }, { class: "one-way" });
  }
  c_registerTools({ tools, strict }) {
    const ids = tools.map((tool) => {
      if (!/^[\w.-]{1,128}$/.test(tool.extensionId ?? "")) throw fault("extension.registration_invalid", "extensionId: …");
      if (tool.inputSchema?.type !== "object") throw fault("tool.descriptor_invalid", "inputSchema: the root must have type object");
      return `extension/${tool.extensionId}:${tool.name}`;
    });
    for (const id of ids) if (strict && this.tools.has(id)) throw fault("extension.duplicate_registration", `${id} is registered`);
    ids.forEach((id, at) => this.tools.set(id, { ...tools[at], enabled: tools[at].enabled !== false }));
    return { toolIds: ids, notices: [] };
  }
  c_setEnabled({ toolId, enabled }) { this.tools.get(toolId).enabled = enabled; }
  c_unregisterTools({ toolIds }) { for (const id of toolIds) this.tools.delete(id); }
  c_tools_list() { return { tools: [...this.tools.values()], diagnostics: [] }; }
  c_workspace_write({ path, text, blob }) {
    if (path.startsWith("/") || path.includes("..")) throw fault("workspace.invalid_path", `${path} is no workspace path`);
    const bytes = blob === undefined ? new TextEncoder().encode(text) : this.blobs.get(blob);
    this.files.set(path, bytes);
    return { bytes: bytes.length };
  }
  c_workspace_read({ path }) {
    const bytes = this.files.get(path);
    if (!bytes) throw fault("workspace.file_not_found", `${path} does not exist`);
    try { return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) }; } catch { return { blob: this.putBlob(bytes) }; }
  }
  c_workspace_list() {
    return { entries: [...this.files].sort().map(([path, bytes]) => ({ path, kind: "file", bytes: bytes.length })) };
  }
  c_workspace_delete({ path }) {
    const gone = [...this.files.keys()].filter((key) => key === path || key.startsWith(`${path}/`));
    for (const key of gone) this.files.delete(key);
    return { removed: gone.length };
  }
  c_startRun(start) {
    const run = { id: `run_${(this.ids.run += 1)}`, seq: 0, sent: 0, history: [], start, tools: [...this.tools.entries()] };
    for (const { role, text } of [...start.promptMessages, ...start.messages]) run.history.push({ role, content: text });
    this.runs.set(run.id, run);
    this.note(run, "run_created", {});
    this.ask(run, true);
    return { runId: run.id, invocationId: "inv_1", diagnostics: [], notices: [] };
  }
  c_cancelRun({ runId }) {
    const run = this.runs.get(runId);
    if (!run || run.ended) throw fault("run.not_found", `the run ${runId} has ended already`);
    run.cancelling = true;
    for (const [effectId, { run: owner }] of this.open) {
      if (owner === run) this.effect(run, "abort", { targetEffectId: effectId, reason: "user" }, { class: "one-way" });
    }
    if (!run.pending?.some((call) => call.open)) this.end(run, "run_cancelled", {});
  }
  ask(run, done) {
    const messages = run.history.slice(run.sent);
    const tools = run.tools.map(([, { name, description, inputSchema }]) => ({ type: "function", function: { name, description, parameters: inputSchema } }));
    const effectId = this.effect(run, "model.request", {
      round: 1, codec: "openai-chat", stream: true, messagesFrom: run.sent, done,
      request: { messages, ...(tools.length > 0 && { tools }) },
    }, { invocationId: "inv_1" });
    this.open.set(effectId, { run, chunks: [], carried: run.history.length });
  }
  progress({ effectId, data }) {
    const open = this.open.get(effectId);
    if (!open) return;
    if (data.chunk) {
      open.chunks.push(data.chunk);
      const { content } = data.chunk.choices?.[0]?.delta ?? {};
      if (content) this.live(open.run, "model_delta", { text: content });
    } else this.live(open.run, "tool_update", { callId: open.call.id, output: data.text });
  }
  receipt(receipt) {
    const open = this.open.get(receipt.effectId);
    if (!open) return;
    this.open.delete(receipt.effectId);
    if (open.run.ended) return;
    if (open.call) this.answered(open, receipt);
    else this.replied(open, receipt);
  }
  replied({ run, chunks, carried }, receipt) {
    const message = receipt.outcome === "ok" ? receipt.payload?.reply?.choices?.[0]?.message ?? joined(chunks) : undefined;
    if (!message) {
      const code = receipt.outcome === "ok" ? "model.reply_incomplete" : "model.request_failed";
      const payload = { code, message: receipt.error?.message ?? "the stream ended early" };
      this.note(run, "model_call_attempt_failed", payload);
      if (run.start.driven) return this.ask(run, false);
      if (receipt.error?.retryable === false || (run.tries = (run.tries ?? 0) + 1) > 3) return this.end(run, "run_failed", payload);
      return this.timer(run, "t1", this.now + (receipt.error?.retryAfterMs ?? 3000), () => this.ask(run));
    }
    run.sent = carried;
    run.history.push({ role: "assistant", content: message.content ?? null, ...(message.tool_calls && { tool_calls: message.tool_calls }) });
    if (!message.tool_calls) {
      return run.start.driven ? this.ask(run, true) : this.end(run, "run_completed", { text: message.content, usage: { total: {} } });
    }
    run.pending = message.tool_calls.map((call) => ({ id: call.id, name: call.function.name, args: call.function.arguments }));
    for (const call of run.pending) this.call(run, call);
    this.settled(run);
  }
  call(run, call) {
    const found = run.tools.find(([, tool]) => tool.name === call.name);
    this.note(run, "tool_call_requested", { callId: call.id, toolId: found?.[0], name: call.name });
    if (!found) return this.settle(run, call, "model.unknown_tool_call", `There is no tool named \`${call.name}\`.`);
    const args = typeof call.args === "string" ? JSON.parse(call.args || "{}") : call.args ?? {};
    if (!this.tools.get(found[0])?.enabled) return this.settle(run, call, "extension.tool_unavailable", "not available");
    this.note(run, "tool_call_started", { callId: call.id, toolId: found[0] });
    const effectId = this.effect(run, "extension.call", { toolId: found[0], args, context: { runId: run.id, invocationId: "inv_1", callId: call.id, target: run.start.target ?? { kind: "session" } } }, { class: "effectful", callId: call.id });
    call.open = true;
    this.open.set(effectId, { run, call });
    const limit = found[1].traits?.timeoutMs ?? 60000;
    this.timer(run, `t-${effectId}`, this.now + limit, () => {
      this.effect(run, "abort", { targetEffectId: effectId, reason: "timeout" }, { class: "one-way" });
      this.timer(run, `g-${effectId}`, this.now + 5000, () => {
        this.open.delete(effectId);
        this.settle(run, call, "extension.call_outcome_unknown", "may have taken effect");
        this.settled(run);
      });
    });
  }
  answered({ run, call }, { effectId, outcome, payload, error, stopped }) {
    for (const id of [`t-${effectId}`, `g-${effectId}`]) {
      if (this.timers.delete(id)) this.effect(run, "timer.cancel", { timerId: id }, { class: "one-way" });
    }
    if (outcome === "ok") {
      const value = payload.value === undefined ? null : payload.value;
      this.settle(run, call, null, typeof value === "string" ? value : JSON.stringify(value), payload.images);
    } else if (outcome === "cancelled" && stopped) this.settle(run, call, run.cancelling ? "tool.interrupted" : "tool.timeout", "stopped");
    else {
      const codes = { invalid_result: "tool.invalid_result", invalid_arguments: "tool.invalid_arguments" };
      this.settle(run, call, codes[error?.code] ?? "extension.tool_error", error?.message ?? "");
    }
    this.settled(run);
  }
  settle(run, call, code, text, images = []) {
    call.open = false;
    call.result = code ? `Error (${code}): ${text}` : text;
    this.note(run, code ? "tool_call_failed" : "tool_call_completed", { callId: call.id, isError: !!code, errorCode: code, message: text.slice(0, 200), images: images.length });
    this.live(run, "tool_end", { callId: call.id, status: code ? "error" : "ok" });
  }
  settled(run) {
    if (run.ended || run.pending.some((call) => call.result === undefined)) return;
    for (const { id, result } of run.pending) run.history.push({ role: "tool", tool_call_id: id, content: result });
    run.pending = undefined;
    if (run.cancelling) return this.end(run, "run_cancelled", {});
    this.ask(run, run.start.driven ? false : undefined);
  }
  end(run, type, payload) {
    run.ended = true;
    this.note(run, type, { usage: {}, ...payload });
  }
}

function joined(chunks) {
  if (!chunks.some((chunk) => chunk.choices?.[0]?.finish_reason)) return undefined;
  const message = { content: null };
  for (const { choices } of chunks) {
    const { content, tool_calls = [] } = choices?.[0]?.delta ?? {};
    if (content) message.content = (message.content ?? "") + content;
    for (const { index, id, function: said } of tool_calls) {
      message.tool_calls ??= [];
      const call = (message.tool_calls[index] ??= { id, type: "function", function: { name: "", arguments: "" } });
      if (said?.name) call.function.name += said.name;
      if (said?.arguments) call.function.arguments += said.arguments;
    }
  }
  return message;
}
