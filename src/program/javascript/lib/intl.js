// Intl, without the data of all languages: English in full, the numbers and dates of the larger European and East Asian
// languages, and English words elsewhere.
(native, require) => {
  const { localeOf, getCanonicalLocales, hidden } = require("intl_locale");
  const { NumberFormat, numberToLocaleString } = require("intl_number");
  const { DateTimeFormat, dateToLocaleString, dateToLocaleDateString, dateToLocaleTimeString } = require("intl_date");
  const supportedLocalesOf = (locales) => getCanonicalLocales(locales);

  class Collator {
    #options;
    constructor(
      locales,
      { usage = "sort", sensitivity = "variant", ignorePunctuation = false, numeric, caseFirst = "false" } = {},
    ) {
      const locale = localeOf(locales);
      this.#options = {
        locale: locale.tag,
        usage,
        sensitivity,
        ignorePunctuation,
        collation: "default",
        numeric: numeric ?? /-u(-..-\w+)*-kn(-true)?(-|$)/.test(locale.given),
        caseFirst,
      };
      Object.defineProperty(this, "compare", {
        value: (left, right) => native.compare(left, right, this.#options),
        configurable: true,
      });
    }
    resolvedOptions() {
      return { ...this.#options };
    }
  }

  const RULES = {
    en: (n, whole) => (n === 1 && whole ? "one" : "other"),
    fr: (n) => (n >= 0 && n < 2 ? "one" : "other"),
    es: (n) => (n === 1 ? "one" : "other"),
    ja: () => "other",
    ru: (n, whole) =>
      !whole
        ? "other"
        : n % 10 === 1 && n % 100 !== 11
          ? "one"
          : n % 10 >= 2 && n % 10 <= 4 && !(n % 100 >= 12 && n % 100 <= 14)
            ? "few"
            : "many",
    pl: (n, whole) =>
      !whole
        ? "other"
        : n === 1
          ? "one"
          : n % 10 >= 2 && n % 10 <= 4 && !(n % 100 >= 12 && n % 100 <= 14)
            ? "few"
            : "many",
    cs: (n, whole) => (!whole ? "many" : n === 1 ? "one" : n >= 2 && n <= 4 ? "few" : "other"),
  };
  Object.assign(RULES, {
    pt: RULES.fr,
    tr: RULES.es,
    zh: RULES.ja,
    ko: RULES.ja,
    vi: RULES.ja,
    th: RULES.ja,
    uk: RULES.ru,
  });
  class PluralRules {
    #locale;
    #options;
    constructor(locales, { type = "cardinal", minimumFractionDigits = 0 } = {}) {
      this.#locale = localeOf(locales);
      this.#options = { type, minimumFractionDigits };
    }
    select(value) {
      const n = Math.abs(Number(value));
      const { language } = this.#locale;
      if (this.#options.type === "ordinal") {
        if (language === "fr") return n === 1 ? "one" : "other";
        if (language !== "en") return "other";
        const ten = n % 100 >= 11 && n % 100 <= 13;
        return ten ? "other" : (["other", "one", "two", "few"][n % 10] ?? "other");
      }
      return (RULES[language] ?? RULES.en)(n, Number.isInteger(n) && this.#options.minimumFractionDigits === 0);
    }
    selectRange(from, to) {
      return this.select(to);
    }
    resolvedOptions() {
      const ordinal = this.#options.type === "ordinal";
      const samples = [...new Set([...Array(120).keys(), 1.5].map((n) => this.select(n)))];
      return {
        locale: this.#locale.tag,
        type: ordinal ? "ordinal" : "cardinal",
        minimumIntegerDigits: 1,
        minimumFractionDigits: 0,
        maximumFractionDigits: 3,
        pluralCategories: ["few", "many", "one", "two", "zero", "other"].filter((name) => samples.includes(name)),
      };
    }
  }

  const WORDS = {
    en: ["and", "or"],
    de: ["und", "oder"],
    fr: ["et", "ou"],
    es: ["y", "o"],
    it: ["e", "o"],
    pt: ["e", "ou"],
    nl: ["en", "of"],
    sv: ["och", "eller"],
    da: ["og", "eller"],
  };
  class ListFormat {
    #locale;
    #options;
    constructor(locales, { type = "conjunction", style = "long" } = {}) {
      this.#locale = localeOf(locales);
      this.#options = { type, style };
    }
    formatToParts(list) {
      const items = [...list].map((value) => {
        if (typeof value !== "string") throw new TypeError("Iterable yielded a non-String value");
        return { type: "element", value };
      });
      const { type, style } = this.#options;
      const { language } = this.#locale;
      const english = language === "en" || !WORDS[language];
      const [and, or] = WORDS[language] ?? WORDS.en;
      const word =
        type === "unit" && (english || style === "narrow")
          ? ""
          : type === "disjunction"
            ? or
            : english && style !== "long"
              ? style === "narrow"
                ? ""
                : "&"
              : and;
      const comma = type === "unit" && style === "narrow" ? " " : ", ";
      const pair = word ? ` ${word} ` : comma;
      const oxford = english && this.#locale.region !== "GB" && word ? `, ${word} ` : pair;
      return items.flatMap((item, at) => {
        if (at === 0) return [item];
        const end = at === items.length - 1;
        return [{ type: "literal", value: !end ? comma : items.length === 2 ? pair : oxford }, item];
      });
    }
    format(list) {
      return this.formatToParts(list)
        .map(({ value }) => value)
        .join("");
    }
    resolvedOptions() {
      return { locale: this.#locale.tag, ...this.#options };
    }
  }

  const AUTO = {
    "day-1": "yesterday",
    day0: "today",
    day1: "tomorrow",
    "year-1": "last year",
    year0: "this year",
    year1: "next year",
    "quarter-1": "last quarter",
    quarter0: "this quarter",
    quarter1: "next quarter",
    "month-1": "last month",
    month0: "this month",
    month1: "next month",
    "week-1": "last week",
    week0: "this week",
    week1: "next week",
    hour0: "this hour",
    minute0: "this minute",
    second0: "now",
  };
  const SHORT = {
    year: "yr.",
    quarter: "qtr.",
    month: "mo.",
    week: "wk.",
    day: "day",
    hour: "hr.",
    minute: "min.",
    second: "sec.",
  };
  class RelativeTimeFormat {
    #locale;
    #options;
    #numbers;
    constructor(locales, { numeric = "always", style = "long" } = {}) {
      this.#locale = localeOf(locales);
      this.#options = { numeric, style };
      this.#numbers = new NumberFormat(locales);
    }
    formatToParts(value, unit) {
      const name = String(unit).replace(/s$/, "");
      if (!(name in SHORT)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
      const auto = this.#options.numeric === "auto" ? AUTO[`${name}${Object.is(value, -0) ? 0 : value}`] : undefined;
      if (auto !== undefined) return [{ type: "literal", value: auto }];
      const past = value < 0 || Object.is(value, -0);
      const many = Math.abs(value) !== 1;
      const long = this.#options.style === "long";
      const word = long
        ? name + (many ? "s" : "")
        : name === "day"
          ? `day${many ? "s" : ""}`
          : name === "quarter" && many
            ? "qtrs."
            : SHORT[name];
      const number = this.#numbers.formatToParts(Math.abs(value)).map((part) => ({ ...part, unit: name }));
      return past
        ? [...number, { type: "literal", value: ` ${word} ago` }]
        : [{ type: "literal", value: "in " }, ...number, { type: "literal", value: ` ${word}` }];
    }
    format(value, unit) {
      return this.formatToParts(Number(value), unit)
        .map((part) => part.value)
        .join("");
    }
    resolvedOptions() {
      return { locale: this.#locale.tag, ...this.#options, numberingSystem: "latn" };
    }
  }

  // Letters with their marks, joined emoji and flags; words by their letters and digits.
  const PIECES = {
    grapheme:
      /\r\n|\p{RI}\p{RI}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\ufe0f]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\ufe0f]*)*|.[\p{M}\ufe0f\u200d]*/gsu,
    word: /\r\n|\p{RI}\p{RI}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\ufe0f]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}\ufe0f]*)*|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:['’.:][\p{L}\p{N}][\p{L}\p{N}\p{M}_]*)*|\s|./gsu,
    sentence: /.*?(?:[.!?…]+["'”’)\]]*\s+|[。！？]+|\n|$)/gsu,
  };
  class Segmenter {
    #locale;
    #granularity;
    constructor(locales, { granularity = "grapheme" } = {}) {
      if (!Object.hasOwn(PIECES, granularity))
        throw new RangeError(`Value ${granularity} out of range for Intl.Segmenter options property granularity`);
      this.#locale = localeOf(locales);
      this.#granularity = granularity;
    }
    segment(text) {
      const input = String(text);
      const granularity = this.#granularity;
      const pieces = function* () {
        for (const match of input.matchAll(PIECES[granularity])) {
          if (match[0] === "") continue;
          yield {
            segment: match[0],
            index: match.index,
            input,
            ...(granularity === "word" && { isWordLike: /[\p{L}\p{N}]/u.test(match[0]) }),
          };
        }
      };
      return hidden({
        [Symbol.iterator]: pieces,
        containing: (at = 0) => [...pieces()].find(({ index, segment }) => at >= index && at < index + segment.length),
      });
    }
    resolvedOptions() {
      return { locale: this.#locale.tag, granularity: this.#granularity };
    }
  }

  class DisplayNames {
    #options;
    constructor(locales, options) {
      if (!options?.type) throw new TypeError('Required option "type" must not be undefined');
      this.#options = { locale: localeOf(locales).tag, style: "long", fallback: "code", ...options };
    }
    of(code) {
      return this.#options.fallback === "none" ? undefined : String(code);
    }
    resolvedOptions() {
      return { ...this.#options };
    }
  }
  class Locale {
    #locale;
    constructor(tag) {
      this.#locale = localeOf(String(tag));
    }
    get baseName() {
      return this.#locale.tag;
    }
    get language() {
      return this.#locale.language;
    }
    get region() {
      return this.#locale.region;
    }
    toString() {
      return this.#locale.tag;
    }
    maximize() {
      return this;
    }
    minimize() {
      return this;
    }
  }

  const classes = {
    Collator,
    DateTimeFormat,
    DisplayNames,
    ListFormat,
    Locale,
    NumberFormat,
    PluralRules,
    RelativeTimeFormat,
    Segmenter,
  };
  const Intl = {};
  for (const [name, Class] of Object.entries(classes)) {
    // These can be called without `new`, as the standard has it for the oldest of them.
    const old = ["Collator", "DateTimeFormat", "NumberFormat"].includes(name);
    const value = old ? new Proxy(Class, { apply: (target, self, values) => new target(...values) }) : Class;
    if (name !== "Locale")
      Object.defineProperty(Class, "supportedLocalesOf", { value: supportedLocalesOf, configurable: true });
    Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
    Object.defineProperty(Intl, name, { value, writable: true, configurable: true });
  }
  Object.defineProperty(Intl, "getCanonicalLocales", {
    value: getCanonicalLocales,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(Intl, "supportedValuesOf", { value: () => [], writable: true, configurable: true });
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  const listToLocaleString = function (...options) {
    return Array.from(this, (value) => value?.toLocaleString(...options) ?? "").join(",");
  };
  return { Intl, listToLocaleString, numberToLocaleString, dateToLocaleString, dateToLocaleDateString, dateToLocaleTimeString };
};
