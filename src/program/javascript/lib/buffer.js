// node:buffer, atob and btoa.
(native) => {
  const ENCODINGS = [
    "utf8",
    "utf-8",
    "hex",
    "ucs2",
    "ucs-2",
    "utf16le",
    "utf-16le",
    "latin1",
    "binary",
    "base64",
    "base64url",
    "ascii",
  ];
  const MAX = 128 * 1024 * 1024;
  const fail = (Class, code, message) => {
    throw Object.assign(new Class(message), { code });
  };
  const as = (bytes) => Object.setPrototypeOf(bytes, Buffer.prototype);
  const sized = (size) => {
    if (typeof size !== "number")
      fail(
        TypeError,
        "ERR_INVALID_ARG_TYPE",
        `The "size" argument must be of type number. Received ${native.inspect(size)}`,
      );
    if (!(size >= 0 && size <= MAX))
      fail(
        RangeError,
        "ERR_OUT_OF_RANGE",
        `The value of "size" is out of range. It must be >= 0 && <= ${MAX}. Received ${size}`,
      );
    return as(new Uint8Array(size));
  };

  class FastBuffer extends Uint8Array {}
  function Buffer(value, encoding, length) {
    if (typeof value === "number") return sized(value);
    return from(value, encoding, length);
  }
  Buffer.prototype = FastBuffer.prototype;
  Object.setPrototypeOf(Buffer, Uint8Array);

  const from = (value, encoding, length) => {
    if (typeof value === "string") return as(native.encode(value, encoding));
    if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
      return as(new Uint8Array(value, encoding, length));
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return as(Uint8Array.from(value));
    if (value !== null && typeof value === "object") {
      const plain = value.valueOf?.();
      if (plain !== value && plain !== undefined && plain !== null) return from(plain, encoding, length);
      if (value.type === "Buffer" && Array.isArray(value.data)) return as(Uint8Array.from(value.data));
      if (typeof value.length === "number") return as(Uint8Array.from(value));
      if (typeof value[Symbol.toPrimitive] === "function") return from(value[Symbol.toPrimitive]("string"), encoding);
    }
    return fail(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      `The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ${native.inspect(value)}`,
    );
  };
  const bytesOf = (value, encoding) =>
    typeof value === "string"
      ? native.encode(value, encoding)
      : typeof value === "number"
        ? Uint8Array.of(value)
        : value;
  const order = (left, right) => {
    const end = Math.min(left.length, right.length);
    for (let at = 0; at < end; at += 1) if (left[at] !== right[at]) return left[at] < right[at] ? -1 : 1;
    return Math.sign(left.length - right.length);
  };

  Object.assign(Buffer, {
    from,
    poolSize: 8192,
    of: (...values) => as(Uint8Array.of(...values)),
    alloc(size, fill, encoding) {
      const buffer = sized(size);
      return fill === undefined || fill === 0 ? buffer : buffer.fill(fill, encoding);
    },
    allocUnsafe: sized,
    allocUnsafeSlow: sized,
    concat(list, length = list.reduce((sum, part) => sum + part.length, 0)) {
      const whole = sized(length);
      let at = 0;
      for (const part of list) {
        if (at >= length) break;
        whole.set(part.length > length - at ? part.subarray(0, length - at) : part, at);
        at += part.length;
      }
      return whole;
    },
    byteLength: (value, encoding) =>
      typeof value === "string" ? native.byteLength(value, encoding) : value.byteLength,
    compare: order,
    isBuffer: (value) => value instanceof Buffer,
    isEncoding: (name) => ENCODINGS.includes(String(name).toLowerCase()),
  });

  const index = (buffer, value, from, encoding) => {
    let start = typeof from === "number" ? Math.trunc(from) : 0;
    if (start < 0) start = Math.max(0, buffer.length + start);
    return native.find(buffer, bytesOf(value, typeof from === "string" ? from : encoding), start);
  };
  const bounds = (buffer, at, size) => {
    if (typeof at !== "number")
      fail(
        TypeError,
        "ERR_INVALID_ARG_TYPE",
        `The "offset" argument must be of type number. Received ${native.inspect(at)}`,
      );
    if (!Number.isInteger(at) || at < 0 || at + size > buffer.length) {
      fail(
        RangeError,
        "ERR_OUT_OF_RANGE",
        `The value of "offset" is out of range. It must be >= 0 and <= ${buffer.length - size}. Received ${at}`,
      );
    }
    return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  };
  const methods = {
    toString(encoding, start, end) {
      return native.decode(this, encoding, start === undefined ? 0 : Math.max(0, start), end);
    },
    toLocaleString(encoding, start, end) {
      return this.toString(encoding, start, end);
    },
    toJSON() {
      return { type: "Buffer", data: [...this] };
    },
    equals(other) {
      return order(this, other) === 0;
    },
    compare(other, from = 0, to = other.length, start = 0, end = this.length) {
      return order(this.subarray(start, end), other.subarray(from, to));
    },
    indexOf(value, from, encoding) {
      return index(this, value, from, encoding);
    },
    includes(value, from, encoding) {
      return index(this, value, from, encoding) !== -1;
    },
    lastIndexOf(value, from, encoding) {
      const wanted = bytesOf(value, typeof from === "string" ? from : encoding);
      for (
        let at = Math.min(typeof from === "number" ? from : Infinity, this.length - wanted.length);
        at >= 0;
        at -= 1
      ) {
        if (wanted.every((byte, offset) => this[at + offset] === byte)) return at;
      }
      return -1;
    },
    subarray(start, end) {
      return as(
        Uint8Array.prototype.subarray.call(new Uint8Array(this.buffer, this.byteOffset, this.length), start, end),
      );
    },
    slice(start, end) {
      return this.subarray(start, end);
    },
    copy(target, at = 0, start = 0, end = this.length) {
      const part = this.subarray(start, Math.min(end, start + target.length - at));
      target.set(part, at);
      return part.length;
    },
    write(text, at = 0, length, encoding) {
      if (typeof at === "string") return this.write(text, 0, this.length, at);
      if (typeof length === "string") return this.write(text, at, this.length - at, length);
      let bytes = native.encode(text, encoding).subarray(0, Math.min(length ?? Infinity, this.length - at));
      // Half a character is not written.
      if (/^utf-?8$/i.test(encoding ?? "utf8"))
        while (bytes.length > 0 && native.utf8(bytes, true) === undefined) bytes = bytes.subarray(0, -1);
      this.set(bytes, at);
      return bytes.length;
    },
    fill(value, start, end, encoding) {
      if (typeof start === "string") return this.fill(value, 0, this.length, start);
      if (typeof end === "string") return this.fill(value, start, this.length, end);
      if (typeof value === "number") Uint8Array.prototype.fill.call(this, value, start, end);
      else {
        const bytes = bytesOf(value, encoding);
        const [from, to] = [start ?? 0, end ?? this.length];
        for (let at = from; at < to; at += 1) this[at] = bytes.length === 0 ? 0 : bytes[(at - from) % bytes.length];
      }
      return this;
    },
    readUIntBE(at, size) {
      bounds(this, at, size);
      return this.subarray(at, at + size).reduce((value, byte) => value * 256 + byte, 0);
    },
    readUIntLE(at, size) {
      bounds(this, at, size);
      return this.subarray(at, at + size).reduceRight((value, byte) => value * 256 + byte, 0);
    },
    readIntBE(at, size) {
      const value = this.readUIntBE(at, size);
      return value >= 2 ** (size * 8 - 1) ? value - 2 ** (size * 8) : value;
    },
    readIntLE(at, size) {
      const value = this.readUIntLE(at, size);
      return value >= 2 ** (size * 8 - 1) ? value - 2 ** (size * 8) : value;
    },
    writeUIntBE(value, at, size) {
      bounds(this, at, size);
      for (let place = size - 1; place >= 0; place -= 1) {
        this[at + place] = value & 255;
        value = Math.floor(value / 256);
      }
      return at + size;
    },
    writeUIntLE(value, at, size) {
      bounds(this, at, size);
      for (let place = 0; place < size; place += 1) {
        this[at + place] = value & 255;
        value = Math.floor(value / 256);
      }
      return at + size;
    },
    writeIntBE(value, at, size) {
      return this.writeUIntBE(value < 0 ? value + 2 ** (size * 8) : value, at, size);
    },
    writeIntLE(value, at, size) {
      return this.writeUIntLE(value < 0 ? value + 2 ** (size * 8) : value, at, size);
    },
    swap16() {
      for (let at = 0; at + 1 < this.length; at += 2) [this[at], this[at + 1]] = [this[at + 1], this[at]];
      return this;
    },
    swap32() {
      for (let at = 0; at + 3 < this.length; at += 4)
        this.set(
          this.slice(at, at + 4)
            .map((byte) => byte)
            .reverse(),
          at,
        );
      return this;
    },
    [Symbol.for("nodejs.util.inspect.custom")]() {
      const hex = native.decode(this, "hex", 0, Math.min(50, this.length)).replace(/(..)(?=.)/g, "$1 ");
      const rest = this.length - 50;
      return `<${this.constructor.name}${hex ? ` ${hex}` : ""}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? "s" : ""}` : ""}>`;
    },
  };
  const hidden = (object, key, value) =>
    Object.defineProperty(object, key, { value, writable: true, configurable: true });
  for (const key of Reflect.ownKeys(methods)) hidden(Buffer.prototype, key, methods[key]);
  hidden(Buffer.prototype, "constructor", Buffer);
  for (const [name, size, getter, setter] of [
    ["Int8", 1],
    ["UInt8", 1, "getUint8", "setUint8"],
    ["Int16", 2],
    ["UInt16", 2, "getUint16", "setUint16"],
    ["Int32", 4],
    ["UInt32", 4, "getUint32", "setUint32"],
    ["Float", 4, "getFloat32", "setFloat32"],
    ["Double", 8, "getFloat64", "setFloat64"],
    ["BigInt64", 8],
    ["BigUInt64", 8, "getBigUint64", "setBigUint64"],
  ]) {
    const read = getter ?? `get${name}`;
    const write = setter ?? `set${name}`;
    for (const [ending, little] of size === 1
      ? [["", false]]
      : [
          ["LE", true],
          ["BE", false],
        ]) {
      const reader = function (at = 0) {
        return bounds(this, at, size)[read](at, little);
      };
      const writer = function (value, at = 0) {
        const view = bounds(this, at, size);
        const whole = !name.startsWith("Float") && !name.startsWith("Double") && !name.startsWith("Big");
        const [low, high] = name.startsWith("U")
          ? [0, 2 ** (size * 8) - 1]
          : [-(2 ** (size * 8 - 1)), 2 ** (size * 8 - 1) - 1];
        if (whole && !(value >= low && value <= high)) {
          fail(
            RangeError,
            "ERR_OUT_OF_RANGE",
            `The value of "value" is out of range. It must be >= ${low} and <= ${high}. Received ${native.inspect(value, { numericSeparator: true })}`,
          );
        }
        view[write](at, value, little);
        return at + size;
      };
      for (const alias of name.includes("UInt") ? [name, name.replace("UInt", "Uint")] : [name]) {
        hidden(Buffer.prototype, `read${alias}${ending}`, reader);
        hidden(Buffer.prototype, `write${alias}${ending}`, writer);
      }
    }
  }
  Object.defineProperty(Buffer.prototype, "parent", {
    configurable: true,
    get() {
      return this.buffer;
    },
  });
  Object.defineProperty(Buffer.prototype, "offset", {
    configurable: true,
    get() {
      return this.byteOffset;
    },
  });

  const invalid = (message) => {
    throw new globalThis.DOMException(message, "InvalidCharacterError");
  };
  const btoa = (text) => {
    const string = String(text);
    if (/[^\0-\xff]/.test(string)) invalid("Invalid character");
    return native.decode(native.encode(string, "latin1"), "base64");
  };
  const atob = (text) => {
    const packed = String(text).replace(/[\t\n\f\r ]/g, "");
    const bare = packed.length % 4 === 0 ? packed.replace(/={1,2}$/, "") : packed;
    if (bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare))
      invalid("The string to be decoded is not correctly encoded.");
    return native.decode(native.encode(bare, "base64"), "latin1");
  };
  return {
    Buffer,
    atob,
    btoa,
    kMaxLength: MAX,
    kStringMaxLength: 2 ** 29 - 24,
    constants: { MAX_LENGTH: MAX, MAX_STRING_LENGTH: 2 ** 29 - 24 },
    INSPECT_MAX_BYTES: 50,
    SlowBuffer: Buffer,
    isUtf8: (bytes) => native.utf8(bytes, true) !== undefined,
    isAscii: (bytes) => new Uint8Array(bytes.buffer ?? bytes).every((byte) => byte < 128),
    get Blob() {
      return globalThis.Blob;
    },
    get File() {
      return globalThis.File;
    },
  };
};
