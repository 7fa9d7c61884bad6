// URLSearchParams.
(native, require) => {
  const { encodeBytes } = require("url_text");
  const decodeForm = (text) => {
    const bytes = text.replaceAll("+", " ").replace(/%(?![0-9a-fA-F]{2})/g, "%25");
    try {
      return decodeURIComponent(bytes);
    } catch {
      const raw = bytes
        .replace(/[^\0-\x7f]/gu, encodeBytes)
        .replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
      return native.decode(native.encode(raw, "latin1"));
    }
  };
  const encodeForm = (text) =>
    encodeURIComponent(String(text).toWellFormed())
      .replace(/%20/g, "+")
      .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const custom = Symbol.for("nodejs.util.inspect.custom");
  const invalidArgument = (message) => Object.assign(new TypeError(message), { code: "ERR_INVALID_ARG_TYPE" });

  class URLSearchParams {
    #list = [];
    #changed;
    constructor(init, changed) {
      if (typeof changed === "function") this.#changed = changed;
      if (init === undefined || init === null) return;
      if (typeof init === "object" || typeof init === "function") {
        if (typeof init[Symbol.iterator] === "function") {
          for (const pair of init) {
            const [key, value, ...more] = [...pair];
            if (value === undefined || more.length > 0)
              throw Object.assign(new TypeError("Each query pair must be an iterable [name, value] tuple"), {
                code: "ERR_INVALID_TUPLE",
              });
            this.#list.push([String(key), String(value)]);
          }
        } else for (const key of Reflect.ownKeys(init)) this.#list.push([String(key), String(init[key])]);
      } else this.#read(String(init).replace(/^\?/, ""));
    }
    #read(text) {
      this.#list = text
        .split("&")
        .filter(Boolean)
        .map((part) => {
          const at = part.indexOf("=");
          return at === -1 ? [decodeForm(part), ""] : [decodeForm(part.slice(0, at)), decodeForm(part.slice(at + 1))];
        });
    }
    static replace(params, text) {
      params.#read(text);
    }
    #touch() {
      this.#changed?.(this.toString());
    }
    get size() {
      return this.#list.length;
    }
    append(name, value) {
      this.#list.push([String(name), String(value)]);
      this.#touch();
    }
    delete(name, value) {
      this.#list = this.#list.filter(
        ([key, old]) => key !== String(name) || (value !== undefined && old !== String(value)),
      );
      this.#touch();
    }
    get(name) {
      return this.#list.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name, value) {
      return this.#list.some(([key, old]) => key === String(name) && (value === undefined || old === String(value)));
    }
    set(name, value) {
      const at = this.#list.findIndex(([key]) => key === String(name));
      if (at === -1) this.#list.push([String(name), String(value)]);
      else {
        this.#list[at][1] = String(value);
        this.#list = this.#list.filter(([key], place) => place <= at || key !== String(name));
      }
      this.#touch();
    }
    sort() {
      this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#touch();
    }
    forEach(callback, self) {
      if (typeof callback !== "function") throw invalidArgument('The "callback" argument must be of type function.');
      for (const [key, value] of this) callback.call(self, value, key, this);
    }
    *entries() {
      for (const pair of this.#list) yield [...pair];
    }
    *keys() {
      for (const [key] of this.#list) yield key;
    }
    *values() {
      for (const [, value] of this.#list) yield value;
    }
    toString() {
      return this.#list.map(([key, value]) => `${encodeForm(key)}=${encodeForm(value)}`).join("&");
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    [custom](depth, options, inspect) {
      if (this.#list.length === 0) return "URLSearchParams {}";
      const pairs = this.#list.map(([key, value]) => `${inspect(key, options)} => ${inspect(value, options)}`);
      const line = pairs.join(", ");
      return line.length + pairs.length <= 72
        ? `URLSearchParams { ${line} }`
        : `URLSearchParams {\n  ${pairs.join(",\n  ")} }`;
    }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.toStringTag, {
    value: "URLSearchParams",
    configurable: true,
  });
  return { URLSearchParams };
};
