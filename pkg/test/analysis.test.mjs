// Commands of the shell that rules look into: what a person saw of one is open to it, and loading is not analysing.
// How a command is taken apart is tested with the program; here it is told.

import assert from "node:assert/strict";
import { test } from "node:test";

import { platform } from "../dist/node-platform.js";
import { runtimeOn } from "../dist/runtime.js";
import { all, calls, profile } from "./both.mjs";
import { isolations } from "./shells.mjs";

const shell = profile(["builtin:workspace.shell"]);
const command = (text) => calls(["workspace_shell", { command: text }]);

/** `cat PATH` reads a file; of anything else only the program is known. */
const analysis = (text) => {
  const [program, path] = text.split(" ");
  const reads = program === "cat" ? [{ kind: "read", target: path }] : [];
  return JSON.stringify({ parts: [...reads, { kind: "program", target: text }], complete: true });
};

/** A test in both isolations, with a runtime whose modules take a while to be loaded. */
function analysed(name, slow, body) {
  for (const isolation of Object.keys(isolations)) {
    test(`${name} (${isolation})`, { timeout: 60_000 }, async (t) => {
      const driver = await isolations[isolation]();
      driver.analyze = async (text) => analysis(text);
      const load = async (module) => {
        await new Promise((resolve) => setTimeout(resolve, slow));
        return platform.compile(module);
      };
      const runtime = runtimeOn(driver, isolation, {}, load);
      t.after(() => runtime.close());
      await body(runtime);
    });
  }
}

analysed("a yes to a command with a protected place opens that place to it, and no other", 0, async (runtime) => {
  await runtime.workspace.load({ "output/.env": "KEY=1\n", "output/other/.env": "KEY=2\n" });
  await runtime.permissions.setRules([{ id: "q", effect: "ask", tool: "workspace_shell", pattern: "cat *" }]);
  const answers = ["once", "reject", "session"];
  const asked = [];
  const invocation = await runtime.invocation({
    profile: shell,
    permissions: { mode: "manual" },
    onApproval: ({ action }) => (asked.push(action.parts[0].target.path), answers.shift()),
  });
  const said = async (text) => (await invocation.handle(command(text))).messages.at(-1).content;
  assert.match(await said("cat output/.env"), /KEY=1/);
  assert.doesNotMatch(await said("cat output/.env"), /KEY=1/);
  assert.match(await said("cat output/other/.env"), /KEY=2/);
  // That answer lasts, for this command.
  assert.match(await said("cat output/other/.env"), /KEY=2/);
  assert.deepEqual(asked, ["output/.env", "output/.env", "output/other/.env"]);
  // What nobody saw stays shut.
  assert.doesNotMatch(await said("grep KEY output/.env"), /KEY=1/);
});

analysed("the time of loading the shell is not that of the analysis", 2_600, async (runtime) => {
  await runtime.permissions.setRules([{ id: "d", effect: "deny", tool: "workspace_shell", pattern: "rm *" }]);
  const invocation = await runtime.invocation({ profile: shell, permissions: { mode: "manual" }, onApproval: () => "reject" });
  const events = all(invocation.events()).catch(() => []);
  const { messages } = await invocation.handle(command("echo here"));
  assert.match(messages.at(-1).content, /here/);
  await invocation.cancel();
  // Of a command that could not be taken apart a person would have been asked.
  assert.ok(!(await events).some(({ type }) => type === "approval_request"));
});
