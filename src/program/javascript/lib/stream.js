// node:stream: the parts that scripts use to read, change and write files line by line.
(native, require) => {
  const EventEmitter = require("events");
  const { hidden, coded, destroyed } = require("stream_side");
  const { readable, reading, connect } = require("stream_readable");
  const { writable, writing } = require("stream_writable");

  class Stream extends EventEmitter {
    pipe(target, options) {
      return pipe(this, target, options);
    }
  }
  const install = (Class, ...sources) => {
    for (const source of sources)
      for (const key of Reflect.ownKeys(source))
        Object.defineProperty(Class.prototype, key, { value: source[key], writable: true, configurable: true });
  };
  const common = {
    destroy(error) {
      return destroyed(this, error);
    },
  };
  Object.defineProperty(common, "destroy", { enumerable: true });

  class Readable extends Stream {
    constructor(options = {}) {
      super();
      readable(this, options ?? {});
    }
    static from(source, options) {
      const values = typeof source === "string" || source instanceof Uint8Array ? [source] : source;
      const iterator = (values[Symbol.asyncIterator] ?? values[Symbol.iterator]).call(values);
      return new Readable({
        objectMode: true,
        ...options,
        async read() {
          try {
            const { value, done } = await iterator.next();
            this.push(done ? null : await value);
          } catch (error) {
            this.destroy(error);
          }
        },
        destroy(error, close) {
          Promise.resolve(iterator.return?.()).then(() => close(), close);
        },
      });
    }
  }
  connect(Readable.from);
  class Writable extends Stream {
    constructor(options = {}) {
      super();
      writable(this, options ?? {});
    }
  }
  class Duplex extends Stream {
    constructor(options = {}) {
      super();
      readable(this, options ?? {});
      writable(this, { ...options, highWaterMark: options?.writableHighWaterMark ?? options?.highWaterMark });
    }
  }
  install(Readable, reading, common);
  install(Writable, writing, common);
  install(Duplex, reading, writing, common);
  class Transform extends Duplex {
    constructor(options = {}) {
      super(options);
      if (options?.transform) hidden(this, { _transform: options.transform });
      if (options?.flush) hidden(this, { _flush: options.flush });
    }
    _write(chunk, encoding, done) {
      this._transform(chunk, encoding, (error, value) => {
        if (!error && value !== undefined && value !== null) this.push(value);
        done(error);
      });
    }
    _final(done) {
      const end = (error, value) => {
        if (error) return done(error);
        if (value !== undefined && value !== null) this.push(value);
        this.push(null);
        done();
      };
      if (this._flush) this._flush(end);
      else end();
    }
    _read() {}
  }
  class PassThrough extends Transform {
    _transform(chunk, encoding, done) {
      done(null, chunk);
    }
  }

  const pipe = (source, target, { end = true } = {}) => {
    source.on("data", (chunk) => {
      if (target.write(chunk) === false && source.pause) {
        source.pause();
        target.once("drain", () => source.resume());
      }
    });
    if (end && target.fd === undefined) source.once("end", () => target.end());
    target.emit("pipe", source);
    return target;
  };
  const finished = (stream, options, callback) => {
    const done = typeof options === "function" ? options : callback;
    let called = false;
    const call = (error) => {
      if (!called) done.call(stream, ((called = true), error));
    };
    stream.on("error", call);
    EventEmitter.prototype.on.call(stream, "end", () => (stream.writableSide && !stream.writableFinished) || call());
    EventEmitter.prototype.on.call(stream, "finish", () => (stream.chunks && !stream.done) || call());
    EventEmitter.prototype.on.call(stream, "close", () => {
      const complete = stream.readableEnded || stream.writableFinished;
      call(complete ? undefined : coded("Premature close", "ERR_STREAM_PREMATURE_CLOSE"));
    });
    return () => (called = true);
  };
  const asStream = (part, source) => {
    if (typeof part === "function") return Readable.from(source === undefined ? part() : part(source));
    return part.pipe || part.write ? part : Readable.from(part);
  };
  const pipeline = (...parts) => {
    const callback =
      typeof parts.at(-1) === "function" &&
      parts.length > 1 &&
      parts.at(-1).length < 3 &&
      !/^async|\*/.test(parts.at(-1).toString().slice(0, 12))
        ? parts.pop()
        : () => {};
    const streams = [];
    const list = parts.flat();
    let settled = false;
    const end = (error, value) => {
      if (settled) return;
      settled = true;
      if (error) for (const stream of streams) stream.destroy?.();
      callback(error, value);
    };
    for (const [at, part] of list.entries()) {
      const previous = streams.at(-1);
      if (at === list.length - 1 && typeof part === "function") {
        Promise.resolve(part(previous)).then((value) => end(undefined, value), end);
        return previous;
      }
      const stream = asStream(part, previous);
      stream.on("error", end);
      if (previous && typeof part !== "function") pipe(previous, stream);
      streams.push(stream);
    }
    const last = streams.at(-1);
    if (last.fd !== undefined && !last.writableSide) streams.at(-2)?.once("end", () => end());
    else finished(last, end);
    return last;
  };
  const promises = {
    pipeline: (...parts) =>
      new Promise((resolve, reject) => {
        const streams = parts.filter(
          (part) => !(typeof part === "object" && part !== null && "signal" in part && !part.pipe),
        );
        pipeline(...streams, (error, value) => (error ? reject(error) : resolve(value)));
      }),
    finished: (stream) =>
      new Promise((resolve, reject) => finished(stream, (error) => (error ? reject(error) : resolve()))),
  };
  return Object.assign(Stream, {
    Stream,
    Readable,
    Writable,
    Duplex,
    Transform,
    PassThrough,
    pipeline,
    finished,
    promises,
  });
};
