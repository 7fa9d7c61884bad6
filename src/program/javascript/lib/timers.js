// Timers, and node:timers with its promises.
(native) => {
  const check = (callback) => {
    if (typeof callback === "function") return;
    const error = new TypeError(
      `The "callback" argument must be of type function. Received ${native.inspect(callback)}`,
    );
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  };
  const hidden = (object, properties) => {
    for (const [key, value] of Object.entries(properties))
      Object.defineProperty(object, key, { value, writable: true });
    return object;
  };

  class Timeout {
    constructor(callback, delay, values, repeats) {
      check(callback);
      hidden(this, { callback, delay: Number(delay), values, repeats, kept: true, id: 0 });
      this.start();
    }
    start() {
      this.id = native.timer(this.delay, this.repeats, this.callback, this.values);
      timers.set(this.id, this);
      if (!this.kept) native.keepAlive(this.id, false);
    }
    stop() {
      native.cancel(this.id);
      timers.delete(this.id);
    }
    ref() {
      return this.keep(true);
    }
    unref() {
      return this.keep(false);
    }
    keep(kept) {
      this.kept = kept;
      native.keepAlive(this.id, kept);
      return this;
    }
    hasRef() {
      return this.kept;
    }
    refresh() {
      this.stop();
      this.start();
      return this;
    }
    close() {
      this.stop();
      return this;
    }
    [Symbol.toPrimitive]() {
      return this.id;
    }
  }
  class Immediate {
    constructor(callback, values) {
      check(callback);
      hidden(this, { id: native.immediate(callback, values) });
    }
    stop() {
      native.cancel(this.id);
    }
    ref() {
      return this;
    }
    unref() {
      return this;
    }
    hasRef() {
      return true;
    }
  }

  // Numbers stand for timers as well, as in a browser.
  const timers = new Map();
  const setTimeout = (callback, delay = 1, ...values) => new Timeout(callback, delay, values, false);
  const setInterval = (callback, delay = 1, ...values) => new Timeout(callback, delay, values, true);
  const setImmediate = (callback, ...values) => new Immediate(callback, values);
  const clear = (timer) => {
    if (timer instanceof Timeout || timer instanceof Immediate) timer.stop();
    else timers.get(Number(timer))?.stop();
  };
  const clearTimeout = (timer) => clear(timer);
  const clearInterval = (timer) => clear(timer);
  const clearImmediate = (timer) => clear(timer);
  const queueMicrotask = (callback) => (check(callback), native.microtask(callback));

  const waiting = (signal, begin, end) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = begin(resolve);
      signal?.addEventListener("abort", () => (end(timer), reject(signal.reason)), { once: true });
    });
  const promises = {
    setTimeout: (delay, value, { signal } = {}) =>
      waiting(signal, (resolve) => setTimeout(() => resolve(value), delay), clearTimeout),
    setImmediate: (value, { signal } = {}) =>
      waiting(signal, (resolve) => setImmediate(() => resolve(value)), clearImmediate),
    async *setInterval(delay, value, { signal } = {}) {
      for (;;) {
        await promises.setTimeout(delay, undefined, { signal });
        yield value;
      }
    },
    scheduler: {
      wait: (delay, options) => promises.setTimeout(delay, undefined, options),
      yield: () => promises.setImmediate(),
    },
  };
  setTimeout[Symbol.for("nodejs.util.promisify.custom")] = promises.setTimeout;
  setImmediate[Symbol.for("nodejs.util.promisify.custom")] = promises.setImmediate;
  return {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    clearImmediate,
    queueMicrotask,
    promises,
  };
};
