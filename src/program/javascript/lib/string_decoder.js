// node:string_decoder: texts out of chunks that may end inside a character.
(native, require) => {
  const { Buffer } = require("buffer");
  const KEEP = { utf8: 4, utf16le: 2, base64: 3 };
  const names = { "utf-8": "utf8", ucs2: "utf16le", "ucs-2": "utf16le", "utf-16le": "utf16le", binary: "latin1" };

  // How many bytes at the end belong to a character that is not complete.
  const open = (bytes, encoding) => {
    const { length } = bytes;
    if (encoding === "utf16le") return length % 2;
    if (encoding === "base64") return length % 3;
    if (encoding !== "utf8") return 0;
    for (let back = 1; back <= Math.min(3, length); back += 1) {
      const byte = bytes[length - back];
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    }
    return 0;
  };

  class StringDecoder {
    constructor(encoding = "utf8") {
      const name = String(encoding).toLowerCase();
      this.encoding = names[name] ?? name;
      Object.defineProperty(this, "rest", { value: new Uint8Array(), writable: true });
    }
    write(chunk) {
      if (typeof chunk === "string") return chunk;
      const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
      const end = bytes.length - (KEEP[this.encoding] ? open(bytes, this.encoding) : 0);
      this.rest = bytes.slice(end);
      return native.decode(bytes, this.encoding, 0, end);
    }
    end(chunk) {
      const text = chunk === undefined ? "" : this.write(chunk);
      const rest = native.decode(this.rest, this.encoding);
      this.rest = new Uint8Array();
      return text + rest;
    }
  }
  return { StringDecoder };
};
