// Images of tools, before a model that takes none.

import assert from "node:assert/strict";

import { both, calls, profile, results, tool } from "./both.mjs";

const png = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));

both("a model that takes no images reads in their place that they are left out, and the files are there", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(
    tool("look", (_, { attachImage }) => {
      attachImage(png);
      return { content: [{ type: "text", text: "before" }, { type: "image", image: 0 }, { type: "text", text: "after" }] };
    }, { returns: "blocks" }),
  );
  const shown = {};
  for (const images of [false, true]) {
    const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go", images });
    shown[images] = await invocation.handle(calls(["look", {}, "c1"]));
    await invocation.cancel();
  }
  assert.equal(results(shown.false).c1, "before\n\n[Image left out: this model takes no images.]\n\nafter");
  assert.ok(JSON.stringify(shown.true.messages).includes(`data:image/png;base64,${btoa(String.fromCharCode(...png))}`));
  const stored = (await runtime.workspace.list("tool-results")).filter(({ path }) => path.endsWith("-img-1.png"));
  assert.equal(stored.length, 2);
  for (const { path } of stored) assert.deepEqual(await runtime.workspace.read(path), png);
});

both("a tool that returns images is listed, also where a model is not offered it", async (open) => {
  const runtime = await open();
  const { toolIds } = await runtime.tools.register(tool("look", () => "nothing", { returnsImages: true }));
  const offered = async (images) => {
    const invocation = await runtime.invocation({ profile: profile(toolIds), input: "go", images });
    const names = invocation.tools().map((one) => one.function.name);
    const listed = (await runtime.tools.list({ context: "session" })).tools.filter(({ id }) => id === toolIds[0]);
    await invocation.cancel();
    return [names, listed.map(({ traits }) => traits.returnsImages)];
  };
  assert.deepEqual(await offered(false), [[], [true]]);
  assert.deepEqual(await offered(true), [["look"], [true]]);
});
