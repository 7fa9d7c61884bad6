// The shell module: the scripts of tests/shell, hostile scripts, and how a driver lives with it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { Instance, load } from "./programs/driver.mjs";
import { MapPort } from "./programs/map-port.mjs";

const folder = new URL(process.env.PROGRAMS ?? "../../../pkg/programs/", import.meta.url);
const shell = await load(folder, "shell");

const decoder = new TextDecoder();
/** Stands for the JavaScript module: it tells what it was asked. */
const program = ({ argv, cwd, env }, stdin) => {
  if (argv[1] === "fail") return { exit: 3, stderr: "it went wrong\n" };
  if (argv[1] === "trap") return { exit: 134, stderr: `${argv[0]}: the program crashed\n` };
  const said = `argv=${argv.join(" ")} cwd=${cwd} X=${env.X ?? ""} stdin=${decoder.decode(stdin).trim()}\n`;
  return new Promise((resolve) => setTimeout(resolve, 5, { stdout: said }));
};

const instance = (port = new MapPort(), options = {}) => new Instance(shell, port.open(), { spawn: program, ...options });
const request = (command, more) => ({ command, cwd: "/output", seed: "seed", deadlineMs: Date.now() + 20_000, ...more });
const run = (command, { port, stdin, ...more } = {}) =>
  instance(port).run(request(command, more), new TextEncoder().encode(stdin ?? ""));

// Scripts.

const scripts = new URL("../../shell/", import.meta.url);
for (const name of readdirSync(scripts).filter((name) => name.endsWith(".json"))) {
  const { about, files, cases } = JSON.parse(readFileSync(new URL(name, scripts), "utf8"));
  test(`${name}: ${about}`, async (t) => {
    for (const one of cases) await t.test(one.why ?? one.script.split("\n")[0].slice(0, 70), () => check(one, files));
  });
}

async function check({ script, stdin, now, same, truncated, programs, after = {}, ...expected }, shared) {
  const port = new MapPort({ ...shared, ...expected.files }, now && { now: () => now });
  const clock = now ?? Date.now();
  const start = () =>
    instance(port, now && { now: () => now }).run(
      request(script, { deadlineMs: clock + 20_000, programs }),
      new TextEncoder().encode(stdin ?? ""),
    );
  const result = await start();
  const context = JSON.stringify(result);
  assert.equal(result.trap, undefined);
  if (expected.stdout !== undefined) assert.equal(result.stdout, expected.stdout, result.stderr);
  assert.equal(result.exitCode, expected.exit ?? 0, context);
  if (expected.limit === undefined) assert.equal(result.limit, undefined, context);
  else assert.ok(result.limit?.startsWith(expected.limit), context);
  for (const text of expected.stderr ?? []) assert.ok(result.stderr.includes(text), context);
  if (expected.stderr?.length === 0) assert.equal(result.stderr, "");
  assert.equal(result.stdoutTruncated, truncated ?? false, context);
  for (const [path, text] of Object.entries(after)) {
    if (text === null) assert.ok(!port.has(path), path);
    else assert.equal(port.text(path), text, path);
  }
  if (same) assert.equal((await start()).stdout, result.stdout);
}

test("another seed gives other numbers", async () => {
  const script = "echo $RANDOM; head -c 8 /dev/urandom | xxd -p";
  const [a, b, c] = await Promise.all([run(script), run(script), run(script, { seed: "other" })]);
  assert.equal(a.stdout, b.stdout);
  assert.notEqual(a.stdout, c.stdout);
});

test("nothing but files leaks from one command to the next", async () => {
  const port = new MapPort();
  await run("LEFT=1; leftover() { :; }; cd /; set -e; echo x > /tmp/x; echo y > /output/y; alias a=b", { port });
  const { stdout } = await run("echo ${LEFT-none}; pwd; ls /tmp; cat /output/y; type -t leftover; echo $-", { port });
  assert.equal(stdout.split("\n").slice(0, 3).join(), "none,/output,y");
});

test("a program shares the files of its command, those in /tmp too, and only with it", async () => {
  const workspace = new MapPort();
  const command = async (script) => {
    const port = workspace.open();
    const upper = ({ argv }) => {
      port.write("/tmp/out", new TextEncoder().encode(decoder.decode(port.read(argv[1])).toUpperCase()));
      return {};
    };
    return new Instance(shell, port, { spawn: upper }).run(request(script));
  };
  const [a, b] = await Promise.all(["a", "b"].map((name) => command(`echo ${name} > /tmp/in; node /tmp/in; cat /tmp/out; ls /tmp`)));
  assert.equal(a.stdout, "A\nin\nout\n");
  assert.equal(b.stdout, "B\nin\nout\n");
});

