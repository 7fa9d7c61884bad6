// The JavaScript module: programs that agents write, with what Node prints for them; hostile programs; and how a driver
// lives with it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { load as loadComponent } from "../component/program.mjs";
import { Instance, load } from "./programs/driver.mjs";
import { MapPort } from "./programs/map-port.mjs";

const folder = new URL(process.env.PROGRAMS ?? "../../../pkg/programs/", import.meta.url);
/** The module, or with PROGRAMS_AS=component the same program as a component. */
const isComponent = process.env.PROGRAMS_AS === "component";
const javascript = isComponent ? await loadComponent() : await load(folder, "javascript");

const encoder = new TextEncoder();
const instance = (port = new MapPort(), options = {}) => new Instance(javascript, port.open(), options);
const request = (argv, more) => ({
  argv, cwd: "/output", env: { PATH: "/bin" }, seed: "seed", deadlineMs: Date.now() + 20_000, ...more,
});
const run = (argv, { port, stdin, ...more } = {}) => instance(port).run(request(argv, more), encoder.encode(stdin ?? ""));
const js = (code, options) => run(["js", "-e", code], options);
/** What a piece of code prints; anything on stderr is a failure. */
const printed = async (code, options) => {
  const { stdout, stderr, exitCode } = await js(code, options);
  assert.equal(stderr, "");
  assert.equal(exitCode, 0);
  return stdout;
};

// Programs that agents write.

const programs = new URL("../../programs/javascript/", import.meta.url);
const read = (name) => readFileSync(new URL(name, programs), "utf8");
const workspace = (directory = "workspace") =>
  readdirSync(new URL(`${directory}/`, programs)).flatMap((name) => {
    const path = `${directory}/${name}`;
    return statSync(new URL(path, programs)).isDirectory() ? workspace(path) : [[path.replace("workspace", "output"), read(path)]];
  });

/** A clock of a fiftieth: what a program does at once stays at once on a machine with much else to do. */
const begun = Date.now();
const slow = () => begun + (Date.now() - begun) / 50;

for (const name of readdirSync(programs).filter((name) => /\.[cm]js$/.test(name))) {
  test(`as in Node: ${name}`, async () => {
    const base = name.slice(0, -4);
    const port = new MapPort({ ...Object.fromEntries(workspace()), [`output/${name}`]: read(name) });
    const argv = ["node", name, ...(name.includes("argv") ? ["x", "--y"] : [])];
    const program = instance(port, /timers|promise_all/.test(name) ? { now: slow } : {});
    const { stdout, exitCode, stderr } = await program.run(request(argv), encoder.encode(read("workspace/in.txt")));
    assert.equal(stdout, read(`${base}.out`), stderr);
    assert.equal(exitCode, Number(read(`${base}.rc`)));
  });
}

// Forms of the command line (SH-31, SH-37).

