// The other wire formats through the whole package: Anthropic's messages and the neutral one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createRuntime } from "handrail";
import { anthropic, scripted } from "handrail/models";

import { all, both, profile, tool } from "./both.mjs";
import { endpoint, fails, stream, whole } from "./endpoint.mjs";

const message = (content, stop_reason = "end_turn") => ({
  id: "msg_1", type: "message", role: "assistant", model: "m", content, stop_reason, stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
});
const text = (text) => ({ type: "text", text });
const use = (id, name, input = {}) => ({ type: "tool_use", id, name, input });

/** The events of a message's stream. */
function eventsOf({ content, stop_reason, usage, ...rest }) {
  const blocks = content.flatMap((block, index) => {
    const { input, text, ...head } = block;
    const opened = { ...head, ...(input && { input: {} }), ...(text !== undefined && { text: "" }) };
    const delta = (delta) => ({ type: "content_block_delta", index, delta });
    const pieces = (text ?? JSON.stringify(input) ?? "").match(/.{1,3}/gsu) ?? [];
    return [
      { type: "content_block_start", index, content_block: opened },
      ...pieces.map((piece) => delta(input ? { type: "input_json_delta", partial_json: piece } : { type: "text_delta", text: piece })),
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: { ...rest, content: [], stop_reason: null, usage } },
    { type: "ping" },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ];
}

const sse = (events, end = "\n") => events.map((event) => `event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`).join("");

const request = (stream = true) => ({
  round: 1, codec: "anthropic", stream, runId: "run_1", invocationId: "inv_1", signal: new AbortController().signal,
  body: { system: [text("Be kind.")], messages: [{ role: "user", content: [text("Hi")] }] },
});

test("a request goes out as Anthropic wants it", async (t) => {
  const { baseUrl, asked } = await endpoint(t, whole(message([])), whole(message([])), whole(message([])));
  const model = anthropic({ baseUrl, apiKey: "secret", model: "m-1", headers: { "x-team": "7" }, body: { temperature: 0 } });
  assert.deepEqual([model.codec, model.name], ["anthropic", "m-1"]);
  assert.deepEqual(JSON.parse(await model.request(request())), message([]));
  const [{ url, headers, body }] = asked;
  assert.equal(url, "/v1/messages");
  assert.deepEqual([headers["x-api-key"], headers["anthropic-version"], headers["x-team"]], ["secret", "2023-06-01", "7"]);
  assert.deepEqual(body, { ...request().body, model: "m-1", max_tokens: 8192, stream: true, temperature: 0 });
  // The address may lack the version, and everything else may be said otherwise.
  const other = anthropic({ baseUrl: baseUrl.replace(/\/v1\/$/, ""), model: "m-1", maxTokens: 100, version: "2030-01-01" });
  await other.request(request(false));
  assert.deepEqual([asked[1].url, asked[1].body.stream, asked[1].body.max_tokens], ["/v1/messages", undefined, 100]);
  assert.deepEqual([asked[1].headers["x-api-key"], asked[1].headers["anthropic-version"]], [undefined, "2030-01-01"]);
  const urls = [];
  const caught = { fetch: async (url) => (urls.push(url), Response.json(message([]))) };
  await anthropic({ model: "m", ...caught }).request(request());
  assert.deepEqual(urls, ["https://api.anthropic.com/v1/messages"]);
});

test("refusals of Anthropic say whether to ask again", async (t) => {
  const error = (type, message = "no") => ({ type: "error", error: { type, message } });
  const told = (type) => stream(sse([...eventsOf(message([text("Hm")])).slice(0, 3), error(type)]), 7);
  const { baseUrl } = await endpoint(
    t,
    whole(error("overloaded_error", "Overloaded"), 529, { "retry-after": "7" }),
    whole(error("rate_limit_error"), 429),
    whole(error("invalid_request_error", "max_tokens: too large"), 400),
    whole(error("authentication_error"), 401),
    told("overloaded_error"),
    told("invalid_request_error"),
  );
  const model = anthropic({ baseUrl, model: "m" });
  await fails(model.request(request()), { code: "http_529", retryable: true, retryAfterMs: 7000, message: /529: Overloaded/ });
  await fails(model.request(request()), { code: "http_429", retryable: true });
  await fails(model.request(request()), { code: "http_400", retryable: false, message: /max_tokens: too large/ });
  await fails(model.request(request()), { code: "http_401", retryable: false });
  await fails(all(await model.request(request())), { code: "endpoint_error", retryable: true });
  await fails(all(await model.request(request())), { code: "endpoint_error", retryable: false });
});

test("a whole run against an endpoint of Anthropic's, overloaded in between", async (t) => {
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const reply = message([{ type: "redacted_thinking", data: "eHl6" }, text("Hm."), use("toolu_1", "one", { x: "grüß 😀 灯塔" })], "tool_use");
  const { baseUrl, asked } = await endpoint(
    t,
    whole(error, 529, { "retry-after-ms": "1" }),
    stream(sse([...eventsOf(reply).slice(0, 4), error]), 9),
    // Every byte by itself: no letter may be lost on a cut.
    stream(sse(eventsOf(reply), "\r\n"), 1),
    stream(sse(eventsOf(message([text("It is done.")]))), 10),
  );
  const runtime = await createRuntime({ model: anthropic({ baseUrl, model: "m" }) });
  t.after(() => runtime.close());
  let seen;
  const { toolIds } = await runtime.tools.register(tool("one", ({ x }) => (seen = x)));
  const retry = { run: { modelRetry: { maxRetries: 2, intervalMs: 0 } } };
  const run = await runtime.start({ profile: profile(toolIds, retry), system: "Be kind.", input: "Do it." });
  const result = await run.result;
  assert.equal(result.status, "completed", JSON.stringify(result));
  assert.deepEqual([result.text, seen], ["It is done.", "grüß 😀 灯塔"]);
  const { system, messages, tools } = asked.at(-1).body;
  assert.deepEqual(system, [text("Be kind.")]);
  assert.equal(tools[0].name, "one");
  assert.deepEqual(messages, [
    { role: "user", content: [text("Do it.")] },
    { role: "assistant", content: reply.content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "grüß 😀 灯塔" }] },
  ]);
});

