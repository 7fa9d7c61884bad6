// Programs of the host as commands of the shell.

import assert from "node:assert/strict";

import { both } from "./both.mjs";

const text = (bytes) => new TextDecoder().decode(bytes);

both("a program gets what a command gets", async (open) => {
  const runtime = await open({ workspace: { "output/in": "file\n" } });
  let call;
  runtime.programs.register("probe", (given) => {
    call = given;
    return { exitCode: 7, stdout: `${text(given.stdin).trim()} out\n`, stderr: "err\n" };
  });
  const { stdout, stderr } = await runtime.shell("export A=1; echo in | B=2 probe x 'y z' | tr a-z A-Z; echo ${PIPESTATUS[1]}", { workdir: "/output" });
  assert.equal(stdout, "IN OUT\n7\n");
  assert.equal(stderr, "err\n");
  const { argv, cwd, env, signal } = call;
  assert.deepEqual([argv, cwd, env.A, env.B], [["probe", "x", "y z"], "/output", "1", "2"]);
  assert.ok(signal.aborted);
});

both("a program works on the files of its command", async (open) => {
  const runtime = await open({ workspace: { "output/in": "file\n" } });
  runtime.programs.register("work", async ({ files }) => {
    await files.write("made/x", "no").then(assert.fail, ({ code }) => assert.equal(code, "ENOENT"));
    await files.mkdir("made/deep", { recursive: true });
    await files.write("made/x", await files.read("in"));
    await files.append("made/x", "more\n");
    await files.copy("made/x", "/output/made/deep/y");
    await files.rename("made/x", "./made/../made/z");
    assert.equal(await files.stat("made/x"), undefined);
    const { kind, bytes } = await files.stat("made/z");
    assert.deepEqual([kind, bytes], ["file", 10]);
    assert.deepEqual((await files.list("made")).map(({ name, kind }) => `${name} ${kind}`), ["deep directory", "z file"]);
    await files.remove("made/deep", { recursive: true });
    assert.equal(await files.readText("/tmp/t"), "tmp\n");
  });
  const { stdout, stderr } = await runtime.shell("echo tmp > /tmp/t; work; cat made/*; ls made", { workdir: "/output" });
  assert.deepEqual([stdout, stderr], ["file\nmore\nz\n", ""]);
});

both("a program that fails is an exit status and a line", async (open) => {
  const runtime = await open();
  runtime.programs.register("throws", () => {
    throw new Error("no luck");
  });
  runtime.programs.register("odd", () => ({ exitCode: 1.5 }));
  runtime.programs.register("quiet", () => undefined);
  const { stdout, stderr } = await runtime.shell("throws; echo $?; odd; echo $?; quiet; echo $?");
  assert.equal(stdout, "1\n1\n0\n");
  assert.equal(stderr, "throws: no luck\nodd: its exitCode is no integer from 0 to 255\n");
});

both("after its command a program reaches no files", async (open) => {
  const runtime = await open();
  let late;
  runtime.programs.register("late", ({ files }) => {
    late = new Promise((resolve) => setTimeout(() => resolve(files.write("/output/late", "x")), 200));
    late.catch(() => undefined);
    return {};
  });
  await runtime.shell("late");
  await assert.rejects(late);
  assert.deepEqual(await runtime.workspace.list("output"), []);
});

both("names", async (open) => {
  const runtime = await open();
  const { programs } = runtime;
  for (const name of ["", "Up", "a b", "a/b", "x".repeat(33), "jq", "python3", "cd", 5]) {
    assert.throws(() => programs.register(name, () => ({})), { code: "program.invalid" }, String(name));
  }
  assert.throws(() => programs.register("ok", "no function"), { code: "program.invalid" });
  programs.register("sqlite3", () => ({ stdout: "1" }));
  programs.register("sqlite3", () => ({ stdout: "2" }));
  assert.equal((await runtime.shell("sqlite3")).stdout, "2");
  assert.equal(programs.unregister("sqlite3"), true);
  assert.equal(programs.unregister("sqlite3"), false);
  assert.equal((await runtime.shell("sqlite3")).exitCode, 127);
});
