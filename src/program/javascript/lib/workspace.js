// handrail:workspace (SH-35): paths as the tools write them, or absolute ones.
(native, require) => {
  const path = (name) => (String(name).startsWith("/") ? String(name) : `/${name}`);
  const kind = (name) => {
    try {
      return native.stat("stat", path(name))?.[0];
    } catch {
      return undefined;
    }
  };
  const walk = (directory, prefix) => {
    const entries = native.list("scandir", directory);
    const files = [];
    for (let at = 0; at < entries.length; at += 2) {
      const name = `${prefix}${entries[at]}`;
      if (entries[at + 1] === 2)
        files.push(...walk(`${directory === "/" ? "" : directory}/${entries[at]}`, `${name}/`));
      else files.push(name);
    }
    return files;
  };
  const workspace = {
    readText: (name) => native.readText("open", path(name)),
    writeText(name, text) {
      const file = path(name);
      const parent = file.slice(0, file.lastIndexOf("/"));
      if (parent !== "" && kind(parent) === undefined) native.mkdir("mkdir", parent, true);
      native.store("open", file, String(text));
    },
    exists: (name) => kind(name) !== undefined,
    listFiles(directory) {
      if (directory !== undefined) return walk(path(directory).replace(/(.)\/+$/, "$1"), "").sort();
      const entries = native.list("scandir", "/");
      return entries.filter((_, at) => at % 2 === 0).sort();
    },
  };

  // A field that the host did not supply is an error at the place that reads it.
  const supplied = native.request.context;
  const field = (object, key, name) => ({
    enumerable: true,
    get() {
      if (object !== undefined && object !== null && Object.hasOwn(object, key)) return object[key];
      throw new Error(`The host did not supply context.${name}`);
    },
  });
  const context = Object.defineProperties(
    {},
    {
      worldInfo: {
        enumerable: true,
        value: Object.defineProperties({}, { entries: field(supplied.worldInfo, "entries", "worldInfo.entries") }),
      },
      variables: {
        enumerable: true,
        value: Object.defineProperties(
          {},
          {
            local: field(supplied.variables, "local", "variables.local"),
            global: field(supplied.variables, "global", "variables.global"),
          },
        ),
      },
      macro: field(supplied, "macro", "macro"),
    },
  );
  const macros = {
    render(text) {
      if (native.request.macros === null) throw new Error("The host supplied no macros");
      return native.render(String(text));
    },
  };
  const log = (...values) => native.write(2, `${native.format(...values)}\n`);
  return { workspace, context, macros, log };
};
