// The component in the place of the package's core module: what `pkg/wasm/handrail.js` exports, over the session resource.

import { instantiate as instantiateComponent } from "./component.mjs";
import { record } from "./transcript.mjs";

/** The POSIX names of the refusals of the file port. */
const posix = {
  "not-found": "ENOENT", "is-directory": "EISDIR", "not-directory": "ENOTDIR", exists: "EEXIST", "not-empty": "ENOTEMPTY",
  denied: "EACCES", invalid: "EINVAL", "too-large": "EFBIG", full: "ENOSPC", unsupported: "ENOTSUP", cancelled: "ECANCELED", io: "EIO",
};

/** An instance of the core, as the driver of the package makes one. The compiled module that it offers is not needed. */
export function instantiate() {
  const core = {
    async init() {
      const { session } = await instantiateComponent();
      core.Session = class extends CoreSession {
        constructor() {
          super(record(new session.Session()));
        }
      };
    },
  };
  return core;
}

const time = (now) => BigInt(Math.max(0, Math.trunc(now)) || 0);

class CoreSession {
  #session;

  constructor(session) {
    this.#session = session;
  }

  /** Calls the component; what it answers with an error is thrown as the package expects it. */
  #call(name, ...values) {
    try {
      return this.#session.call(name, values);
    } catch (thrown) {
      // A trap is an Error; what the interface calls an error is thrown by jco as it is.
      if (thrown instanceof Error) throw thrown;
      const { code, message, details } = typeof thrown === "string" ? { code: posix[thrown], message: thrown } : thrown;
      throw Object.assign(new Error(message), { code, ...(details === undefined ? {} : { details }) });
    }
  }

  step(inputs, now) {
    return this.#call("step", inputs, time(now));
  }

  putBlob(bytes) {
    return this.#call("putBlob", bytes);
  }

  blob(digest) {
    return this.#call("blob", digest);
  }

  snapshot() {
    return this.#call("snapshot");
  }

  snapshotBlobs() {
    return this.#call("snapshotBlobs");
  }

  freshBlobs() {
    return this.#call("freshBlobs");
  }

  restore(state) {
    this.#call("restore", state);
  }

  inFlight() {
    return this.#call("inFlight");
  }

  portStat(effect, path) {
    const stat = this.#call("portStat", effect, path);
    return Float64Array.from(stat ? [kindNumber(stat), Number(stat.size), Number(stat.modified)] : []);
  }

  portList(effect, path) {
    const entries = this.#call("portList", effect, path);
    return entries.map(({ name, stat }) => `${name}/${kindNumber(stat)}/${stat.size}/${stat.modified}`).join("\0");
  }

  portRead(effect, path) {
    return this.#call("portRead", effect, path);
  }

  portWrite(effect, path, bytes, now) {
    this.#call("portWrite", effect, path, bytes, time(now));
  }

  portAppend(effect, path, bytes, now) {
    this.#call("portAppend", effect, path, bytes, time(now));
  }

  portMkdir(effect, path, recursive, now) {
    this.#call("portMkdir", effect, path, recursive, time(now));
  }

  portRemove(effect, path, recursive, now) {
    this.#call("portRemove", effect, path, recursive, time(now));
  }

  portRename(effect, path, to, now) {
    this.#call("portRename", effect, path, to, time(now));
  }

  portCopy(effect, path, to, now) {
    this.#call("portCopy", effect, path, to, time(now));
  }

  free() {
    this.#session.drop();
  }
}

const kindNumber = ({ kind }) => (kind === "directory" ? 2 : 1);
