// Runs conformance cases, in whatever host it is imported: Node or a page.
//
// tests/faces/topics.json says how a topic is run, here and natively. Topics of single functions run inside the
// testing build of the module; a topic of the public API needs a file TOPIC.mjs beside this one, which exports
// `run(input, expect, host)` and gives `{ verdict: "passed" | "failed" | "skipped", text }`, or throws.

/**
 * What differs between hosts: `createRuntime` makes a runtime for a case, `runPure(topic, input, expect)` runs a case of
 * single functions (see module.mjs); `begin(name)`, where it is there, is told each case before it runs.
 * @typedef {{ begin?: (name: string) => void, createRuntime: (options?: object) => Promise<object>, runPure: Function }} CaseHost
 */

export class Cases {
  tally = { passed: 0, failed: 0, skipped: 0 };
  /** What is to be said of the cases, a line each. */
  lines = [];
  /** How many were run by a single function instead of the public API. */
  pure = 0;

  /** `topics` is the content of topics.json. */
  constructor(topics, host) {
    this.topics = topics;
    this.host = host;
  }

  /** Runs the cases of a file, given as its name and its text. */
  async runFile(name, text) {
    try {
      const { topic, cases } = JSON.parse(text);
      if (typeof topic !== "string" || !Array.isArray(cases)) throw new Error("it lacks `topic` or `cases`");
      for (const entry of cases) await this.#runCase(topic, entry);
    } catch (error) {
      this.fail(name, "a case file", error.message);
    }
  }

  fail(name, why, text) {
    this.#count(name, why, { verdict: "failed", text });
  }

  async #runCase(topic, { id, why, input, expect }) {
    let answer;
    this.host.begin?.(`${topic} ${id}`);
    try {
      const run = await this.#adapter(topic, input?.op);
      answer = (await run(input, expect, this.host)) ?? this.#unknown(topic);
      if (!(answer?.verdict in this.tally)) answer = { verdict: "failed", text: "the adapter gave no verdict" };
    } catch (error) {
      answer = { verdict: "failed", text: String(error?.stack ?? error).split("\n").slice(0, 3).join(" ") };
    }
    this.#count(`${topic} ${id}`, why, answer);
  }

  /** What runs the cases of a topic, or of one `op` of it. */
  async #adapter(topic, op) {
    const { api, pureOps, pureInstead } = this.topics;
    const { runPure } = this.host;
    const pure = pureOps[topic]?.[op] ?? (api.includes(topic) ? undefined : topic);
    if (pure) return (input, expect) => runPure(pure, input, expect);
    const { run } = await import(`./${topic}.mjs`);
    const instead = pureInstead[topic];
    // What the public API cannot show yet (a tool or a room that is not built) is still run as a single function.
    return async (input, expect, host) => {
      const result = await run(input, expect, host);
      if (!instead || result?.verdict !== "skipped") return result;
      return { ...(await runPure(instead, input, expect)), instead: result.text };
    };
  }

  /** The answer for a topic that nothing runs: its room is built later, or nobody has heard of it. */
  #unknown(topic) {
    const later = this.topics.later[topic];
    return later ? { verdict: "skipped", text: later } : { verdict: "failed", text: `no adapter for the topic ${topic}` };
  }

  #count(name, why, { verdict, text, instead }) {
    this.tally[verdict] += 1;
    if (instead && verdict !== "skipped") {
      this.pure += 1;
      this.lines.push(`pure    ${name}: ${instead}`);
    }
    if (verdict === "failed") this.lines.push(`failed  ${name}: ${why}\n        ${text}`);
    if (verdict === "skipped") this.lines.push(`skipped ${name}: ${text}`);
  }
}

/** The last lines of a run of cases. */
export const sum = ({ passed, failed, skipped }, pure) =>
  `${pure} of them by a single function instead of the public API\n${passed} passed, ${failed} failed, ${skipped} skipped`;
