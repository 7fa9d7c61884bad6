import assert from "node:assert/strict";
import { test } from "node:test";

import { Timers } from "../dist/timers.js";

function clock(t) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000 });
  const ticks = [];
  const timers = new Timers(() => ticks.push(Date.now()));
  return { timers, ticks, pass: (ms) => t.mock.timers.tick(ms) };
}

test("each due time gives a tick, together where they are one", (t) => {
  const { timers, ticks, pass } = clock(t);
  timers.set("a", 1_300);
  timers.set("b", 1_100);
  timers.set("c", 1_100);
  pass(99);
  assert.deepEqual(ticks, []);
  pass(1);
  assert.deepEqual(ticks, [1_100]);
  pass(199);
  assert.deepEqual(ticks, [1_100]);
  pass(1);
  assert.deepEqual(ticks, [1_100, 1_300]);
});

test("what is cancelled gives none; what is set again moves", (t) => {
  const { timers, ticks, pass } = clock(t);
  timers.set("a", 1_100);
  timers.set("b", 1_200);
  timers.cancel("a");
  timers.set("b", 1_500);
  pass(400);
  assert.deepEqual(ticks, []);
  pass(100);
  assert.deepEqual(ticks, [1_500]);
  timers.set("c", 1_600);
  timers.clear();
  pass(1_000);
  assert.deepEqual(ticks, [1_500]);
});

test("what is due already gives a tick at once", (t) => {
  const { timers, ticks, pass } = clock(t);
  timers.set("a", 5);
  assert.deepEqual(ticks, []);
  pass(0);
  pass(1);
  assert.equal(ticks.length, 1);
});

test("a time farther away than setTimeout reaches", (t) => {
  const { timers, ticks, pass } = clock(t);
  const far = 2 ** 31 + 5_000;
  timers.set("far", 1_000 + far);
  pass(2 ** 31 - 1);
  assert.deepEqual(ticks, []);
  pass(5_000);
  assert.deepEqual(ticks, []);
  pass(1);
  assert.deepEqual(ticks, [1_000 + far]);
});
