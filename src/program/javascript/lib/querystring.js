// node:querystring.
() => {
  const escape = (text) => encodeURIComponent(text);
  const unescape = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const written = (value) =>
    ["string", "bigint", "boolean"].includes(typeof value) || Number.isFinite(value) ? escape(String(value)) : "";
  const stringify = (object, separator = "&", equals = "=") => {
    if (object === null || typeof object !== "object") return "";
    return Object.entries(object)
      .flatMap(([key, value]) => [value].flat().map((one) => `${written(key)}${equals}${written(one)}`))
      .join(separator);
  };
  const parse = (text, separator = "&", equals = "=", { maxKeys = 1000 } = {}) => {
    const object = Object.create(null);
    if (typeof text !== "string" || text === "") return object;
    const parts = text.split(separator);
    for (const part of maxKeys > 0 ? parts.slice(0, maxKeys) : parts) {
      const at = part.indexOf(equals);
      const [key, value] = (at === -1 ? [part, ""] : [part.slice(0, at), part.slice(at + equals.length)]).map((side) =>
        unescape(side.replaceAll("+", " ")),
      );
      object[key] = key in object ? [object[key], value].flat() : value;
    }
    return object;
  };
  return { escape, unescape, stringify, encode: stringify, parse, decode: parse };
};
