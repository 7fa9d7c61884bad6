// node:module.
(native, require) => {
  const { fileURLToPath } = require("url");
  const builtinModules = native
    .modules()
    .split(", ")
    .filter((name) => !name.includes(":"));
  const createRequire = (from) => {
    const path = from instanceof URL || String(from).startsWith("file:") ? fileURLToPath(from) : String(from);
    if (!path.startsWith("/")) throw new TypeError("createRequire needs a file URL or an absolute path");
    return native.require(path);
  };
  const isBuiltin = (name) => builtinModules.includes(name.replace(/^node:/, ""));
  class Module {}
  return Object.assign(Module, { Module, createRequire, isBuiltin, builtinModules });
};
