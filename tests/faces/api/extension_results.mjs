// What a function's result or failure comes to.

import { checkText, passed, pins, sameJson } from "./case.mjs";
import { Replay } from "./replay.mjs";

/** The smallest image there is: one pixel. */
const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0));

export async function run({ returns, throws, attached = 0 }, expect, host) {
  return Replay.run(host, async (replay) => {
    const execute = (_, { attachImage }) => {
      for (let image = 0; image < attached; image += 1) attachImage(PIXEL);
      if (throws !== undefined) throw new Error(throws);
      return returns.undefined ? undefined : JSON.parse(returns.json);
    };
    const { toolIds } = await replay.runtime.tools.register({
      extensionId: "case", name: "tool", description: "A tool.", inputSchema: { type: "object" },
      returnsImages: attached > 0, execute,
    });
    await replay.begin(toolIds, { images: true });
    const { isError, errorCode, structured, content, images, shown } = await replay.call("tool", {});
    const { structuredJson, contains, text, ...rest } = expect;
    pins({ isError, code: errorCode, images: images.length }, rest);
    checkText(content, { contains, text });
    checkText(shown, { contains: [...(contains ?? []), ...(text === undefined ? [] : [text])] });
    if (structuredJson !== undefined) sameJson("structured", structured, JSON.parse(structuredJson));
    return passed;
  });
}