const files = {
  "output/add.mjs": "export const add = (a, b) => a + b; export default async (x) => ({ x });\n",
  "output/main.js": "const { add } = require('./lib/sum'); console.log(add(1, 2), process.argv.slice(1), __filename);\n",
  "output/lib/sum.js": "exports.add = (a, b) => a + b;\n",
  "output/top.js": "import { add } from './add.mjs';\nconst x = await Promise.resolve(add(2, 3));\nconsole.log(x, import.meta.filename);\n",
  "output/data.json": '{"a":[1,2]}',
  "output/json.mjs": "import data from './data.json' with { type: 'json' };\nimport again from './data.json';\nconsole.log(data, data === again);\n",
  "output/typed.ts": "const x: number = 1;\n",
  "output/broken.js": "const a = 1;\nconst b = ;\n",
};
const forms = [
  { argv: ["js", "-e", "console.log(1 + 1)"], stdout: "2\n" },
  { argv: ["node", "--eval", "console.log(process.argv.length, process.argv[0])", "--", "a"], stdout: "2 node\n" },
  { argv: ["node", "-p", "({ a: 1 })"], stdout: "{ a: 1 }\n" },
  { argv: ["node", "-p", "'text'"], stdout: "text\n" },
  { argv: ["js", "-e", "const x = await Promise.resolve(3); console.log(x)"], stdout: "3\n" },
  { argv: ["js", "-e", "import { join } from 'node:path'; console.log(join('a', 'b'))"], stdout: "a/b\n" },
  { argv: ["js", "-e", "const fs = require('fs'); console.log(typeof fs.readFileSync)"], stdout: "function\n" },
  { argv: ["js", "main.js", "x", "-y"], stdout: "3 [ '/output/main.js', 'x', '-y' ] /output/main.js\n" },
  { argv: ["js", "/output/top.js"], stdout: "5 /output/top.js\n" },
  { argv: ["js", "json.mjs"], stdout: "{ a: [ 1, 2 ] } true\n" },
  { argv: ["js", "-", "a"], stdin: "console.log(process.argv.slice(1))", stdout: "[ '-', 'a' ]\n" },
  { argv: ["js"], stdin: "console.log('from stdin')", stdout: "from stdin\n" },
  { argv: ["deno", "run", "-A", "add.mjs"], stdout: "" },
  { argv: ["deno", "eval", "console.log(1)"], stdout: "1\n" },
  { argv: ["js", "add.mjs", "--call", "add", "--args-json", "[2, 3]"], stdout: "5\n" },
  { argv: ["js", "add.mjs", "--call", "default", "--args-json", '{"a":1}'], stdout: '{"x":{"a":1}}\n' },
  { argv: ["js", "lib/sum.js", "--call", "add", "--args-json", '["a", "b"]'], stdout: '"ab"\n' },
  { argv: ["js", "add.mjs", "--call", "none"], exit: 1, stderr: "exports no function 'none'" },
  { argv: ["node", "--version"], stdout: "v20.0.0\n" },
  { argv: ["node", "--check", "broken.js"], exit: 2, stderr: "broken.js:2\nconst b = ;" },
  { argv: ["js", "broken.js"], exit: 2, stderr: "SyntaxError" },
  { argv: ["js", "typed.ts"], exit: 1, stderr: "plain JavaScript" },
  { argv: ["js", "none.js"], exit: 1, stderr: "Cannot find module '/output/none.js'" },
  { argv: ["js", "--nonsense"], exit: 2, stderr: "bad option: --nonsense" },
  { argv: ["js", "-e", "process.exitCode = 7"], exit: 7, stdout: "" },
  { argv: ["js", "-e", "console.log(1); process.exit(3); console.log(2)"], exit: 3, stdout: "1\n" },
  { argv: ["js", "-e", "(async () => { process.exit(4) })(); console.log('never')"], exit: 4, stdout: "" },
  { argv: ["js", "-e", "process.on('exit', (c) => console.log('exit', c)); process.exitCode = 2"], exit: 2, stdout: "exit 2\n" },
];
for (const { argv, stdin, stdout, stderr, exit = 0 } of forms) {
  test(`form: ${argv.join(" ").slice(0, 80)}`, async () => {
    const result = await run(argv, { port: new MapPort(files), stdin });
    if (stdout !== undefined) assert.equal(result.stdout, stdout, result.stderr);
    if (stderr !== undefined) assert.ok(result.stderr.includes(stderr), result.stderr);
    assert.equal(result.exitCode, exit, result.stderr);
  });
}

// Errors (SH-32).

const failures = [
  { code: "throw new Error('boom')", stderr: ["[eval]:1\nthrow new Error('boom')", "^", "Error: boom\n    at "] },
  { code: "null.x", stderr: ["TypeError: "] },
  { code: "Promise.reject(new RangeError('late'))", stderr: ["RangeError: late"] },
  { code: "setTimeout(() => { throw new Error('timer') }, 1)", stderr: ["Error: timer"] },
  { code: "await Promise.reject(Object.assign(new Error('coded'), { code: 'E_X' }))", stderr: ["Error: coded", "code: 'E_X'"] },
  { code: "throw { a: 1 }", stderr: ["Uncaught { a: 1 }"] },
  { code: "queueMicrotask(() => { throw new Error('micro') })", stderr: ["Error: micro"] },
  { code: "class MyError extends Error {}; throw new MyError('own', { cause: new Error('why') })", stderr: ["MyError: own", "[cause]: Error: why"] },
  { code: "import 'lodash'", stderr: ["Cannot find package 'lodash'", "no npm packages", "fs/promises"] },
  { code: "require('child_process')", stderr: ["Cannot find module 'child_process'"] },
  { code: "import 'dayjs'", stderr: ["kit of libraries is not installed"] },
  { code: "await fetch('https://example.com')", stderr: ["this sandbox has no network"] },
  { code: "import('./none.mjs')", stderr: ["Cannot find module '/output/none.mjs'"] },
  { code: "require('fs').readFileSync('none')", stderr: ["ENOENT: no such file or directory, open 'none'", "errno: -2", "code: 'ENOENT'"] },
];
for (const { code, stderr } of failures) {
  test(`error: ${code.slice(0, 70)}`, async () => {
    const result = await js(`${code}`, {});
    assert.equal(result.exitCode, 1, JSON.stringify(result));
    for (const text of stderr) assert.ok(result.stderr.includes(text), result.stderr);
  });
}

