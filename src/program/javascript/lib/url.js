// URL, URLSearchParams and node:url.
(native) => {
  const PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
  const special = (protocol) => Object.hasOwn(PORTS, protocol);
  const encodeBytes = (text) => [...native.encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  // Characters outside ASCII and controls are always encoded; the set names the others.
  const encoder = (set) => {
    const pattern = new RegExp(`[\\0-\\x1f\\x7f-\\u{10ffff}${set}]`, "gu");
    return (text) => text.toWellFormed().replace(pattern, encodeBytes);
  };
  const encodeFragment = encoder(' "<>`');
  const encodeQuery = encoder(' "#<>');
  const encodeSpecialQuery = encoder(" \"#<>'");
  const encodePath = encoder(' "#<>?`{}');
  const encodeUser = encoder(' "#<>?`{}/:;=@\\[\\\\\\]^|');
  const encodeOpaque = encoder("");

  const punycode = (label) => {
    const points = Array.from(label, (letter) => letter.codePointAt(0));
    const plain = points.filter((point) => point < 128);
    let [output, n, delta, bias, done] = [String.fromCodePoint(...plain) + (plain.length > 0 ? "-" : ""), 128, 0, 72, plain.length];
    const first = done;
    const digit = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22);
    while (done < points.length) {
      const next = Math.min(...points.filter((point) => point >= n));
      delta += (next - n) * (done + 1);
      n = next;
      for (const point of points) {
        if (point < n) delta += 1;
        if (point !== n) continue;
        let q = delta;
        for (let k = 36; ; k += 36) {
          const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
          if (q < t) break;
          output += digit(t + ((q - t) % (36 - t)));
          q = Math.floor((q - t) / (36 - t));
        }
        output += digit(q);
        let scaled = done === first ? Math.floor(delta / 700) : delta >> 1;
        scaled += Math.floor(scaled / (done + 1));
        let k = 0;
        for (; scaled > 455; k += 36) scaled = Math.floor(scaled / 35);
        bias = k + Math.floor((36 * scaled) / (scaled + 38));
        delta = 0;
        done += 1;
      }
      delta += 1;
      n += 1;
    }
    return output;
  };
  const number = (part) => {
    if (/^0[xX][0-9a-fA-F]*$/.test(part)) return part.length === 2 ? 0 : parseInt(part.slice(2), 16);
    if (/^0[0-7]+$/.test(part)) return parseInt(part, 8);
    return /^\d+$/.test(part) ? Number(part) : NaN;
  };
  const ipv4 = (host) => {
    const parts = host.split(".");
    if (parts.at(-1) === "" && parts.length > 1) parts.pop();
    if (Number.isNaN(number(parts.at(-1))) && !/^\d+$/.test(parts.at(-1))) return host;
    const values = parts.map(number);
    if (parts.length > 4 || values.some(Number.isNaN) || values.slice(0, -1).some((value) => value > 255) || values.at(-1) >= 256 ** (5 - parts.length)) return undefined;
    let whole = values.at(-1);
    values.slice(0, -1).forEach((value, at) => (whole += value * 256 ** (3 - at)));
    return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join(".");
  };
  const ipv6 = (text) => {
    const [head, tail, ...more] = text.split("::");
    const groups = (side) => (side ? side.split(":") : []).flatMap((group) => {
      if (!group.includes(".")) return [/^[0-9a-fA-F]{1,4}$/.test(group) ? parseInt(group, 16) : NaN];
      const bytes = group.split(".").map(Number);
      return bytes.length === 4 && bytes.every((byte) => byte >= 0 && byte < 256) ? [bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]] : [NaN];
    });
    const [left, right] = [groups(head), groups(tail)];
    const gap = 8 - left.length - right.length;
    if (more.length > 0 || (tail === undefined ? gap !== 0 : gap < 1)) return undefined;
    const all = [...left, ...Array(gap).fill(0), ...right];
    if (all.some(Number.isNaN)) return undefined;
    let best = { at: -1, length: 1 };
    for (let at = 0; at < 8; at += 1) {
      let length = 0;
      while (all[at + length] === 0) length += 1;
      if (length > best.length) best = { at, length };
    }
    const hex = (part) => part.map((group) => group.toString(16)).join(":");
    return best.at === -1 ? hex(all) : `${hex(all.slice(0, best.at))}::${hex(all.slice(best.at + best.length))}`;
  };
  const hostOf = (text, protocol) => {
    if (text.startsWith("[")) {
      const inner = text.endsWith("]") ? ipv6(text.slice(1, -1)) : undefined;
      return inner && `[${inner}]`;
    }
    if (!special(protocol)) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? undefined : encodeOpaque(text);
    let decoded;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      return undefined;
    }
    const labels = decoded.normalize("NFKC").toLowerCase().replace(/[\u3002\uff0e\uff61]/g, ".").split(".");
    const host = labels.map((label) => (/[^\0-\x7f]/.test(label) ? `xn--${punycode(label)}` : label)).join(".");
    if (host === "" || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) return undefined;
    return ipv4(host);
  };

  const pathOf = (text, base, protocol) => {
    const slashes = special(protocol) ? /[/\\]/ : /\//;
    const names = [...base];
    const parts = text.split(slashes);
    parts.forEach((part, at) => {
      const lower = part.toLowerCase().replaceAll("%2e", ".");
      const end = at === parts.length - 1;
      if (lower === "..") {
        if (!(protocol === "file:" && names.length === 1 && /^[a-zA-Z]:$/.test(names[0]))) names.pop();
        if (end) names.push("");
      } else if (lower === ".") {
        if (end) names.push("");
      } else names.push(encodePath(part));
    });
    return names;
  };

  // The parts of a URL; undefined when the text is none.
  const parse = (input, base) => {
    let rest = String(input).toWellFormed().replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
    const url = { protocol: "", username: "", password: "", hostname: null, port: "", path: [], opaque: null, search: null, hash: null };
    const hash = rest.indexOf("#");
    if (hash !== -1) {
      url.hash = encodeFragment(rest.slice(hash + 1));
      rest = rest.slice(0, hash);
    }
    const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(rest);
    const query = () => {
      const at = rest.indexOf("?");
      if (at === -1) return;
      url.search = (special(url.protocol) ? encodeSpecialQuery : encodeQuery)(rest.slice(at + 1));
      rest = rest.slice(0, at);
    };
    const authority = (text) => {
      const at = text.lastIndexOf("@");
      if (at !== -1) {
        const [user, ...password] = text.slice(0, at).split(":");
        url.username = encodeUser(user);
        url.password = encodeUser(password.join(":"));
      }
      const place = text.slice(at + 1);
      const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(place);
      if (!match) return false;
      if (match[2] && Number(match[2]) > 65535) return false;
      url.port = match[2] && String(Number(match[2])) !== PORTS[url.protocol] ? String(Number(match[2])) : "";
      if (match[1] === "") {
        if (special(url.protocol) || at !== -1 || match[2]) return false;
        url.hostname = "";
        return true;
      }
      url.hostname = hostOf(match[1], url.protocol);
      return url.hostname !== undefined;
    };
    const slash = (text) => (special(url.protocol) ? /^[/\\]/ : /^\//).test(text);

    if (scheme) {
      url.protocol = `${scheme[1].toLowerCase()}:`;
      rest = rest.slice(scheme[0].length);
      query();
      if (url.protocol === "file:") {
        if (/^[/\\]{2}/.test(rest)) {
          const end = rest.slice(2).search(/[/\\]/);
          const host = end === -1 ? rest.slice(2) : rest.slice(2, end + 2);
          if (/^[a-zA-Z][:|]$/.test(host)) {
            url.hostname = "";
            rest = `/${rest.slice(2)}`;
          } else {
            url.hostname = host === "" ? "" : hostOf(host, "file:");
            if (url.hostname === undefined) return undefined;
            if (url.hostname === "localhost") url.hostname = "";
            rest = end === -1 ? "" : rest.slice(end + 2);
          }
          url.path = pathOf(rest.replace(/^[/\\]/, ""), [], "file:");
          return url;
        }
        url.hostname = base?.protocol === "file:" ? base.hostname : "";
        url.path = pathOf(rest.replace(/^[/\\]/, ""), slash(rest) || base?.protocol !== "file:" ? [] : base.path.slice(0, -1), "file:");
        return url;
      }
      if (special(url.protocol)) {
        if (base?.protocol === url.protocol && !slash(rest)) return relative(url, rest, base);
        rest = rest.replace(/^[/\\]*/, "");
        const end = rest.search(/[/\\]/);
        if (!authority(end === -1 ? rest : rest.slice(0, end))) return undefined;
        url.path = pathOf(end === -1 ? "" : rest.slice(end + 1), [], url.protocol);
        return url;
      }
      if (rest.startsWith("//")) {
        const end = rest.indexOf("/", 2);
        if (!authority(rest.slice(2, end === -1 ? undefined : end))) return undefined;
        url.path = end === -1 ? [] : pathOf(rest.slice(end + 1), [], url.protocol);
        return url;
      }
      if (rest.startsWith("/")) url.path = pathOf(rest.slice(1), [], url.protocol);
      else url.opaque = encodeOpaque(rest);
      return url;
    }
    if (!base) return undefined;
    url.protocol = base.protocol;
    if (base.opaque !== null && !(rest === "" && hash !== -1)) return undefined;
    const asked = rest.includes("?");
    query();
    if (base.opaque !== null) return { ...base, hash: url.hash };
    if (/^[/\\]{2}/.test(rest) && (special(url.protocol) || rest.startsWith("//"))) {
      if (url.protocol === "file:") return parse(`file:${rest}${url.search === null ? "" : `?${url.search}`}${url.hash === null ? "" : `#${url.hash}`}`);
      const end = rest.slice(2).search(special(url.protocol) ? /[/\\]/ : /\//);
      if (!authority(end === -1 ? rest.slice(2) : rest.slice(2, end + 2))) return undefined;
      url.path = pathOf(end === -1 ? "" : rest.slice(end + 3), [], url.protocol);
      return url;
    }
    return relative(url, rest, base, asked);

    function relative(url, text, base, asked = text === "" && url.search !== null) {
      Object.assign(url, { username: base.username, password: base.password, hostname: base.hostname, port: base.port });
      if (slash(text)) url.path = pathOf(text.slice(1), [], url.protocol);
      else if (text !== "") url.path = pathOf(text, base.path.slice(0, -1), url.protocol);
      else {
        url.path = [...base.path];
        if (!asked) url.search = base.search;
      }
      return url;
    }
  };

  const decodeForm = (text) => {
    const bytes = text.replaceAll("+", " ").replace(/%(?![0-9a-fA-F]{2})/g, "%25");
    try {
      return decodeURIComponent(bytes);
    } catch {
      const raw = bytes.replace(/[^\0-\x7f]/gu, encodeBytes).replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
      return native.decode(native.encode(raw, "latin1"));
    }
  };
  const encodeForm = (text) => encodeURIComponent(String(text).toWellFormed()).replace(/%20/g, "+").replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
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
            if (value === undefined || more.length > 0) throw Object.assign(new TypeError("Each query pair must be an iterable [name, value] tuple"), { code: "ERR_INVALID_TUPLE" });
            this.#list.push([String(key), String(value)]);
          }
        } else for (const key of Reflect.ownKeys(init)) this.#list.push([String(key), String(init[key])]);
      } else this.#read(String(init).replace(/^\?/, ""));
    }
    #read(text) {
      this.#list = text.split("&").filter(Boolean).map((part) => {
        const at = part.indexOf("=");
        return at === -1 ? [decodeForm(part), ""] : [decodeForm(part.slice(0, at)), decodeForm(part.slice(at + 1))];
      });
    }
    static replace(params, text) { params.#read(text); }
    #touch() { this.#changed?.(this.toString()); }
    get size() { return this.#list.length; }
    append(name, value) { this.#list.push([String(name), String(value)]); this.#touch(); }
    delete(name, value) {
      this.#list = this.#list.filter(([key, old]) => key !== String(name) || (value !== undefined && old !== String(value)));
      this.#touch();
    }
    get(name) { return this.#list.find(([key]) => key === String(name))?.[1] ?? null; }
    getAll(name) { return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value); }
    has(name, value) { return this.#list.some(([key, old]) => key === String(name) && (value === undefined || old === String(value))); }
    set(name, value) {
      const at = this.#list.findIndex(([key]) => key === String(name));
      if (at === -1) this.#list.push([String(name), String(value)]);
      else {
        this.#list[at][1] = String(value);
        this.#list = this.#list.filter(([key], place) => place <= at || key !== String(name));
      }
      this.#touch();
    }
    sort() { this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); this.#touch(); }
    forEach(callback, self) {
      if (typeof callback !== "function") throw invalidArgument("The \"callback\" argument must be of type function.");
      for (const [key, value] of this) callback.call(self, value, key, this);
    }
    *entries() { for (const pair of this.#list) yield [...pair]; }
    *keys() { for (const [key] of this.#list) yield key; }
    *values() { for (const [, value] of this.#list) yield value; }
    toString() { return this.#list.map(([key, value]) => `${encodeForm(key)}=${encodeForm(value)}`).join("&"); }
    [Symbol.iterator]() { return this.entries(); }
    [custom](depth, options, inspect) {
      if (this.#list.length === 0) return "URLSearchParams {}";
      const pairs = this.#list.map(([key, value]) => `${inspect(key, options)} => ${inspect(value, options)}`);
      const line = pairs.join(", ");
      return line.length + pairs.length <= 72 ? `URLSearchParams { ${line} }` : `URLSearchParams {\n  ${pairs.join(",\n  ")} }`;
    }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.toStringTag, { value: "URLSearchParams", configurable: true });

  const EDITED = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"];
  class URL {
    #parts;
    #params;
    constructor(input, base) {
      const parsed = base === undefined ? undefined : parse(base);
      const parts = base !== undefined && !parsed ? undefined : parse(input, parsed);
      if (!parts) throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: String(input), ...(base !== undefined && { base: String(base) }) });
      this.#parts = parts;
    }
    static canParse(input, base) {
      const parsed = base === undefined ? undefined : parse(base);
      return (base === undefined || parsed !== undefined) && parse(input, parsed) !== undefined;
    }
    static parse(input, base) { return URL.canParse(input, base) ? new URL(input, base) : null; }
    static createObjectURL() { throw new TypeError("There are no object URLs here"); }
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
    set href(value) { this.#parts = new URL(value).#parts; this.#sync(); }
    get origin() {
      const { protocol } = this.#parts;
      if (protocol === "blob:" && URL.canParse(this.pathname)) return new URL(this.pathname).origin;
      return special(protocol) && protocol !== "file:" ? `${protocol}//${this.host}` : "null";
    }
    get protocol() { return this.#parts.protocol; }
    set protocol(value) {
      const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):?/.exec(String(value));
      const protocol = scheme && `${scheme[1].toLowerCase()}:`;
      if (!protocol || special(protocol) !== special(this.#parts.protocol)) return;
      this.#parts.protocol = protocol;
      if (this.#parts.port === PORTS[protocol]) this.#parts.port = "";
    }
    get username() { return this.#parts.username; }
    set username(value) { if (this.#parts.hostname) this.#parts.username = encodeUser(String(value)); }
    get password() { return this.#parts.password; }
    set password(value) { if (this.#parts.hostname) this.#parts.password = encodeUser(String(value)); }
    get host() { return (this.#parts.hostname ?? "") + (this.#parts.port === "" ? "" : `:${this.#parts.port}`); }
    set host(value) {
      const match = /^(\[[^\]]*\]|[^:/?#\\]*)(?::(\d*))?/.exec(String(value));
      if (!match) return;
      this.hostname = match[1];
      if (match[2]) this.port = match[2];
    }
    get hostname() { return this.#parts.hostname ?? ""; }
    set hostname(value) {
      if (this.#parts.opaque !== null) return;
      const host = hostOf(String(value), this.#parts.protocol);
      if (host) this.#parts.hostname = host;
    }
    get port() { return this.#parts.port; }
    set port(value) {
      if (!this.#parts.hostname) return;
      const port = /^\d*/.exec(String(value))[0];
      if (port === "" ? String(value) === "" : Number(port) < 65536) this.#parts.port = String(Number(port)) === PORTS[this.#parts.protocol] || port === "" ? "" : String(Number(port));
    }
    get pathname() {
      const { opaque, path } = this.#parts;
      return opaque ?? (path.length === 0 ? (special(this.#parts.protocol) ? "/" : "") : `/${path.join("/")}`);
    }
    set pathname(value) {
      if (this.#parts.opaque === null) this.#parts.path = pathOf(String(value).replace(special(this.#parts.protocol) ? /^[/\\]/ : /^\//, ""), [], this.#parts.protocol);
    }
    get search() { return this.#parts.search ? `?${this.#parts.search}` : ""; }
    set search(value) {
      const text = String(value).replace(/^\?/, "");
      this.#parts.search = text === "" ? null : (special(this.#parts.protocol) ? encodeSpecialQuery : encodeQuery)(text);
      this.#sync();
    }
    #sync() { if (this.#params) URLSearchParams.replace(this.#params, this.#parts.search ?? ""); }
    get searchParams() {
      this.#params ??= new URLSearchParams(this.#parts.search ?? "", (text) => { this.#parts.search = text === "" ? null : text; });
      return this.#params;
    }
    get hash() { return this.#parts.hash ? `#${this.#parts.hash}` : ""; }
    set hash(value) {
      const text = String(value).replace(/^#/, "");
      this.#parts.hash = text === "" ? null : encodeFragment(text);
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
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
    if (url.protocol !== "file:") throw Object.assign(new TypeError("The URL must be of scheme file"), { code: "ERR_INVALID_URL_SCHEME" });
    return decodeURIComponent(url.pathname);
  };
  const pathToFileURL = (path) => {
    const absolute = native.absolute(String(path)) + (String(path).length > 1 && String(path).endsWith("/") ? "/" : "");
    return new URL(`file://${encodePath(absolute).replace(/%(?![0-9A-F]{2})/g, "%25").replaceAll("\\", "%5C")}`);
  };
  class Url {}
  const legacy = (text, query = false) => {
    const fields = { protocol: null, slashes: null, auth: null, host: null, port: null, hostname: null, hash: null, search: null, query: null, pathname: null, path: null, href: "" };
    const url = Object.assign(new Url(), fields);
    const [, protocol, slashes, place, pathname, search, hash] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*:)(?:(\/\/)([^/?#]*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(String(text).trim());
    Object.assign(url, { protocol: protocol?.toLowerCase() ?? null, slashes: slashes ? true : null, hash: hash ?? null, search: search ?? null, pathname: pathname || (place !== undefined ? "/" : null) });
    if (place !== undefined) {
      const at = place.lastIndexOf("@");
      if (at !== -1) url.auth = decodeURIComponent(place.slice(0, at));
      url.host = place.slice(at + 1).toLowerCase();
      const port = /:(\d+)$/.exec(url.host);
      url.port = port?.[1] ?? null;
      url.hostname = port ? url.host.slice(0, -port[0].length) : url.host;
    }
    url.query = search === undefined ? (query ? Object.create(null) : null) : query ? Object.fromEntries(new URLSearchParams(search)) : search.slice(1);
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
    const query = url.search ?? (url.query && typeof url.query === "object" && Object.keys(url.query).length > 0 ? `?${new URLSearchParams(url.query)}` : "");
    return `${protocol}${slashes}${url.auth ? `${encodeURIComponent(url.auth).replaceAll("%3A", ":")}@` : ""}${host ?? ""}${url.pathname ?? ""}${query}${url.hash ?? ""}`;
  };
  const resolve = (from, to) => {
    const base = new URL(from, "resolve://host");
    const resolved = new URL(to, base);
    return resolved.protocol === "resolve:" ? resolved.pathname + resolved.search + resolved.hash : resolved.href;
  };
  const domainToASCII = (domain) => hostOf(domain, "http:") ?? "";
  return {
    URL, URLSearchParams, Url, parse: legacy, format, resolve, fileURLToPath, pathToFileURL, domainToASCII, domainToUnicode: (domain) => domain,
    urlToHttpOptions: (url) => ({ protocol: url.protocol, hostname: url.hostname, path: url.pathname + url.search, href: url.href, ...(url.port && { port: Number(url.port) }) }),
  };
}