// Hostile scripts. After each, the next command works.

const hostile = [
  { script: "echo partial; while :; do :; done", limit: "time", stdout: "partial\n" },
  { script: "echo partial; for ((;;)); do x=$((x+1)); done", limit: "time", stdout: "partial\n" },
  { script: "echo partial; until false; do echo x > /dev/null; done", limit: "time", stdout: "partial\n" },
  { script: "echo partial; f() { f; }; f", limit: "maximum function depth", stdout: "partial\n" },
  { script: "echo partial; :(){ :|:& };:", stdout: "partial\n" },
  { script: "echo partial; while :; do sleep 1 & done", stdout: "partial\n" },
  { script: "echo partial; sleep 100", limit: "time", stdout: "partial\n" },
  { script: "echo partial; yes > /dev/null", limit: "time", stdout: "partial\n" },
  { script: "echo partial; seq 1 1000000000 > /dev/null", limit: "time", stdout: "partial\n" },
  { script: "echo partial; awk 'BEGIN{while(1){}}'", limit: "time", stdout: "partial\n" },
  { script: "echo partial; read x < <(while :; do :; done)", stdout: "partial\n" },
  { script: "echo partial; x=a; while :; do x=$x$x; done", stdout: "partial\n" },
  { script: "echo partial; a=(); while :; do a+=(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx); done", stdout: "partial\n" },
  // Seen before anything runs.
  { script: "echo partial; echo {1..100000000}", refused: "brace range too large", stdout: "" },
  { script: "echo partial; printf '%1000000000d' 1", stdout: "partial\n" },
  { script: "echo partial; sed ':a;s/^/x/;ba' <<< x", stdout: "partial\n" },
  { script: "echo partial; grep -E '(a+)+$' <<< " + "a".repeat(40) + "b", stdout: "partial\n" },
  { script: "echo partial; [[ " + "a".repeat(40) + "b =~ ^(a+)+$ ]]", stdout: "partial\n" },
  { script: "echo partial; trap 'kill -USR1 $$' USR1; kill -USR1 $$", stdout: "partial\n" },
  { script: "echo partial; eval \"$(printf 'x=$(%.0s' {1..200})\"", stdout: "partial\n" },
  { script: "echo partial; bc <<< '9^9^9^9'", stdout: "partial\n" },
  { script: "echo partial; jq -n 'reduce range(9999) as $_ ([];[.]) | tojson | fromjson | flatten'", stdout: "partial\n" },
  { script: "echo partial; jq -n 'reduce range(100000) as $_ ([];[.])'", stdout: "partial\n" },
  { script: `echo partial; printf '[%.0s' {1..100000} | jq .`, stdout: "partial\n" },
  // Nothing inside counts jq's own recursion: the stack ends, and with it this instance.
  { script: "echo partial; jq -n 'def f: 1+f; f'", stdout: "partial\n" },
  { script: "echo partial; jq -n '[range(1e8)]'", stdout: "partial\n" },
  { script: "echo partial; jq -n '\"x\" * 1000000000'", stdout: "partial\n" },
  { script: "echo partial; gzip -c /dev/zero | head -c 10 | wc -c", stdout: "partial\n10\n" },
];
for (const { script, limit, refused = "", stdout } of hostile) {
  test(`hostile: ${script.slice(14, 80)}`, async () => {
    const port = new MapPort({ "output/kept": "kept" });
    const started = performance.now();
    const result = await run(script, { port, deadlineMs: Date.now() + 1_500 });
    const took = performance.now() - started;
    assert.equal(result.stdout.slice(0, stdout.length), stdout, JSON.stringify(result).slice(0, 500));
    assert.ok((result.refused ?? "").startsWith(refused), JSON.stringify(result).slice(0, 500));
    if (limit !== undefined) assert.ok(result.limit?.startsWith(limit), JSON.stringify(result));
    if (limit !== undefined) assert.ok(took < 60_000, `${took} ms`);
    assert.equal(port.text("output/kept"), "kept");
    assert.equal((await run("cat kept; x=1; echo $x", { port })).stdout, "kept1\n");
  });
}

