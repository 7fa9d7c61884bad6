// The playground: what it shows, and that it can be used without a mouse and on a narrow screen.

import assert from "node:assert/strict";

import { pageTest } from "./in-page.mjs";

/** Runs the demo of the page to its end; gives what the screen shows. */
async function demo(page) {
  await page.click("#start:enabled");
  await page.click('.question button:text-is("Allow once")');
  await page.waitForSelector("#end");
  return page.locator("#screen").innerText();
}

pageTest("the demo runs to its end, with its calls, their arguments, results and files", "/www/", async (page) => {
  const text = await demo(page);
  const order = [
    "Round 1", "workspace_list_files", '{"city": "Oslo", "days": ["friday", "saturday", "sunday"],}', "asking for 3 days",
    "arguments repaired", "the whole result is in tool-results/", "error · tool.invalid_arguments · not run", "wrote output/plan.md",
    "May workspace_shell run?", "This tool is set to ask.", "$ cd output", "allowed once, by the reader", "exit code: 0", "changed plan/notes.md", "completed in 11 rounds with 12 calls",
  ];
  let at = 0;
  for (const piece of order) {
    const found = text.indexOf(piece, at);
    assert.ok(found >= 0, `${piece} is missing in: ${text.slice(at)}`);
    at = found;
  }
});

pageTest("the demo over another wire", "/www/?provider=anthropic", async (page) => {
  const text = await demo(page);
  for (const piece of ["workspace_shell", "exit code: 0", "completed in 11 rounds with 12 calls"]) assert.ok(text.includes(piece), text);
});

pageTest("a rejected command over another wire", "/www/?provider=anthropic", async (page) => {
  await page.click("#start:enabled");
  await page.click('.question button:text-is("Reject")');
  await page.waitForSelector("#end");
  assert.match(await page.locator("#screen").innerText(), /Without the command I stop here/);
});

pageTest("nothing runs before the reader answers, and all of it is done with the keyboard", "/www/", async (page) => {
  await page.waitForSelector("#start:enabled");
  await page.focus("#start");
  await page.keyboard.press("Enter");
  const question = page.getByRole("group", { name: "May workspace_shell run?" });
  await question.waitFor();
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);
  assert.equal(await focused(), "May workspace_shell run?");
  // A key that was meant for something else answers nothing.
  await page.keyboard.press("Enter");
  await page.waitForTimeout(200);
  assert.equal(await page.locator('[data-path="output/items.json"]').count(), 0);
  assert.match(await question.innerText(), /\$ cd output\n +jq -R/);
  await page.keyboard.press("Tab");
  // A preview that has to be scrolled is reached, too.
  if ((await focused()) !== "Allow once") await page.keyboard.press("Tab");
  assert.equal(await focused(), "Allow once");
  await page.keyboard.press("Enter");
  await page.waitForSelector('[data-path="output/items.json"]');
  await page.waitForSelector("#end");
  assert.equal(await page.locator(".question button").count(), 0);
});

pageTest("a rejected command does not run, and the model is told", "/www/", async (page) => {
  await page.click("#start:enabled");
  await page.click('.question button:text-is("Reject")');
  await page.waitForSelector("#end");
  const text = await page.locator("#screen").innerText();
  assert.match(text, /rejected, by the reader/);
  assert.match(text, /denied · permission\.rejected · not run/);
  assert.match(text, /Without the command I stop here/);
  assert.equal(await page.locator('[data-path="output/items.json"]').count(), 0);
});

pageTest("arguments are shown while the model writes them", "/www/", async (page) => {
  await page.waitForSelector("#start:enabled");
  const seen = await page.evaluate(() => new Promise((resolve) => {
    const lengths = new Set();
    const look = () => {
      const first = document.querySelectorAll(".call > pre")[1];
      if (first) lengths.add(first.textContent.length);
      document.querySelector(".question button")?.click();
      if (document.querySelector("#end")) resolve(lengths.size);
      else requestAnimationFrame(look);
    };
    document.querySelector("#start").click();
    look();
  }));
  assert.ok(seen >= 3, `seen at ${seen} lengths`);
});

pageTest("files are listed, opened, and come and go with the workspace", "/www/", async (page) => {
  await page.waitForSelector('[data-path="plan/notes.md"]');
  await demo(page);
  await page.click('[data-path="output/shopping.md"]');
  await page.waitForSelector('#path:text-is("output/shopping.md")');
  assert.match(await page.innerText("#content"), /lemonade/i);
  await page.click("#shut");
  assert.ok(await page.isHidden("#viewer"));
  await page.click('button:text-is("wrote output/plan.md")');
  await page.waitForSelector('#content:has-text("# Picnic in Oslo")');
  await page.click("#start");
  await page.waitForSelector('[data-path="output/plan.md"]', { state: "detached" });
  await page.click('.question button:text-is("Allow once")');
  await page.waitForSelector("#end");
  assert.match(await page.innerText("#end"), /^completed/);
});

pageTest("everything is reached with the keyboard", "/www/", async (page) => {
  await page.waitForSelector("#start:enabled");
  const reached = new Set();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.dataset.path));
  }
  for (const wanted of ["start", "screen", "plan/notes.md", "output", "command"]) {
    assert.ok(reached.has(wanted), `${wanted} is not among ${[...reached].join(", ")}`);
  }
});

for (const width of [320, 390, 820, 1280]) {
  pageTest(`nothing sticks out at ${width} pixels`, "/www/", async (page) => {
    await demo(page);
    await page.click('[data-path="output/plan.md"]');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }, { viewport: { width, height: 800 } });
}

