// The side of a stream that is read.
(native, require) => {
  const EventEmitter = require("events");
  const { Buffer } = require("buffer");
  const { hidden } = require("stream_side");

  const readable = (stream, options) => {
    const {
      objectMode = false,
      readableObjectMode = objectMode,
      encoding,
      highWaterMark = readableObjectMode ? 16 : 65536,
      read,
      destroy,
      construct,
    } = options;
    hidden(stream, {
      chunks: [],
      flowing: null,
      ended: false,
      done: false,
      reading: false,
      scheduled: false,
      decoder: undefined,
      objects: readableObjectMode,
      highWaterMark,
    });
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
      while (stream.flowing && stream.chunks.length > 0 && !stream.destroyed)
        stream.emit("data", stream.chunks.shift());
      if (
        !stream.flowing &&
        (stream.chunks.length > 0 || stream.ended) &&
        stream.listenerCount("readable") > 0 &&
        !stream.done
      )
        stream.emit("readable");
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
          piece =
            typeof chunk === "string"
              ? Buffer.from(chunk, encoding)
              : chunk instanceof Buffer
                ? chunk
                : Buffer.from(chunk);
          if (this.decoder) piece = this.decoder.write(piece);
        }
        if (this.objects || piece.length > 0) this.chunks.push(piece);
      }
      flow(this);
      return this.chunks.length < this.highWaterMark;
    },
    unshift(chunk) {
      this.chunks.unshift(chunk);
    },
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
    isPaused() {
      return this.flowing === false;
    },
    unpipe() {
      return this;
    },
    iterator() {
      return this[Symbol.asyncIterator]();
    },
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
    map(change) {
      return readableFrom(
        (async function* (source) {
          for await (const value of source) yield await change(value);
        })(this),
      );
    },
    filter(test) {
      return readableFrom(
        (async function* (source) {
          for await (const value of source) if (await test(value)) yield value;
        })(this),
      );
    },
    async forEach(visit) {
      for await (const value of this) await visit(value);
    },
  };
  // The class is made where both sides are known.
  let readableFrom;
  return { readable, reading, connect: (from) => (readableFrom = from) };
};
