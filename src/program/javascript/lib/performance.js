// performance, and node:perf_hooks.
(native) => {
  const entries = [];
  class PerformanceEntry {
    constructor(name, entryType, startTime, duration, detail = null) {
      Object.assign(this, { name, entryType, startTime, duration, detail });
    }
  }
  class PerformanceMark extends PerformanceEntry {}
  class PerformanceMeasure extends PerformanceEntry {}
  const at = (mark, other) => {
    if (typeof mark === "number") return mark;
    if (mark === undefined) return other;
    const entry = entries.findLast(({ name, entryType }) => name === mark && entryType === "mark");
    if (!entry) throw new SyntaxError(`The "${mark}" performance mark has not been set`);
    return entry.startTime;
  };
  const add = (entry) => (entries.push(entry), entry);
  const clear = (type, name) => {
    const kept = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== name));
    entries.splice(0, entries.length, ...kept);
  };
  class Performance {
    get timeOrigin() {
      return native.now() - native.elapsed();
    }
    now() {
      return native.elapsed();
    }
    mark(name, { startTime = native.elapsed(), detail } = {}) {
      return add(new PerformanceMark(name, "mark", startTime, 0, detail));
    }
    measure(name, from, to) {
      const {
        start = 0,
        end,
        duration,
        detail,
      } = typeof from === "object" && from !== null ? from : { start: from, end: to };
      const begun = at(start, 0);
      const ended = duration === undefined ? at(end, native.elapsed()) : begun + duration;
      return add(new PerformanceMeasure(name, "measure", begun, ended - begun, detail));
    }
    getEntries() {
      return [...entries];
    }
    getEntriesByName(name, type) {
      return entries.filter((entry) => entry.name === name && (!type || entry.entryType === type));
    }
    getEntriesByType(type) {
      return entries.filter((entry) => entry.entryType === type);
    }
    clearMarks(name) {
      clear("mark", name);
    }
    clearMeasures(name) {
      clear("measure", name);
    }
    timerify(callback) {
      return callback;
    }
    toJSON() {
      return { timeOrigin: this.timeOrigin };
    }
  }
  return { performance: new Performance(), Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure };
};
