// The one tool that every contestant runs, and the calls that a model makes of it.

export const description = "Adds two numbers.";
export const inputSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};
export const add = async ({ a, b }) => ({ sum: a + b });
export const callArguments = (index) => JSON.stringify({ a: index, b: 1 });

/** Every call must have brought its sum; a fast wrong answer is no answer. */
export function checkSums(sums) {
  sums.forEach((sum, index) => {
    if (sum !== index + 1) throw new Error(`call ${index} brought ${sum}`);
  });
}