both("a run without tools keeps its system prompt", async (open) => {
  const runtime = await open();
  const bodies = [];
  const replies = [message([]), message([text("Let me see.")], "pause_turn"), message([text("Done.")])];
  const model = { codec: "anthropic", request: async ({ body }) => (bodies.push(body), replies.shift()) };
  const run = await runtime.start({ model, profile: profile([]), system: "Be kind.", input: "Go." });
  assert.equal((await run.result).text, "Done.");
  for (const body of bodies) assert.deepEqual([body.system, body.tools], [[text("Be kind.")], undefined]);
  const shapes = bodies.map(({ messages }) => messages.map(({ role, content }) => `${role} ${content.length}`).join(", "));
  assert.deepEqual(shapes, ["user 1", "user 2", "user 2, assistant 1"]);
});

both("a loop of one's own with Anthropic, in every form a reply comes in", async (open) => {
  const runtime = await open();
  await runtime.tools.register(tool("one", ({ n }) => `got ${n}`, { inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } }));
  const invocation = await runtime.invocation({ provider: "anthropic" });
  const { name, input_schema, description } = invocation.tools().at(-1);
  assert.deepEqual([name, input_schema.type, description], ["one", "object", "The tool one."]);
  const bytes = (text, size) => {
    const all = new TextEncoder().encode(text);
    return new ReadableStream({
      start(controller) {
        for (let at = 0; at < all.length; at += size) controller.enqueue(all.slice(at, at + size));
        controller.close();
      },
    });
  };
  const forms = [
    (reply) => reply,
    (reply) => JSON.stringify(reply),
    (reply) => eventsOf(reply),
    (reply) => [sse(eventsOf(reply))],
    (reply) => bytes(sse(eventsOf(reply)), 1),
    (reply) => new Response(bytes(sse(eventsOf(reply), "\r\n"), 5)),
  ];
  for (const [at, form] of forms.entries()) {
    const content = [{ type: "thinking", thinking: "ü", signature: "s" }, text("Grüß 灯"), use(`toolu_${at}`, "one", { n: at }), use(`toolu_${at}b`, "one")];
    const { messages, done } = await invocation.handle(form(message(content, "tool_use")));
    assert.equal(done, false);
    assert.deepEqual(messages[0], { role: "assistant", content });
    const [good, bad] = messages[1].content;
    assert.deepEqual([messages.length, messages[1].role], [2, "user"]);
    assert.deepEqual(good, { type: "tool_result", tool_use_id: `toolu_${at}`, content: `got ${at}` });
    assert.deepEqual([bad.tool_use_id, bad.is_error], [`toolu_${at}b`, true]);
    assert.match(bad.content, /`n` is required/);
  }
  const paused = await invocation.handle(message([text("Let me see.")], "pause_turn"));
  assert.deepEqual(paused, { messages: [{ role: "assistant", content: [text("Let me see.")] }], done: false });
  assert.deepEqual(await invocation.handle(message([text("Done.")])), { messages: [{ role: "assistant", content: [text("Done.")] }], done: true });
  await invocation.cancel();
});

