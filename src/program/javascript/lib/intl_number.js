// Intl.NumberFormat.
(native, require) => {
  const { localeOf } = require("intl_locale");
  const { NBSP, SYMBOLS, SIGNS, NARROW_SIGNS, HOME, FRACTIONS, NAMES, UNITS, COMPACT } = require("intl_symbols");
  const { decimal, rounded, split, isZero } = require("intl_decimal");

  class NumberFormat {
    #locale;
    #o;
    constructor(locales, options = {}) {
      const locale = (this.#locale = localeOf(locales));
      const {
        style = "decimal",
        notation = "standard",
        compactDisplay = "short",
        signDisplay = "auto",
        currencyDisplay = "symbol",
        currencySign = "standard",
        unitDisplay = "short",
        roundingMode = "halfExpand",
      } = options ?? {};
      const check = (name, value, values) => {
        if (!values.includes(value))
          throw new RangeError(`Value ${value} out of range for Intl.NumberFormat options property ${name}`);
      };
      check("style", style, ["decimal", "percent", "currency", "unit"]);
      check("notation", notation, ["standard", "scientific", "engineering", "compact"]);
      if (style === "currency" && options.currency === undefined)
        throw new TypeError("Currency code is required with currency style.");
      if (style === "unit" && options.unit === undefined) throw new TypeError("Unit is required with unit style.");
      const currency = style === "currency" ? String(options.currency).toUpperCase() : undefined;
      if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
        throw new RangeError(`Invalid currency code : ${options.currency}`);
      const digits = (name, low, high, other) => {
        const value = options[name];
        if (value === undefined) return other;
        if (!(Number(value) >= low && Number(value) <= high)) throw new RangeError(`${name} value is out of range.`);
        return Math.floor(Number(value));
      };
      const standard = style === "currency" && notation === "standard" ? (FRACTIONS[currency] ?? 2) : 0;
      const most =
        style === "currency" && notation === "standard"
          ? standard
          : style === "percent" || notation === "compact"
            ? 0
            : 3;
      let minimum = digits("minimumFractionDigits", 0, 100, undefined);
      let maximum = digits("maximumFractionDigits", 0, 100, undefined);
      if (minimum !== undefined && maximum !== undefined && minimum > maximum)
        throw new RangeError("maximumFractionDigits value is out of range.");
      const free = minimum === undefined && maximum === undefined;
      minimum ??= maximum === undefined ? standard : Math.min(standard, maximum);
      maximum ??= Math.max(most, minimum);
      const significant =
        options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined;
      const grouping = options.useGrouping ?? (notation === "compact" ? "min2" : "auto");
      this.#o = {
        style,
        notation,
        compactDisplay,
        signDisplay,
        currencyDisplay,
        currencySign,
        unitDisplay,
        roundingMode,
        currency,
        unit: options.unit,
        free,
        minimumIntegerDigits: digits("minimumIntegerDigits", 1, 21, 1),
        minimum,
        maximum,
        grouping: grouping === "false" || grouping === false ? false : grouping === "min2" ? "min2" : "auto",
        ...(significant && {
          least: digits("minimumSignificantDigits", 1, 21, 1),
          most: digits("maximumSignificantDigits", 1, 21, 21),
        }),
        symbols: SYMBOLS[locale.tag] ?? SYMBOLS[locale.language] ?? SYMBOLS.en,
      };
      Object.defineProperty(this, "format", {
        value: (value) =>
          this.formatToParts(value)
            .map((part) => part.value)
            .join(""),
        configurable: true,
      });
    }
    #round(number) {
      const { least, most, maximum, minimum, notation, free, roundingMode } = this.#o;
      const places = (value) =>
        most !== undefined ? most - value.point + (isZero(value) ? 0 : /^0*/.exec(value.digits)[0].length) : maximum;
      const loose = notation === "compact" && free && most === undefined;
      const limit = loose ? Math.max(0, 2 - number.point) : places(number);
      const result = rounded(number, limit, roundingMode);
      let [whole, fraction] = split(result);
      fraction = fraction.replace(/0+$/, "");
      const lead = whole === "0" ? (isZero(result) ? -1 : /^0*/.exec(fraction)[0].length) : -whole.length;
      const wanted = most === undefined ? (loose ? 0 : minimum) : Math.max(0, least + lead);
      return { whole, fraction: fraction.padEnd(Math.min(wanted, 100), "0"), zero: isZero(result) };
    }
    #grouped(whole) {
      const { grouping, symbols } = this.#o;
      const least = grouping === "min2" ? 2 : symbols[2];
      if (!grouping || whole.length < 3 + least) return [whole];
      if (this.#locale.region === "IN")
        return [
          ...whole
            .slice(0, -3)
            .replace(/\B(?=(\d{2})+$)/g, ",")
            .split(","),
          whole.slice(-3),
        ];
      return whole.replace(/\B(?=(\d{3})+$)/g, ",").split(",");
    }
    formatToParts(input) {
      const o = this.#o;
      const value =
        typeof input === "bigint"
          ? input
          : typeof input === "string" && /^-?\d{16,}$/.test(input)
            ? BigInt(input)
            : Number(input);
      const [group, point, , percentGap, currencyGap] = o.symbols;
      const parts = [];
      const add = (type, text) => text !== "" && parts.push({ type, value: text });
      let negative;
      let zero = false;
      let suffix;
      if (Number.isNaN(value)) [negative] = [false, add("nan", "NaN")];
      else if (value === Infinity || value === -Infinity) [negative] = [value < 0, add("infinity", "∞")];
      else {
        let number = decimal(value);
        negative = number.negative;
        if (o.style === "percent") number = { ...number, point: isZero(number) ? number.point : number.point + 2 };
        let exponent;
        const magnitude = isZero(number) ? 0 : number.point - 1 - /^0*/.exec(number.digits)[0].length;
        if (o.notation === "compact") {
          for (const [power, short, long] of [...COMPACT].reverse()) {
            const text = this.#round({ ...number, point: number.point - (suffix?.[0] ?? 0) }).whole;
            if (magnitude >= power || (text.length > 3 && magnitude === power - 1))
              suffix = [power, o.compactDisplay === "long" ? long : short];
          }
          number = { ...number, point: number.point - (suffix?.[0] ?? 0) };
        } else if (o.notation !== "standard") {
          const power = (digits) => (o.notation === "engineering" ? Math.floor(digits / 3) * 3 : digits);
          exponent = power(magnitude);
          // 9.999 may become 10 by rounding.
          const carried =
            this.#round({ ...number, point: number.point - exponent }).whole.length > number.point - exponent;
          if (carried && !isZero(number)) exponent = power(magnitude + 1);
          number = { ...number, point: number.point - exponent };
        }
        const shown = this.#round(number);
        zero = shown.zero;
        const groups = this.#grouped(shown.whole.padStart(o.minimumIntegerDigits, "0"));
        groups.forEach((digits, at) => {
          if (at > 0) add("group", group);
          add("integer", digits);
        });
        if (shown.fraction !== "") {
          add("decimal", point);
          add("fraction", shown.fraction);
        }
        if (exponent !== undefined) {
          add("exponentSeparator", "E");
          if (exponent < 0) add("exponentMinusSign", "-");
          add("exponentInteger", String(Math.abs(exponent)));
        }
        if (suffix) {
          if (suffix[1].startsWith(" ")) add("literal", " ");
          add("compact", suffix[1].trim());
        }
      }
      const display = {
        auto: negative ? "-" : "",
        always: negative ? "-" : "+",
        never: "",
        exceptZero: zero || Number.isNaN(value) ? "" : negative ? "-" : "+",
        negative: negative && !zero ? "-" : "",
      }[o.signDisplay];
      const accounting = o.currencySign === "accounting" && display === "-";
      const dash = ["sv", "nb", "no", "fi"].includes(this.#locale.language) ? "\u2212" : "-";
      const sign =
        display === "" || accounting
          ? []
          : [{ type: display === "-" ? "minusSign" : "plusSign", value: display === "-" ? dash : display }];
      let all = parts;
      if (o.style === "percent")
        all = [
          ...parts,
          ...(percentGap ? [{ type: "literal", value: percentGap }] : []),
          { type: "percentSign", value: "%" },
        ];
      if (o.style === "unit") all = this.#withUnit(parts, value);
      if (o.style === "currency") return this.#withCurrency(parts, sign, accounting, currencyGap);
      return [...sign, ...all];
    }
    #withUnit(parts, value) {
      const { unit, unitDisplay } = this.#o;
      const one = Math.abs(Number(value)) === 1;
      const [name, per] = unit.split("-per-");
      const known = (word) => {
        if (!Object.hasOwn(UNITS, word))
          throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
        return UNITS[word];
      };
      known(name);
      const plural = { foot: "feet", inch: "inches", celsius: "degrees Celsius", fahrenheit: "degrees Fahrenheit" };
      const long = (word) =>
        one
          ? ({ celsius: "degree Celsius", fahrenheit: "degree Fahrenheit" }[word] ?? word)
          : (plural[word] ?? `${word}s`);
      const short =
        ["day", "week", "month", "year"].includes(name) && !one && unitDisplay === "short"
          ? `${UNITS[name]}s`
          : UNITS[name];
      let text =
        unitDisplay === "long"
          ? name === "percent"
            ? " percent"
            : ` ${long(name)}`
          : unitDisplay === "narrow"
            ? short.trim().replace("°C", "°C")
            : short;
      if (per)
        text =
          unitDisplay === "long"
            ? `${text} per ${per}`
            : unit === "mile-per-hour"
              ? " mph"
              : `${text}/${{ hour: "h", second: "s", minute: "min" }[per] ?? known(per).trim()}`;
      const gap = text.startsWith(" ") ? [{ type: "literal", value: " " }] : [];
      return [
        ...parts,
        ...gap,
        { type: name === "percent" && !per && unitDisplay !== "long" ? "percentSign" : "unit", value: text.trim() },
      ];
    }
    #withCurrency(parts, sign, accounting, gap) {
      const { currency, currencyDisplay } = this.#o;
      const home = HOME[this.#locale.tag];
      const dollars = {
        fr: "$US",
        es: "US$",
        nl: "US$",
        pt: "US$",
        it: "USD",
        sv: "US$",
        da: "$",
        pl: "USD",
        ru: "$",
        "en-CA": "US$",
        "en-GB": "US$",
        "en-AU": "USD",
        "zh-CN": "US$",
        zh: "US$",
        ko: "US$",
      };
      let symbol = currency === home?.[0] ? home[1] : (SIGNS[currency] ?? currency);
      const yen = {
        es: "JPY",
        it: "JPY",
        pl: "JPY",
        fr: "JPY",
        sv: "JPY",
        pt: "JP¥",
        nl: "JP¥",
        zh: "JP¥",
        ko: "JP¥",
        "en-IN": "JP¥",
        "en-CA": "JP¥",
        "en-GB": "JP¥",
        "en-AU": "JPY",
      };
      if (currency === "JPY" && home?.[0] !== "JPY")
        symbol = yen[this.#locale.tag] ?? yen[this.#locale.language] ?? symbol;
      if (currency === "USD") symbol = dollars[this.#locale.tag] ?? dollars[this.#locale.language] ?? "$";
      if (currencyDisplay === "narrowSymbol") symbol = NARROW_SIGNS[currency] ?? SIGNS[currency] ?? currency;
      if (currencyDisplay === "code") symbol = currency;
      if (currencyDisplay === "name") {
        const one = parts.map((part) => part.value).join("") === "1.00";
        return [
          ...sign,
          ...parts,
          { type: "literal", value: " " },
          { type: "currency", value: NAMES[currency]?.[one ? 0 : 1] ?? currency },
        ];
      }
      const shown = { type: "currency", value: symbol };
      const literal = (value) => ({ type: "literal", value });
      const spaced =
        ["pt", "nl"].includes(this.#locale.language) ||
        ["de-CH", "de-AT"].includes(this.#locale.tag) ||
        /[A-Za-z]$/.test(symbol);
      const body =
        gap === null
          ? [
              shown,
              ...(spaced ? [literal(NBSP)] : []),
              ...(this.#locale.language === "nl" || this.#locale.tag === "de-CH" ? [...sign, ...parts] : parts),
            ]
          : [...parts, literal(gap), shown];
      if (accounting) return [literal("("), ...body, literal(")")];
      return body.includes(sign[0]) ? body : [...sign, ...body];
    }
    formatRange(from, to) {
      const [left, right] = [this.format(from), this.format(to)];
      return left === right ? `~${left}` : `${left}${this.#o.style === "currency" ? " – " : "–"}${right}`;
    }
    resolvedOptions() {
      const {
        style,
        notation,
        compactDisplay,
        signDisplay,
        currencyDisplay,
        currencySign,
        currency,
        unit,
        unitDisplay,
        minimum,
        maximum,
        least,
        most,
        minimumIntegerDigits,
        grouping,
        roundingMode,
      } = this.#o;
      return {
        locale: this.#locale.tag,
        numberingSystem: "latn",
        style,
        ...(currency && { currency, currencyDisplay, currencySign }),
        ...(unit && { unit, unitDisplay }),
        minimumIntegerDigits,
        ...(most === undefined
          ? { minimumFractionDigits: minimum, maximumFractionDigits: maximum }
          : { minimumSignificantDigits: least, maximumSignificantDigits: most }),
        useGrouping: grouping,
        notation,
        ...(notation === "compact" && { compactDisplay }),
        signDisplay,
        roundingIncrement: 1,
        roundingMode,
        roundingPriority: "auto",
        trailingZeroDisplay: "auto",
      };
    }
  }
  // The formats of a program are few and are asked for again and again.
  const known = new Map();
  const numberToLocaleString = function (locales, options) {
    const value = this.valueOf();
    if (options !== undefined) return new NumberFormat(locales, options).format(value);
    const key = String(locales);
    if (!known.has(key)) known.set(key, new NumberFormat(locales));
    return known.get(key).format(value);
  };
  return { NumberFormat, numberToLocaleString };
};