test("what is caught is no end", async () => {
  const code = `
    process.on('uncaughtException', (error) => console.log('caught', error.message));
    process.on('unhandledRejection', (reason) => console.log('rejected', reason));
    setTimeout(() => console.log('still here'), 5);
    Promise.reject(1);
    throw new Error('thrown');`;
  const result = await js(code);
  assert.equal(result.stdout, "caught thrown\nrejected 1\nstill here\n", result.stderr);
});

test("an await that never ends is said", async () => {
  const result = await js("await new Promise(() => {})");
  assert.equal(result.exitCode, 13);
  assert.match(result.stderr, /unsettled top-level await/);
});

// The order of things.

test("the event loop has the order of Node", async () => {
  const code = `
    const log = (...values) => console.log(...values);
    setTimeout(() => log('timeout'), 0);
    setImmediate(() => log('immediate'));
    process.nextTick(() => log('tick'));
    Promise.resolve().then(() => log('promise')).then(() => process.nextTick(() => log('tick after promise')));
    queueMicrotask(() => log('microtask'));
    (async () => { log('async start'); await null; log('async end') })();
    log('sync');`;
  const order = "async start\nsync\ntick\npromise\nmicrotask\nasync end\ntick after promise\ntimeout\nimmediate\n";
  assert.equal(await printed(code), order);
});

test("timers wait, and end with what they were for", async () => {
  const started = performance.now();
  const code = `
    let left = 3;
    const t = setInterval(() => (console.log('i'), (left -= 1) || clearInterval(t)), 10);
    setTimeout(() => console.log('unref'), 60_000).unref();
    const { setTimeout: wait } = require('timers/promises');
    wait(20, 'waited').then(console.log);`;
  assert.equal((await printed(code)).replace("waited\n", ""), "i\ni\ni\n");
  assert.ok(performance.now() - started < 2_000);
});

test("waiting costs no polls", async () => {
  const program = instance();
  let polls = 0;
  const poll = program.program.poll;
  program.program.poll = () => ((polls += 1), poll());
  await program.run(request(["js", "-e", "setTimeout(() => {}, 200)"]));
  assert.ok(polls < 12, `${polls} polls`);
});

// The workspace (SH-35, SH-46).

test("handrail:workspace", async () => {
  const port = new MapPort({ "output/a.txt": "A", "scratch/deep/b.txt": "B" });
  const code = `
    import { workspace, context, macros, log } from 'handrail:workspace';
    console.log(workspace.readText('output/a.txt'), workspace.exists('/output/a.txt'), workspace.exists('output/none'));
    workspace.writeText('scratch/new/c.txt', 'C');
    console.log(workspace.listFiles('scratch'), workspace.listFiles().slice(0, 2));
    console.log(context.variables.local, macros.render('Hi {{USER}}!'));
    try { context.macro } catch (error) { console.log(error.message) }
    log('to stderr', 1);`;
  const result = await js(code, { port, context: { variables: { local: { a: 1 } } }, macros: { user: "Ada" } });
  const lines = ["A true false", "[ 'deep/b.txt', 'new/c.txt' ] [ 'output', 'persist' ]", "{ a: 1 } Hi Ada!", "The host did not supply context.macro", ""];
  assert.equal(result.stdout, lines.join("\n"), result.stderr);
  assert.equal(result.stderr, "to stderr 1\n");
  assert.equal(port.text("scratch/new/c.txt"), "C");
});

