// What scripts written for browsers and for Node expect on the global object, apart from URLs and timers.
(native, require) => {
  const custom = Symbol.for("nodejs.util.inspect.custom");
  const CODES = {
    IndexSizeError: 1,
    NotFoundError: 8,
    NotSupportedError: 9,
    InvalidStateError: 11,
    SyntaxError: 12,
    InvalidAccessError: 15,
    TimeoutError: 23,
    InvalidCharacterError: 5,
    DataCloneError: 25,
    AbortError: 20,
    NetworkError: 19,
    QuotaExceededError: 22,
  };
  class DOMException extends Error {
    #name;
    constructor(message = "", options = "Error") {
      super(message);
      this.#name = typeof options === "object" ? (options.name ?? "Error") : String(options);
      if (typeof options === "object" && "cause" in options)
        Object.defineProperty(this, "cause", { value: options.cause, configurable: true });
      Object.defineProperty(this, "message", { value: String(message), configurable: true });
    }
    get name() {
      return this.#name;
    }
    get code() {
      return CODES[this.#name] ?? 0;
    }
  }

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(text = "") {
      return native.encode(String(text));
    }
    encodeInto(text, target) {
      let [read, written] = [0, 0];
      for (const letter of String(text)) {
        const bytes = native.encode(letter);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        written += bytes.length;
        read += letter.length;
      }
      return { read, written };
    }
  }
  const LABELS = {
    "utf-8": "utf-8",
    utf8: "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16le": "utf-16le",
    "utf-16": "utf-16le",
    latin1: "windows-1252",
    ascii: "windows-1252",
    "iso-8859-1": "windows-1252",
    "windows-1252": "windows-1252",
    "us-ascii": "windows-1252",
  };
  const NODE = { "utf-8": "utf8", "utf-16le": "utf16le", "windows-1252": "latin1" };
  class TextDecoder {
    #decoder;
    #begun = false;
    constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
      const encoding = LABELS[String(label).trim().toLowerCase()];
      if (!encoding)
        throw Object.assign(new RangeError(`The "${label}" encoding is not supported`), {
          code: "ERR_ENCODING_NOT_SUPPORTED",
        });
      Object.defineProperties(this, {
        encoding: { value: encoding, enumerable: true },
        fatal: { value: fatal, enumerable: true },
        ignoreBOM: { value: ignoreBOM, enumerable: true },
      });
    }
    decode(input = new Uint8Array(), { stream = false } = {}) {
      const bytes =
        input instanceof ArrayBuffer
          ? new Uint8Array(input)
          : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
      if (
        this.fatal &&
        this.encoding === "utf-8" &&
        !stream &&
        !this.#decoder &&
        native.utf8(bytes, true) === undefined
      ) {
        throw Object.assign(new TypeError("The encoded data was not valid for encoding utf-8"), {
          code: "ERR_ENCODING_INVALID_ENCODED_DATA",
        });
      }
      let text;
      if (stream || this.#decoder) {
        this.#decoder ??= new (require("string_decoder").StringDecoder)(NODE[this.encoding]);
        text = stream ? this.#decoder.write(bytes) : this.#decoder.end(bytes);
        if (!stream) this.#decoder = undefined;
      } else text = native.decode(bytes, NODE[this.encoding]);
      const first = !this.#begun;
      this.#begun = stream;
      return first && !this.ignoreBOM && text.startsWith("\ufeff") ? text.slice(1) : text;
    }
  }

  class Event {
    #type;
    #flags;
    constructor(type, { bubbles = false, cancelable = false, composed = false } = {}) {
      this.#type = String(type);
      this.#flags = { bubbles, cancelable, composed, prevented: false, stopped: false, target: null };
      Object.defineProperty(this, "timeStamp", { value: native.elapsed() });
    }
    static flags(event) {
      return event.#flags;
    }
    get type() {
      return this.#type;
    }
    get bubbles() {
      return this.#flags.bubbles;
    }
    get cancelable() {
      return this.#flags.cancelable;
    }
    get composed() {
      return this.#flags.composed;
    }
    get defaultPrevented() {
      return this.#flags.prevented;
    }
    get target() {
      return this.#flags.target;
    }
    get currentTarget() {
      return this.#flags.target;
    }
    get srcElement() {
      return this.#flags.target;
    }
    get eventPhase() {
      return 0;
    }
    get isTrusted() {
      return false;
    }
    preventDefault() {
      if (this.#flags.cancelable) this.#flags.prevented = true;
    }
    stopPropagation() {}
    stopImmediatePropagation() {
      this.#flags.stopped = true;
    }
    composedPath() {
      return this.#flags.target ? [this.#flags.target] : [];
    }
  }
  class CustomEvent extends Event {
    #detail;
    constructor(type, options = {}) {
      super(type, options);
      this.#detail = options.detail ?? null;
    }
    get detail() {
      return this.#detail;
    }
  }
  const listeners = new WeakMap();
  const listenersOf = (target) => listeners.get(target) ?? listeners.set(target, new Map()).get(target);
  class EventTarget {
    addEventListener(type, listener, options = {}) {
      if (listener === null || listener === undefined) return;
      const { once = false, signal } = typeof options === "object" ? options : {};
      if (signal?.aborted) return;
      const list = listenersOf(this).get(type) ?? [];
      if (list.some((entry) => entry.listener === listener)) return;
      listenersOf(this).set(type, [...list, { listener, once }]);
      signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
    }
    removeEventListener(type, listener) {
      const list = listenersOf(this).get(type) ?? [];
      listenersOf(this).set(
        type,
        list.filter((entry) => entry.listener !== listener),
      );
    }
    dispatchEvent(event) {
      const flags = Event.flags(event);
      flags.target = this;
      const handler = this[`on${event.type}`];
      if (typeof handler === "function") handler.call(this, event);
      for (const { listener, once } of listenersOf(this).get(event.type) ?? []) {
        if (once) this.removeEventListener(event.type, listener);
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
        if (flags.stopped) break;
      }
      return !flags.prevented;
    }
  }

  const key = Symbol("signal");
  class AbortSignal extends EventTarget {
    #reason;
    #aborted = false;
    constructor(token) {
      super();
      if (token !== key) throw Object.assign(new TypeError("Illegal constructor"), { code: "ERR_ILLEGAL_CONSTRUCTOR" });
      Object.defineProperty(this, "onabort", { value: null, writable: true });
    }
    static set(signal, reason = new DOMException("This operation was aborted", "AbortError")) {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      signal.dispatchEvent(new Event("abort"));
    }
    get aborted() {
      return this.#aborted;
    }
    get reason() {
      return this.#reason;
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }
    static abort(reason) {
      const signal = new AbortSignal(key);
      AbortSignal.set(signal, reason);
      return signal;
    }
    static timeout(delay) {
      const signal = new AbortSignal(key);
      const end = () =>
        AbortSignal.set(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
      globalThis.setTimeout(end, delay).unref();
      return signal;
    }
    static any(signals) {
      const signal = new AbortSignal(key);
      for (const other of signals) {
        if (other.aborted) AbortSignal.set(signal, other.reason);
        else other.addEventListener("abort", () => AbortSignal.set(signal, other.reason), { once: true });
      }
      return signal;
    }
    [custom]() {
      return `AbortSignal { aborted: ${this.#aborted} }`;
    }
  }
  class AbortController {
    #signal = new AbortSignal(key);
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      AbortSignal.set(this.#signal, reason);
    }
    [custom]() {
      return `AbortController { signal: AbortSignal { aborted: ${this.#signal.aborted} } }`;
    }
  }

  const join = (parts) => {
    const chunks = parts.map((part) =>
      part instanceof Blob
        ? Blob.bytes(part)
        : typeof part === "string"
          ? native.encode(part)
          : part instanceof ArrayBuffer
            ? new Uint8Array(part)
            : ArrayBuffer.isView(part)
              ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
              : native.encode(String(part)),
    );
    const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  };
  class Blob {
    #bytes;
    #type;
    constructor(parts = [], { type = "" } = {}) {
      this.#bytes = join([...parts]);
      this.#type = String(type).toLowerCase();
    }
    static bytes(blob) {
      return blob.#bytes;
    }
    get size() {
      return this.#bytes.length;
    }
    get type() {
      return this.#type;
    }
    async text() {
      return native.decode(this.#bytes);
    }
    async arrayBuffer() {
      return this.#bytes.slice().buffer;
    }
    async bytes() {
      return this.#bytes.slice();
    }
    slice(start, end, type = "") {
      return new Blob([this.#bytes.slice(start, end)], { type });
    }
    [custom]() {
      return `Blob { size: ${this.size}, type: '${this.#type}' }`;
    }
  }
  class File extends Blob {
    constructor(parts, name, options = {}) {
      super(parts, options);
      Object.assign(this, { name: String(name), lastModified: options.lastModified ?? native.now() });
    }
  }

  class Headers {
    #map = new Map();
    constructor(init = []) {
      const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
      for (const [name, value] of pairs) this.append(name, value);
    }
    append(name, value) {
      const lower = String(name).toLowerCase();
      this.#map.set(lower, this.#map.has(lower) ? `${this.#map.get(lower)}, ${value}` : String(value).trim());
    }
    set(name, value) {
      this.#map.set(String(name).toLowerCase(), String(value).trim());
    }
    get(name) {
      return this.#map.get(String(name).toLowerCase()) ?? null;
    }
    has(name) {
      return this.#map.has(String(name).toLowerCase());
    }
    delete(name) {
      this.#map.delete(String(name).toLowerCase());
    }
    forEach(callback, self) {
      for (const [name, value] of this) callback.call(self, value, name, this);
    }
    *entries() {
      yield* [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1));
    }
    *keys() {
      for (const [name] of this) yield name;
    }
    *values() {
      for (const [, value] of this) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    [custom](depth, options, inspect) {
      return `Headers ${inspect(Object.fromEntries(this), options)}`;
    }
  }
  class Body {
    #bytes;
    constructor(body) {
      this.#bytes = body === null || body === undefined ? null : join([body]);
    }
    get bodyUsed() {
      return false;
    }
    async text() {
      return native.decode(this.#bytes ?? new Uint8Array());
    }
    async json() {
      return JSON.parse(await this.text());
    }
    async arrayBuffer() {
      return (this.#bytes ?? new Uint8Array()).slice().buffer;
    }
    async bytes() {
      return new Uint8Array(await this.arrayBuffer());
    }
    async blob() {
      return new Blob([await this.arrayBuffer()], { type: this.headers.get("content-type") ?? "" });
    }
  }
  class Request extends Body {
    constructor(input, { method = "GET", headers = {}, body = null, signal } = {}) {
      super(body);
      Object.assign(this, {
        url: String(input.url ?? new globalThis.URL(input)),
        method: method.toUpperCase(),
        headers: new Headers(headers),
        signal,
      });
    }
  }
  class Response extends Body {
    constructor(body = null, { status = 200, statusText = "", headers = {} } = {}) {
      super(body);
      Object.assign(this, {
        status,
        statusText,
        headers: new Headers(headers),
        ok: status >= 200 && status < 300,
        redirected: false,
        type: "default",
        url: "",
      });
      if (typeof body === "string" && !this.headers.has("content-type"))
        this.headers.set("content-type", "text/plain;charset=UTF-8");
    }
    static json(value, options = {}) {
      const response = new Response(JSON.stringify(value), options);
      response.headers.set("content-type", "application/json");
      return response;
    }
    static error() {
      return new Response(null, { status: 500 });
    }
  }
  const fetch = async () => {
    const tools = native.request.networkTools;
    const instead = tools.length > 0 ? `; use ${tools.join(", ")} instead` : "";
    throw Object.assign(new TypeError(`fetch failed: this sandbox has no network${instead}`), { code: "ENETUNREACH" });
  };
  for (const Class of [
    Event,
    CustomEvent,
    EventTarget,
    AbortController,
    AbortSignal,
    Blob,
    File,
    Headers,
    Request,
    Response,
    DOMException,
    TextEncoder,
    TextDecoder,
  ]) {
    Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  }
  return {
    DOMException,
    TextEncoder,
    TextDecoder,
    Event,
    CustomEvent,
    EventTarget,
    AbortController,
    AbortSignal,
    Blob,
    File,
    Headers,
    Request,
    Response,
    fetch,
  };
};
