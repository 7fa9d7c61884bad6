// Commands that rules look into: they are taken apart before they run, by the shell itself.

import assert from "node:assert/strict";

import { all, both, calls, results } from "./both.mjs";

const files = { "output/a.md": "a", "output/kept/b.md": "b" };
const run = async (invocation, command, more = {}) =>
  results(await invocation.handle(calls(["workspace_shell", { command, ...more }, `c${(run.count = (run.count ?? 0) + 1)}`])))[`c${run.count}`];

both("a deny rule about a part denies the whole, before anything of it runs", async (open) => {
  const runtime = await open({ workspace: files });
  await runtime.permissions.setRules([
    { id: "rm", effect: "deny", action: "shell:program", pattern: "rm" },
    { id: "kept", effect: "deny", action: "shell:write", pattern: "output/kept/*" },
    { id: "root", effect: "deny", pattern: "ls -R*" },
  ]);
  const invocation = await runtime.invocation();
  for (const command of [
    "touch output/new && rm output/a.md",
    "git status; rm x",
    "for f in output/*; do rm \"$f\"; done",
    "echo $(rm output/a.md)",
    "ls output | xargs rm",
    "bash -c 'echo a; rm output/a.md'",
    "touch output/new; echo x > output/kept/b.md",
    "cd output; touch new; echo x > kept/b.md",
    "touch output/new; ls -R / | head",
  ]) {
    assert.match(await run(invocation, command), /permission\.rule_denied/, command);
  }
  assert.match(await run(invocation, "touch new; echo x > kept/b.md", { workdir: "/output" }), /permission\.rule_denied/);
  assert.deepEqual(await runtime.workspace.toFolder().then((folder) => Object.keys(folder).filter((path) => path.startsWith("output/"))), Object.keys(files));
  // What no rule is about runs.
  assert.match(await run(invocation, "cat output/kept/b.md && ls output"), /b\n?a\.md\nkept/);
});

both("where a command can be seen through rules allow it; where not, a person is asked", async (open) => {
  const asked = [];
  const runtime = await open({ workspace: files, onApproval: ({ action, preview }) => (asked.push([preview.command, action.parts?.length]), "once") });
  await runtime.permissions.setRules([{ id: "ls", effect: "allow", action: "shell:program", pattern: "ls" }]);
  const invocation = await runtime.invocation({ permissions: { mode: "manual" } });
  assert.match(await run(invocation, "ls output | head -n 1"), /a\.md/);
  assert.deepEqual(asked, []);
  assert.match(await run(invocation, "x=ls; $x output"), /a\.md/);
  assert.match(await run(invocation, "node -e 'console.log(7)'"), /7/);
  assert.equal(asked.length, 2);
  // What cannot be parsed cannot be seen through either; the shell says what is wrong with it.
  assert.match(await run(invocation, "if true; then"), /syntax error/);
  assert.equal(asked.length, 3);
});

both("without a rule that looks into the shell nothing is taken apart", async (open) => {
  const runtime = await open({ workspace: files });
  await runtime.permissions.setRules([{ id: "r", effect: "deny", tool: "workspace_write_file", pattern: "output/*" }]);
  const invocation = await runtime.invocation();
  const events = all(invocation.events());
  assert.match(await run(invocation, "rm output/a.md; echo done"), /done/);
  await invocation.cancel();
  const states = (await events).filter(({ payload }) => payload.state === "awaiting_review");
  assert.deepEqual(states, []);
});
