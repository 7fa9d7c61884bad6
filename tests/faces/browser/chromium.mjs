// Chromium without a window, and pages in it that notice what must not happen.

import { chromium } from "playwright-core";

/** Debian's Chromium, or the one that CHROMIUM names; nothing of it calls home. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    ],
  });
}

/**
 * Opens an address in a page. `troubles` fills with what the console calls an error or a warning, uncaught errors,
 * failed requests, and requests to anywhere but the page's own origin.
 */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles = [];
  const { origin } = new URL(address);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => troubles.push(`failed: ${request.url()}: ${request.failure()?.errorText}`));
  context.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== "data:" && protocol !== "blob:") troubles.push(`elsewhere: ${request.url()}`);
  });
  await page.goto(address);
  return { page, troubles };
}
