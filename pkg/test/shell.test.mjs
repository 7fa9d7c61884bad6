// Commands of the shell: what they see, what they leave, how they end.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";

import { createRuntime } from "handrail";

import { all, both, calls, profile, results } from "./both.mjs";
import { inShell, model, sleep } from "./shells.mjs";

inShell("a model's commands", {}, async (runtime) => {
  await runtime.workspace.load({ "output/a.txt": "one\ntwo\n" });
  const shell = await model(runtime);
  assert.equal(await shell("echo hi"), "exit code: 0\nhi");
  assert.equal(await shell("echo out; echo err >&2; exit 3"), "Error (workspace.shell_exit):\nexit code: 3\nout\nstderr:\nerr");
  assert.equal(await shell("cat a.txt | tr a-z A-Z | sort -r", { workdir: "/output" }), "exit code: 0\nTWO\nONE");
  assert.equal(await shell("echo '{\"a\":[1,2]}' | jq -c '.a | map(. * 2)'"), "exit code: 0\n[2,4]");
  assert.match(await shell("no-such-thing"), /exit code: 127\n.*no-such-thing/);
  assert.match(await shell("if then"), /exit code: 2\n/);
  assert.match(await shell("pwd", { workdir: "/output/none" }), /output\/none/);
});

inShell("nothing but files stays", {}, async (runtime) => {
  const shell = await model(runtime);
  assert.equal(await shell("x=1; f() { :; }; cd /output; echo kept > /output/kept; echo t > /tmp/t; echo $x"), "exit code: 0\n1");
  assert.equal(await shell("echo ${x-gone}; pwd; type -t f; cat /output/kept; ls /tmp"), "exit code: 0\ngone\n/\nkept");
  assert.equal(await runtime.workspace.readText("output/kept"), "kept\n");
});

inShell("a command tells where it ended", {}, async (runtime) => {
  const folder = async (command, workdir) => (await runtime.shell(command, { workdir })).workdir;
  assert.equal(await folder("mkdir -p a/b; cd a/b; false", "/output"), "/output/a/b");
  assert.equal(await folder("(cd /plan)", "/output/a"), "/output/a");
  assert.equal(await folder("pwd"), "/");
  assert.equal(await folder("no", "/output/none"), "/output/none");
});

inShell("output is cut, and says so", {}, async (runtime) => {
  const { exitCode, stdout, truncated } = await runtime.shell("head -c 200000 /dev/zero | tr '\\0' x");
  assert.deepEqual([exitCode, stdout.length, truncated], [0, 128 * 1024, true]);
  const shell = await model(runtime);
  assert.match(await shell("head -c 200000 /dev/zero | tr '\\0' x"), /Output truncated: stdout was longer/);
});

inShell("a command that takes too long", { ms: 300 }, async (runtime) => {
  const shell = await model(runtime);
  const events = all(shell.invocation.events());
  assert.match(await shell("echo part; while :; do :; done"), /time limit[\s\S]*part$/);
  assert.match(await shell("echo part; sleep 20"), /time limit[\s\S]*part$/);
  assert.equal(await shell("echo hi"), "exit code: 0\nhi");
  await shell.invocation.cancel();
  const discarded = (await events).filter(({ type }) => type === "engine_discarded");
  assert.deepEqual(discarded.map(({ payload }) => payload.reason), ["timeout", "timeout"]);
});

inShell("what a command changes was not read: a patch has to read it again", {}, async (runtime) => {
  await runtime.workspace.load({ "output/a.txt": "one two" });
  const allow = ["builtin:workspace.shell", "builtin:workspace.read_file", "builtin:workspace.apply_patch"];
  const invocation = await runtime.invocation({ profile: profile(allow), input: "go" });
  let last = 0;
  const call = async (name, args) => {
    const id = `c${(last += 1)}`;
    return results(await invocation.handle(calls([`workspace_${name}`, args, id])))[id];
  };
  const patch = { path: "output/a.txt", old_string: "two", new_string: "three" };
  await call("read_file", { path: "output/a.txt" });
  await call("shell", { command: "sed -i s/one/1/ /output/a.txt" });
  assert.match(await call("apply_patch", patch), /^Error \(workspace\.patch_stale_file\)/);
  assert.equal(await runtime.workspace.readText("output/a.txt"), "1 two");
  await call("read_file", { path: "output/a.txt" });
  assert.doesNotMatch(await call("apply_patch", patch), /^Error/);
  assert.equal(await runtime.workspace.readText("output/a.txt"), "1 three");
  await invocation.cancel();
});

