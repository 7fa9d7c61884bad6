// The shell prompt of the playground.

import assert from "node:assert/strict";

import { has, pageTest } from "./in-page.mjs";

/** Enters a command and waits for its end; gives what was printed for it, with the classes of the lines. */
async function enter(page, command) {
  const before = await page.locator("#output > *").count();
  await page.fill("#command", command);
  await page.press("#command", "Enter");
  await page.waitForSelector("#stop", { state: "hidden" });
  const printed = await page.locator("#output > *").evaluateAll((lines) => lines.map(({ className, textContent }) => [className, textContent]));
  return printed.slice(before + 1);
}

const skip = !has("shell");
const ready = (page) => page.waitForSelector("#command:enabled");

pageTest("commands, pipes, errors and statuses", "/www/", async (page) => {
  await ready(page);
  assert.deepEqual(await enter(page, "echo hi | tr a-z A-Z"), [["stdout", "HI\n"]]);
  assert.deepEqual(await enter(page, "echo good; echo bad >&2; exit 3"), [["stdout", "good\n"], ["stderr", "bad\n"], ["status", "exit code 3"]]);
  assert.deepEqual(await enter(page, `echo '{"a":[1,2]}' | jq -c '.a | map(. * 2)'`), [["stdout", "[2,4]\n"]]);
  assert.deepEqual(await enter(page, "printf 'no newline'"), [["stdout", "no newline"]]);
  const [[kind, said], [, status]] = await enter(page, "no-such-thing");
  assert.deepEqual([kind, status], ["stderr", "exit code 127"]);
  assert.match(said, /no-such-thing/);
  assert.deepEqual((await enter(page, "if then")).at(-1), ["status", "exit code 2"]);
}, { skip });

pageTest("the working folder stays from command to command", "/www/", async (page) => {
  await ready(page);
  assert.equal(await page.innerText("#folder"), "/");
  assert.deepEqual(await enter(page, "cd output; pwd"), [["stdout", "/output\n"]]);
  assert.equal(await page.innerText("#folder"), "/output");
  assert.deepEqual(await enter(page, "pwd; mkdir -p deep/er; cd deep/er; exit 0"), [["stdout", "/output\n"]]);
  assert.deepEqual(await enter(page, "x=1; pwd"), [["stdout", "/output/deep/er\n"]]);
  assert.deepEqual(await enter(page, "echo [$x]; cd"),
    [["stdout", "[]\n"]]);
  assert.equal(await page.innerText("#folder"), "/");
  await enter(page, "cd output/deep; rm -r /output/deep");
  assert.deepEqual(await enter(page, "pwd"), [["said", "The folder is gone, so nothing was run; you are at / now."]]);
  assert.deepEqual(await enter(page, "pwd"), [["stdout", "/\n"]]);
}, { skip });

pageTest("what a command does to files is seen at once", "/www/", async (page) => {
  await ready(page);
  await enter(page, "seq 3 > output/numbers.txt");
  await page.click('[data-path="output/numbers.txt"]');
  await page.waitForSelector('#content:has-text("3")');
  await enter(page, "echo 4 >> output/numbers.txt");
  await page.waitForSelector('#content:has-text("4")');
  await enter(page, "rm output/numbers.txt");
  await page.waitForSelector('[data-path="output/numbers.txt"]', { state: "detached" });
}, { skip });

pageTest("earlier commands come back with the arrow keys", "/www/", async (page) => {
  await ready(page);
  await enter(page, "echo one");
  await enter(page, "echo two");
  await page.fill("#command", "echo thr");
  const press = async (key) => {
    await page.press("#command", key);
    return page.inputValue("#command");
  };
  assert.equal(await press("ArrowUp"), "echo two");
  assert.equal(await press("ArrowUp"), "echo one");
  assert.equal(await press("ArrowUp"), "echo one");
  assert.equal(await press("ArrowDown"), "echo two");
  assert.equal(await press("ArrowDown"), "echo thr");
}, { skip });

pageTest("Ctrl+C stops a command, what it printed stays", "/www/", async (page) => {
  await ready(page);
  await page.fill("#command", "echo begun; sleep 20; echo ended");
  await page.press("#command", "Enter");
  await page.waitForSelector('#output .stdout:text("begun")');
  const begun = performance.now();
  await page.press("#command", "Control+c");
  await page.waitForSelector('#output .said:text-is("Stopped.")');
  assert.ok(performance.now() - begun < 3_000);
  assert.deepEqual(await enter(page, "echo next"), [["stdout", "next\n"]]);
}, { skip });
