// Endpoints for the tests of models: a server that answers as it is told.

import assert from "node:assert/strict";
import { createServer } from "node:http";

import { ModelError } from "handrail/models";

/** An endpoint that answers each request with the next of these functions. */
export async function endpoint(t, ...answers) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push({ url: request.url, headers: request.headers, body: JSON.parse(body) });
    await answers.shift()(response, request);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  return { baseUrl: `http://127.0.0.1:${server.address().port}/v1/`, asked };
}

/** An answer in one piece. */
export const whole = (body, status = 200, headers = {}) => (response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
};

/** A stream whose bytes come so many at a time. */
export const stream = (text, size) => async (response) => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise(setImmediate);
  }
  response.end();
};

/** The promise rejects with a `ModelError` that has these members. */
export const fails = async (promise, expected) => {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ModelError, String(error));
    for (const [key, value] of Object.entries(expected)) {
      if (value instanceof RegExp) assert.match(error[key], value);
      else assert.deepEqual(error[key], value, key);
    }
    return true;
  });
};
