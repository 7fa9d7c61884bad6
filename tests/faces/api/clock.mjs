// Time for the cases of lanes: it passes only when nothing else can happen.

export class Clock {
  now = 0;
  #alarms = [];

  constructor(replay) {
    this.replay = replay;
  }

  /** Calls `ring` at a time. */
  at(time, ring) {
    this.#alarms.push({ time, ring });
  }

  /** Lets time pass until nothing is due any more. */
  async run() {
    for (await this.replay.settled(); this.#alarms.length > 0; await this.replay.settled()) {
      this.now = Math.min(...this.#alarms.map(({ time }) => time));
      const due = this.#alarms.filter(({ time }) => time === this.now);
      this.#alarms = this.#alarms.filter(({ time }) => time !== this.now);
      for (const { ring } of due) ring();
    }
  }
}
