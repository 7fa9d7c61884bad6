// The side of a stream that is written.
(native, require) => {
  const { Buffer } = require("buffer");
  const { hidden, coded } = require("stream_side");

  const writable = (stream, options) => {
    const {
      objectMode = false,
      writableObjectMode = objectMode,
      decodeStrings = true,
      defaultEncoding = "utf8",
      highWaterMark = writableObjectMode ? 16 : 16384,
      write,
      writev,
      final,
      destroy,
    } = options;
    hidden(stream, {
      queue: [],
      busy: false,
      ending: false,
      plain: writableObjectMode || !decodeStrings,
      writableSide: true,
      needDrain: false,
      defaultEncoding,
      limit: highWaterMark,
      waiting: 0,
    });
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
      if (chunk === null)
        throw Object.assign(new TypeError("May not write null values to stream"), { code: "ERR_STREAM_NULL_VALUES" });
      const convert = !this.plain && typeof chunk === "string";
      const piece = convert ? Buffer.from(chunk, encoding ?? this.defaultEncoding) : chunk;
      const size = this.plain ? 1 : (piece.length ?? 1);
      this.waiting += size;
      this.queue.push({ chunk: piece, encoding: convert ? "buffer" : (encoding ?? this.defaultEncoding), done, size });
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
    cork() {},
    uncork() {},
    setDefaultEncoding(encoding) {
      this.defaultEncoding = encoding;
      return this;
    },
  };
  return { writable, writing };
};
