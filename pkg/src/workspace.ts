import { command } from "./commands.js";
import { HandrailError } from "./error.js";
import type { Host } from "./host.js";
import { wellFormed } from "./stringify.js";
import type { Content, Entry, Folder, Workspace } from "./types.js";

/** Longer texts travel as bytes: JSON costs many times more. In UTF-16 units. */
const TEXT_UNITS = 16 * 1024;
/** Files that are asked for in one step. */
const FILES = 256;

/** The workspace through the core's commands. */
export class HostWorkspace implements Workspace {
  constructor(private readonly host: Host) {}

  async read(path: string): Promise<Content> {
    let bytes: Promise<Uint8Array> | undefined;
    const { text } = await command(
      this.host.steps,
      { type: "workspace.read", path },
      // Asked for in the same breath: a later step might let go of the bytes.
      { replied: ({ blob }) => void (bytes = blob === undefined ? undefined : this.blob(path, blob)) },
    );
    return bytes ?? text ?? "";
  }

  async readText(path: string): Promise<string> {
    const content = await this.read(path);
    if (typeof content === "string") return content;
    throw new HandrailError("workspace.not_text", `${path} is not text; read it with read().`);
  }

  async write(path: string, content: Content): Promise<void> {
    const head = { type: "workspace.write", path } as const;
    const { steps } = this.host;
    if (typeof content === "string") {
      if (content.length <= TEXT_UNITS) return void (await command(steps, { ...head, text: content }));
      return void (await command(steps, head, { blob: new TextEncoder().encode(wellFormed(content)) }));
    }
    if (!(content instanceof Uint8Array)) {
      throw new HandrailError("command.invalid", `The content of ${path} must be a string or a Uint8Array.`);
    }
    await command(steps, head, { blob: content.slice() });
  }

  async list(path?: string): Promise<Entry[]> {
    const { entries } = await command(this.host.steps, { type: "workspace.list", path });
    return entries;
  }

  async delete(path: string): Promise<number> {
    const { removed } = await command(this.host.steps, { type: "workspace.delete", path });
    return removed;
  }

  async toFolder(): Promise<Folder> {
    const files = (await this.list()).filter(({ kind }) => kind === "file");
    const folder: Folder = {};
    await inGroups(files, async ({ path }) => void (folder[path] = await this.read(path)));
    return folder;
  }

  async load(folder: Folder): Promise<void> {
    await inGroups(Object.entries(folder), ([path, content]) => this.write(path, content));
  }

  private async blob(path: string, digest: string): Promise<Uint8Array> {
    const [bytes] = await this.host.driver.blobs([digest]);
    if (!bytes) throw new HandrailError("workspace.file_not_found", `${path} is gone.`);
    return bytes;
  }
}

/** Does something with many items, so many at a time. */
async function inGroups<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += FILES) {
    await Promise.all(items.slice(start, start + FILES).map(work));
  }
}
