// What a person at a terminal sees and types.

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";

import { Approver } from "../dist/cli/approver.js";

const request = (more = {}) => ({
  approvalId: "approval_1", callId: "c", toolId: "builtin:workspace.shell", alias: "workspace_shell", title: "Run command", summary: "Run ls",
  reason: "A rule asks.", action: { name: "x", target: { command: "ls" }, remember: true }, preview: { kind: "command", command: "ls", cwd: null },
  answers: ["once", "turn", "session", "reject"], deadline: 0, suggestions: [], ...more,
});

function seat() {
  const input = new PassThrough();
  const output = new PassThrough();
  let seen = "";
  output.on("data", (text) => (seen += text));
  const approver = new Approver({ input, output });
  const ask = (more, signal = new AbortController().signal) => approver.answer(request(more), { runId: "r", signal });
  return { ask, input, seen: () => seen };
}

for (const [typed, answer] of [["o", "once"], ["YES ", "once"], ["s", "once"], ["r", "reject"], ["", "reject"], ["never mind", "reject"]]) {
  test(`typed ${JSON.stringify(typed)}`, async () => {
    const { ask, input } = seat();
    const asked = ask();
    input.write(`${typed}\n`);
    assert.deepEqual(await asked, { answer, by: "terminal" });
  });
}

test("the same is asked once for the session, where that is offered", async () => {
  const { ask, input, seen } = seat();
  const first = ask();
  input.write("s\n");
  await first;
  assert.deepEqual(await ask(), { answer: "once", by: "terminal" });
  const other = ask({ action: { name: "x", target: { command: "rm" }, remember: true } });
  input.write("r\n");
  assert.equal((await other).answer, "reject");
  const critical = ask({ answers: ["once", "reject"] });
  input.write("s\n");
  assert.equal((await critical).answer, "once");
  const again = ask({ answers: ["once", "reject"] });
  input.write("\n");
  assert.equal((await again).answer, "reject");
  assert.match(seen(), /\[o\]nce, \[r\]eject: /);
});

test("what else changes what is done is shown", async () => {
  const { ask, input, seen } = seat();
  const write = { kind: "file_write", path: "a", bytes: 2, firstLines: ["b"], totalLines: 1, truncated: false };
  for (const [preview, shown] of [
    [{ kind: "command", command: "ls", cwd: null, background: true }, "$ ls\nin the background\n"],
    [{ kind: "file_edit", path: "a", diff: "-x\n+z\n", replaceAll: true, occurrences: 3 }, "a, every occurrence (3)\n"],
    [{ kind: "file_edit", path: "a", diff: "-x\n+z\n", replaceAll: true }, "a, every occurrence\n"],
    [{ ...write, append: true, bytesBefore: 3 }, "a (2 bytes added at the end, then 5)\n"],
    [{ ...write, bytesBefore: 3 }, "a (2 bytes instead of 3)\n"],
    [write, "a (2 bytes)\n"],
    [{ kind: "plain", path: "output/.ssh" }, "\noutput/.ssh\n"],
  ]) {
    const asked = ask({ preview });
    input.write("r\n");
    await asked;
    assert.ok(seen().includes(shown), `${seen()} shows ${shown}`);
  }
});

test("the same command elsewhere, or for another reason, is another question", async () => {
  const { ask, input, seen } = seat();
  const at = (cwd, more, background) => ask({ preview: { kind: "command", command: "ls", cwd, ...background }, ...more });
  for (const [asked, typed, answer] of [
    [() => at("/output"), "s", "once"],
    [() => at("/output"), undefined, "once"],
    [() => at("/scratch"), "r", "reject"],
    [() => at("/output", {}, { background: true }), "r", "reject"],
    [() => at("/output", { reason: "The action touches something protected: ssh." }), "r", "reject"],
  ]) {
    const said = asked();
    if (typed) input.write(`${typed}\n`);
    assert.equal((await said).answer, answer);
  }
  assert.match(seen(), /\n\/output\$ ls\n[^]*\n\/scratch\$ ls\n/);
});

test("who leaves, or is not needed any more, has said no; nothing of a command moves the cursor", async () => {
  const { ask, input, seen } = seat();
  const controller = new AbortController();
  const stopped = ask({ preview: { kind: "command", command: "echo \u001b[2J\u202e\u200b\u2028", cwd: null } }, controller.signal);
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  assert.equal((await stopped).answer, "reject");
  const left = ask();
  input.end();
  assert.equal((await left).answer, "reject");
  assert.doesNotMatch(seen(), /\u001b\[2J|[\u202e\u200b\u2028]/);
});