test("files, as synchronous calls, promises, callbacks and streams", async () => {
  const port = new MapPort({ "output/in.txt": "one\ntwo\n" });
  const code = `
    import fs, { readFileSync } from 'fs';
    import { readFile, writeFile, mkdir, readdir, stat, rm } from 'node:fs/promises';
    import { createInterface } from 'node:readline';
    fs.mkdirSync('d/e', { recursive: true });
    fs.writeFileSync('d/e/a.txt', 'x');
    fs.appendFileSync('d/e/a.txt', Buffer.from('yz'));
    console.log(readFileSync('d/e/a.txt', 'utf8'), readFileSync('d/e/a.txt'));
    await writeFile('d/b.json', JSON.stringify({ b: 1 }));
    console.log(await readdir('d'), (await readdir('d', { withFileTypes: true })).map((e) => e.isDirectory()));
    console.log((await stat('d/b.json')).size, fs.statSync('d').isDirectory(), fs.existsSync('nope'));
    fs.renameSync('d/b.json', 'd/c.json'); fs.copyFileSync('d/c.json', 'd/e/c.json');
    console.log(fs.readdirSync('d', { recursive: true }));
    await rm('d', { recursive: true });
    for (const attempt of [() => fs.rmdirSync('none'), () => fs.mkdirSync('in.txt'), () => fs.readdirSync('in.txt'), () => fs.writeFileSync('/skills/x', '')]) {
      try { attempt() } catch (error) { console.log(error.code, error.message) }
    }
    await readFile('none').catch((error) => console.log(error.code, error.path));
    await new Promise((done) => fs.readFile('in.txt', 'utf8', (error, text) => done(console.log('callback', error, text.length))));
    for await (const line of createInterface({ input: fs.createReadStream('in.txt') })) console.log('line', line);
    const tmp = fs.mkdtempSync('/tmp/x-'); fs.writeFileSync(tmp + '/t', 'private'); console.log(readFileSync(tmp + '/t', 'utf8'));`;
  const { stdout, stderr } = await js(code, { port });
  assert.equal(stderr, "");
  assert.equal(stdout, [
    "xyz <Buffer 78 79 7a>", "[ 'b.json', 'e' ] [ false, true ]", "7 true false", "[ 'c.json', 'e', 'e/a.txt', 'e/c.json' ]",
    "ENOENT ENOENT: no such file or directory, rmdir 'none'", "EEXIST EEXIST: file already exists, mkdir 'in.txt'",
    "ENOTDIR ENOTDIR: not a directory, scandir 'in.txt'", "EACCES EACCES: permission denied, open '/skills/x'",
    "ENOENT none", "callback null 8", "line one", "line two", "private", "",
  ].join("\n"));
  assert.ok(!port.has("output/d"));
});

test("standard input", async () => {
  const stdin = "a 1\nb 2\n";
  assert.equal(await printed("console.log(require('fs').readFileSync(0, 'utf8').trim().split('\\n'))", { stdin }), "[ 'a 1', 'b 2' ]\n");
  assert.equal(await printed("let n = 0; process.stdin.on('data', (c) => n += c.length).on('end', () => console.log(n))", { stdin }), "8\n");
  assert.equal(await printed("let t = ''; for await (const c of process.stdin) t += c; console.log(t.length)", { stdin }), "8\n");
  const lines = "require('readline').createInterface({ input: process.stdin }).on('line', (l) => console.log(l)).on('close', () => console.log('end'))";
  assert.equal(await printed(lines, { stdin }), "a 1\nb 2\nend\n");
});

test("the same seed gives the same numbers", async () => {
  const code = "console.log(Math.random(), crypto.randomUUID(), require('crypto').randomInt(1000))";
  const [a, b, c] = await Promise.all([printed(code), printed(code), printed(code, { seed: "other" })]);
  assert.equal(a, b);
  assert.notEqual(a, c);
});

test("the clock begins where the call says", async () => {
  assert.equal(await printed("console.log(new Date().toISOString().slice(0, 16))", { now: Date.UTC(2030, 0, 2, 3, 4) }), "2030-01-02T03:04\n");
});

test("nothing leaks from one program to the next", async () => {
  await js("globalThis.left = 1; Array.prototype.left = 2; require('fs').left = 3");
  assert.equal(await printed("console.log(typeof left, [].left, require('fs').left)"), "undefined undefined undefined\n");
});

test("__proto__ is what the language says, and nothing more", async () => {
  const code = "const o = JSON.parse('{\"__proto__\": {\"x\": 1}}'); console.log(o.x, Object.keys(o), ({}).x, o)";
  assert.equal(await printed(code), "undefined [ '__proto__' ] undefined { ['__proto__']: { x: 1 } }\n");
});

// Hostile programs. Each ends, what it had printed is there, and the next one works.

