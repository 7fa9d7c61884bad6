// node:util.
(native) => {
  const custom = Symbol.for("nodejs.util.inspect.custom");
  const promisified = Symbol.for("nodejs.util.promisify.custom");

  const inspect = (value, options, depth, colors) => {
    if (typeof options !== "boolean" && depth === undefined)
      return native.inspect(value, { ...inspect.defaultOptions, ...options });
    return native.inspect(value, {
      ...inspect.defaultOptions,
      showHidden: options,
      ...(depth !== undefined && { depth }),
      ...(colors !== undefined && { colors }),
    });
  };
  inspect.custom = custom;
  inspect.defaultOptions = {
    showHidden: false,
    depth: 2,
    colors: false,
    customInspect: true,
    showProxy: false,
    maxArrayLength: 100,
    maxStringLength: 10000,
    breakLength: 80,
    compact: 3,
    sorted: false,
    getters: false,
    numericSeparator: false,
  };
  inspect.colors = {
    reset: [0, 0],
    bold: [1, 22],
    dim: [2, 22],
    italic: [3, 23],
    underline: [4, 24],
    inverse: [7, 27],
    strikethrough: [9, 29],
    black: [30, 39],
    red: [31, 39],
    green: [32, 39],
    yellow: [33, 39],
    blue: [34, 39],
    magenta: [35, 39],
    cyan: [36, 39],
    white: [37, 39],
    gray: [90, 39],
    grey: [90, 39],
    redBright: [91, 39],
    greenBright: [92, 39],
    yellowBright: [93, 39],
    blueBright: [94, 39],
    magentaBright: [95, 39],
    cyanBright: [96, 39],
    whiteBright: [97, 39],
    bgRed: [41, 49],
    bgGreen: [42, 49],
    bgYellow: [43, 49],
    bgBlue: [44, 49],
    bgMagenta: [45, 49],
    bgCyan: [46, 49],
    bgWhite: [47, 49],
    bgBlack: [40, 49],
  };
  inspect.styles = {
    special: "cyan",
    number: "yellow",
    bigint: "yellow",
    boolean: "yellow",
    undefined: "grey",
    null: "bold",
    string: "green",
    symbol: "green",
    date: "magenta",
    regexp: "red",
    module: "underline",
  };
  const format = (...values) => native.format(...values);
  const formatWithOptions = (options, ...values) =>
    native.format(
      ...values.map((value, at) =>
        at > 0 && typeof value === "object" && value !== null ? inspect(value, options) : value,
      ),
    );

  const promisify = (original) => {
    if (typeof original !== "function") {
      throw Object.assign(
        new TypeError(`The "original" argument must be of type function. Received ${native.inspect(original)}`),
        { code: "ERR_INVALID_ARG_TYPE" },
      );
    }
    if (original[promisified]) return original[promisified];
    const promise = function (...values) {
      return new Promise((resolve, reject) =>
        original.call(this, ...values, (error, value) => (error ? reject(error) : resolve(value))),
      );
    };
    return Object.defineProperties(
      Object.setPrototypeOf(promise, Object.getPrototypeOf(original)),
      Object.getOwnPropertyDescriptors(original),
    );
  };
  promisify.custom = promisified;
  const callbackify = (original) =>
    function (...values) {
      const callback = values.pop();
      original.apply(this, values).then(
        (value) => native.tick(callback, [null, value]),
        (reason) =>
          native.tick(callback, [
            reason ??
              Object.assign(new Error("Promise was rejected with a falsy value"), {
                reason,
                code: "ERR_FALSY_VALUE_REJECTION",
              }),
          ]),
      );
    };
  const deprecate = (callback) => callback;
  const inherits = (constructor, parent) => {
    Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
    Object.setPrototypeOf(constructor.prototype, parent.prototype);
  };

  const kind = native.kind;
  const typed = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
  const functionTag = (value) =>
    typeof value === "function" ? (Object.getPrototypeOf(value)?.[Symbol.toStringTag] ?? "") : "";
  const is = (name) => (value) => kind(value) === name;
  const types = {
    isDate: is("Date"),
    isRegExp: is("RegExp"),
    isMap: is("Map"),
    isSet: is("Set"),
    isPromise: is("Promise"),
    isProxy: is("Proxy"),
    isNativeError: is("Error"),
    isDataView: is("DataView"),
    isTypedArray: is("TypedArray"),
    isModuleNamespaceObject: is("Module"),
    isGeneratorObject: is("Generator"),
    isWeakMap: is("WeakMap"),
    isWeakSet: is("WeakSet"),
    isMapIterator: is("Map Iterator"),
    isSetIterator: is("Set Iterator"),
    isArrayBuffer: is("ArrayBuffer"),
    isSharedArrayBuffer: is("SharedArrayBuffer"),
    isNumberObject: is("Number"),
    isStringObject: is("String"),
    isBooleanObject: is("Boolean"),
    isBigIntObject: is("BigInt"),
    isSymbolObject: is("Symbol"),
    isAnyArrayBuffer: (value) => /ArrayBuffer$/.test(kind(value)),
    isArrayBufferView: (value) => ArrayBuffer.isView(value),
    isBoxedPrimitive: (value) => ["Number", "String", "Boolean", "BigInt", "Symbol"].includes(kind(value)),
    isAsyncFunction: (value) => /^Async/.test(functionTag(value)),
    isGeneratorFunction: (value) => /GeneratorFunction$/.test(functionTag(value)),
    isArgumentsObject: (value) => Object.prototype.toString.call(value) === "[object Arguments]",
    isExternal: () => false,
  };
  for (const name of [
    "Int8",
    "Uint8",
    "Uint8Clamped",
    "Int16",
    "Uint16",
    "Int32",
    "Uint32",
    "Float32",
    "Float64",
    "BigInt64",
    "BigUint64",
  ]) {
    types[`is${name}Array`] = (value) => kind(value) === "TypedArray" && typed.call(value) === `${name}Array`;
  }

  // One comparison for node:assert as well: `strict` looks at prototypes and at the kinds of primitives.
  const isDeepEqual = (left, right, strict, seen = new Map()) => {
    if (left === right) return !strict || left !== 0 || Object.is(left, right);
    const objects = typeof left === "object" && left !== null && typeof right === "object" && right !== null;
    if (!objects) {
      if (typeof left === "function" || typeof right === "function") return false;
      if (strict) return Object.is(left, right);
      if (typeof left === "object" && left !== null) return false;
      if (typeof right === "object" && right !== null) return false;
      return left == right || (left !== left && right !== right);
    }
    if (strict && Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    const [type, other] = [kind(left), kind(right)];
    if (type !== other || Array.isArray(left) !== Array.isArray(right)) return false;
    if (seen.get(left) === right) return true;
    seen.set(left, right);
    const same = (one, two) => isDeepEqual(one, two, strict, seen);
    switch (type) {
      case "Date":
        if (left.getTime() !== right.getTime() && !(isNaN(left) && isNaN(right))) return false;
        break;
      case "RegExp":
        if (String(left) !== String(right) || left.lastIndex !== right.lastIndex) return false;
        break;
      case "Error":
        if (left.message !== right.message || left.name !== right.name) return false;
        break;
      case "Number":
      case "String":
      case "Boolean":
      case "BigInt":
      case "Symbol":
        if (!Object.is(left.valueOf(), right.valueOf())) return false;
        break;
      case "ArrayBuffer":
      case "SharedArrayBuffer":
        return same(new Uint8Array(left), new Uint8Array(right));
      case "DataView":
        return same(
          new Uint8Array(left.buffer, left.byteOffset, left.byteLength),
          new Uint8Array(right.buffer, right.byteOffset, right.byteLength),
        );
      case "TypedArray":
        if (typed.call(left) !== typed.call(right) || left.length !== right.length) return false;
        for (let at = 0; at < left.length; at += 1)
          if (strict ? !Object.is(left[at], right[at]) : left[at] != right[at]) return false;
        break;
      case "Set":
        if (left.size !== right.size) return false;
        for (const value of left) {
          if (right.has(value)) continue;
          if (strict && (typeof value !== "object" || value === null)) return false;
          if (
            ![...right].some(
              (candidate) => !left.has(candidate) && isDeepEqual(value, candidate, strict, new Map(seen)),
            )
          )
            return false;
        }
        break;
      case "Map":
        if (left.size !== right.size) return false;
        for (const [key, value] of left) {
          if (right.has(key)) {
            if (!same(value, right.get(key))) return false;
          } else if (
            ![...right].some(
              ([k, v]) =>
                !left.has(k) &&
                isDeepEqual(key, k, strict, new Map(seen)) &&
                isDeepEqual(value, v, strict, new Map(seen)),
            )
          )
            return false;
        }
        break;
    }
    const keys = (object) => (type === "TypedArray" ? Object.keys(object).slice(object.length) : Object.keys(object));
    const [own, theirs] = [keys(left), keys(right)];
    if (own.length !== theirs.length || (Array.isArray(left) && left.length !== right.length)) return false;
    if (!own.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))) return false;
    if (!strict) return true;
    const symbols = (object) =>
      Object.getOwnPropertySymbols(object).filter((key) => Object.prototype.propertyIsEnumerable.call(object, key));
    const mine = symbols(left);
    return (
      mine.length === symbols(right).length &&
      mine.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
    );
  };

  const stripVTControlCharacters = (text) => String(text).replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  const styleText = (styles, text) =>
    [styles].flat().reduceRight((painted, style) => {
      const codes = inspect.colors[style];
      if (!codes)
        throw new TypeError(
          `The argument 'format' must be one of: ${Object.keys(inspect.colors).join(", ")}. Received ${native.inspect(style)}`,
        );
      return `\u001b[${codes[0]}m${painted}\u001b[${codes[1]}m`;
    }, String(text));

  const parseArgs = ({
    args = globalThis.process.argv.slice(2),
    options = {},
    strict = true,
    allowPositionals = !strict,
    allowNegative = false,
    tokens: wanted = false,
  } = {}) => {
    const values = Object.create(null);
    const positionals = [];
    const tokens = [];
    const fail = (code, message) => {
      throw Object.assign(new TypeError(message), { code });
    };
    const store = (name, value, raw) => {
      const option = options[name];
      if (strict && !option) fail("ERR_PARSE_ARGS_UNKNOWN_OPTION", `Unknown option '${raw}'`);
      const type = option?.type ?? (value === undefined ? "boolean" : "string");
      if (strict && type === "string" && value === undefined)
        fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${raw} <value>' argument missing`);
      if (strict && type === "boolean" && value !== undefined && value !== false)
        fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${raw}' does not take an argument`);
      const stored = value ?? true;
      tokens.push({ kind: "option", name, rawName: raw, value });
      values[name] = option?.multiple ? [...(values[name] ?? []), stored] : stored;
    };
    const long = (short) => Object.keys(options).find((name) => options[name].short === short) ?? short;
    const takes = (name) => options[name]?.type === "string";
    for (let at = 0; at < args.length; at += 1) {
      const word = args[at];
      if (word === "--") {
        positionals.push(...args.slice(at + 1));
        break;
      } else if (word.startsWith("--")) {
        const [name, value] = word.includes("=")
          ? [word.slice(2, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
          : [word.slice(2), undefined];
        if (allowNegative && name.startsWith("no-") && options[name.slice(3)]?.type === "boolean")
          store(name.slice(3), false, word);
        else store(name, value ?? (takes(name) ? args[(at += 1)] : undefined), `--${name}`);
      } else if (word.startsWith("-") && word.length > 1) {
        for (let letter = 1; letter < word.length; letter += 1) {
          const name = long(word[letter]);
          if (takes(name)) {
            store(name, word.slice(letter + 1) || args[(at += 1)], `-${word[letter]}`);
            break;
          }
          store(name, undefined, `-${word[letter]}`);
        }
      } else positionals.push(word);
    }
    if (!allowPositionals && positionals.length > 0)
      fail(
        "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
        `Unexpected argument '${positionals[0]}'. This command does not take positional arguments`,
      );
    for (const [name, option] of Object.entries(options))
      if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
    return { values, positionals, ...(wanted && { tokens }) };
  };

  const util = {
    inspect,
    format,
    formatWithOptions,
    promisify,
    callbackify,
    deprecate,
    inherits,
    types,
    isDeepEqual,
    stripVTControlCharacters,
    styleText,
    parseArgs,
    isDeepStrictEqual: (left, right) => isDeepEqual(left, right, true),
    debuglog: () => Object.assign(() => {}, { enabled: false }),
    toUSVString: (text) => String(text).toWellFormed(),
    isArray: Array.isArray,
    isString: (value) => typeof value === "string",
    isFunction: (value) => typeof value === "function",
    isRegExp: types.isRegExp,
    isDate: types.isDate,
    isError: (value) => value instanceof Error,
    aborted: (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true })),
    get TextEncoder() {
      return globalThis.TextEncoder;
    },
    get TextDecoder() {
      return globalThis.TextDecoder;
    },
  };
  util.debug = util.debuglog;
  return util;
};
