// node:crypto and the global crypto: hashes, and randomness from the seed of the call.
(native, require) => {
  const { Buffer } = require("buffer");
  const HASHES = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
  const bytesOf = (data, encoding) => (typeof data === "string" ? native.encode(data, encoding) : data);
  const invalid = (name) =>
    Object.assign(new Error(`Digest method not supported: ${name}`), { code: "ERR_CRYPTO_INVALID_DIGEST" });

  class Hash {
    #chunks = [];
    #digest;
    #done = false;
    constructor(digest, chunks = []) {
      this.#digest = digest;
      this.#chunks = chunks;
    }
    update(data, encoding) {
      if (this.#done) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
      this.#chunks.push(Buffer.from(bytesOf(data, encoding)));
      return this;
    }
    digest(encoding) {
      if (this.#done) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
      this.#done = true;
      const value = Buffer.from(this.#digest(Buffer.concat(this.#chunks)).buffer);
      return encoding === undefined || encoding === "buffer" ? value : value.toString(encoding);
    }
    copy() {
      return new this.constructor(this.#digest, [...this.#chunks]);
    }
  }
  class Hmac extends Hash {}
  const known = (name) => {
    if (native.hash(name, new Uint8Array()) === undefined) throw invalid(name);
  };
  const createHash = (name) => (known(name), new Hash((data) => native.hash(name, data)));
  const createHmac = (name, key) => (known(name), new Hmac((data) => native.hmac(name, bytesOf(key), data)));
  const hash = (name, data, encoding = "hex") => createHash(name).update(data).digest(encoding);

  const randomBytes = (size, callback) => {
    const bytes = Buffer.from(native.random(size).buffer);
    return callback ? void native.tick(callback, [null, bytes]) : bytes;
  };
  const getRandomValues = (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    bytes.set(native.random(bytes.length));
    return view;
  };
  const randomInt = (low, high, callback) => {
    const [from, to] = typeof high === "number" ? [low, high] : [0, low];
    const done = typeof high === "function" ? high : callback;
    const range = to - from;
    if (!(range > 0 && Number.isSafeInteger(range))) throw new RangeError('The value of "max" is out of range');
    const bits = native.random(6).reduce((value, byte) => value * 256 + byte, 0);
    const value = from + Math.floor((bits / 2 ** 48) * range);
    return done ? void native.tick(done, [null, value]) : value;
  };
  const randomUUID = () => {
    const bytes = native.random(16);
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    return native.decode(bytes, "hex").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  const timingSafeEqual = (left, right) => {
    if (left.byteLength !== right.byteLength) throw new RangeError("Input buffers must have the same byte length");
    return Buffer.from(left).equals(Buffer.from(right));
  };
  const subtle = {
    async digest(algorithm, data) {
      const name = typeof algorithm === "string" ? algorithm : algorithm.name;
      const value = native.hash(name, data);
      if (value === undefined)
        throw new (require("web").DOMException)("Unrecognized algorithm name", "NotSupportedError");
      return value.buffer;
    },
  };
  class Crypto {
    get subtle() {
      return subtle;
    }
    getRandomValues(view) {
      return getRandomValues(view);
    }
    randomUUID() {
      return randomUUID();
    }
  }
  const webcrypto = new Crypto();
  return {
    createHash,
    createHmac,
    hash,
    Hash,
    Hmac,
    randomBytes,
    randomInt,
    randomUUID,
    getRandomValues,
    timingSafeEqual,
    webcrypto,
    subtle,
    randomFillSync: getRandomValues,
    pseudoRandomBytes: randomBytes,
    getHashes: () => [...HASHES],
    constants: {},
  };
};
