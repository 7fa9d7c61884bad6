/** The core's timers. It has no clock: it names a time, and gets a tick when that time has come. */

/** Longest delay that `setTimeout` takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** All timers of a runtime, on one `setTimeout`. */
export class Timers {
  /** When each is due; milliseconds since the Unix epoch. */
  private readonly due = new Map<string, number>();
  private alarm: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly tick: () => void) {}

  set(id: string, at: number): void {
    this.due.set(id, at);
    this.arm();
  }

  cancel(id: string): void {
    if (this.due.delete(id)) this.arm();
  }

  clear(): void {
    this.due.clear();
    this.arm();
  }

  private arm(): void {
    clearTimeout(this.alarm);
    this.alarm = undefined;
    if (this.due.size === 0) return;
    let first = Infinity;
    for (const at of this.due.values()) first = Math.min(first, at);
    this.alarm = setTimeout(() => this.ring(), Math.min(Math.max(first - Date.now(), 0), LONGEST));
  }

  /** The alarm may ring early (a long wait is cut into pieces, clocks differ by a millisecond): then it is set again. */
  private ring(): void {
    const now = Date.now();
    let fired = false;
    for (const [id, at] of this.due) {
      if (at > now) continue;
      this.due.delete(id);
      fired = true;
    }
    if (fired) this.tick();
    this.arm();
  }
}
