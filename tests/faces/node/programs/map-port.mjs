// A workspace in memory behind the port of a program: the rules of WS-01, WS-14 and FP-01 to FP-05 in plain JavaScript.
// `open` is the port of one command, with the `/tmp` that it shares with the programs it starts.
// The bytes that `write`, `append`, `stdout`, `stderr` and `spawn` are given are a view of the program's memory: whoever
// keeps them copies them before returning.

const ROOTS = ["output", "persist", "plan", "scratch", "skills", "summaries", "tool-results"];
const READ_ONLY = ["skills", "tool-results"];
const FILE_BYTES = 8 * 1024 * 1024;
const WORKSPACE_BYTES = 256 * 1024 * 1024;
const ENTRIES = 65_536;
const LISTING = 4_096;
const SCRATCH_BYTES = 16 * 1024 * 1024;

const fail = (code, path) => Object.assign(new Error(`${code}: ${path}`), { code });
const directory = (modified) => ({ entries: new Map(), modified });
const tree = (modified, most) => ({ root: directory(modified), bytes: 0, entries: 0, most });
const copied = (bytes) => (typeof bytes === "string" ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes));

export class MapPort {
  /** @param files {[path: string]: string | Uint8Array} paths as tools write them: `output/notes.md` */
  constructor(files = {}, { now = () => Date.now() } = {}) {
    this.clock = now;
    this.closed = false;
    this.workspace = tree(now(), WORKSPACE_BYTES);
    for (const root of ROOTS) this.workspace.root.entries.set(root, directory(now()));
    this.scratch = tree(now(), SCRATCH_BYTES);
    for (const [path, content] of Object.entries(files)) {
      this.makeDirectories(`/${path.split("/").slice(0, -1).join("/")}`);
      this.put(`/${path}`, copied(content));
    }
  }

  /** The port of one command: the same workspace, and a `/tmp` of its own. */
  open() {
    return Object.assign(Object.create(this), { scratch: tree(this.clock(), SCRATCH_BYTES) });
  }

  /** The text of a file, for a test that looks. */
  text(path) {
    return new TextDecoder().decode(this.read(`/${path}`));
  }

  has(path) {
    return this.find(`/${path}`) !== undefined;
  }

  parts(path) {
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..") || parts.length > 64) throw fail("EINVAL", path);
    return parts;
  }

  /** The tree that a path belongs to, and where in it. */
  within(path) {
    const parts = this.parts(path);
    return parts[0] === "tmp" ? [this.scratch, parts.slice(1)] : [this.workspace, parts];
  }

  find(path) {
    const [{ root }, parts] = this.within(path);
    let node = root;
    for (const part of parts) {
      if (node.entries === undefined) return undefined;
      node = node.entries.get(part);
      if (node === undefined) return undefined;
    }
    return node;
  }

  get(path) {
    const node = this.find(path);
    if (node === undefined) throw fail("ENOENT", path);
    return node;
  }

  isWritable(path) {
    const parts = this.parts(path);
    return parts.length > 1 && (parts[0] === "tmp" || (ROOTS.includes(parts[0]) && !READ_ONLY.includes(parts[0])));
  }

  /** The directory that a path is to be changed in, and its last name there. */
  writable(path) {
    if (this.closed) throw fail("ECANCELED", path);
    if (!this.isWritable(path)) throw fail("EACCES", path);
    const parts = this.parts(path);
    const name = parts.at(-1);
    const parent = this.get(`/${parts.slice(0, -1).join("/")}`);
    if (parent.entries === undefined) throw fail("ENOTDIR", path);
    return { parent, name };
  }

  makeDirectories(path) {
    const [{ root }, parts] = this.within(path);
    let node = root;
    for (const part of parts) {
      if (!node.entries.has(part)) {
        this.grow(1, 0, path);
        node.entries.set(part, directory(this.clock()));
      }
      node = node.entries.get(part);
      if (node.entries === undefined) throw fail("ENOTDIR", path);
    }
  }

