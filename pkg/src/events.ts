/** A list of what happened that can be read while it grows, by any number of readers, each from the start. */
export class EventLog<T> {
  private readonly items: T[] = [];
  private ended = false;
  private error: Error | undefined;
  /** Readers that wait for more. */
  private waiting: (() => void)[] = [];

  /** Adds an item at the end. */
  add(item: T): void {
    this.items.push(item);
    this.wake();
  }

  /** Nothing comes any more; with an error, readers fail after the last item. */
  end(error?: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.error = error;
    this.wake();
  }

  /** How many there are so far. */
  get length(): number {
    return this.items.length;
  }

  /** A reader from the start. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return this.from(0);
  }

  /** A reader from the item of this place on. */
  async *from(start: number): AsyncGenerator<T, void, undefined> {
    for (let next = start; ; next += 1) {
      while (next === this.items.length) {
        if (this.error) throw this.error;
        if (this.ended) return;
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      yield this.items[next]!;
    }
  }

  private wake(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}
