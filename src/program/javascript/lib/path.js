// node:path, POSIX.
(native) => {
  const check = (value, name) => {
    if (typeof value === "string") return;
    const error = new TypeError(`The "${name}" argument must be of type string. Received ${native.inspect(value)}`);
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  };

  // Removes "." and "..", keeping those that lead out of a relative path.
  const reduce = (path, absolute) => {
    const names = [];
    for (const name of path.split("/")) {
      if (name === "" || name === ".") continue;
      if (name === ".." && names.length > 0 && names.at(-1) !== "..") names.pop();
      else if (name !== ".." || !absolute) names.push(name);
    }
    return names.join("/");
  };

  const normalize = (path) => {
    check(path, "path");
    if (path === "") return ".";
    const absolute = path.startsWith("/");
    const slash = path.endsWith("/") ? "/" : "";
    const reduced = reduce(path, absolute);
    if (reduced === "") return absolute ? "/" : slash ? "./" : ".";
    return (absolute ? "/" : "") + reduced + slash;
  };

  const isAbsolute = (path) => (check(path, "path"), path.startsWith("/"));

  const join = (...parts) => {
    for (const part of parts) check(part, "path");
    const joined = parts.filter((part) => part !== "").join("/");
    return joined === "" ? "." : normalize(joined);
  };

  const resolve = (...parts) => {
    let path = "";
    for (const part of parts.reverse()) {
      check(part, "path");
      if (part === "") continue;
      path = path === "" ? part : `${part}/${path}`;
      if (part.startsWith("/")) break;
    }
    if (!path.startsWith("/")) path = `${native.cwd()}/${path}`;
    return `/${reduce(path, true)}`;
  };

  const relative = (from, to) => {
    const source = resolve(from).split("/").filter(Boolean);
    const target = resolve(to).split("/").filter(Boolean);
    let same = 0;
    while (same < source.length && same < target.length && source[same] === target[same]) same += 1;
    return [...source.slice(same).map(() => ".."), ...target.slice(same)].join("/");
  };

  const trimmed = (path) => {
    let end = path.length;
    while (end > 1 && path[end - 1] === "/") end -= 1;
    return path.slice(0, end);
  };

  const dirname = (path) => {
    check(path, "path");
    const slash = trimmed(path).lastIndexOf("/");
    if (slash === -1) return ".";
    return slash === 0 ? "/" : path.slice(0, slash);
  };

  const basename = (path, suffix) => {
    check(path, "path");
    if (suffix !== undefined) check(suffix, "suffix");
    if (suffix === path) return "";
    const short = trimmed(path);
    const name = short === "/" ? "" : short.slice(short.lastIndexOf("/") + 1);
    return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  };

  const extname = (path) => {
    const name = basename(path);
    const dot = name.lastIndexOf(".");
    return dot <= 0 || (name === ".." && dot === 1) ? "" : name.slice(dot);
  };

  const parse = (path) => {
    const root = isAbsolute(path) ? "/" : "";
    const base = basename(path);
    const ext = extname(path);
    const dir = trimmed(path).includes("/") ? dirname(path) : root;
    return { root, dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
  };

  const format = ({ root = "", dir, base, name = "", ext = "" }) => {
    const dotted = ext && !ext.startsWith(".") ? `.${ext}` : ext;
    const file = base ?? name + dotted;
    if (!dir) return root + file;
    return dir === root ? dir + file : `${dir}/${file}`;
  };

  const matchesGlob = (path, pattern) => {
    const expression = pattern
      .replace(/[.+^$|()\\]/g, "\\$&")
      .replace(/\{([^}]*)\}/g, (_, list) => `(?:${list.replaceAll(",", "|")})`)
      .replace(/\*\*\/?|\*|\?/g, (sign) =>
        sign === "*" ? "[^/]*" : sign === "?" ? "[^/]" : sign === "**" ? ".*" : "(?:.*/)?",
      );
    return new RegExp(`^${expression}$`).test(path);
  };

  const path = {
    resolve,
    normalize,
    isAbsolute,
    join,
    relative,
    toNamespacedPath: (path) => path,
    dirname,
    basename,
    extname,
    format,
    parse,
    matchesGlob,
    sep: "/",
    delimiter: ":",
    win32: null,
    posix: null,
  };
  path.posix = path;
  return path;
};
