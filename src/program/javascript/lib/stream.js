// node:stream: the parts that scripts use to read, change and write files line by line.
(native, require) => {
  const EventEmitter = require("events");
  const { Buffer } = require("buffer");
  const hidden = (object, values) => {
    for (const [key, value] of Object.entries(values)) Object.defineProperty(object, key, { value, writable: true, configurable: true });
  };
  const coded = (message, code) => Object.assign(new Error(message), { code });

  class Stream extends EventEmitter {
    pipe(target, options) { return pipe(this, target, options); }
  }
  const destroyed = (stream, error) => {
    if (stream.destroyed) return stream;
    stream.destroyed = true;
    const close = (failed) => native.tick(() => {
      const reason = failed ?? error;
      if (reason) stream.emit("error", reason);
      stream.emit("close");
    }, []);
    if (stream._destroy) stream._destroy(error ?? null, close);
    else close();
    return stream;
  };

  const readable = (stream, options) => {
    const { objectMode = false, readableObjectMode = objectMode, encoding, highWaterMark = readableObjectMode ? 16 : 65536, read, destroy, construct } = options;
    hidden(stream, { chunks: [], flowing: null, ended: false, done: false, reading: false, scheduled: false, decoder: undefined, objects: readableObjectMode, highWaterMark });
    Object.assign(stream, { readable: true, readableEnded: false, destroyed: false });
    if (read) hidden(stream, { _read: read });
    if (destroy) hidden(stream, { _destroy: destroy });
    if (encoding) stream.setEncoding(encoding);
    construct?.call(stream, () => {});
  };
  const more = (stream) => {
    if (stream.reading || stream.ended || stream.destroyed || !stream._read) return;
    stream.reading = true;
    try {
      stream._read(stream.highWaterMark);
    } catch (error) {
      stream.destroy(error);
    }
  };
  const finish = (stream) => {
    if (stream.done || !stream.ended || stream.chunks.length > 0) return;
    stream.done = true;
    native.tick(() => {
      stream.readable = false;
      stream.readableEnded = true;
      stream.emit("end");
      if (!stream.writableSide || stream.writableFinished) stream.destroy();
    }, []);
  };
  // Gives chunks to those who listen, one turn after they asked.
  const flow = (stream) => {
    if (stream.scheduled) return;
    stream.scheduled = true;
    native.tick(() => {
      stream.scheduled = false;
      while (stream.flowing && stream.chunks.length > 0 && !stream.destroyed) stream.emit("data", stream.chunks.shift());
      if (!stream.flowing && (stream.chunks.length > 0 || stream.ended) && stream.listenerCount("readable") > 0 && !stream.done) stream.emit("readable");
      if (stream.destroyed) return;
      if (stream.flowing !== false || stream.chunks.length < stream.highWaterMark) more(stream);
      if (stream.flowing) {
        if (stream.chunks.length > 0) flow(stream);
        finish(stream);
      }
    }, []);
  };

  const reading = {
    push(chunk, encoding) {
      this.reading = false;
      if (chunk === null) {
        const rest = this.decoder?.end();
        if (rest) this.chunks.push(rest);
        this.ended = true;
      } else {
        let piece = chunk;
        if (!this.objects) {
          piece = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk instanceof Buffer ? chunk : Buffer.from(chunk);
          if (this.decoder) piece = this.decoder.write(piece);
        }
        if (this.objects || piece.length > 0) this.chunks.push(piece);
      }
      flow(this);
      return this.chunks.length < this.highWaterMark;
    },
    unshift(chunk) { this.chunks.unshift(chunk); },
    setEncoding(encoding) {
      const { StringDecoder } = require("string_decoder");
      this.decoder = new StringDecoder(encoding);
      this.chunks = this.chunks.map((chunk) => this.decoder.write(chunk));
      return this;
    },
    read(size) {
      if (this.chunks.length === 0) {
        more(this);
        if (this.chunks.length === 0) {
          finish(this);
          return null;
        }
      }
      let value;
      if (this.objects) value = this.chunks.shift();
      else {
        const whole = typeof this.chunks[0] === "string" ? this.chunks.join("") : Buffer.concat(this.chunks);
        if (size !== undefined && size < whole.length) {
          value = whole.slice(0, size);
          this.chunks = [whole.slice(size)];
        } else {
          value = whole;
          this.chunks = [];
        }
      }
      if (this.chunks.length === 0) flow(this);
      return value;
    },
    on(name, listener) {
      EventEmitter.prototype.on.call(this, name, listener);
      if (name === "data" && this.flowing !== false) this.resume();
      if (name === "readable") {
        this.flowing = false;
        flow(this);
      }
      return this;
    },
    resume() {
      this.flowing = true;
      flow(this);
      return this;
    },
    pause() {
      this.flowing = false;
      return this;
    },
    isPaused() { return this.flowing === false; },
    unpipe() { return this; },
    iterator() { return this[Symbol.asyncIterator](); },
    async *[Symbol.asyncIterator]() {
      const waiting = [];
      const notify = () => waiting.splice(0).forEach((resume) => resume());
      let failed;
      EventEmitter.prototype.on.call(this, "error", (error) => ((failed = error), notify()));
      EventEmitter.prototype.on.call(this, "end", notify);
      EventEmitter.prototype.on.call(this, "close", notify);
      EventEmitter.prototype.on.call(this, "readable", notify);
      this.flowing = false;
      try {
        for (;;) {
          const chunk = this.read();
          if (chunk !== null) yield chunk;
          else if (failed) throw failed;
          else if (this.done || this.destroyed) return;
          else await new Promise((resolve) => waiting.push(resolve));
        }
      } finally {
        this.destroy();
      }
    },
    async toArray() {
      const values = [];
      for await (const value of this) values.push(value);
      return values;
    },
    map(change) { return Readable.from((async function* (source) { for await (const value of source) yield await change(value); })(this)); },
    filter(test) { return Readable.from((async function* (source) { for await (const value of source) if (await test(value)) yield value; })(this)); },
    async forEach(visit) { for await (const value of this) await visit(value); },
  };

  const writable = (stream, options) => {
    const { objectMode = false, writableObjectMode = objectMode, decodeStrings = true, defaultEncoding = "utf8", highWaterMark = writableObjectMode ? 16 : 16384, write, writev, final, destroy } = options;
    hidden(stream, { queue: [], busy: false, ending: false, plain: writableObjectMode || !decodeStrings, writableSide: true, needDrain: false, defaultEncoding, limit: highWaterMark, waiting: 0 });
    Object.assign(stream, { writable: true, writableEnded: false, writableFinished: false, destroyed: false });
    if (write) hidden(stream, { _write: write });
    if (writev) hidden(stream, { _writev: writev });
    if (final) hidden(stream, { _final: final });
    if (destroy) hidden(stream, { _destroy: destroy });
  };
  const next = (stream) => {
    if (stream.busy || stream.destroyed) return;
    const entry = stream.queue.shift();
    if (!entry) {
      if (stream.needDrain) {
        stream.needDrain = false;
        stream.emit("drain");
      }
      if (stream.ending && !stream.writableFinished && stream.queue.length === 0) conclude(stream);
      return;
    }
    stream.busy = true;
    let now = true;
    const written = (error) => {
      const after = () => {
        stream.busy = false;
        stream.waiting -= entry.size;
        entry.done?.(error ?? null);
        if (error) stream.destroy(error);
        else next(stream);
      };
      if (now) native.tick(after, []);
      else after();
    };
    try {
      if (!stream._write && stream._writev) stream._writev([{ chunk: entry.chunk, encoding: entry.encoding }], written);
      else stream._write(entry.chunk, entry.encoding, written);
    } catch (error) {
      stream.busy = false;
      stream.destroy(error);
    }
    now = false;
  };
  const conclude = (stream) => {
    if (stream.concluding) return;
    hidden(stream, { concluding: true });
    const done = (error) => {
      if (error) return stream.destroy(error);
      native.tick(() => {
        stream.writableFinished = true;
        stream.emit("finish");
        if (!stream.chunks || stream.done) stream.destroy();
      }, []);
    };
    if (stream._final) stream._final(done);
    else done();
  };
  const writing = {
    write(chunk, encoding, done) {
      if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
      if (this.writableEnded) {
        const error = coded("write after end", "ERR_STREAM_WRITE_AFTER_END");
        native.tick(() => (done?.(error), this.destroyed || this.emit("error", error)), []);
        return false;
      }
      if (chunk === null) throw Object.assign(new TypeError("May not write null values to stream"), { code: "ERR_STREAM_NULL_VALUES" });
      const convert = !this.plain && typeof chunk === "string";
      const piece = convert ? Buffer.from(chunk, encoding ?? this.defaultEncoding) : chunk;
      const size = this.plain ? 1 : piece.length ?? 1;
      this.waiting += size;
      this.queue.push({ chunk: piece, encoding: convert ? "buffer" : encoding ?? this.defaultEncoding, done, size });
      next(this);
      this.needDrain = this.waiting >= this.limit;
      return !this.needDrain;
    },
    end(chunk, encoding, done) {
      if (typeof chunk === "function") [chunk, done] = [undefined, chunk];
      if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
      if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
      if (done) this.once("finish", done);
      this.ending = true;
      this.writableEnded = true;
      this.writable = false;
      next(this);
      return this;
    },
    cork() {}, uncork() {},
    setDefaultEncoding(encoding) { this.defaultEncoding = encoding; return this; },
  };
  const install = (Class, ...sources) => {
    for (const source of sources) for (const key of Reflect.ownKeys(source)) Object.defineProperty(Class.prototype, key, { value: source[key], writable: true, configurable: true });
  };
  const common = { destroy(error) { return destroyed(this, error); } };
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
        objectMode: true, ...options,
        async read() {
          try {
            const { value, done } = await iterator.next();
            this.push(done ? null : await value);
          } catch (error) {
            this.destroy(error);
          }
        },
        destroy(error, close) { Promise.resolve(iterator.return?.()).then(() => close(), close); },
      });
    }
  }
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
    _transform(chunk, encoding, done) { done(null, chunk); }
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
    const callback = typeof parts.at(-1) === "function" && parts.length > 1 && parts.at(-1).length < 3 && !/^async|\*/.test(parts.at(-1).toString().slice(0, 12)) ? parts.pop() : () => {};
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
    pipeline: (...parts) => new Promise((resolve, reject) => {
      const streams = parts.filter((part) => !(typeof part === "object" && part !== null && "signal" in part && !part.pipe));
      pipeline(...streams, (error, value) => (error ? reject(error) : resolve(value)));
    }),
    finished: (stream) => new Promise((resolve, reject) => finished(stream, (error) => (error ? reject(error) : resolve()))),
  };
  return Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, promises });
}
