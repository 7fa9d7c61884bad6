// The workspace as a list, and one of its files.

import { element } from "./element.js";

/** What the runtime keeps there itself. */
const RECORDS = /^tool-(results|args)\//;
/** Longer files are shown so far. */
const SHOWN = 200_000;

export class Files {
  #workspace;
  #seen;
  #open;
  #turn = 0;
  #page = Object.fromEntries(["list", "count", "viewer", "path", "content", "shut"].map((id) => [id, document.getElementById(id)]));

  constructor() {
    this.#page.shut.onclick = () => {
      this.close();
      this.#page.list.querySelector("button")?.focus();
    };
  }

  /** Shows another workspace. */
  async show(workspace) {
    this.#workspace = workspace;
    this.#seen = undefined;
    this.close();
    await this.refresh();
  }

  /** Looks again at what is there. */
  async refresh() {
    const turn = (this.#turn += 1);
    const entries = (await this.#workspace.list()).filter(({ kind }) => kind === "file");
    // A later look is already under way.
    if (turn !== this.#turn) return;
    const own = entries.filter(({ path }) => !RECORDS.test(path));
    const records = entries.filter(({ path }) => RECORDS.test(path));
    const before = this.#seen;
    this.#seen = new Map(entries.map(({ path, bytes }) => [path, bytes]));
    const fresh = ({ path, bytes }) => before !== undefined && before.get(path) !== bytes;
    const opened = this.#page.list.querySelector("details")?.open ?? false;
    const focused = document.activeElement?.dataset.path;
    this.#page.count.textContent = `${own.length} ${own.length === 1 ? "file" : "files"}`;
    this.#page.list.replaceChildren(
      this.#folder(own, fresh),
      ...(records.length > 0
        ? [element("details", { open: opened }, element("summary", {}, `Records of calls and long results (${records.length})`), this.#folder(records, () => false))]
        : []),
    );
    if (focused) this.#button(focused)?.focus();
    if (this.#open !== undefined && this.#seen.has(this.#open)) await this.open(this.#open, false);
    else if (this.#open !== undefined) this.close();
  }

  /** Shows a file. */
  async open(path, reveal = true) {
    const content = await this.#workspace.read(path).catch((error) => error.message);
    this.#open = path;
    this.#page.path.textContent = path;
    this.#page.content.textContent = shown(content);
    this.#page.viewer.hidden = false;
    for (const button of this.#page.list.querySelectorAll("button")) button.ariaCurrent = String(button.dataset.path === path);
    if (reveal) this.#page.viewer.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.#open = undefined;
    this.#page.viewer.hidden = true;
    this.#page.list.querySelector('[aria-current="true"]')?.setAttribute("aria-current", "false");
  }

  #button(path) {
    return [...this.#page.list.querySelectorAll("button")].find((button) => button.dataset.path === path);
  }

  /** The files, under the names of their folders. */
  #folder(entries, fresh) {
    const list = element("ul");
    let last;
    for (const entry of entries) {
      const { path, bytes } = entry;
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      if (folder !== last) list.append(element("li", {}, element("span", {}, folder)));
      last = folder;
      list.append(element("li", {}, element("button",
        { type: "button", className: fresh(entry) ? "new" : "", ariaCurrent: String(path === this.#open), data: { path }, onclick: () => this.open(path) },
        path.slice(folder.length), element("span", {}, `${bytes.toLocaleString("en")} B`))));
    }
    return list;
  }
}

function shown(content) {
  if (typeof content !== "string") return `These are ${content.length.toLocaleString("en")} bytes that are no text.`;
  if (content.length <= SHOWN) return content;
  return `${content.slice(0, SHOWN)}\n… ${(content.length - SHOWN).toLocaleString("en")} more characters`;
}
