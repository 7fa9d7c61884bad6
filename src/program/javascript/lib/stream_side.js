// What both sides of a stream share.
(native) => {
  const hidden = (object, values) => {
    for (const [key, value] of Object.entries(values))
      Object.defineProperty(object, key, { value, writable: true, configurable: true });
  };
  const coded = (message, code) => Object.assign(new Error(message), { code });

  const destroyed = (stream, error) => {
    if (stream.destroyed) return stream;
    stream.destroyed = true;
    const close = (failed) =>
      native.tick(() => {
        const reason = failed ?? error;
        if (reason) stream.emit("error", reason);
        stream.emit("close");
      }, []);
    if (stream._destroy) stream._destroy(error ?? null, close);
    else close();
    return stream;
  };
  return { hidden, coded, destroyed };
};
