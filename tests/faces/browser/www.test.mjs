// The playground: what it shows, and that it can be used without a mouse and on a narrow screen.

import assert from "node:assert/strict";

import { pageTest } from "./in-page.mjs";

/** Runs the demo of the page to its end; gives what the screen shows. */
async function demo(page) {
  await page.click("#start:enabled");
  await page.waitForSelector("#end");
  return page.locator("#screen").innerText();
}

pageTest("the demo runs to its end, with its calls, their arguments, results and files", "/www/", async (page) => {
  const text = await demo(page);
  const order = [
    "Round 1", "workspace_list_files", '{"city": "Oslo", "days": ["friday", "saturday", "sunday"],}', "asking for 3 days",
    "arguments repaired", "the whole result is in tool-results/", "error · tool.invalid_arguments · not run", "wrote output/plan.md",
    "changed plan/notes.md", "completed in 11 rounds with 12 calls",
  ];
  let at = 0;
  for (const piece of order) {
    const found = text.indexOf(piece, at);
    assert.ok(found >= 0, `${piece} is missing in: ${text.slice(at)}`);
    at = found;
  }
});

pageTest("arguments are shown while the model writes them", "/www/", async (page) => {
  await page.waitForSelector("#start:enabled");
  const seen = await page.evaluate(() => new Promise((resolve) => {
    const lengths = new Set();
    const look = () => {
      const first = document.querySelectorAll(".call > pre")[1];
      if (first) lengths.add(first.textContent.length);
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

