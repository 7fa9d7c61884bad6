import assert from "node:assert/strict";
import { test } from "node:test";

import { JSON_UNITS } from "../dist/limits.js";
import { stringify } from "../dist/stringify.js";

const nested = (depth, leaf = 1) => {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

test("plain data reads as JSON.stringify writes it", () => {
  const values = [
    null, true, 0, -0, 1.5, 1e21, 1e-7, "", "a\"\\\n\u0000\u2028é😀", [], {}, [1, [2, [null]]],
    { a: 1, "b c": [{}], 3: "x", "": 0 }, { a: undefined, b: 1 }, [undefined, 1], new Array(3),
    new Date(0), new Date(NaN), { toJSON: (key) => `key ${key}` }, { in: { toJSON: (key) => `key ${key}` } },
    [{ toJSON: (key) => `key ${key}` }], Object(1), Object("s"), Object(false), Object.create(null),
    new (class Point { x = 1; get y() { return 2; } })(), nested(128), new URL("http://a/b"),
    { [Symbol("s")]: 1, a: 2 }, [[], [[]], {}], { toJSON: () => undefined, a: 1 },
  ];
  for (const value of values) {
    assert.deepEqual(stringify(value), { ok: true, text: JSON.stringify(value), replaced: 0 });
  }
  assert.deepEqual(stringify(undefined), { ok: true, text: undefined, replaced: 0 });
});

test("a member named __proto__ is data", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":null}}');
  assert.equal(stringify(value).text, '{"__proto__":{"a":1},"b":{"__proto__":null}}');
});

test("lone surrogates become U+FFFD, pairs stay", () => {
  const { text, replaced } = stringify({ "k\ud800": "\udc00a\ud83d\ude00\ud83d" });
  assert.equal(text, JSON.stringify({ "k\ufffd": "\ufffda😀\ufffd" }));
  assert.equal(replaced, 3);
});

const cycle = { items: [{}] };
cycle.items[0].up = cycle;
const revoked = Proxy.revocable([], {});
revoked.revoke();
const loud = () => {
  throw new Error("no reading here");
};

for (const [value, message] of [
  [1n, /^value is a BigInt; return a string or number$/],
  [{ items: [0, 1, 2, 3n] }, /^value\.items\[3\] is a BigInt/],
  [{ "a b": { c: Symbol("s") } }, /^value\["a b"\]\.c is a symbol/],
  [() => 1, /^value is a function/],
  [{ f() {} }, /^value\.f is a function/],
  [NaN, /^value is NaN/],
  [[-Infinity], /^value\[0\] is -Infinity/],
  [cycle, /^value\.items\[0\]\.up contains itself/],
  [new Map([[1, 2]]), /^value is a Map; return Object\.fromEntries/],
  [{ s: new Set() }, /^value\.s is a Set/],
  [[Promise.resolve(1)], /^value\[0\] is a Promise; await it/],
  [/a/, /^value is a RegExp/],
  [new Error("x"), /^value is an Error; return its message/],
  [new Uint8Array(3), /^value holds bytes/],
  [{ b: Buffer.from("x") }, /^value\.b holds bytes/],
  [new ArrayBuffer(1), /^value is an ArrayBuffer/],
  [Object(1n), /^value is a BigInt/],
  [nested(129), /nested deeper than 128 levels/],
  [nested(10_000), /nested deeper than 128 levels/],
  [{ get x() { return loud(); } }, /^value\.x cannot be read: no reading here$/],
  [{ a: { toJSON: loud } }, /^value\.a cannot be read: no reading here$/],
  [new Proxy({}, { ownKeys: loud }), /^value cannot be read: no reading here$/],
  [new Proxy({}, { getPrototypeOf: loud }), /cannot be read/],
  [new Proxy({ a: 1 }, { get: (_, key) => (key === "toJSON" ? undefined : loud()) }), /^value\.a cannot be read/],
  [revoked.proxy, /^value cannot be read/],
  [new Proxy([], { get: (list, key) => (key === "length" ? 1e12 : list[key]) }), /more than 64 Mi characters/],
  [new Proxy([], { get: (list, key) => (key === "length" ? Infinity : list[key]) }), /more than 64 Mi characters/],
  [new Array(2 ** 32 - 1), /more than 64 Mi characters/],
  ["x".repeat(JSON_UNITS), /more than 64 Mi characters/],
  ["\u0001".repeat(JSON_UNITS / 4), /more than 64 Mi characters/],
]) {
  test(`refused: ${String(message).slice(1, 60)}`, () => {
    const written = stringify(value);
    assert.equal(written.ok, false);
    assert.match(written.message, message);
    assert.ok(written.message.length < 400, written.message);
  });
}

test("a Proxy that lies about its length is read as far as it goes", () => {
  for (const length of [-1, NaN, "2", 1.5, {}]) {
    const value = new Proxy([7, 8], { get: (list, key) => (key === "length" ? length : list[key]) });
    const written = stringify(value);
    assert.ok(written.ok, written.message);
    assert.ok(["[]", "[7]", "[7,8]"].includes(written.text), written.text);
  }
});

test("the same object in many places is no cycle, and may not grow without bound", () => {
  const shared = { a: 1 };
  assert.equal(stringify([shared, shared]).text, '[{"a":1},{"a":1}]');
  let bomb = "x".repeat(100);
  for (let level = 0; level < 40; level += 1) bomb = [bomb, bomb];
  assert.match(stringify(bomb).message, /more than 64 Mi/);
});

test("large values are written", () => {
  const text = "x".repeat(50 * 1024 * 1024);
  assert.equal(stringify(text).text.length, text.length + 2);
  const list = Array.from({ length: 2_000_000 }, (_, at) => at);
  assert.equal(stringify(list).text, JSON.stringify(list));
});

test("messages name the root they are given", () => {
  assert.equal(stringify({ traits: { x: 1n } }, "registration").message, "registration.traits.x is a BigInt; return a string or number");
});
