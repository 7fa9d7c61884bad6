import assert from "node:assert/strict";
import { test } from "node:test";

import { createRuntime } from "handrail";
import { openAiChat, scripted } from "handrail/models";

import { all, calls, profile, says, tool } from "./both.mjs";
import { endpoint, fails, stream, whole } from "./endpoint.mjs";

const chunk = (delta, finish_reason = null) => ({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
const events = (...chunks) => [...chunks.map((one) => `data: ${JSON.stringify(one)}`), "data: [DONE]", ""].join("\n\n");
const request = (signal = new AbortController().signal, stream = true) => ({
  round: 1, codec: "openai-chat", stream, runId: "run_1", invocationId: "inv_1", signal,
  body: { messages: [{ role: "user", content: "Hi" }], tools: [] },
});

test("a request goes out as the endpoint wants it", async (t) => {
  const { baseUrl, asked } = await endpoint(t, whole(says("Hello.")), whole(says("Hello.")));
  const model = openAiChat({ baseUrl, apiKey: "secret", model: "m-1", headers: { "x-team": "7" }, body: { temperature: 0 } });
  assert.deepEqual(JSON.parse(await model.request(request())), says("Hello."));
  const [{ url, headers, body }] = asked;
  assert.equal(url, "/v1/chat/completions");
  assert.equal(headers.authorization, "Bearer secret");
  assert.equal(headers["x-team"], "7");
  assert.deepEqual(body, { messages: [{ role: "user", content: "Hi" }], tools: [], model: "m-1", stream: true, stream_options: { include_usage: true }, temperature: 0 });
  await openAiChat({ baseUrl, model: "m-1" }).request(request(undefined, false));
  assert.equal(asked[1].body.stream, undefined);
  assert.equal(asked[1].headers.authorization, undefined);
});

for (const [how, end] of [["LF", "\n"], ["CRLF", "\r\n"], ["CR", "\r"]]) {
  test(`a stream cut anywhere, with ${how}`, async (t) => {
    const chunks = [chunk({ content: "grüß 😀" }), chunk({ content: " 灯塔" }), chunk({}, "stop")];
    const text = `\ufeff: comment${end}${end}event: x${end}${events(...chunks).replaceAll("\n", end)}`;
    for (const size of [1, 2, 3, 1000]) {
      const { baseUrl } = await endpoint(t, stream(text, size));
      const answer = await openAiChat({ baseUrl, model: "m" }).request(request());
      assert.deepEqual((await all(answer)).map((payload) => JSON.parse(payload)), chunks);
    }
  });
}

test("refusals say what was wrong and whether to ask again", async (t) => {
  const cases = [
    [whole({ error: { message: "no such model" } }, 404), { code: "http_404", retryable: false, message: /404: no such model/ }],
    [whole({ error: { message: "slow down" } }, 429, { "retry-after": "2" }), { code: "http_429", retryable: true, retryAfterMs: 2000 }],
    [whole("overloaded", 503, { "retry-after-ms": "150" }), { retryable: true, retryAfterMs: 150, message: /503: overloaded/ }],
    [whole("", 500, { "retry-after": new Date(Date.now() - 5000).toUTCString() }), { retryable: true, retryAfterMs: 0 }],
    [whole("<html>", 200), { code: "bad_answer", retryable: true }],
    [whole({ error: { code: 402, message: "no credit" } }, 200), { code: "endpoint_error", retryable: false, message: /no credit/ }],
  ];
  for (const [answer, expected] of cases) {
    const { baseUrl } = await endpoint(t, answer);
    await fails(openAiChat({ baseUrl, apiKey: "secret", model: "m" }).request(request()), expected);
  }
  await fails(openAiChat({ baseUrl: "http://127.0.0.1:9", model: "m" }).request(request()), { code: "unreachable", retryable: true, message: /127\.0\.0\.1:9/ });
});

test("a stream that breaks off or reports an error", async (t) => {
  const cut = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk({ content: "a" }))}\n\n`);
    setTimeout(() => response.destroy(), 20);
  };
  const reported = stream(`data: ${JSON.stringify({ error: { code: 502, message: "upstream died" } })}\n\n`, 1000);
  const { baseUrl } = await endpoint(t, cut, reported);
  const model = openAiChat({ baseUrl, model: "m" });
  await fails(all(await model.request(request())), { code: "connection_lost", retryable: true });
  await fails(all(await model.request(request())), { code: "endpoint_error", retryable: true, message: /upstream died/ });
});

test("an aborted request ends as aborted", async (t) => {
  const slow = (response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
  const { baseUrl } = await endpoint(t, slow, () => new Promise(() => undefined));
  for (let round = 0; round < 2; round += 1) {
    const controller = new AbortController();
    const asking = (async () => all(await openAiChat({ baseUrl, model: "m" }).request(request(controller.signal))))();
    setTimeout(() => controller.abort(), 30);
    await assert.rejects(asking, { name: "AbortError" });
  }
});

test("a whole run against an endpoint, with a failure in between", async (t) => {
  const call = { index: 0, id: "c1", type: "function", function: { name: "one", arguments: "{}" } };
  const { baseUrl, asked } = await endpoint(
    t,
    whole({ error: { message: "busy" } }, 503, { "retry-after-ms": "5" }),
    stream(events(chunk({ tool_calls: [call] }), chunk({}, "tool_calls")), 10),
    stream(events(chunk({ content: "It is " }), chunk({ content: "done." }), chunk({}, "stop")), 10),
  );
  const runtime = await createRuntime({ model: openAiChat({ baseUrl, model: "m" }) });
  t.after(() => runtime.close());
  const { toolIds } = await runtime.tools.register(tool("one", () => "the result"));
  const retry = { run: { modelRetry: { maxRetries: 1, intervalMs: 0 } } };
  const run = await runtime.start({ profile: profile(toolIds, retry), input: "Do it." });
  const result = await run.result;
  assert.equal(result.status, "completed", JSON.stringify(result));
  assert.equal(result.text, "It is done.");
  assert.deepEqual(asked.map(({ body }) => body.messages.map(({ role }) => role).join(" ")), ["user", "user", "user assistant tool"]);
});

test("a cancelled run hangs up", async (t) => {
  let closed;
  const gone = new Promise((resolve) => (closed = resolve));
  const { baseUrl, asked } = await endpoint(t, (response) => {
    response.on("close", closed);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
  });
  const runtime = await createRuntime({ isolation: "inline" });
  t.after(() => runtime.close());
  const run = await runtime.start({ model: openAiChat({ baseUrl, model: "m" }), input: "Do it." });
  while (asked.length === 0) await new Promise(setImmediate);
  await run.cancel();
  assert.equal((await run.result).status, "cancelled");
  await gone;
});

test("a recording in every form", async () => {
  const replies = [{ expect: "Hi", ...calls(["one"]) }, { chunks: [chunk({ content: "Bye" }), chunk({}, "stop")] }];
  const capture = events(chunk({ content: "Hello" }), chunk({}, "stop")) + events(chunk({ content: "Bye" }), chunk({}, "stop"));
  const lines = replies.map((reply) => JSON.stringify(reply)).join("\n\n");
  for (const recording of [replies, JSON.stringify(replies), lines]) {
    const model = scripted(recording);
    assert.deepEqual(await model.request(request()), calls(["one"]));
    assert.equal((await all(await model.request(request()))).length, 2);
    await fails(model.request(request()), { code: "recording_mismatch", retryable: false, message: /has 2 replies/ });
  }
  const model = scripted(capture);
  assert.deepEqual((await all(await model.request(request()))).map((text) => JSON.parse(text).choices[0].delta.content), ["Hello", undefined]);
  assert.equal((await all(await model.request(request()))).length, 2);
  assert.throws(() => scripted('{"a":1}\n{oops'), /Line 2 of the recording/);
});

test("a recording that is played to something else says so", async () => {
  const model = scripted([{ expect: ["Hi", "something else"], ...says("x") }]);
  await fails(model.request(request()), { code: "recording_mismatch", message: /Reply 1 .*"something else"/ });
});
