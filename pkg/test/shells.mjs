// What the tests of the shell share: runtimes whose commands have a short deadline, and a model that calls the shell.

import { test } from "node:test";

import { CoreDriver } from "../dist/driver.js";
import { platform } from "../dist/node-platform.js";
import { RemoteDriver } from "../dist/remote.js";
import { runtimeOn } from "../dist/runtime.js";
import { calls, profile, results } from "./both.mjs";

/** The isolations, each with how a core is started there. */
export const isolations = {
  inline: async () => CoreDriver.start(await platform.compile("core")),
  worker: async () => RemoteDriver.start(platform.worker, await platform.compile("core")),
};

/**
 * A runtime whose commands have to end in `ms` milliseconds, or as a first line `# 100 ms` says; the core itself would
 * wait for 31 seconds.
 */
export async function hurried(isolation, ms, options = {}) {
  const driver = await isolations[isolation]();
  const exec = driver.exec.bind(driver);
  driver.exec = (asked, heard) => {
    const own = /^# (\d+) ms\n/.exec(asked.command);
    return exec({ ...asked, deadline: asked.now + Number(own?.[1] ?? ms) }, heard);
  };
  return runtimeOn(driver, isolation, options, (name) => platform.compile(name, options.programs?.[name]));
}

/** A test in both isolations, or in one, with a runtime whose commands have `ms` milliseconds. */
export function inShell(name, { ms = 5_000, only, skip, ...options } = {}, body) {
  for (const isolation of Object.keys(isolations).filter((one) => !only || one === only)) {
    test(`${name} (${isolation})`, { timeout: 60_000, skip }, async (t) => {
      const runtime = await hurried(isolation, ms, options);
      t.after(() => runtime.close());
      await body(runtime, t, isolation);
    });
  }
}

/** A model's side: calls the shell, gives what the model is shown. */
export async function model(runtime, options = {}) {
  const invocation = await runtime.invocation({ profile: profile(["builtin:workspace.shell"]), input: "go", ...options });
  let last = 0;
  const call = async (command, args = {}) => {
    const id = `call_${(last += 1)}`;
    const turn = await invocation.handle(calls(["workspace_shell", { command, ...args }, id]));
    return results(turn)[id];
  };
  return Object.assign(call, { invocation });
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
