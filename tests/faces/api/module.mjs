// The testing build of the module, with its one entry for single functions. `./dev` builds it.

/** The folder of the module, beside the repository's other built things. */
export const folder = new URL("../../../target/testing-wasm/", import.meta.url);

/**
 * Runs cases of single functions on a compiled module. A trap is the answer to that case; the next gets a new instance.
 * `undefined`: no single function runs this topic.
 */
export function pureRunner(compiled) {
  let instance;
  let generation = 0;
  return async (topic, input, expect) => {
    // The glue keeps one instance for each import, so each import gets an address of its own.
    instance ??= await instantiate(compiled, (generation += 1));
    let answer;
    try {
      answer = JSON.parse(instance.run_case(topic, JSON.stringify(input), JSON.stringify(expect)));
    } catch (error) {
      instance = undefined;
      return { verdict: "failed", text: `the module ended: ${error.message}` };
    }
    return answer.verdict === "unknown" ? undefined : answer;
  };
}

async function instantiate(compiled, generation) {
  const glue = await import(new URL(`handrail.js?${generation}`, folder));
  glue.initSync({ module: compiled });
  return glue;
}
