import assert from "node:assert/strict";

import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

import { both, calls, profile, results, tool } from "./both.mjs";

const trip = z.object({
  city: z.string().min(2).describe("Where to."),
  days: z.number().int().default(3),
  when: z.string().optional().transform((text) => (text ? new Date(text).getUTCFullYear() : undefined)),
});

both("zod: the model sees its schema, the function gets its output", async (open) => {
  const runtime = await open();
  const seen = [];
  const { toolIds } = await runtime.tools.register(tool("trip", (args) => (seen.push(args), "done"), { inputSchema: trip }));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const [{ function: { parameters } }] = invocation.tools();
  assert.equal(parameters.properties.city.description, "Where to.");
  assert.deepEqual(parameters.required, ["city"]);
  const turn = await invocation.handle(calls(["trip", { city: "Oslo", when: "2027-05-17" }, "c1"], ["trip", { city: "Bergen" }, "c2"]));
  assert.equal(results(turn).c1, "done");
  assert.deepEqual(seen, [{ city: "Oslo", days: 3, when: 2027 }, { city: "Bergen", days: 3 }]);
});

both("what only the validator knows becomes a result the model can act on", async (open) => {
  const runtime = await open();
  let ran = 0;
  const even = z.object({ rows: z.array(z.object({ n: z.number().refine((n) => n % 2 === 0, "must be even") })) });
  const { toolIds } = await runtime.tools.register(tool("even", () => ((ran += 1), "done"), { inputSchema: even }));
  const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go" });
  const turn = await invocation.handle(calls(["even", { rows: [{ n: 2 }, { n: 3 }] }, "c1"], ["even", { rows: Array(9).fill({ n: 1 }) }, "c2"]));
  const { c1, c2 } = results(turn);
  assert.match(c1, /^Error \(.*The arguments were not accepted; correct them and call again\./s);
  assert.match(c1, /`rows\[1\]\.n`: must be even\./);
  assert.match(c2, /There are 4 more problems\./);
  assert.equal(ran, 0);
});

both("arktype and valibot", async (open) => {
  const runtime = await open();
  const registered = await runtime.tools.register([
    tool("ark", ({ n }) => n + 1, { inputSchema: type({ n: "number > 1" }) }),
    tool("vali", ({ n }) => n + 1, {
      inputSchema: v.pipeAsync(v.objectAsync({ n: v.number() }), v.checkAsync(async ({ n }) => n > 1, "n is too small")),
      jsonSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    }),
  ]);
  const invocation = await runtime.invocation({ profile: profile(registered.toolIds), input: "go" });
  const turn = await invocation.handle(calls(["ark", { n: 2 }, "c1"], ["vali", { n: 2 }, "c2"], ["vali", { n: 1 }, "c3"]));
  assert.equal(results(turn).c1, "3");
  assert.equal(results(turn).c2, "3");
  assert.match(results(turn).c3, /n is too small/);
});

both("a validator that cannot describe itself asks for a JSON Schema", async (open) => {
  const runtime = await open();
  for (const inputSchema of [v.object({ n: v.number() }), z.object({ when: z.date() })]) {
    await assert.rejects(runtime.tools.register(tool("mute", () => 1, { inputSchema })), ({ code, message }) => {
      assert.equal(code, "extension.registration_invalid");
      assert.match(message, /test:mute/);
      return /jsonSchema/.test(message);
    });
  }
});
