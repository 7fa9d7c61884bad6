// node:process, and what the program asks it at its end.
(native, require) => {
  const EventEmitter = require("events");
  const { argv, env, version, networkTools } = native.request;
  const process = Object.create(
    Object.create(EventEmitter.prototype, { constructor: { value: function process() {} } }),
  );
  const fail = (Class, code, message) => {
    throw Object.assign(new Class(message), { code });
  };
  let exitCode;
  let exiting = false;

  const status = (code) => {
    const number = typeof code === "string" && code.trim() !== "" ? Number(code) : code;
    if (number === undefined || number === null || Number.isInteger(number)) return number ?? undefined;
    return fail(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      `The "code" argument must be of type number. Received ${native.inspect(code)}`,
    );
  };
  const finish = () => {
    if (!exiting) {
      exiting = true;
      process.emit("exit", exitCode ?? 0);
    }
    return (exitCode ?? 0) & 255;
  };
  const started = native.elapsed();
  const nanoseconds = () => BigInt(Math.round(native.elapsed() * 1e6)) + 1_000_000_000n;

  // An output stream without the machinery of node:stream, which only programs that use it load.
  const output = (fd) => {
    const stream = Object.create(
      Object.create(EventEmitter.prototype, { constructor: { value: class WriteStream {} } }),
    );
    const write = (chunk, encoding, done) => {
      if (chunk === null || chunk === undefined)
        fail(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream");
      const plain = typeof encoding !== "string" || /^utf-?8$/i.test(encoding);
      native.write(fd, typeof chunk === "string" && !plain ? native.encode(chunk, encoding) : chunk);
      const callback = typeof encoding === "function" ? encoding : done;
      if (callback) native.tick(callback, []);
      return true;
    };
    const end = (chunk, encoding, done) => {
      const callback = [chunk, encoding, done].find((value) => typeof value === "function");
      if (chunk !== undefined && chunk !== null && typeof chunk !== "function") write(chunk, encoding);
      native.tick(() => (stream.emit("finish"), callback?.()), []);
      return stream;
    };
    return Object.assign(stream, {
      fd,
      writable: true,
      isTTY: false,
      writableLength: 0,
      writableHighWaterMark: 16384,
      write,
      end,
      cork() {},
      uncork() {},
      destroy() {
        return stream;
      },
      getColorDepth: () => 1,
      hasColors: () => false,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true,
      setDefaultEncoding: () => stream,
    });
  };
  const lazy = (name, make) => {
    let value;
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => (value ??= make()) });
  };

  Object.assign(process, {
    title: "node",
    version,
    versions: { node: version.slice(1), boa: "0.22.0" },
    arch: "wasm32",
    platform: "handrail",
    release: { name: "node" },
    argv,
    argv0: argv[0],
    execArgv: [],
    execPath: "/bin/node",
    pid: 1,
    ppid: 0,
    features: {},
    config: {},
    env: new Proxy(
      { ...env },
      {
        set: (target, key, value) => Reflect.set(target, key, typeof key === "symbol" ? value : String(value)),
        defineProperty: (target, key, descriptor) =>
          Reflect.defineProperty(target, key, { ...descriptor, value: String(descriptor.value) }),
      },
    ),
    cwd: () => native.cwd(),
    chdir: (path) => native.chdir(String(path)),
    exit(code) {
      if (code !== undefined) exitCode = status(code);
      native.exit(finish());
    },
    reallyExit: (code) => native.exit(code ?? 0),
    abort: () => native.exit(134),
    kill: () => fail(Error, "ENOTSUP", "There are no other processes here"),
    nextTick(callback, ...values) {
      if (typeof callback !== "function") {
        fail(
          TypeError,
          "ERR_INVALID_ARG_TYPE",
          `The "callback" argument must be of type function. Received ${native.inspect(callback)}`,
        );
      }
      native.tick(callback, values);
    },
    hrtime: Object.assign(
      (since) => {
        const now = nanoseconds();
        const [seconds, rest] = [Number(now / 1_000_000_000n), Number(now % 1_000_000_000n)];
        if (since === undefined) return [seconds, rest];
        const [left, below] = [seconds - since[0], rest - since[1]];
        return below < 0 ? [left - 1, below + 1e9] : [left, below];
      },
      { bigint: nanoseconds },
    ),
    uptime: () => (native.elapsed() - started) / 1000,
    memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), {
      rss: () => 0,
    }),
    resourceUsage: () => ({ userCPUTime: 0, systemCPUTime: 0, maxRSS: 0 }),
    cpuUsage: () => ({ user: Math.round(native.elapsed() * 1000), system: 0 }),
    emitWarning(warning, type = "Warning") {
      const name = typeof type === "object" ? (type.type ?? "Warning") : type;
      native.write(
        2,
        `(node:1) ${warning instanceof Error ? `${warning.name}: ${warning.message}` : `${name}: ${warning}`}\n`,
      );
    },
    umask: () => 18,
    getuid: () => 0,
    geteuid: () => 0,
    getgid: () => 0,
    getegid: () => 0,
    binding: () => fail(Error, "ERR_INVALID_MODULE", "There are no bindings here"),
  });
  Object.defineProperty(process, "exitCode", {
    enumerable: true,
    configurable: true,
    get: () => exitCode,
    set: (code) => {
      exitCode = status(code);
    },
  });
  Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });
  lazy("stdout", () => output(1));
  lazy("stderr", () => output(2));
  lazy("stdin", () => {
    const { Readable } = require("stream");
    const stdin = new Readable({
      read() {
        const bytes = native.stdin();
        if (bytes.length > 0) this.push(require("buffer").Buffer.from(bytes.buffer));
        this.push(null);
      },
    });
    return Object.assign(stdin, { fd: 0, isTTY: false, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin });
  });

  return {
    process,
    finish,
    networkTools,
    beforeExit() {
      if (process.listenerCount("beforeExit") === 0) return false;
      let again = false;
      const before = native.pending();
      process.emit("beforeExit", exitCode ?? 0);
      again = native.pending() > before;
      return again;
    },
    rejected(reason, promise) {
      return process.listenerCount("unhandledRejection") > 0 && process.emit("unhandledRejection", reason, promise);
    },
    uncaught(error) {
      return (
        process.listenerCount("uncaughtException") > 0 && process.emit("uncaughtException", error, "uncaughtException")
      );
    },
  };
};
