// node:events.
(native) => {
  const LISTENERS = Symbol("listeners");
  const LIMIT = Symbol("maxListeners");
  const hidden = (object, key, value) =>
    Object.defineProperty(object, key, { value, writable: true, configurable: true });

  function EventEmitter() {
    if (this[LISTENERS] === undefined || this[LISTENERS] === Object.getPrototypeOf(this)[LISTENERS])
      hidden(this, LISTENERS, new Map());
  }

  const listenersOf = (emitter, create = false) => {
    if (create && !Object.hasOwn(emitter, LISTENERS)) hidden(emitter, LISTENERS, new Map());
    return emitter[LISTENERS] ?? new Map();
  };

  const check = (listener) => {
    if (typeof listener === "function") return;
    const error = new TypeError(
      `The "listener" argument must be of type function. Received ${native.inspect(listener)}`,
    );
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  };

  const add = (emitter, name, listener, first) => {
    check(listener);
    const all = listenersOf(emitter, true);
    if (all.has("newListener")) emitter.emit("newListener", name, listener.listener ?? listener);
    const list = all.get(name) ?? [];
    all.set(name, first ? [listener, ...list] : [...list, listener]);
    return emitter;
  };

  const onceOf = (emitter, name, listener) => {
    check(listener);
    const wrapped = function (...values) {
      emitter.removeListener(name, wrapped);
      return listener.apply(emitter, values);
    };
    wrapped.listener = listener;
    return wrapped;
  };

  const methods = {
    on(name, listener) {
      return add(this, name, listener, false);
    },
    addListener(name, listener) {
      return add(this, name, listener, false);
    },
    prependListener(name, listener) {
      return add(this, name, listener, true);
    },
    once(name, listener) {
      return add(this, name, onceOf(this, name, listener), false);
    },
    prependOnceListener(name, listener) {
      return add(this, name, onceOf(this, name, listener), true);
    },
    removeListener(name, listener) {
      const all = listenersOf(this);
      const list = all.get(name) ?? [];
      const at = list.findLastIndex((other) => other === listener || other.listener === listener);
      if (at === -1) return this;
      if (list.length === 1) all.delete(name);
      else all.set(name, list.toSpliced(at, 1));
      if (all.has("removeListener")) this.emit("removeListener", name, listener);
      return this;
    },
    off(name, listener) {
      return this.removeListener(name, listener);
    },
    removeAllListeners(name) {
      if (name === undefined) listenersOf(this).clear();
      else listenersOf(this).delete(name);
      return this;
    },
    emit(name, ...values) {
      const list = listenersOf(this).get(name);
      if (list === undefined) {
        if (name !== "error") return false;
        if (values[0] instanceof Error) throw values[0];
        const error = new Error(
          `Unhandled error. (${typeof values[0] === "string" ? values[0] : native.inspect(values[0])})`,
        );
        error.code = "ERR_UNHANDLED_ERROR";
        error.context = values[0];
        throw error;
      }
      for (const listener of list) listener.apply(this, values);
      return true;
    },
    listenerCount(name, listener) {
      const list = listenersOf(this).get(name) ?? [];
      return listener === undefined
        ? list.length
        : list.filter((other) => other === listener || other.listener === listener).length;
    },
    listeners(name) {
      return (listenersOf(this).get(name) ?? []).map((listener) => listener.listener ?? listener);
    },
    rawListeners(name) {
      return [...(listenersOf(this).get(name) ?? [])];
    },
    eventNames() {
      return [...listenersOf(this).keys()];
    },
    setMaxListeners(limit) {
      hidden(this, LIMIT, limit);
      return this;
    },
    getMaxListeners() {
      return this[LIMIT] ?? EventEmitter.defaultMaxListeners;
    },
  };
  for (const [name, method] of Object.entries(methods)) hidden(EventEmitter.prototype, name, method);

  const listen = (emitter, name, listener, options) => {
    if (typeof emitter.on === "function") emitter.on(name, listener);
    else emitter.addEventListener(name, listener, options);
    return () =>
      typeof emitter.off === "function" ? emitter.off(name, listener) : emitter.removeEventListener(name, listener);
  };

  const once = (emitter, name, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const stops = [];
      const stop = () => stops.forEach((stop) => stop());
      if (signal?.aborted) return reject(signal.reason);
      stops.push(listen(emitter, name, (...values) => (stop(), resolve(values))));
      if (name !== "error" && typeof emitter.on === "function")
        stops.push(listen(emitter, "error", (error) => (stop(), reject(error))));
      if (signal) stops.push(listen(signal, "abort", () => (stop(), reject(signal.reason))));
    });

  const on = (emitter, name, { signal, close = [] } = {}) => {
    const values = [];
    const waiting = [];
    let ended = false;
    let failed;
    const settle = () => {
      while (waiting.length > 0) {
        if (failed) waiting.shift().reject(failed);
        else if (values.length > 0) waiting.shift().resolve({ value: values.shift(), done: false });
        else if (ended) waiting.shift().resolve({ value: undefined, done: true });
        else return;
      }
    };
    const stops = [listen(emitter, name, (...event) => (values.push(event), settle()))];
    const end = () => (stops.forEach((stop) => stop()), (ended = true), settle());
    stops.push(listen(emitter, "error", (error) => ((failed = error), settle())));
    for (const event of close) stops.push(listen(emitter, event, end));
    if (signal) stops.push(listen(signal, "abort", () => ((failed = signal.reason), settle())));
    return {
      next: () => new Promise((resolve, reject) => (waiting.push({ resolve, reject }), settle())),
      return: async () => (end(), { value: undefined, done: true }),
      throw: async (error) => ((failed = error), end(), { value: undefined, done: true }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };

  return Object.assign(EventEmitter, {
    EventEmitter,
    once,
    on,
    defaultMaxListeners: 10,
    errorMonitor: Symbol("events.errorMonitor"),
    captureRejectionSymbol: Symbol.for("nodejs.rejection"),
    getEventListeners: (emitter, name) => emitter.listeners?.(name) ?? [],
    setMaxListeners: () => {},
    listenerCount: (emitter, name) => emitter.listenerCount(name),
  });
};
