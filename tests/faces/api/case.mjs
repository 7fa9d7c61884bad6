// Reading the parts that all case files share, and comparing by their rules: src/testing/case.rs in JavaScript, for
// the topics that go through the public API. Every check throws an Error that says what differs.

export const passed = { verdict: "passed", text: "" };
export const skipped = (text) => ({ verdict: "skipped", text });

/** A Text: a string, or `{"parts": [[piece, count], …]}`. */
export function text(value) {
  if (typeof value === "string") return value;
  return value.parts.map(([piece, times]) => piece.repeat(times)).join("");
}

const short = (value) => {
  const shown = typeof value === "string" ? value : JSON.stringify(value) ?? "nothing";
  return shown.length > 600 ? `${shown.slice(0, 600)}…` : shown;
};

/** The bytes that hexadecimal digits name. */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

/** The bytes as hexadecimal digits. */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Two JSON values must be equal; member order is free, `__proto__` is a key like any other. */
export function sameJson(what, actual, expected) {
  if (!equal(actual, expected)) throw new Error(`${what}: expected ${short(expected)}, got ${short(actual)}`);
}

function equal(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(own(a, key), own(b, key)));
}

const own = (object, key) => Object.getOwnPropertyDescriptor(object, key)?.value;

/** Every member that `expect` lists must be equal in `actual`; members it does not list are free. */
export function pins(actual, expect) {
  for (const key of Object.keys(expect)) sameJson(key, own(actual, key) ?? null, own(expect, key));
}

/** The integers a text states, thousands separators removed. */
function numbers(shown) {
  return (shown.match(/\d+(?:,\d+)*/g) ?? []).map((digits) => digits.replaceAll(",", ""));
}

/** Checks the pins `contains`, `absent`, `once`, `numbers`, `text` and `nonEmpty` on a text for the model. */
export function checkText(shown, expect) {
  const fail = (problem) => {
    throw new Error(`${problem}: ${short(shown)}`);
  };
  for (const piece of (expect.contains ?? []).map(text)) {
    if (!shown.includes(piece)) fail(`the text lacks ${short(piece)}`);
  }
  for (const piece of (expect.absent ?? []).map(text)) {
    if (shown.includes(piece)) fail(`the text must not hold ${short(piece)}`);
  }
  for (const piece of (expect.once ?? []).map(text)) {
    if (shown.split(piece).length !== 2) fail(`the text must hold ${short(piece)} exactly once`);
  }
  for (const number of expect.numbers ?? []) {
    if (!numbers(shown).includes(String(number))) fail(`the text does not state ${number}`);
  }
  if (expect.text !== undefined && shown !== text(expect.text)) fail(`expected the text ${short(text(expect.text))}, got`);
  if (expect.nonEmpty === true && shown.trim() === "") fail("the text is blank");
}
