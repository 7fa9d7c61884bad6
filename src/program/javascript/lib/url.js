// URL, and node:url.
(native, require) => {
  const {
    PORTS,
    special,
    encodeFragment,
    encodeQuery,
    encodeSpecialQuery,
    encodePath,
    encodeUser,
  } = require("url_text");
  const { hostOf } = require("url_host");
  const { parse, pathOf } = require("url_parse");
  const { URLSearchParams } = require("url_params");
  const custom = Symbol.for("nodejs.util.inspect.custom");

  const EDITED = [
    "href",
    "origin",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "searchParams",
    "hash",
  ];
  class URL {
    #parts;
    #params;
    constructor(input, base) {
      const parsed = base === undefined ? undefined : parse(base);
      const parts = base !== undefined && !parsed ? undefined : parse(input, parsed);
      if (!parts)
        throw Object.assign(new TypeError("Invalid URL"), {
          code: "ERR_INVALID_URL",
          input: String(input),
          ...(base !== undefined && { base: String(base) }),
        });
      this.#parts = parts;
    }
    static canParse(input, base) {
      const parsed = base === undefined ? undefined : parse(base);
      return (base === undefined || parsed !== undefined) && parse(input, parsed) !== undefined;
    }
    static parse(input, base) {
      return URL.canParse(input, base) ? new URL(input, base) : null;
    }
    static createObjectURL() {
      throw new TypeError("There are no object URLs here");
    }
    get href() {
      const { protocol, hostname, hash } = this.#parts;
      const prefix = hostname === null ? "" : `//${this.#credentials()}${this.host}`;
      const dotted = hostname === null && this.pathname.startsWith("//") ? "/." : "";
      const query = this.#parts.search === null ? "" : `?${this.#parts.search}`;
      return `${protocol}${prefix}${dotted}${this.pathname}${query}${hash === null ? "" : `#${hash}`}`;
    }
    #credentials() {
      const { username, password } = this.#parts;
      return username || password ? `${username}${password ? `:${password}` : ""}@` : "";
    }
    set href(value) {
      this.#parts = new URL(value).#parts;
      this.#sync();
    }
    get origin() {
      const { protocol } = this.#parts;
      if (protocol === "blob:" && URL.canParse(this.pathname)) return new URL(this.pathname).origin;
      return special(protocol) && protocol !== "file:" ? `${protocol}//${this.host}` : "null";
    }
    get protocol() {
      return this.#parts.protocol;
    }
    set protocol(value) {
      const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):?/.exec(String(value));
      const protocol = scheme && `${scheme[1].toLowerCase()}:`;
      if (!protocol || special(protocol) !== special(this.#parts.protocol)) return;
      this.#parts.protocol = protocol;
      if (this.#parts.port === PORTS[protocol]) this.#parts.port = "";
    }
    get username() {
      return this.#parts.username;
    }
    set username(value) {
      if (this.#parts.hostname) this.#parts.username = encodeUser(String(value));
    }
    get password() {
      return this.#parts.password;
    }
    set password(value) {
      if (this.#parts.hostname) this.#parts.password = encodeUser(String(value));
    }
    get host() {
      return (this.#parts.hostname ?? "") + (this.#parts.port === "" ? "" : `:${this.#parts.port}`);
    }
    set host(value) {
      const match = /^(\[[^\]]*\]|[^:/?#\\]*)(?::(\d*))?/.exec(String(value));
      if (!match) return;
      this.hostname = match[1];
      if (match[2]) this.port = match[2];
    }
    get hostname() {
      return this.#parts.hostname ?? "";
    }
    set hostname(value) {
      if (this.#parts.opaque !== null) return;
      const host = hostOf(String(value), this.#parts.protocol);
      if (host) this.#parts.hostname = host;
    }
    get port() {
      return this.#parts.port;
    }
    set port(value) {
      if (!this.#parts.hostname) return;
      const port = /^\d*/.exec(String(value))[0];
      if (port === "" ? String(value) === "" : Number(port) < 65536)
        this.#parts.port =
          String(Number(port)) === PORTS[this.#parts.protocol] || port === "" ? "" : String(Number(port));
    }
    get pathname() {
      const { opaque, path } = this.#parts;
      return opaque ?? (path.length === 0 ? (special(this.#parts.protocol) ? "/" : "") : `/${path.join("/")}`);
    }
    set pathname(value) {
      if (this.#parts.opaque === null)
        this.#parts.path = pathOf(
          String(value).replace(special(this.#parts.protocol) ? /^[/\\]/ : /^\//, ""),
          [],
          this.#parts.protocol,
        );
    }
    get search() {
      return this.#parts.search ? `?${this.#parts.search}` : "";
    }
    set search(value) {
      const text = String(value).replace(/^\?/, "");
      this.#parts.search =
        text === "" ? null : (special(this.#parts.protocol) ? encodeSpecialQuery : encodeQuery)(text);
      this.#sync();
    }
    #sync() {
      if (this.#params) URLSearchParams.replace(this.#params, this.#parts.search ?? "");
    }
    get searchParams() {
      this.#params ??= new URLSearchParams(this.#parts.search ?? "", (text) => {
        this.#parts.search = text === "" ? null : text;
      });
      return this.#params;
    }
    get hash() {
      return this.#parts.hash ? `#${this.#parts.hash}` : "";
    }
    set hash(value) {
      const text = String(value).replace(/^#/, "");
      this.#parts.hash = text === "" ? null : encodeFragment(text);
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
    [custom](depth, options, inspect) {
      if (depth !== null && depth < 0) return this.href;
      const shown = {};
      for (const key of EDITED) shown[key] = this[key];
      return `URL ${inspect(shown, { ...options, depth: options.depth })}`;
    }
  }
  for (const key of [...EDITED, "toString", "toJSON"]) Object.defineProperty(URL.prototype, key, { enumerable: true });
  Object.defineProperty(URL.prototype, Symbol.toStringTag, { value: "URL", configurable: true });

  const fileURLToPath = (input) => {
    const url = typeof input === "string" ? new URL(input) : input;
    if (url.protocol !== "file:")
      throw Object.assign(new TypeError("The URL must be of scheme file"), { code: "ERR_INVALID_URL_SCHEME" });
    return decodeURIComponent(url.pathname);
  };
  const pathToFileURL = (path) => {
    const absolute = native.absolute(String(path)) + (String(path).length > 1 && String(path).endsWith("/") ? "/" : "");
    return new URL(
      `file://${encodePath(absolute)
        .replace(/%(?![0-9A-F]{2})/g, "%25")
        .replaceAll("\\", "%5C")}`,
    );
  };
  class Url {}
  const legacy = (text, query = false) => {
    const fields = {
      protocol: null,
      slashes: null,
      auth: null,
      host: null,
      port: null,
      hostname: null,
      hash: null,
      search: null,
      query: null,
      pathname: null,
      path: null,
      href: "",
    };
    const url = Object.assign(new Url(), fields);
    const [, protocol, slashes, place, pathname, search, hash] =
      /^(?:([a-zA-Z][a-zA-Z0-9+.-]*:)(?:(\/\/)([^/?#]*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(String(text).trim());
    Object.assign(url, {
      protocol: protocol?.toLowerCase() ?? null,
      slashes: slashes ? true : null,
      hash: hash ?? null,
      search: search ?? null,
      pathname: pathname || (place !== undefined ? "/" : null),
    });
    if (place !== undefined) {
      const at = place.lastIndexOf("@");
      if (at !== -1) url.auth = decodeURIComponent(place.slice(0, at));
      url.host = place.slice(at + 1).toLowerCase();
      const port = /:(\d+)$/.exec(url.host);
      url.port = port?.[1] ?? null;
      url.hostname = port ? url.host.slice(0, -port[0].length) : url.host;
    }
    url.query =
      search === undefined
        ? query
          ? Object.create(null)
          : null
        : query
          ? Object.fromEntries(new URLSearchParams(search))
          : search.slice(1);
    url.path = url.pathname || url.search ? (url.pathname ?? "") + (url.search ?? "") : null;
    url.href = format(url);
    return url;
  };
  const format = (url, { auth = true, fragment = true, search = true } = {}) => {
    if (typeof url === "string") return legacy(url).href;
    if (url instanceof URL) {
      const copy = new URL(url.href);
      if (!auth) [copy.username, copy.password] = ["", ""];
      if (!fragment) copy.hash = "";
      if (!search) copy.search = "";
      return copy.href;
    }
    const protocol = url.protocol ? url.protocol.replace(/:?$/, ":") : "";
    const host = url.host ?? (url.hostname ? url.hostname + (url.port ? `:${url.port}` : "") : null);
    const slashes = host !== null && (url.slashes || special(protocol)) ? "//" : url.slashes ? "//" : "";
    const query =
      url.search ??
      (url.query && typeof url.query === "object" && Object.keys(url.query).length > 0
        ? `?${new URLSearchParams(url.query)}`
        : "");
    return `${protocol}${slashes}${url.auth ? `${encodeURIComponent(url.auth).replaceAll("%3A", ":")}@` : ""}${host ?? ""}${url.pathname ?? ""}${query}${url.hash ?? ""}`;
  };
  const resolve = (from, to) => {
    const base = new URL(from, "resolve://host");
    const resolved = new URL(to, base);
    return resolved.protocol === "resolve:" ? resolved.pathname + resolved.search + resolved.hash : resolved.href;
  };
  const domainToASCII = (domain) => hostOf(domain, "http:") ?? "";
  return {
    URL,
    URLSearchParams,
    Url,
    parse: legacy,
    format,
    resolve,
    fileURLToPath,
    pathToFileURL,
    domainToASCII,
    domainToUnicode: (domain) => domain,
    urlToHttpOptions: (url) => ({
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname + url.search,
      href: url.href,
      ...(url.port && { port: Number(url.port) }),
    }),
  };
};