const javascript = existsSync(new URL("../programs/javascript_bg.wasm", import.meta.url));

/** What crashes, with the shell or as a program that the shell starts; what the model reads of it. */
const crashes = {
  "the shell at a value that is nested too deep": ["jq -n 'reduce range(100000) as $_ ([];[.]) | tojson'", /^Error \(workspace\.shell_failed\):\nThe shell stopped[\s\S]*part$/],
  "jq that never stops calling itself": ["jq -n 'def f: 1+f; f'", /^Error \(workspace\.shell_failed\):\nThe shell stopped[\s\S]*part$/],
  JavaScript: [`js -e 'let s = "x"; for (;;) s += s'`, /^exit code: 0\npart\nended 134\nstderr:\njs: ran out of memory$/],
};

for (const [what, [script, told]] of Object.entries(crashes)) {
  inShell(`a crash of ${what}: the files are kept, and the next call works`, { skip: what === "JavaScript" && !javascript }, async (runtime) => {
    await runtime.workspace.load({ "output/kept": "kept\n" });
    const shell = await model(runtime);
    const events = all(shell.invocation.events());
    const crash = `echo made > /output/made; echo part; ${script}; echo "ended $?"`;
    const [text, beside] = await Promise.all([shell(crash), runtime.shell("sleep 0.2; cat /output/kept")]);
    assert.match(text, told);
    assert.equal(beside.stdout, "kept\n");
    assert.equal(await shell("cat /output/made /output/kept"), "exit code: 0\nmade\nkept");
    await shell.invocation.cancel();
    const discarded = (await events).filter(({ type }) => type === "engine_discarded");
    assert.deepEqual(discarded.map(({ payload }) => payload.reason), ["trap"]);
  });
}

inShell("a busy command leaves the event loop alone", { ms: 400 }, async (runtime) => {
  await runtime.shell("echo warm");
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await runtime.shell("while :; do :; done");
  clearInterval(timer);
  assert.ok(turns > 10, `${turns} turns`);
});

inShell("cancelling ends a command soon", {}, async (runtime) => {
  await runtime.shell("echo warm");
  for (const command of ["echo part; sleep 20", "echo part; while :; do :; done", "echo part; wait-for-it"]) {
    runtime.programs.register("wait-for-it", () => new Promise(() => undefined));
    const controller = new AbortController();
    let cancelled;
    const onOutput = () => {
      cancelled ??= performance.now();
      controller.abort();
    };
    const { status, stdout } = await runtime.shell(command, { signal: controller.signal, onOutput });
    const took = performance.now() - cancelled;
    assert.deepEqual([status, stdout], ["cancelled", "part\n"]);
    assert.ok(took < 600, `${took} ms`);
  }
  assert.equal((await runtime.shell("echo hi")).stdout, "hi\n");
});

inShell("who watches the run hears what a command writes", {}, async (runtime) => {
  const shell = await model(runtime);
  const events = all(shell.invocation.events());
  await sleep(20);
  assert.match(await shell("echo one; sleep 0.4; echo two; echo err >&2; sleep 0.3"), /one\ntwo\nstderr:\nerr$/);
  await shell.invocation.cancel();
  const updates = (await events).filter(({ type }) => type === "tool_update").map(({ payload }) => JSON.stringify(payload));
  assert.ok(updates.some((update) => update.includes("one") && !update.includes("two")), updates.join());
  assert.ok(updates.some((update) => update.includes("err")), updates.join());
});

inShell("commands beside each other share the files and nothing else", {}, async (runtime) => {
  const script = (n) => `x=${n}; for i in 1 2 3 4 5; do echo $x >> /output/log; sleep 0.01; done; echo $x`;
  const ends = await Promise.all([1, 2, 3, 4].map((n) => runtime.shell(script(n))));
  assert.deepEqual(ends.map(({ stdout }) => stdout), ["1\n", "2\n", "3\n", "4\n"]);
  const log = (await runtime.workspace.readText("output/log")).trim().split("\n").sort();
  assert.equal(log.join(""), "11111222223333344444");
});

both("a shell that cannot be loaded says why to whoever can mend it", async (open) => {
  const runtime = await open({ programs: { shell: "/no/such/shell.wasm" } });
  const { status, exitCode, stdout, stderr } = await runtime.shell("echo hi");
  assert.deepEqual({ status, exitCode, stdout }, { status: "error", exitCode: 126, stdout: "" });
  assert.match(stderr, /\/no\/such\/shell\.wasm/);
});