  grow(entries, bytes, path) {
    const [tree] = this.within(path);
    if (tree.entries + entries > ENTRIES || tree.bytes + bytes > tree.most) throw fail("ENOSPC", path);
    tree.entries += entries;
    tree.bytes += bytes;
  }

  put(path, bytes) {
    const parts = this.parts(path);
    const parent = this.get(`/${parts.slice(0, -1).join("/")}`);
    this.set(parent, parts.at(-1), bytes, path);
  }

  set(parent, name, bytes, path) {
    const old = parent.entries.get(name);
    if (old?.entries !== undefined) throw fail("EISDIR", path);
    if (bytes.length > FILE_BYTES) throw fail("EFBIG", path);
    this.grow(old === undefined ? 1 : 0, bytes.length - (old?.bytes.length ?? 0), path);
    parent.entries.set(name, { bytes, modified: this.clock() });
  }

  // The port itself.

  stat(path) {
    if (this.closed) throw fail("ECANCELED", path);
    const node = this.find(path);
    if (node === undefined) return [];
    return node.entries === undefined ? [1, node.bytes.length, node.modified] : [2, 0, node.modified];
  }

  list(path) {
    const node = this.get(path);
    if (node.entries === undefined) throw fail("ENOTDIR", path);
    if (node.entries.size > LISTING) throw fail("EFBIG", path);
    return Array.from(node.entries, ([name, { bytes, modified }]) =>
      bytes === undefined ? `${name}/2/0/${modified}` : `${name}/1/${bytes.length}/${modified}`,
    ).join("\0");
  }

  read(path) {
    if (this.closed) throw fail("ECANCELED", path);
    const node = this.get(path);
    if (node.entries !== undefined) throw fail("EISDIR", path);
    return node.bytes;
  }

  write(path, bytes) {
    const { parent, name } = this.writable(path);
    this.set(parent, name, copied(bytes), path);
  }

  append(path, bytes) {
    const { parent, name } = this.writable(path);
    const old = parent.entries.get(name)?.bytes ?? new Uint8Array();
    const whole = new Uint8Array(old.length + bytes.length);
    whole.set(old);
    whole.set(bytes, old.length);
    this.set(parent, name, whole, path);
  }

  mkdir(path, recursive) {
    const there = this.find(path);
    if (there !== undefined) {
      if (recursive && there.entries !== undefined) return;
      throw fail("EEXIST", path);
    }
    if (recursive && this.isWritable(path)) return this.makeDirectories(path);
    const { parent, name } = this.writable(path);
    this.grow(1, 0, path);
    parent.entries.set(name, directory(this.clock()));
  }

  remove(path, recursive) {
    const node = this.get(path);
    const { parent, name } = this.writable(path);
    if (node.entries?.size > 0 && !recursive) throw fail("ENOTEMPTY", path);
    this.forget(node, path);
    parent.entries.delete(name);
  }

  forget(node, path) {
    const [tree] = this.within(path);
    const open = [node];
    while (open.length > 0) {
      const next = open.pop();
      tree.entries -= 1;
      tree.bytes -= next.bytes?.length ?? 0;
      if (next.entries !== undefined) open.push(...next.entries.values());
    }
  }

  rename(from, to) {
    const node = this.get(from);
    const source = this.writable(from);
    const target = this.writable(to);
    if (this.within(from)[0] !== this.within(to)[0]) throw fail("EINVAL", to);
    if (`${to}/`.startsWith(`${from}/`)) {
      if (from === to) return;
      throw fail("EINVAL", to);
    }
    const old = target.parent.entries.get(target.name);
    if (old?.entries !== undefined) throw fail(old.entries.size > 0 ? "ENOTEMPTY" : "EISDIR", to);
    if (old !== undefined) this.forget(old, to);
    source.parent.entries.delete(source.name);
    target.parent.entries.set(target.name, node);
  }

  copy(from, to) {
    const { bytes } = this.get(from);
    if (this.within(from)[0] !== this.within(to)[0]) throw fail("EINVAL", to);
    if (bytes === undefined) throw fail("EISDIR", from);
    const { parent, name } = this.writable(to);
    this.set(parent, name, bytes, to);
  }
}