both("what Anthropic's stream may come to", async (open) => {
  const runtime = await open();
  await runtime.tools.register(tool("one", () => "done"));
  const invocation = await runtime.invocation({ provider: "anthropic" });
  const events = eventsOf(message([use("toolu_1", "one", { __proto: 1 })], "tool_use"));
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const start = events.find(({ type }) => type === "content_block_start");
  const cases = [
    [events.slice(0, -1), "model.reply_incomplete"],
    [[...events.slice(0, 4), error], "model.reply_incomplete"],
    [error, "model.reply_incomplete"],
    [events.flatMap((event) => (event === start ? [start, start] : [event])), "model.invalid_tool_call"],
    [events.filter((event) => event !== start), "model.invalid_tool_call"],
    [{ ...message([]), content: "text" }, "model.invalid_tool_call"],
    [eventsOf(message([text("Half a")], "max_tokens")), "model.output_truncated"],
    ["event: x\ndata: {oops\n\n", "model.invalid_reply"],
  ];
  for (const [reply, code] of cases) {
    await assert.rejects(invocation.handle(typeof reply === "string" ? [reply] : reply), { code });
  }
  // Broken arguments are the model's to mend; strangers and a huge index change nothing.
  const broken = events.filter(({ type }) => type !== "content_block_stop").map((event) => ({ ...event, ...("index" in event && { index: 2 ** 53 }) }));
  broken.splice(2, 0, { type: "telepathy", index: 0 }, JSON.parse('{"__proto__":{"type":"message_stop"},"type":"ping"}'));
  const at = broken.findLastIndex(({ type }) => type === "content_block_delta");
  broken.splice(at, 1);
  const { messages } = await invocation.handle(broken);
  assert.deepEqual(messages[0].content, [use("toolu_1", "one")]);
  assert.equal(messages[1].content[0].is_error, true);
  assert.match(messages[1].content[0].content, /cut off/);
  const proto = eventsOf(message([use("toolu_2", "one")], "tool_use"));
  proto.splice(3, 1, { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"__proto__": {"a": 1}}' } });
  const turn = await invocation.handle(proto);
  assert.equal(turn.messages[1].content[0].content, "done");
  assert.equal({}.a, undefined);
});

both("images go where Anthropic wants them", async (open) => {
  const runtime = await open();
  const png = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
  const look = (_, context) => {
    context.attachImage(png);
    return { content: [{ type: "text", text: "Look:" }, { type: "image", image: 0 }] };
  };
  await runtime.tools.register(tool("good", look, { returns: "blocks", returnsImages: true }));
  const invocation = await runtime.invocation({ provider: "anthropic", images: true });
  const { messages: [, { content }] } = await invocation.handle({ content: [use("b", "good")], stop_reason: "tool_use" });
  const data = btoa(String.fromCharCode(...png));
  const source = { type: "base64", media_type: "image/png", data };
  assert.deepEqual(content, [{ type: "tool_result", tool_use_id: "b", content: [text("Look:"), { type: "image", source }] }]);
  await invocation.cancel();
  const neutral = await runtime.invocation({ provider: "neutral", images: true });
  const parts = [{ type: "call", id: "b", name: "good" }];
  const { messages } = await neutral.handle({ parts, stop: "calls" });
  const [, image] = messages[1].parts;
  assert.deepEqual([image.type, image.mimeType], ["image", "image/png"]);
  assert.deepEqual(await runtime.workspace.read(image.path), png);
});

both("a loop of one's own without any provider", async (open) => {
  const runtime = await open();
  await runtime.tools.register(tool("one", () => "done"));
  const invocation = await runtime.invocation({ provider: "neutral" });
  assert.deepEqual(invocation.tools().at(-1), { name: "one", description: "The tool one.", inputSchema: { type: "object", properties: {} } });
  const call = { type: "call", name: "one", args: "{}" };
  const wholly = await invocation.handle({ parts: [text("Hm."), call], stop: "calls" });
  assert.deepEqual(wholly, {
    done: false,
    messages: [
      { role: "assistant", parts: [text("Hm."), { type: "call", id: "c1-0", name: "one", args: {} }] },
      { role: "tool", id: "c1-0", name: "one", isError: false, parts: [text("done")] },
    ],
  });
  const streamed = await invocation.handle([{ text: "Hm." }, { index: 0, name: "two" }, { index: 0, argsText: "{}" }, { done: true, stop: "calls" }]);
  assert.deepEqual([streamed.messages[0].parts[0], streamed.messages[1].isError], [text("Hm."), true]);
  await assert.rejects(invocation.handle([{ text: "Hm." }]), { code: "model.reply_incomplete" });
  assert.deepEqual(await invocation.handle({ parts: [], stop: "end" }), { done: true, messages: [] });
});

test("recordings of Anthropic's", async () => {
  const replies = [message([text("Hello")]), message([text("Bye")])];
  const streams = replies.map((reply) => ({ chunks: eventsOf(reply) }));
  for (const recording of [replies, streams, JSON.stringify(streams), streams.map((reply) => JSON.stringify(reply)).join("\n"), replies.map((reply) => sse(eventsOf(reply))).join("")]) {
    const model = scripted(recording);
    assert.equal(model.codec, "anthropic");
    for (const reply of replies) {
      const answer = await model.request(request());
      const given = answer.type ? answer : await all(answer);
      assert.deepEqual(answer.type ? given : given.map((event) => (typeof event === "string" ? JSON.parse(event) : event)), answer.type ? reply : eventsOf(reply));
    }
    await fails(model.request(request()), { code: "recording_mismatch", message: /has 2 replies/ });
  }
  assert.equal(scripted([{ parts: [] }]).codec, "neutral");
  assert.equal(scripted([], { codec: "anthropic" }).codec, "anthropic");
  assert.equal(scripted([]).codec, "openai-chat");
});
