/** Server-sent events, as far as model providers use them: the `data` of each event, however the text is cut. */

/** Takes pieces of an event stream, gives the data of the events that are complete. */
export class SseReader {
  private buffer = "";
  private data: string[] = [];
  private started = false;

  /** The next piece of text. */
  *read(piece: string): Generator<string, void, undefined> {
    this.buffer += this.started ? piece : piece.replace(/^\ufeff/, "");
    this.started ||= piece !== "";
    let start = 0;
    for (const end of lineEnds(this.buffer)) {
      const event = this.line(this.buffer.slice(start, end.at));
      start = end.next;
      if (event !== undefined) yield event;
    }
    this.buffer = this.buffer.slice(start);
  }

  /** The end of the text: an event without its blank line counts (some providers leave it out). */
  *end(): Generator<string, void, undefined> {
    yield* this.read("\n\n");
  }

  /** Whether a new piece begins a new line outside any event. */
  get idle(): boolean {
    return this.buffer === "" && this.data.length === 0;
  }

  private line(line: string): string | undefined {
    if (line === "") {
      const event = this.data.join("\n");
      const any = this.data.length > 0;
      this.data = [];
      return any ? event : undefined;
    }
    // Other fields (`event`, `id`, `retry`) and comments say nothing the data does not.
    if (line === "data") this.data.push("");
    else if (line.startsWith("data:")) this.data.push(line.slice(line[5] === " " ? 6 : 5));
    return undefined;
  }
}

/** Where the complete lines of a text end. A CR at the very end may be half of a CRLF: it waits for the next piece. */
function* lineEnds(text: string): Generator<{ at: number; next: number }, void, undefined> {
  const ends = /\r\n|\n|\r(?!$)/g;
  for (let match = ends.exec(text); match; match = ends.exec(text)) yield { at: match.index, next: ends.lastIndex };
}