test("hostile: filling the workspace", async () => {
  const port = new MapPort({ "output/kept": "kept" });
  const script = "head -c 8000000 /dev/zero > a; i=0; while cp a f$i 2> e; do i=$((i+1)); done; echo $i; cat e; rm f*; cat kept";
  const { stdout } = await run(script, { port });
  assert.match(stdout, /^3\d\n.*No space left on device\nkept$/);
  assert.equal((await run("ls", { port })).stdout, "a\ne\nkept\n");
});

test("hostile: a hundred thousand files", async () => {
  const port = new MapPort({ "output/kept": "kept" });
  const many = "for d in $(seq 1 30); do mkdir d$d; for f in $(seq 1 4000); do : > d$d/$f || exit 9; done; done";
  const result = await run(many, { port, deadlineMs: Date.now() + 60_000 });
  assert.equal(result.exitCode, 9, JSON.stringify(result).slice(0, 300));
  assert.match(result.stderr, /No space left on device/);
  const after = await run("cat kept; find . -type f | wc -l; rm -rf d*; ls", { port });
  assert.match(after.stdout, /^kept6\d{4}\nkept\n$/);
});

/** Runs a script in a worker that the host ends; the worker is ready when its instance is. */
async function inWorker(script, ms) {
  const worker = new Worker(new URL("./programs/shell-worker.mjs", import.meta.url), {
    workerData: { folder: folder.href, request: request(script, { deadlineMs: Date.now() + 1_000 }) },
  });
  const ended = new Promise((resolve) => worker.on("message", (message) => message.end && resolve(message.end)));
  await new Promise((resolve) => worker.once("message", resolve));
  const late = new Promise((resolve) => setTimeout(resolve, ms, "late"));
  const end = await Promise.race([ended, late]);
  const started = performance.now();
  await worker.terminate();
  return { end, stopped: performance.now() - started };
}

for (const script of ["jq -n 'def f: f; f'", "jq -n 'last(range(1e12))'", "jq -n '[limit(1e9; repeat(1))] | length'"]) {
  test(`what nothing inside can stop ends with its worker: ${script}`, async () => {
    const { end, stopped } = await inWorker(script, 2_500);
    if (end === "late") assert.ok(stopped < 1_000, `${stopped} ms`);
    assert.equal((await run("echo next")).stdout, "next\n");
  });
}

// The driver.

test("several instances work side by side on one workspace", async () => {
  const port = new MapPort();
  const loop = (name) => `for i in $(seq 200); do echo ${name}$i >> all; done`;
  const runs = await Promise.all(["a", "b", "c"].map((name) => run(loop(name), { port })));
  assert.deepEqual(runs.map(({ exitCode }) => exitCode), [0, 0, 0]);
  const lines = port.text("output/all").trim().split("\n");
  assert.equal(lines.length, 600);
  for (const name of "abc") {
    const own = lines.filter((line) => line.startsWith(name)).map((line) => Number(line.slice(1)));
    assert.deepEqual(own, Array.from({ length: 200 }, (_, i) => i + 1));
  }
});

test("an instance that crashed is thrown away, and the others go on", async () => {
  const port = new MapPort({ "output/kept": "kept" });
  const crash = run("echo partial; echo x > f; jq -n 'reduce range(100000) as $_ ([];[.]) | tojson'; echo more", { port });
  const other = run("sleep 0.05; cat kept; for i in $(seq 100); do echo $i; done | tail -1", { port });
  const [crashed, worked] = await Promise.all([crash, other]);
  assert.ok(crashed.trap !== undefined || crashed.exitCode !== 134, JSON.stringify(crashed));
  assert.ok(crashed.stdout.startsWith("partial\n"));
  assert.equal(worked.stdout, "kept100\n");
  assert.equal(port.text("output/f"), "x\n");
});