const hostile = [
  { code: "while (true) {}", limit: "time" },
  { code: "for (;;) { try { for (;;); } finally { continue } }", limit: "time" },
  { code: "await null; while (true) {}", limits: { instructions: 20_000_000 }, limit: "instructions" },
  { code: "[1].forEach(() => { while (true) {} })", limits: { instructions: 20_000_000 }, limit: "instructions" },
  { code: "new Proxy({}, { get() { for (;;); } }).x", limits: { instructions: 20_000_000 }, limit: "instructions" },
  { code: "(async () => { for (;;); })().catch(() => {}); console.log('never')", limits: { instructions: 20_000_000 }, limit: "" },
  { code: "for (;;) await null", limit: "time" },
  { code: "const f = () => Promise.resolve().then(f); f()", limit: "time" },
  { code: "const f = () => process.nextTick(f); f()", limit: "time" },
  { code: "const f = () => setImmediate(f); f()", limit: "time" },
  { code: "setInterval(() => {}, 1)", limit: "time" },
  { code: "const a = []; for (;;) a.push(a)" },
  { code: "const a = []; for (;;) a.push('x'.repeat(1000) + a.length)" },
  { code: "'x'.repeat(1 << 30)" },
  { code: "let s = 'x'; for (;;) s += s" },
  { code: "new Array(1e8).fill(0)", exit: 1 },
  { code: "Array(2 ** 32 - 1).indexOf(1)", exit: 1 },
  { code: "Array(1e9).forEach(() => {})", exit: 1 },
  { code: "new ArrayBuffer(1e12)", exit: 1 },
  { code: "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })" },
  { code: "(function f() { f() })()", limit: "Maximum call stack" },
  { code: "const f = () => [1].map(f); f()", limit: "Maximum call stack" },
  { code: "class A { get x() { return this.x } }; new A().x", limit: "Maximum call stack" },
  { code: "const o = {}; o.toJSON = () => o; const p = { get a() { return JSON.stringify(p) } }; JSON.stringify(p)", limit: "Maximum call stack" },
  { code: "let a = []; for (let i = 0; i < 100000; i++) a = [a]; JSON.stringify(a)" },
  { code: "let a = []; for (let i = 0; i < 100000; i++) a = [a]; console.log(String(require('util').inspect(a, { depth: Infinity })).length > 0); a.flat(Infinity)" },
  { code: "JSON.parse('['.repeat(100000))", exit: 1 },
  { code: "eval('('.repeat(100000))", exit: 1 },
  { code: "new Function('x' + '=>x'.repeat(100000))", exit: 1 },
  { code: "new RegExp('('.repeat(100000) + ')'.repeat(100000))", exit: 1 },
  { code: "console.log(/(a+)+$/.test('a'.repeat(40) + 'b'))", exit: 0 },
  { code: "console.log(/^(\\w+\\s?)*$/.test('a'.repeat(5000) + '!'))", exit: 0 },
  { code: "/^(?=(a+)+$)\\1x/.test('a'.repeat(60) + 'b')", limit: "a regular expression" },
  { code: "for (;;) console.log('x'.repeat(1000))", limit: "time", truncated: true },
  { code: "Array.from({ length: 1e9 })", exit: 1 },
  { code: "structuredClone((() => { let a = {}; const r = a; for (let i = 0; i < 50000; i++) a = a.a = {}; return r })())" },
];
for (const { code, limit, exit, truncated, limits } of hostile) {
  test(`hostile: ${code.slice(0, 80)}`, async () => {
    const port = new MapPort({ "output/kept": "kept" });
    const started = performance.now();
    const result = await js(`console.log('partial');\n${code}`, { port, limits, deadlineMs: Date.now() + 1_500 });
    const took = performance.now() - started;
    const shown = JSON.stringify({ ...result, stdout: result.stdout.slice(0, 100), stderr: result.stderr.slice(-500) });
    assert.ok(result.stdout.startsWith("partial\n"), shown);
    assert.ok(!result.stdout.includes("never"), shown);
    if (limit !== undefined) {
      assert.ok(result.limit?.includes(limit), shown);
      assert.notEqual(result.exitCode, 0);
      assert.match(result.stderr, /js: stopped: /);
    } else if (exit !== undefined) assert.equal(result.exitCode, exit, shown);
    else assert.ok(result.exitCode !== 0 || result.trap === undefined, shown);
    assert.equal(result.stdoutTruncated, truncated ?? false);
    assert.ok(took < 20_000, `${took} ms`);
    assert.equal(port.text("output/kept"), "kept");
    assert.equal(await printed("console.log(require('fs').readFileSync('kept', 'utf8'))", { port }), "kept\n");
  });
}

