// The command `handrail`, as a person types it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
let folder;

before(async () => (folder = await mkdtemp(join(tmpdir(), "handrail-cli-"))));
after(() => rm(folder, { recursive: true }));

/** Runs it; gives its streams and its exit status. */
function handrail(words, input = "") {
  const child = spawn(process.execPath, [program, ...words]);
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) child[stream].on("data", (text) => (said[stream] += text));
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (status) => resolve({ ...said, status })));
}

/** A folder with files, for one test. */
async function folderOf(name, files) {
  const path = join(folder, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(path, file, ".."), { recursive: true });
    await writeFile(join(path, file), content);
  }
  return path;
}

const limit = { timeout: 60_000 };

test("help is there for the whole and for each command", limit, async () => {
  const whole = await handrail(["--help"]);
  assert.match(whole.stdout, /handrail call .*\n[^]*handrail shell[^]*handrail demo/);
  assert.equal((await handrail([])).stdout, whole.stdout);
  for (const command of ["call", "shell", "demo"]) {
    const { stdout, status } = await handrail([command, "--help"]);
    assert.match(stdout, new RegExp(`^handrail ${command}`));
    assert.equal(status, 0);
  }
  assert.match((await handrail(["--version"])).stdout, /^handrail \d+\.\d+\.\d+\n$/);
});

const misunderstood = [
  [["fly"], /no command fly/],
  [["call", "workspace_read_file", "{}", "more"], /more is too much/],
  [["call", "--wrong"], /'--wrong'.*handrail call --help/],
  [["call", "no_such_tool"], /no tool no_such_tool; there are dice_roll/],
  [["shell", "-c", "true", "--save"], /--save needs --workspace/],
  [["shell", "-c", "true", "--workspace", "/no/such/folder"], /\/no\/such\/folder is not a folder/],
];

for (const [words, says] of misunderstood) {
  test(`not understood: ${words.join(" ")}`, limit, async () => {
    const { stdout, stderr, status } = await handrail(words);
    assert.deepEqual({ stdout, status }, { stdout: "", status: 2 });
    assert.match(stderr, says);
    assert.equal(stderr.trim().split("\n").length, 1);
  });
}

test("call lists the tools, calls one, and says what is wrong with a call", limit, async () => {
  assert.match((await handrail(["call"])).stdout, /workspace_read_file\n {2}/);
  const notes = await folderOf("read", { "output/a.md": "one\ntwo\n" });
  const read = await handrail(["call", "workspace.read_file", '{"path": "output/a.md"}', "--workspace", notes]);
  assert.match(read.stdout, /1 \| one\n2 \| two/);
  assert.deepEqual([read.stderr, read.status], ["", 0]);
  const wrong = await handrail(["call", "workspace_read_file", "{}", "--workspace", notes]);
  assert.match(wrong.stdout, /`path` is required/);
  assert.equal(wrong.status, 1);
  const json = await handrail(["call", "workspace_read_file", "-", "--json", "--workspace", notes], '{"path": "output/none"}');
  assert.deepEqual(JSON.parse(json.stdout).errorCode, "workspace.file_not_found");
  assert.equal(json.status, 1);
});

test("--workspace is a copy, until --save writes back what has changed", limit, async () => {
  const files = { "output/keep.md": "kept", "output/old.md": "old", "plan/x": "x" };
  const path = await folderOf("save", files);
  const script = "echo new > output/new.md; echo changed > output/old.md; rm plan/x";
  await handrail(["shell", "-c", script, "--workspace", path]);
  assert.equal(await readFile(join(path, "output/old.md"), "utf8"), "old");
  const { stderr, status } = await handrail(["shell", "-c", script, "--workspace", path, "--save"]);
  assert.equal(status, 0);
  assert.deepEqual(stderr.replaceAll(path, "").trim().split("\n").sort(), [
    "handrail: removed /plan/x",
    "handrail: saved /output/new.md",
    "handrail: saved /output/old.md",
  ]);
  assert.equal(await readFile(join(path, "output/old.md"), "utf8"), "changed\n");
  assert.deepEqual((await readdir(join(path, "output"))).sort(), ["keep.md", "new.md", "old.md"]);
  assert.deepEqual((await readdir(path)).sort(), ["output", "plan"]);
});

