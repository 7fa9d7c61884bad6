// Turns what `wbg --target no-modules` writes for a program module into a factory, so that several instances of one
// module live side by side and no instance reaches anything but what it is given:
//
//   node scripts/factory.mjs IN.js OUT.mjs
//
// OUT exports `instantiate(port, setTimeout, clearTimeout)`. It gives the exports of the module, and `init({ module })`,
// which takes a compiled WebAssembly.Module and has to be awaited first. `initSync({ module })` does the same at once, where
// that is allowed: the main thread of a page refuses it for a large module.
import { readFileSync, writeFileSync } from "node:fs";

const HEAD = "let wasm_bindgen = (function(exports) {";
const TAIL = "return Object.assign(__wbg_init, { initSync }, exports);\n})({ __proto__: null });";

// The names that the text of wasm-bindgen looks up in the global scope stand here as constants of the factory.
const BEFORE = `// Made by scripts/factory.mjs from the output of wasm-bindgen.
const AmbientDate = globalThis.Date;

export const instantiate = (port, setTimeout, clearTimeout) => {
  // The only clock is the port's.
  const Date = class extends AmbientDate {
    constructor(...parts) {
      super(...(parts.length === 0 ? [port.now()] : parts));
    }
    static now() {
      return port.now();
    }
  };
  const performance = { now: () => port.now() };
  // The only randomness is the module's own, from the seed of its command. Asking for it may grow the memory,
  // which leaves the view that was handed over without a buffer.
  let memory;
  const crypto = {
    getRandomValues(view) {
      const { byteOffset, length } = view;
      const bytes = exported.random(length);
      new Uint8Array(memory.buffer, byteOffset, length).set(bytes);
      return view;
    },
  };
  const globalThis = { Date, performance, crypto };
  const [document, global, self, window, fetch] = [];
  // Nothing of an instance may run after its death; what it leaves is freed with its memory.
  const FinalizationRegistry = undefined;
  const exported = (function(exports) {`;
const AFTER = `return exports;
  })({ __proto__: null });
  return exported;
};
`;

const [input, output] = process.argv.slice(2);
if (!output) {
  console.error("usage: node scripts/factory.mjs IN.js OUT.mjs");
  process.exit(2);
}
const text = readFileSync(input, "utf8").trim();
if (!text.startsWith(HEAD) || !text.endsWith(TAIL)) {
  console.error(`${input} does not look like the output of wbg --target no-modules.`);
  process.exit(1);
}
const body = text.slice(HEAD.length, -TAIL.length);
const init = `const begun = (instance) => {
        memory = instance.memory;
        return instance;
    };
    exports.initSync = (source) => begun(initSync(source));
    exports.init = async ({ module }) => begun(await __wbg_init({ module_or_path: module }));
    `;
writeFileSync(output, BEFORE + body + init + AFTER);
