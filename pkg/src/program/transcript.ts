/** What a command wrote, in the host half: as text for those who watch, now and then, and whole at the end. */

import { OUTPUT_TOLD_MS } from "../limits.js";
import type { Ended, StreamName } from "./exec.js";
import { joined } from "./output.js";

class Stream {
  readonly pieces: Uint8Array[] = [];
  /** Characters may be cut between two pieces. */
  private readonly decoder = new TextDecoder();
  private told = 0;

  /** The text since the last time. */
  news(): string {
    const fresh = this.pieces.slice(this.told);
    this.told = this.pieces.length;
    return fresh.map((piece) => this.decoder.decode(piece, { stream: true })).join("");
  }

  text(): string {
    return new TextDecoder().decode(joined(this.pieces));
  }
}

/** Both streams of a command. */
export class Transcript {
  private readonly streams: Record<StreamName, Stream> = { stdout: new Stream(), stderr: new Stream() };
  private alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tell: (stream: StreamName, text: string) => void) {}

  /** The command wrote something. A short command ends before anybody is told. */
  add(stream: StreamName, bytes: Uint8Array): void {
    this.streams[stream].pieces.push(bytes);
    this.alarm ??= setTimeout(() => this.news(), OUTPUT_TOLD_MS);
  }

  /** All that was written to a stream. */
  text(stream: StreamName): string {
    return this.streams[stream].text();
  }

  /** The payload of the receipt, as JSON text. */
  payload({ exitCode, stdoutTruncated, stderrTruncated }: Ended): string {
    this.end();
    const output = { stdout: this.text("stdout"), stderr: this.text("stderr") };
    return JSON.stringify({ exitCode, ...output, stdoutTruncated, stderrTruncated });
  }

  /** Nobody is told anything any more. */
  end(): void {
    clearTimeout(this.alarm);
    this.alarm = undefined;
  }

  private news(): void {
    this.alarm = undefined;
    for (const name of ["stdout", "stderr"] as const) {
      const text = this.streams[name].news();
      if (text !== "") this.tell(name, text);
    }
  }
}