for (const [name, text] of [
  ["brackets", "[".repeat(100_000)], ["parentheses", "(".repeat(100_000)], ["blocks", "{".repeat(100_000)], ["templates", "`${".repeat(100_000)],
  ["negations", `${"!".repeat(100_000)}1`], ["sums", `1${"+1".repeat(100_000)}`], ["arrows", `${"x=>".repeat(100_000)}1`],
  ["conditions", `${"a?b:".repeat(100_000)}c`], ["else", `${"if(a);else ".repeat(100_000)};`], ["members", `a${".a".repeat(100_000)}`],
  ["calls", `a${"()".repeat(100_000)}`], ["assignments", `${"a=".repeat(100_000)}1`], ["loops", `${"for(;;)".repeat(100_000)};`], ["labels", `${"a:".repeat(100_000)};`],
]) {
  test(`hostile source: a hundred thousand ${name}`, async () => {
    const port = new MapPort({ "output/deep.js": text });
    const result = await run(["js", "deep.js"], { port });
    assert.notEqual(result.exitCode, 0);
    assert.notEqual(result.stderr + (result.trap ?? ""), "");
    assert.equal(await printed("console.log(1)", { port }), "1\n");
  });
}

/** Runs a program in a worker that the host ends. */
async function inWorker(code, ms) {
  const worker = new Worker(new URL("./programs/javascript-worker.mjs", import.meta.url), {
    workerData: { folder: folder.href, request: request(["js", "-e", code], { deadlineMs: Date.now() + 1_000 }) },
  });
  const ended = new Promise((resolve) => worker.on("message", (message) => message.end && resolve(message.end)));
  await new Promise((resolve) => worker.once("message", resolve));
  const late = new Promise((resolve) => setTimeout(resolve, ms, "late"));
  const end = await Promise.race([ended, late]);
  const started = performance.now();
  await worker.terminate();
  return { end, stopped: performance.now() - started };
}

for (const code of ["let a = 3n; for (;;) a *= a", "/(.*)(.*)(.*)(.*)x/.test('a'.repeat(3000))", "[...Array(1e8)]", "const g = (function* () { for (;;) yield 1 })(); [...g]"]) {
  test(`what nothing inside can stop ends with its worker: ${code}`, async () => {
    const { end, stopped } = await inWorker(code, 2_500);
    if (end === "late") assert.ok(stopped < 1_000, `${stopped} ms`);
    assert.equal(await printed("console.log('next')"), "next\n");
  });
}

// The driver.

test("several instances work side by side on one workspace", async () => {
  const port = new MapPort();
  const code = (name) => `const fs = require('fs'); for (let i = 1; i <= 200; i++) { fs.appendFileSync('all', '${name}' + i + '\\n'); if (i % 20 === 0) await null }`;
  const runs = await Promise.all(["a", "b", "c"].map((name) => js(code(name), { port })));
  assert.deepEqual(runs.map(({ exitCode }) => exitCode), [0, 0, 0]);
  const lines = port.text("output/all").trim().split("\n");
  for (const name of "abc") {
    const own = lines.filter((line) => line.startsWith(name)).map((line) => Number(line.slice(1)));
    assert.deepEqual(own, Array.from({ length: 200 }, (_, i) => i + 1));
  }
});

test("an instance that crashed is thrown away, and the others go on", async () => {
  const port = new MapPort();
  const crash = js("console.log('partial'); require('fs').writeFileSync('f', 'x'); let s = 'x'; for (;;) s += s", { port });
  const other = js("await new Promise((r) => setTimeout(r, 50)); console.log('worked')", { port });
  const [crashed, worked] = await Promise.all([crash, other]);
  assert.equal(crashed.exitCode, 134);
  assert.equal(crashed.stdout, "partial\n");
  assert.equal(worked.stdout, "worked\n");
  assert.equal(port.text("output/f"), "x");
});

test("a crash leaves no timer behind", async () => {
  const broken = instance();
  const running = broken.run(request(["js", "-e", "setTimeout(() => {}, 5000)"]));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(broken.timers.size > 0);
  broken.stop("cancel");
  assert.equal(broken.timers.size, 0);
  assert.equal((await running).limit, "cancel");
});

