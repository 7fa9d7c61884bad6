/** What a command wrote, in the host half: as text for those who watch, now and then, and whole at the end. */

import { OUTPUT_BYTES, OUTPUT_TOLD_MS } from "../limits.js";
import type { Ended, StreamName } from "./exec.js";
import { joined } from "./output.js";

class Stream {
  /** Bytes at the beginning that are not kept. */
  dropped = 0;
  private pieces: Uint8Array[] = [];
  private size = 0;
  /** Characters may be cut between two pieces. */
  private readonly decoder = new TextDecoder();
  private fresh: Uint8Array[] = [];

  /** With `most` only so many bytes are kept, the last ones. */
  constructor(private readonly most: number) {}

  push(bytes: Uint8Array): void {
    this.pieces.push(bytes);
    this.fresh.push(bytes);
    this.size += bytes.length;
    if (this.size > 2 * this.most) this.shorten();
  }

  /** The text since the last time. */
  news(): string {
    const fresh = this.fresh;
    this.fresh = [];
    return fresh.map((piece) => this.decoder.decode(piece, { stream: true })).join("");
  }

  text(): string {
    this.shorten();
    return new TextDecoder().decode(joined(this.pieces));
  }

  /** Lets go of what is too much, from the beginning, up to the beginning of a character. */
  private shorten(): void {
    if (this.size <= this.most) return;
    const bytes = joined(this.pieces);
    let from = bytes.length - this.most;
    while (from < bytes.length && (bytes[from]! & 0xc0) === 0x80) from += 1;
    this.dropped += from;
    this.pieces = [bytes.slice(from)];
    this.size = bytes.length - from;
  }
}

/** Both streams of a command. */
export class Transcript {
  private readonly streams: Record<StreamName, Stream>;
  private alarm: ReturnType<typeof setTimeout> | undefined;

  /** `goesOn`: the command may go on in the background, so the last of what it writes is kept. */
  constructor(
    private readonly goesOn: boolean,
    private readonly tell: (stream: StreamName, text: string) => void,
  ) {
    const most = goesOn ? OUTPUT_BYTES : Infinity;
    this.streams = { stdout: new Stream(most), stderr: new Stream(most) };
  }

  /** The command wrote something. A short command ends before anybody is told. */
  add(stream: StreamName, bytes: Uint8Array): void {
    this.streams[stream].push(bytes);
    this.alarm ??= setTimeout(() => this.news(), OUTPUT_TOLD_MS);
  }

  /** All that was written to a stream. */
  text(stream: StreamName): string {
    return this.streams[stream].text();
  }

  /** The payload of the receipt, as JSON text. */
  payload({ exitCode, stdoutTruncated, stderrTruncated }: Ended): string {
    // What is not in the payload is counted by what was told before.
    if (this.goesOn) this.news();
    this.end();
    const { stdout, stderr } = this.streams;
    const output = { stdout: stdout.text(), stderr: stderr.text() };
    return JSON.stringify({
      exitCode,
      ...output,
      stdoutTruncated: stdoutTruncated || stdout.dropped > 0,
      stderrTruncated: stderrTruncated || stderr.dropped > 0,
    });
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
