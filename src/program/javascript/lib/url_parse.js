// The parser of URLs.
(native, require) => {
  const {
    PORTS,
    special,
    encodeFragment,
    encodeQuery,
    encodeSpecialQuery,
    encodePath,
    encodeUser,
    encodeOpaque,
  } = require("url_text");
  const { hostOf } = require("url_host");
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
    let rest = String(input)
      .toWellFormed()
      .replace(/^[\0-\x20]+|[\0-\x20]+$/g, "")
      .replace(/[\t\n\r]/g, "");
    const url = {
      protocol: "",
      username: "",
      password: "",
      hostname: null,
      port: "",
      path: [],
      opaque: null,
      search: null,
      hash: null,
    };
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
        url.path = pathOf(
          rest.replace(/^[/\\]/, ""),
          slash(rest) || base?.protocol !== "file:" ? [] : base.path.slice(0, -1),
          "file:",
        );
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
      if (url.protocol === "file:")
        return parse(
          `file:${rest}${url.search === null ? "" : `?${url.search}`}${url.hash === null ? "" : `#${url.hash}`}`,
        );
      const end = rest.slice(2).search(special(url.protocol) ? /[/\\]/ : /\//);
      if (!authority(end === -1 ? rest.slice(2) : rest.slice(2, end + 2))) return undefined;
      url.path = pathOf(end === -1 ? "" : rest.slice(end + 3), [], url.protocol);
      return url;
    }
    return relative(url, rest, base, asked);

    function relative(url, text, base, asked = text === "" && url.search !== null) {
      Object.assign(url, {
        username: base.username,
        password: base.password,
        hostname: base.hostname,
        port: base.port,
      });
      if (slash(text)) url.path = pathOf(text.slice(1), [], url.protocol);
      else if (text !== "") url.path = pathOf(text, base.path.slice(0, -1), url.protocol);
      else {
        url.path = [...base.path];
        if (!asked) url.search = base.search;
      }
      return url;
    }
  };
  return { parse, pathOf };
};