test("the shell starts programs, and shares its files and /tmp with them", async () => {
  const shell = await load(folder, "shell");
  const port = new MapPort().open();
  const spawn = async (request, stdin) => {
    const { exitCode, stdout, stderr } = await new Instance(javascript, port).run(request, stdin);
    return { exit: exitCode, stdout, stderr };
  };
  const command = `echo shared > /tmp/a; printf '1\n2\n' > n.txt
node -e 'const fs = require("fs"); console.log(fs.readFileSync("/tmp/a", "utf8").trim()); fs.writeFileSync("/tmp/b", "back")' && cat /tmp/b; echo
cat n.txt | X=7 node -e 'console.log(require("fs").readFileSync(0, "utf8").split("\\n").length, process.env.X)' | tr 7 8
js -e 'process.exit(5)' || echo "status $?"`;
  const result = await new Instance(shell, port, { spawn }).run({ command, cwd: "/output", seed: "s", deadlineMs: Date.now() + 20_000 });
  assert.equal(result.stdout, "shared\nback\n3 8\nstatus 5\n", result.stderr);
});

test("a port that throws costs the call, not the instance", async () => {
  const port = new MapPort({ "output/a": "A" });
  port.read = () => {
    throw new TypeError("a fault of the driver");
  };
  const code = "try { require('fs').readFileSync('a') } catch (error) { console.log(error.code) }";
  assert.equal(await printed(code, { port }), "EIO\n");
});

test("a closed port changes nothing any more", async () => {
  const port = new MapPort({ "output/a": "a" });
  port.closed = true;
  const code = "try { require('fs').writeFileSync('a', 'b') } catch (error) { console.log(error.code) }";
  assert.equal(await printed(code, { port }), "ECANCELED\n");
  port.closed = false;
  assert.equal(port.text("output/a"), "a");
});

for (const code of ["while (true) {}", "import 'fs'; while (true) {}", "for (;;) await null", "setTimeout(() => {}, 30_000)", "setInterval(() => {}, 1)"]) {
  test(`cancelled within milliseconds: ${code}`, async () => {
    const program = instance();
    const running = program.run(request(["js", "-e", `console.log('partial');\n${code}`]));
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

test("output arrives while the program runs", async () => {
  const program = instance();
  const seen = [];
  program.onOutput = (stream, bytes) => seen.push([stream, new TextDecoder().decode(bytes)]);
  await program.run(request(["js", "-e", "console.log('one'); setTimeout(() => console.error('two'), 100)"]));
  assert.deepEqual(seen, [["stdout", "one\n"], ["stderr", "two\n"]]);
});

// What jco puts around every call takes its time.
const longestGap = isComponent ? 300 : 60;

for (const code of ["for (;;);", "import 'path'; for (;;);", "for (;;) await 1", "const f = () => f2(); const f2 = () => {}; for (;;) f()"]) {
  test(`a loop leaves the event loop its turns: ${code}`, async () => {
    const gaps = [];
    let last = performance.now();
    const ticking = setInterval(() => {
      gaps.push(performance.now() - last);
      last = performance.now();
    }, 1);
    const { limit } = await js(code, { deadlineMs: Date.now() + 700 });
    clearInterval(ticking);
    assert.equal(limit, "time");
    gaps.sort((a, b) => b - a);
    // The first gap holds the making of the instance.
    assert.ok(gaps[1] < longestGap, `${gaps.slice(0, 4)} ms`);
  });
}

// What the component imports is checked by ratchets.mjs.
test("the module imports the port, timers and nothing that could tell a clock or give randomness", { skip: isComponent }, () => {
  const glue = readFileSync(new URL("javascript.mjs", folder), "utf8");
  const names = WebAssembly.Module.imports(javascript.compiled).map(({ name }) => name.replace(/^__wbg_(.*?)_[0-9a-f]{16}$/, "$1"));
  const allowed = /^(append|copy|list|mkdir|now|read|remove|rename|stat|stderr|stdout|wake|write|setTimeout|clearTimeout|static_accessor_WAKE|get|getRandomValues|crypto|static_accessor.*|__wb.*|Error|new.*|from.*|buffer.*|length|set.*|subarray|call|node|process|versions|require|msCrypto|randomFillSync|instanceof.*)$/;
  assert.deepEqual(names.filter((name) => !allowed.test(name)), []);
  assert.ok(!glue.includes("import.meta"));
});
