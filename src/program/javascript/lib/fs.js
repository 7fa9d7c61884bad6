// node:fs over the file port. Everything is done at once; callbacks and promises only learn of it later.
(native, require) => {
  const { Buffer } = require("buffer");
  const constants = {
    F_OK: 0,
    R_OK: 4,
    W_OK: 2,
    X_OK: 1,
    COPYFILE_EXCL: 1,
    O_RDONLY: 0,
    O_WRONLY: 1,
    O_RDWR: 2,
    O_CREAT: 64,
    O_EXCL: 128,
    O_TRUNC: 512,
    O_APPEND: 1024,
  };
  const fail = (code, message, extra) => {
    throw Object.assign(new Error(`${code}: ${message}`), { code, ...extra });
  };
  const refuse = (name) => fail("ENOTSUP", `operation not supported here, ${name}`, { syscall: name });

  const pathOf = (path) => {
    if (typeof path === "string") return path;
    if (path instanceof Uint8Array) return native.decode(path);
    if (path?.href !== undefined) return require("url").fileURLToPath(path);
    throw Object.assign(
      new TypeError(
        `The "path" argument must be of type string or an instance of Buffer or URL. Received ${native.inspect(path)}`,
      ),
      { code: "ERR_INVALID_ARG_TYPE" },
    );
  };
  const encodingOf = (options) => (typeof options === "string" ? options : options?.encoding);
  const asData = (data, encoding) => {
    if (typeof data === "string") return encoding && !/^utf-?8$/i.test(encoding) ? native.encode(data, encoding) : data;
    if (ArrayBuffer.isView(data)) return data;
    throw Object.assign(
      new TypeError(
        `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${native.inspect(data)}`,
      ),
      { code: "ERR_INVALID_ARG_TYPE" },
    );
  };

  class Stats {
    constructor([kind, size, modified]) {
      const directory = kind === 2;
      Object.assign(this, {
        dev: 1,
        mode: directory ? 0o40755 : 0o100644,
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        blksize: 4096,
        ino: 0,
        size,
        blocks: Math.ceil(size / 512),
        atimeMs: modified,
        mtimeMs: modified,
        ctimeMs: modified,
        birthtimeMs: modified,
      });
      for (const name of ["atime", "mtime", "ctime", "birthtime"]) this[name] = new Date(modified);
      Object.defineProperty(this, "kind", { value: kind });
    }
    isFile() {
      return this.kind === 1;
    }
    isDirectory() {
      return this.kind === 2;
    }
    isSymbolicLink() {
      return false;
    }
    isFIFO() {
      return false;
    }
    isSocket() {
      return false;
    }
    isBlockDevice() {
      return false;
    }
    isCharacterDevice() {
      return false;
    }
  }
  const TYPE = Symbol("type");
  class Dirent {
    constructor(name, path, kind) {
      Object.assign(this, { name, parentPath: path, path, [TYPE]: kind });
    }
    isFile() {
      return this[TYPE] === 1;
    }
    isDirectory() {
      return this[TYPE] === 2;
    }
    isSymbolicLink() {
      return false;
    }
    isFIFO() {
      return false;
    }
    isSocket() {
      return false;
    }
    isBlockDevice() {
      return false;
    }
    isCharacterDevice() {
      return false;
    }
  }

  // Open files: the content is read and written as a whole, so a descriptor is a path and a place.
  const files = new Map();
  let last = 2;
  const fileOf = (fd, syscall) => files.get(fd) ?? fail("EBADF", `bad file descriptor, ${syscall}`, { syscall });
  const flagsOf = (flags = "r") => {
    if (typeof flags !== "number") return flags;
    const access = flags & 3;
    if (flags & constants.O_APPEND) return access === 2 ? "a+" : "a";
    if (flags & constants.O_TRUNC || (access === 1 && flags & constants.O_CREAT))
      return (access === 2 ? "w+" : "w") + (flags & constants.O_EXCL ? "x" : "");
    return access === 0 ? "r" : "r+";
  };
  const openSync = (path, flags) => {
    const name = pathOf(path);
    const mode = flagsOf(flags);
    const found = native.stat("open", name);
    if (mode.startsWith("r")) {
      if (!found) native.read("open", name);
    } else if (mode.includes("x") && found)
      fail("EEXIST", `file already exists, open '${name}'`, { errno: -17, syscall: "open", path: name });
    else if (mode.startsWith("w") || !found) native.store("open", name, "");
    files.set((last += 1), { path: native.absolute(name), at: 0, append: mode.startsWith("a") });
    return last;
  };
  const closeSync = (fd) => {
    if (fd > 2) fileOf(fd, "close");
    files.delete(fd);
  };
  const readSync = (fd, buffer, offset = 0, length, position) => {
    const {
      offset: at = 0,
      length: most = buffer.byteLength - at,
      position: from,
    } = typeof offset === "object" ? (offset ?? {}) : { offset, length, position };
    const file = fd === 0 ? (stdin ??= { content: native.stdin(), at: 0 }) : fileOf(fd, "read");
    const content = file.content ?? native.read("read", file.path);
    const start = typeof from === "number" && from >= 0 ? from : file.at;
    const part = content.subarray(start, start + most);
    new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(part, at);
    if (start === file.at) file.at += part.length;
    return part.length;
  };
  let stdin;
  const writeSync = (fd, data, offset, length, position) => {
    const text = typeof data === "string";
    const bytes = text
      ? native.encode(data, typeof length === "string" ? length : undefined)
      : data.subarray(offset ?? 0, (offset ?? 0) + (length ?? data.byteLength - (offset ?? 0)));
    if (fd === 1 || fd === 2) native.write(fd, bytes);
    else {
      const file = fileOf(fd, "write");
      const place = text ? offset : position;
      if (file.append) native.append("write", file.path, bytes);
      else {
        const old = native.read("write", file.path);
        const at = typeof place === "number" ? place : file.at;
        if (at === old.length) native.append("write", file.path, bytes);
        else {
          const whole = new Uint8Array(Math.max(old.length, at + bytes.length));
          whole.set(old);
          whole.set(bytes, at);
          native.store("write", file.path, whole);
        }
        if (typeof place !== "number") file.at = at + bytes.length;
      }
    }
    return bytes.length;
  };

  const readFileSync = (path, options) => {
    const encoding = encodingOf(options);
    const fd = typeof path === "number";
    const name = fd ? (path === 0 ? "/dev/stdin" : fileOf(path, "read").path) : pathOf(path);
    if (encoding && /^utf-?8$/i.test(encoding)) return native.readText("open", name);
    const bytes = Buffer.from(native.read("open", name).buffer);
    return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
  };
  const writeFileSync = (path, data, options) => {
    const content = asData(data, encodingOf(options));
    if (typeof path === "number")
      return void writeSync(
        path,
        typeof content === "string" ? content : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      );
    const name = pathOf(path);
    const flag = flagsOf(options?.flag ?? "w");
    if (flag.includes("x") && native.stat("open", name))
      fail("EEXIST", `file already exists, open '${name}'`, { errno: -17, syscall: "open", path: name });
    if (flag.startsWith("a")) native.append("open", name, content);
    else native.store("open", name, content);
  };
  const appendFileSync = (path, data, options) =>
    writeFileSync(path, data, { ...(typeof options === "string" ? { encoding: options } : options), flag: "a" });
  const kindOf = (path, syscall = "stat") => native.stat(syscall, pathOf(path));
  const existsSync = (path) => {
    try {
      return kindOf(path) !== undefined;
    } catch {
      return false;
    }
  };
  const absent = (syscall, path) =>
    fail("ENOENT", `no such file or directory, ${syscall} '${pathOf(path)}'`, {
      errno: -2,
      syscall,
      path: pathOf(path),
    });
  const statOf =
    (syscall) =>
    (path, { throwIfNoEntry = true } = {}) => {
      const found = kindOf(path, syscall);
      if (found) return new Stats(found);
      return throwIfNoEntry ? absent(syscall, path) : undefined;
    };
  const statSync = statOf("stat");
  const lstatSync = statOf("lstat");
  const fstatSync = (fd) => statSync(fileOf(fd, "fstat").path);
  const accessSync = (path) => void (kindOf(path, "access") ?? absent("access", path));
  const mkdirSync = (path, options) => {
    const name = pathOf(path);
    const recursive = typeof options === "object" && options?.recursive === true;
    const existed = native.stat("mkdir", name);
    native.mkdir("mkdir", name, recursive);
    return recursive && !existed ? native.absolute(name) : undefined;
  };
  const readdirSync = (path, options) => {
    const root = pathOf(path);
    const { withFileTypes = false, recursive = false } = typeof options === "object" && options !== null ? options : {};
    const found = [];
    const walk = (directory, prefix) => {
      const entries = native.list("scandir", directory);
      for (let at = 0; at < entries.length; at += 2) {
        const [name, kind] = [entries[at], entries[at + 1]];
        found.push(withFileTypes ? new Dirent(name, directory, kind) : prefix + name);
        if (recursive && kind === 2) walk(`${directory.replace(/\/$/, "")}/${name}`, `${prefix}${name}/`);
      }
    };
    walk(root, "");
    return found;
  };
  const rmSync = (path, { recursive = false, force = false } = {}) => {
    const name = pathOf(path);
    const found = native.stat("rm", name);
    if (!found) return force ? undefined : absent("rm", name);
    if (found[0] === 2 && !recursive)
      fail("ERR_FS_EISDIR", `Path is a directory: rm returned EISDIR (is a directory) ${name}`, {
        path: name,
        syscall: "rm",
      });
    native.remove("rm", name, recursive);
  };
  const unlinkSync = (path) => {
    const name = pathOf(path);
    if (native.stat("unlink", name)?.[0] === 2)
      fail("EPERM", `operation not permitted, unlink '${name}'`, { errno: -1, syscall: "unlink", path: name });
    native.remove("unlink", name, false);
  };
  const rmdirSync = (path, { recursive = false } = {}) => {
    const name = pathOf(path);
    const found = native.stat("rmdir", name) ?? absent("rmdir", name);
    if (found[0] !== 2)
      fail("ENOTDIR", `not a directory, rmdir '${name}'`, { errno: -20, syscall: "rmdir", path: name });
    native.remove("rmdir", name, recursive);
  };
  const renameSync = (from, to) => native.rename("rename", pathOf(from), pathOf(to));
  const copyFileSync = (from, to, mode = 0) => {
    const target = pathOf(to);
    if (mode & constants.COPYFILE_EXCL && native.stat("copyfile", target))
      fail("EEXIST", `file already exists, copyfile '${pathOf(from)}' -> '${target}'`, {
        errno: -17,
        syscall: "copyfile",
        path: pathOf(from),
        dest: target,
      });
    native.copy("copyfile", pathOf(from), target);
  };
  const cpSync = (from, to, options = {}) => {
    const [source, target] = [pathOf(from), pathOf(to)];
    if (!statSync(source).isDirectory()) return copyFileSync(source, target);
    if (!options.recursive)
      fail("ERR_FS_EISDIR", `Recursive option not enabled, cannot copy a directory: ${source}`, {
        path: source,
        syscall: "cp",
      });
    mkdirSync(target, { recursive: true });
    for (const { name } of readdirSync(source, { withFileTypes: true }))
      cpSync(`${source}/${name}`, `${target}/${name}`, options);
  };
  const realpathSync = Object.assign(
    (path) => (kindOf(path, "lstat") ? native.absolute(pathOf(path)) : absent("lstat", path)),
    {},
  );
  realpathSync.native = realpathSync;
  const mkdtempSync = (prefix) => {
    const name = pathOf(prefix) + native.decode(native.random(6), "base64url").slice(0, 6).replace(/[-_]/g, "x");
    native.mkdir("mkdtemp", name, false);
    return name;
  };
  const truncateSync = (path, length = 0) => {
    const old = native.read("open", pathOf(path));
    const cut = new Uint8Array(length);
    cut.set(old.subarray(0, length));
    native.store("open", pathOf(path), cut);
  };
  const utimesSync = (path) => accessSync(path);
  const opendirSync = (path) => {
    const entries = readdirSync(path, { withFileTypes: true });
    return {
      path: pathOf(path),
      readSync: () => entries.shift() ?? null,
      read: async () => entries.shift() ?? null,
      closeSync() {},
      async close() {},
      async *[Symbol.asyncIterator]() {
        yield* entries;
      },
    };
  };

  const sync = {
    readFileSync,
    writeFileSync,
    appendFileSync,
    existsSync,
    statSync,
    lstatSync,
    fstatSync,
    accessSync,
    mkdirSync,
    readdirSync,
    rmSync,
    unlinkSync,
    rmdirSync,
    renameSync,
    copyFileSync,
    cpSync,
    realpathSync,
    mkdtempSync,
    truncateSync,
    utimesSync,
    openSync,
    closeSync,
    readSync,
    writeSync,
    opendirSync,
    ftruncateSync: (fd, length) => truncateSync(fileOf(fd, "ftruncate").path, length),
    fsyncSync() {},
    fdatasyncSync() {},
  };
  for (const name of ["symlink", "link", "readlink", "chmod", "chown", "lchown", "fchmod", "fchown"])
    sync[`${name}Sync`] = () => refuse(name);

  const fs = { ...sync, constants, Stats, Dirent, F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 };
  const promises = { constants };
  for (const [name, method] of Object.entries(sync)) {
    const plain = name.slice(0, -4);
    if (plain === "exists") continue;
    fs[plain] = (...values) => {
      const callback = values.pop();
      if (typeof callback !== "function") {
        throw Object.assign(
          new TypeError(`The "cb" argument must be of type function. Received ${native.inspect(callback)}`),
          { code: "ERR_INVALID_ARG_TYPE" },
        );
      }
      let result;
      try {
        result = [null, method(...values)];
      } catch (error) {
        result = [error];
      }
      native.immediate(callback, result);
    };
    // As in Node the answer comes in a later turn, after the microtasks that are there already.
    promises[plain] = (...values) =>
      new Promise((resolve, reject) => {
        try {
          native.immediate(resolve, [method(...values)]);
        } catch (error) {
          native.immediate(reject, [error]);
        }
      });
  }
  fs.exists = (path, callback) => native.immediate(callback, [existsSync(path)]);
  fs.read = (fd, ...values) => {
    const callback = values.pop();
    const [buffer = Buffer.alloc(16384), ...rest] = values;
    const count = readSync(fd, buffer, ...rest);
    native.immediate(callback, [null, count, buffer]);
  };
  promises.open = async (path, flags) => {
    const fd = openSync(path, flags);
    const handle = {
      fd,
      readFile: async (options) => readFileSync(fd, options),
      writeFile: async (data, options) => writeFileSync(files.get(fd).path, data, options),
      appendFile: async (data, options) => appendFileSync(files.get(fd).path, data, options),
      stat: async () => fstatSync(fd),
      read: async (buffer = Buffer.alloc(16384), ...rest) => ({ bytesRead: readSync(fd, buffer, ...rest), buffer }),
      write: async (data, ...rest) => ({ bytesWritten: writeSync(fd, data, ...rest), buffer: data }),
      truncate: async (length) => truncateSync(files.get(fd).path, length),
      sync: async () => {},
      close: async () => closeSync(fd),
      readLines: () => require("readline").createInterface({ input: createReadStream(files.get(fd).path) }),
      createReadStream: (options) => createReadStream(files.get(fd).path, options),
      createWriteStream: (options) => createWriteStream(files.get(fd).path, options),
    };
    handle[Symbol.asyncDispose ?? Symbol("asyncDispose")] = handle.close;
    return handle;
  };

  const createReadStream = (path, options) => {
    const { Readable } = require("stream");
    const {
      start = 0,
      end = Infinity,
      highWaterMark = 65536,
    } = typeof options === "object" && options !== null ? options : {};
    let content;
    let at = start;
    const stream = new Readable({
      encoding: encodingOf(options),
      highWaterMark,
      read(size) {
        try {
          content ??= readFileSync(path);
        } catch (error) {
          return void this.destroy(error);
        }
        const stop = Math.min(content.length, end + 1, at + size);
        if (at >= stop) return void this.push(null);
        const chunk = content.subarray(at, stop);
        at = stop;
        stream.bytesRead += chunk.length;
        this.push(chunk);
      },
    });
    return Object.assign(stream, { path, bytesRead: 0 });
  };
  const createWriteStream = (path, options) => {
    const { Writable } = require("stream");
    const { flags = "w" } = typeof options === "object" && options !== null ? options : {};
    let begun = false;
    const begin = () => {
      if (!begun && !flagsOf(flags).startsWith("a")) writeFileSync(path, "", { flag: flags });
      begun = true;
    };
    const attempt = (work, done) => {
      try {
        work();
        done();
      } catch (error) {
        done(error);
      }
    };
    const stream = new Writable({
      defaultEncoding: encodingOf(options) ?? "utf8",
      write(chunk, encoding, done) {
        attempt(() => {
          begin();
          appendFileSync(path, chunk);
          stream.bytesWritten += chunk.length;
        }, done);
      },
      final(done) {
        attempt(begin, done);
      },
    });
    return Object.assign(stream, { path, bytesWritten: 0, close: (done) => stream.end(done) });
  };
  for (const name of ["watch", "watchFile", "unwatchFile"]) fs[name] = () => refuse(name);
  return Object.assign(fs, { createReadStream, createWriteStream, promises });
};