test("any folder is put below output, and what is left out is said", limit, async () => {
  const path = await folderOf("project", { "src/a.js": "1", "node_modules/m/index.js": "2", "b.md": "3" });
  const { stdout, stderr } = await handrail(["shell", "-c", "pwd; ls; cat src/a.js; echo 4 > c.md", "--workspace", path, "--save"]);
  assert.equal(stdout, "/output\nb.md\nsrc\n1");
  assert.match(stderr, /node_modules is left out/);
  assert.equal(await readFile(join(path, "c.md"), "utf8"), "4\n");
});

test("shell gives the output and the status of its script", limit, async () => {
  const failed = await handrail(["shell", "-c", "echo out; echo err >&2; exit 7"]);
  assert.deepEqual(failed, { stdout: "out\n", stderr: "err\n", status: 7 });
  assert.deepEqual(await handrail(["shell"], "echo a |\n  tr a-z A-Z"), { stdout: "A\n", stderr: "", status: 0 });
  const json = await handrail(["shell", "-c", "echo '{\"a\": [1, 2]}' | jq -c .a", "--json"]);
  const { status, exitCode, stdout } = JSON.parse(json.stdout);
  assert.deepEqual({ status, exitCode, stdout }, { status: "ok", exitCode: 0, stdout: "[1,2]\n" });
  const nowhere = await handrail(["shell", "-c", "true", "--workdir", "/none"]);
  assert.equal(nowhere.status, 126);
  assert.match(nowhere.stderr, /none/);
});

test("rules of the command line: what they forbid is not begun, and without a terminal nobody is asked", limit, async () => {
  const files = await folderOf("rules", { "a.md": "a" });
  const shell = (script, ...words) => handrail(["shell", "-c", script, "--workspace", files, ...words]);
  const denied = await shell("echo begun; rm a.md", "--deny", "workspace_shell(rm *)");
  assert.equal(denied.status, 126);
  assert.equal(denied.stdout, "");
  assert.match(denied.stderr, /a rule of the user forbids it/);
  const asked = await shell("echo begun", "--ask", "workspace_shell");
  assert.equal(asked.status, 126);
  assert.match(asked.stderr, /nobody can be asked/);
  assert.match((await shell("cat a.md", "--deny", "workspace_shell(rm *)")).stdout, /^a/);
  assert.match((await shell("echo a", "--mode", "read-only")).stderr, /read-only/);
  const call = await handrail(["call", "workspace_write_file", '{"path":"output/x","content":""}', "--deny", "workspace.write_*(output/*)"]);
  assert.equal(call.status, 1);
  assert.match(call.stdout, /a rule of the user forbids it/);
  assert.match((await handrail(["call", "--deny", "a(b"])).stderr, /--deny takes TOOL or TOOL\(PATTERN\)/);
  assert.equal((await handrail(["call", "--mode", "lax"])).status, 1);
});

/** Runs it on a terminal of its own, typing these lines as they are asked for; gives what the terminal showed. */
async function onTerminal(words, lines) {
  const line = [process.execPath, program, ...words].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"]);
  let seen = "";
  let answered = 0;
  const left = [...lines];
  child.stdout.on("data", (text) => {
    seen += text;
    if (left.length === 0 || !/(\[r\]eject: |\$ )(\u001b\[\d*[A-Z])*$/.test(seen.slice(answered))) return;
    answered = seen.length;
    child.stdin.write(`${left.shift()}\n`);
  });
  const late = setTimeout(() => child.kill(), 20_000);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(late);
  return { seen: seen.replaceAll(/\r|\u001b\[\d*[A-Z]/g, ""), status };
}

const terminal = { ...limit, skip: process.platform !== "linux" && "needs the command script of Linux" };

test("on a terminal a person is asked", terminal, async () => {
  const write = ["call", "workspace_write_file", '{"path":"output/x","content":"one"}', "--ask", "workspace_write_file"];
  const yes = await onTerminal(write, ["o"]);
  assert.match(yes.seen, /Write file.*\n[^]*output\/x \(3 bytes\)\none\nAllow it\? \[o\]nce, \[s\]ession, \[r\]eject: /);
  assert.equal(yes.status, 0);
  const no = await onTerminal(write, ["r"]);
  assert.match(no.seen, /The user did not allow this call/);
  assert.equal(no.status, 1);
});

test("what is allowed for the session is asked once in a prompt", terminal, async () => {
  const { seen } = await onTerminal(["shell", "--ask", "workspace_shell(echo *)"], ["echo a1", "s", "echo a1", "echo b2", "", "exit"]);
  assert.equal(seen.split("Allow it?").length - 1, 2);
  assert.equal(seen.split("\na1\n").length - 1, 2);
  assert.match(seen, /did not allow this call/);
});
