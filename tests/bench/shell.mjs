// The shell beside other shells in WebAssembly and JavaScript, measured in the same run.
//
// One command in a used environment (they keep theirs; ours is a fresh instance each time, so that nothing leaks from one
// command to the next), and one in a new environment. Files lie in the workspace, respectively in the file system of each.

import { readFileSync } from "node:fs";

import { createRuntime } from "../../pkg/dist/node.js";

/** The version of a peer; not every package shows its own. */
const versionOf = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

const SMALL = 1_000;
/** The largest file of a workspace. */
const BIG_BYTES = 8 * 1024 * 1024;

const files = () => ({
  ...Object.fromEntries(Array.from({ length: SMALL }, (_, at) => [`small/${at}.txt`, `line ${at}\n`])),
  big: "0123456789abcde\n".repeat(BIG_BYTES / 16),
  "data.json": JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ id: at, name: `n${at}`, tags: ["a", "b"] }))),
});

/** What is measured: a label, a script, and how often. */
const scripts = [
  ["echo hi", "echo hi", 200],
  ["three commands in a pipe", "echo c b a | tr ' ' '\\n' | sort", 100],
  ["loop of 1,000 steps", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; echo $i", 10],
  ["read 1,000 small files", 'for f in small/*; do read -r line < "$f"; done; echo $line', 10],
  ["read one file of 8 MB", "cat big | wc -c", 10],
  ["jq over 500 objects", "jq -c 'map(select(.id % 2 == 0) | .name) | length' data.json", 30],
];

async function ours(isolation) {
  const workspace = Object.fromEntries(Object.entries(files()).map(([path, content]) => [`output/${path}`, content]));
  const start = async () => {
    const runtime = await createRuntime({ isolation, workspace });
    return {
      run: async (script) => {
        const { stdout, stderr, status, text } = await runtime.shell(script, { workdir: "/output" });
        if (status !== "ok" || stderr) throw new Error(`${script}: ${status} ${text} ${stderr}`);
        return stdout;
      },
      close: () => runtime.close(),
    };
  };
  return { name: `handrail ${isolation}`, start };
}

async function justBash() {
  const { Bash } = await import("just-bash");
  const own = Object.fromEntries(Object.entries(files()).map(([path, content]) => [`/output/${path}`, content]));
  const start = async () => {
    const bash = new Bash({ files: own, cwd: "/output", executionLimits: { maxLoopIterations: 1e6, maxCommandCount: 1e6 } });
    return { run: async (script) => (await bash.exec(script)).stdout, close: () => undefined };
  };
  return { name: `just-bash ${versionOf("just-bash")}`, start };
}

async function bashkit() {
  const { Bash, initBashkit } = await import("@everruns/bashkit-wasm");
  const bytes = readFileSync(new URL("node_modules/@everruns/bashkit-wasm/bashkit_wasm_bg.wasm", import.meta.url));
  await initBashkit(bytes);
  const own = Object.fromEntries(Object.entries(files()).map(([path, content]) => [`/output/${path}`, content]));
  const start = async () => {
    const bash = new Bash({ files: own, cwd: "/output", maxCommands: 1_000_000, maxLoopIterations: 1_000_000 });
    return { run: async (script) => (await bash.execute(script)).stdout, close: () => bash.free?.() };
  };
  return { name: `bashkit-wasm ${versionOf("@everruns/bashkit-wasm")}`, start };
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Prints the table. `columns(label, ...cells)` prints a line of it. */
export async function shell(columns) {
  const peers = [];
  for (const make of [() => ours("worker"), () => ours("inline"), justBash, bashkit]) {
    try {
      peers.push(await make());
    } catch (error) {
      console.log(`not measured: ${error.message}`);
    }
  }
  const milli = (ms) => (ms === undefined ? "-" : `${ms < 1 ? ms.toFixed(3) : ms.toFixed(1)} ms`);
  columns("one shell command", ...peers.map(({ name }) => name));
  const ready = [];
  const first = [];
  for (const peer of peers) {
    const shell = await peer.start();
    first.push(await timed(() => shell.run("echo hi")));
    ready.push(shell);
  }
  columns("the very first (module compiled on demand)", ...first.map(milli));
  const warmed = [];
  for (const peer of peers) {
    const times = [];
    for (let sample = 0; sample < 5; sample += 1) {
      const shell = await peer.start();
      times.push(await timed(() => shell.run("echo hi")));
      await shell.close();
    }
    warmed.push(median(times));
  }
  columns("the first of a new environment", ...warmed.map(milli));
  for (const [label, script, count] of scripts) {
    const outputs = await Promise.all(ready.map(({ run }) => run(script).catch((error) => error)));
    const wanted = outputs[0];
    const times = [];
    for (const [at, { run }] of ready.entries()) {
      if (String(outputs[at]).trim() !== String(wanted).trim()) {
        times.push(undefined);
        console.log(`not measured: ${peers[at].name} answers ${JSON.stringify(String(outputs[at]).slice(0, 80))} to ${label}`);
        continue;
      }
      const samples = [];
      for (let sample = 0; sample < count; sample += 1) {
        // The event loop gets a turn, in which a spare instance can be made.
        await new Promise((resolve) => setTimeout(resolve, 2));
        samples.push(await timed(() => run(script)));
      }
      times.push(median(samples));
    }
    columns(label, ...times.map(milli));
  }
  for (const { close } of ready) await close();
}