test("a crash inside leaves no timer behind", async () => {
  const broken = instance();
  const running = broken.run(request("sleep 5"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(broken.timers.size > 0);
  broken.stop("cancel");
  assert.equal(broken.timers.size, 0);
  assert.equal((await running).limit, "cancel");
});

test("a port that throws costs the command, not the instance", async () => {
  const port = new MapPort();
  port.read = () => {
    throw new TypeError("a fault of the driver");
  };
  port.put("/output/a", new Uint8Array([65]));
  const { stdout, stderr, exitCode } = await run("cat a; echo $?; echo on", { port });
  assert.equal(stdout, "1\non\n");
  assert.match(stderr, /Input\/output error/);
  assert.equal(exitCode, 0);
});

test("a closed port changes nothing any more", async () => {
  const port = new MapPort({ "output/a": "a" });
  port.closed = true;
  const { stderr } = await run("echo b > a; rm a; cat a", { port });
  assert.match(stderr, /Operation canceled/);
  port.closed = false;
  assert.equal(port.text("output/a"), "a");
});

for (const script of ["while :; do :; done", "sleep 30", "js slow", "read x < <(sleep 30)", "yes > /dev/null", "sleep 30 & wait"]) {
  test(`cancelled within milliseconds: ${script}`, async () => {
    const slow = () => new Promise(() => {});
    const program = instance(undefined, { spawn: slow });
    const running = program.run(request(`echo partial; ${script}`));
    await new Promise((resolve) => setTimeout(resolve, 150));
    const asked = performance.now();
    program.cancel();
    const { stdout, limit, exitCode } = await running;
    const took = performance.now() - asked;
    assert.equal(stdout, "partial\n");
    assert.equal(limit, "cancel");
    assert.equal(exitCode, 130);
    assert.ok(took < 60, `${took} ms`);
  });
}

test("a late answer of a program is no harm", async () => {
  let answer;
  const program = instance(undefined, { spawn: () => new Promise((resolve) => (answer = resolve)) });
  const { stdout } = await program.run(request("timeout 0.05 js x; echo $?"));
  assert.equal(stdout, "124\n");
  answer({ stdout: "late" });
});

test("output arrives while the command runs", async () => {
  const program = instance();
  const seen = [];
  const started = performance.now();
  program.onOutput = (stream, bytes) => seen.push([stream, decoder.decode(bytes), performance.now() - started]);
  await program.run(request("echo one; sleep 0.3; echo two >&2"));
  assert.deepEqual(seen.map(([stream, text]) => [stream, text]), [["stdout", "one\n"], ["stderr", "two\n"]]);
  assert.ok(seen[1][2] - seen[0][2] > 200);
});

test("a loop leaves the event loop its turns", async (t) => {
  const gaps = [];
  let last = performance.now();
  const ticking = setInterval(() => {
    gaps.push(performance.now() - last);
    last = performance.now();
  }, 1);
  const { limit } = await run("i=0; while :; do i=$((i+1)); [ $i -gt 0 ] && echo x > /dev/null; done", {
    deadlineMs: Date.now() + 1_500,
  });
  clearInterval(ticking);
  assert.equal(limit, "time");
  gaps.sort((a, b) => a - b);
  const common = gaps[Math.floor(gaps.length * 0.9)];
  t.diagnostic(`nine of ten gaps are below ${common.toFixed(1)} ms, the longest is ${gaps.at(-1).toFixed(1)} ms`);
  assert.ok(common < 200, `${common} ms`);
});

test("a spare instance is ready at once", async (t) => {
  const time = async (make) => {
    const times = [];
    for (let round = 0; round < 30; round += 1) {
      const program = make === undefined ? undefined : make();
      const started = performance.now();
      assert.equal((await (program ?? instance()).run(request("echo hi"))).stdout, "hi\n");
      times.push(performance.now() - started);
    }
    return times.sort((a, b) => a - b)[15];
  };
  const fresh = await time();
  const spare = await time(() => instance());
  t.diagnostic(`echo: ${fresh.toFixed(2)} ms in a fresh instance, ${spare.toFixed(2)} ms in a spare`);
  assert.ok(spare <= fresh * 1.5);
});

test("the module imports what the port gives, timers and nothing else", () => {
  const text = readFileSync(new URL("shell.mjs", folder), "utf8");
  const ports = [...text.matchAll(/\bport\.(\w+)\(/g)].map(([, name]) => name);
  const known = [
    "append", "copy", "list", "mkdir", "now", "read", "remove", "rename", "spawn", "stat", "stderr", "stdout", "wake", "write",
  ];
  assert.deepEqual([...new Set(ports)].sort(), known);
  for (const name of ["queueMicrotask", "setInterval", "XMLHttpRequest", "eval(", "new Function", "require("]) {
    assert.ok(!text.includes(name), name);
  }
});
