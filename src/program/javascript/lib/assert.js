// node:assert.
(native, require) => {
  const { isDeepEqual } = require("values");
  const shown = (value) =>
    native.inspect(value, {
      compact: false,
      customInspect: false,
      depth: 1000,
      maxArrayLength: null,
      showHidden: false,
      showProxy: false,
      sorted: true,
      getters: true,
      breakLength: Infinity,
    });
  const WORDS = {
    strictEqual: "Expected values to be strictly equal:",
    deepStrictEqual: "Expected values to be strictly deep-equal:",
    equal: "Expected values to be loosely equal:",
    deepEqual: "Expected values to be loosely deep-equal:",
    notStrictEqual: 'Expected "actual" to be strictly unequal to:',
    notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
    notEqual: 'Expected "actual" to be loosely unequal to:',
    notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  };

  // The lines of two texts, those that both have between those that only one has.
  const difference = (actual, expected) => {
    const [left, right] = [actual.split("\n"), expected.split("\n")];
    if (left.length * right.length > 250_000)
      return [...left.map((line) => `+ ${line}`), ...right.map((line) => `- ${line}`)];
    const same = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
    for (let i = left.length - 1; i >= 0; i -= 1) {
      for (let j = right.length - 1; j >= 0; j -= 1)
        same[i][j] = left[i] === right[j] ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
    }
    const lines = [];
    let [i, j] = [0, 0];
    while (i < left.length || j < right.length) {
      if (i < left.length && j < right.length && left[i] === right[j]) (lines.push(`  ${left[i]}`), (i += 1), (j += 1));
      else if (j >= right.length || (i < left.length && same[i + 1][j] >= same[i][j + 1]))
        (lines.push(`+ ${left[i]}`), (i += 1));
      else (lines.push(`- ${right[j]}`), (j += 1));
    }
    return lines;
  };
  const describe = (actual, expected, operator) => {
    const head = WORDS[operator];
    const [left, right] = [shown(actual), shown(expected)];
    if (operator.startsWith("not"))
      return left.includes("\n") || operator.includes("Deep")
        ? `${head}\n\n${left}\n`
        : `${head.replace(/:$/, ":")} ${left}`;
    const short = !left.includes("\n") && !right.includes("\n");
    if (short && operator === "equal") return `${left} == ${right}`;
    const objects = [actual, expected].some((value) => typeof value === "object" && value !== null);
    if (short && left !== right && !objects) return `${head}\n\n${left} !== ${right}\n`;
    if (left === right) {
      return `Values have same structure but are not reference-equal:\n\n${left}\n`;
    }
    if (operator === "deepEqual") return `${head}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
    return `${head}\n+ actual - expected\n\n${difference(left, right).join("\n")}`;
  };

  class AssertionError extends Error {
    constructor({ message, actual, expected, operator = "fail", stackStartFn } = {}) {
      super(message === undefined ? describe(actual, expected, operator) : String(message));
      this.generatedMessage = message === undefined;
      this.code = "ERR_ASSERTION";
      Object.assign(this, { actual, expected, operator: { equal: "==", notEqual: "!=" }[operator] ?? operator });
      Object.defineProperty(this, "name", { value: "AssertionError", writable: true, configurable: true });
    }
    toString() {
      return `${this.name} [${this.code}]: ${this.message}`;
    }
  }

  const fail = (actual, expected, message, operator, fallback) => {
    if (message instanceof Error) throw message;
    const error = new AssertionError({ actual, expected, operator, message: message ?? fallback });
    error.generatedMessage = message === undefined;
    throw error;
  };
  const ok = (...values) => {
    const [value, message] = values;
    if (value) return;
    fail(
      value,
      true,
      message,
      "==",
      values.length === 0 ? "No value argument passed to `assert.ok()`" : "The expression evaluated to a falsy value",
    );
  };

  const matches = (error, expected, message, operator) => {
    if (expected === undefined) return;
    const text = error instanceof Error ? String(error) : native.inspect(error);
    if (expected instanceof RegExp) {
      if (expected.test(text)) return;
      fail(
        error,
        expected,
        message,
        operator,
        `The input did not match the regular expression ${native.inspect(expected)}. Input:\n\n${native.inspect(String(error))}\n`,
      );
    } else if (typeof expected === "function") {
      if (expected.prototype !== undefined && error instanceof expected) return;
      if (Object.prototype.isPrototypeOf.call(Error, expected)) throw error;
      if (expected.call({}, error) === true) return;
      fail(
        error,
        expected,
        message,
        operator,
        `The ${expected.name ? `"${expected.name}" ` : ""}validation function is expected to return "true". Received ${native.inspect(expected.call({}, error))}\n\nCaught error:\n\n${error}`,
      );
    } else {
      const keys = Object.keys(expected);
      if (expected instanceof Error) keys.push("name", "message");
      for (const key of keys) {
        const good =
          typeof error?.[key] === "string" && expected[key] instanceof RegExp
            ? expected[key].test(error[key])
            : isDeepEqual(error?.[key], expected[key], true);
        if (!good) fail(error, expected, message, operator, describe(error?.[key], expected[key], "deepStrictEqual"));
      }
    }
  };
  const rejection = async (promise) => {
    try {
      await (typeof promise === "function" ? promise() : promise);
    } catch (error) {
      return { error };
    }
    return undefined;
  };
  const missing = (expected, message, operator, what) => {
    const name = typeof expected === "function" && expected.name ? ` (${expected.name})` : "";
    const note = typeof expected === "string" ? expected : message;
    fail(
      undefined,
      expected,
      note instanceof Error ? note : undefined,
      operator,
      `Missing expected ${what}${name}${note ? `: ${note}` : "."}`,
    );
  };

  const compared = (operator, equal, wanted) => (actual, expected, message) => {
    if (equal(actual, expected) !== wanted) fail(actual, expected, message, operator);
  };
  const loose = (left, right) => left == right || (left !== left && right !== right);
  const methods = {
    ok,
    equal: compared("equal", loose, true),
    notEqual: compared("notEqual", loose, false),
    strictEqual: compared("strictEqual", Object.is, true),
    notStrictEqual: compared("notStrictEqual", Object.is, false),
    deepEqual: compared("deepEqual", (left, right) => isDeepEqual(left, right, false), true),
    notDeepEqual: compared("notDeepEqual", (left, right) => isDeepEqual(left, right, false), false),
    deepStrictEqual: compared("deepStrictEqual", (left, right) => isDeepEqual(left, right, true), true),
    notDeepStrictEqual: compared("notDeepStrictEqual", (left, right) => isDeepEqual(left, right, true), false),
    fail: (message = "Failed") => fail(undefined, undefined, message, "fail"),
    ifError(value) {
      if (value !== null && value !== undefined)
        fail(
          value,
          null,
          undefined,
          "ifError",
          `ifError got unwanted exception: ${value.message ?? native.inspect(value)}`,
        );
    },
    match(text, pattern, message) {
      if (!(typeof text === "string" && pattern.test(text)))
        fail(
          text,
          pattern,
          message,
          "match",
          `The input did not match the regular expression ${native.inspect(pattern)}. Input:\n\n${native.inspect(text)}\n`,
        );
    },
    doesNotMatch(text, pattern, message) {
      if (pattern.test(text))
        fail(
          text,
          pattern,
          message,
          "doesNotMatch",
          `The input was expected to not match the regular expression ${native.inspect(pattern)}. Input:\n\n${native.inspect(text)}\n`,
        );
    },
    throws(callback, expected, message) {
      let error;
      try {
        callback();
      } catch (thrown) {
        error = { thrown };
      }
      if (!error) missing(expected, message, "throws", "exception");
      if (typeof expected !== "string") matches(error.thrown, expected, message, "throws");
    },
    doesNotThrow(callback, expected, message) {
      try {
        callback();
      } catch (error) {
        const note = typeof expected === "string" ? expected : message;
        fail(
          error,
          expected,
          undefined,
          "doesNotThrow",
          `Got unwanted exception${note ? `: ${note}` : "."}\nActual message: "${error?.message}"`,
        );
      }
    },
    async rejects(promise, expected, message) {
      const settled = await rejection(promise);
      if (!settled) missing(expected, message, "rejects", "rejection");
      if (typeof expected !== "string") matches(settled.error, expected, message, "rejects");
    },
    async doesNotReject(promise, expected, message) {
      const settled = await rejection(promise);
      if (settled)
        fail(
          settled.error,
          expected,
          undefined,
          "doesNotReject",
          `Got unwanted rejection.\nActual message: "${settled.error?.message}"`,
        );
    },
  };
  const assert = Object.assign((...values) => ok(...values), methods, { AssertionError });
  const { deepStrictEqual, notDeepStrictEqual, strictEqual, notStrictEqual } = methods;
  assert.strict = Object.assign((...values) => ok(...values), methods, {
    AssertionError,
    equal: strictEqual,
    notEqual: notStrictEqual,
    deepEqual: deepStrictEqual,
    notDeepEqual: notDeepStrictEqual,
  });
  assert.strict.strict = assert.strict;
  return assert;
};
