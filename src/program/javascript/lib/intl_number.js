// Intl.NumberFormat.
(native, require) => {
  const { localeOf } = require("intl_locale");
  const NBSP = "\u00a0";
  const NARROW = "\u202f";
  // Group and decimal separators, the least number of digits before the first separator, and what stands before `%`
  // and before a currency that follows the number; `null` for one that comes first.
  const SYMBOLS = {
    en: [",", ".", 1, "", null], de: [".", ",", 1, NBSP, NBSP], fr: [NARROW, ",", 1, NBSP, NBSP], es: [".", ",", 2, NBSP, NBSP], it: [".", ",", 2, "", NBSP],
    pt: [".", ",", 1, "", null], nl: [".", ",", 1, "", null], sv: [NBSP, ",", 1, NBSP, NBSP], nb: [NBSP, ",", 1, NBSP, NBSP], no: [NBSP, ",", 1, NBSP, NBSP],
    da: [".", ",", 1, NBSP, NBSP], fi: [NBSP, ",", 1, NBSP, NBSP], pl: [NBSP, ",", 2, "", NBSP], ru: [NBSP, ",", 1, NBSP, NBSP], uk: [NBSP, ",", 1, "", NBSP],
    cs: [NBSP, ",", 1, NBSP, NBSP], tr: [".", ",", 1, "", null], ja: [",", ".", 1, "", null], zh: [",", ".", 1, "", null], ko: [",", ".", 1, "", null],
    "de-CH": ["'", ".", 1, "", null], "de-AT": [NBSP, ",", 1, NBSP, null], "pt-PT": [NBSP, ",", 2, "", NBSP], "es-MX": [",", ".", 1, "", null], "fr-CH": [NARROW, ",", 1, NBSP, NBSP],
  };
  const SIGNS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", BRL: "R$", CAD: "CA$", AUD: "A$", NZD: "NZ$", MXN: "MX$", HKD: "HK$", TWD: "NT$", ILS: "₪", VND: "₫", PHP: "₱", XAF: "FCFA" };
  const NARROW_SIGNS = { CNY: "¥", CAD: "$", AUD: "$", NZD: "$", MXN: "$", HKD: "$", TWD: "$", RUB: "₽", UAH: "₴", TRY: "₺", PLN: "zł", CZK: "Kč", SEK: "kr", NOK: "kr", DKK: "kr" };
  const HOME = { "en-CA": ["CAD", "$"], "en-AU": ["AUD", "$"], "en-NZ": ["NZD", "$"], "ja-JP": ["JPY", "￥"], ja: ["JPY", "￥"], "zh-CN": ["CNY", "¥"], zh: ["CNY", "¥"], "es-MX": ["MXN", "$"], "pl-PL": ["PLN", "zł"], pl: ["PLN", "zł"], "ru-RU": ["RUB", "₽"], ru: ["RUB", "₽"], "sv-SE": ["SEK", "kr"], sv: ["SEK", "kr"], "tr-TR": ["TRY", "₺"], tr: ["TRY", "₺"], "cs-CZ": ["CZK", "Kč"], cs: ["CZK", "Kč"], "da-DK": ["DKK", "kr."], da: ["DKK", "kr."], "nb-NO": ["NOK", "kr"] };
  const FRACTIONS = { JPY: 0, KRW: 0, VND: 0, CLP: 0, ISK: 0, XAF: 0, XOF: 0, PYG: 0, KWD: 3, BHD: 3, OMR: 3, TND: 3, JOD: 3 };
  const NAMES = { USD: ["US dollar", "US dollars"], EUR: ["euro", "euros"], GBP: ["British pound", "British pounds"], JPY: ["Japanese yen", "Japanese yen"] };
  const UNITS = {
    percent: "%", celsius: "°C", fahrenheit: "°F", degree: " deg", kilometer: " km", meter: " m", centimeter: " cm", millimeter: " mm", mile: " mi", foot: " ft", inch: " in", yard: " yd",
    kilogram: " kg", gram: " g", pound: " lb", ounce: " oz", stone: " st", liter: " L", milliliter: " mL", gallon: " gal", byte: " byte", kilobyte: " kB", megabyte: " MB", gigabyte: " GB", terabyte: " TB",
    petabyte: " PB", bit: " bit", kilobit: " kb", megabit: " Mb", gigabit: " Gb", second: " sec", millisecond: " ms", minute: " min", hour: " hr", day: " day", week: " wk", month: " mth", year: " yr", acre: " ac", hectare: " ha",
  };
  const COMPACT = [[12, "T", " trillion"], [9, "B", " billion"], [6, "M", " million"], [3, "K", " thousand"]];

  // A number as its decimal digits and the place of the point, from the shortest text that JavaScript has for it.
  const decimal = (value) => {
    if (typeof value === "bigint") {
      const digits = String(value < 0n ? -value : value);
      return { negative: value < 0n, digits, point: digits.length };
    }
    const [mantissa, exponent = "0"] = Math.abs(value).toString().split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    const all = (whole + fraction).replace(/^0+(?=.)/, "");
    const point = whole.length + Number(exponent) - (whole.length + fraction.length - all.length);
    return { negative: value < 0 || Object.is(value, -0), digits: all, point: all === "0" ? 1 : point };
  };
  // Keeps so many digits after the point, rounding half away from zero, or as the mode says.
  const rounded = ({ negative, digits, point }, places, mode) => {
    const keep = point + places;
    if (keep >= digits.length) return { negative, digits, point };
    if (keep < 0) return { negative, digits: "0", point: 1 };
    const half = digits[keep] >= "5";
    const exact = digits[keep] === "5" && /^0*$/.test(digits.slice(keep + 1));
    const rest = /[1-9]/.test(digits.slice(keep));
    const odd = keep > 0 && Number(digits[keep - 1]) % 2 === 1;
    const up = { ceil: rest && !negative, floor: rest && negative, expand: rest, trunc: false, halfEven: half && (!exact || odd), halfTrunc: half && !exact, halfCeil: half && (!exact || !negative), halfFloor: half && (!exact || negative) }[mode] ?? half;
    const kept = digits.slice(0, keep);
    if (!up) return { negative, digits: kept || "0", point: kept ? point : 1 };
    const next = String(BigInt(kept || "0") + 1n).padStart(kept.length, "0");
    return { negative, digits: next, point: point + next.length - kept.length };
  };
  const split = ({ digits, point }) => {
    const padded = digits.padEnd(point, "0");
    return point > 0 ? [padded.slice(0, point), padded.slice(point)] : ["0", "0".repeat(-point) + digits];
  };
  const isZero = ({ digits }) => /^0*$/.test(digits);

  class NumberFormat {
    #locale;
    #o;
    constructor(locales, options = {}) {
      const locale = (this.#locale = localeOf(locales));
      const { style = "decimal", notation = "standard", compactDisplay = "short", signDisplay = "auto", currencyDisplay = "symbol", currencySign = "standard", unitDisplay = "short", roundingMode = "halfExpand" } = options ?? {};
      const check = (name, value, values) => {
        if (!values.includes(value)) throw new RangeError(`Value ${value} out of range for Intl.NumberFormat options property ${name}`);
      };
      check("style", style, ["decimal", "percent", "currency", "unit"]);
      check("notation", notation, ["standard", "scientific", "engineering", "compact"]);
      if (style === "currency" && options.currency === undefined) throw new TypeError("Currency code is required with currency style.");
      if (style === "unit" && options.unit === undefined) throw new TypeError("Unit is required with unit style.");
      const currency = style === "currency" ? String(options.currency).toUpperCase() : undefined;
      if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Invalid currency code : ${options.currency}`);
      const digits = (name, low, high, other) => {
        const value = options[name];
        if (value === undefined) return other;
        if (!(Number(value) >= low && Number(value) <= high)) throw new RangeError(`${name} value is out of range.`);
        return Math.floor(Number(value));
      };
      const standard = style === "currency" && notation === "standard" ? FRACTIONS[currency] ?? 2 : 0;
      const most = style === "currency" && notation === "standard" ? standard : style === "percent" || notation === "compact" ? 0 : 3;
      let minimum = digits("minimumFractionDigits", 0, 100, undefined);
      let maximum = digits("maximumFractionDigits", 0, 100, undefined);
      if (minimum !== undefined && maximum !== undefined && minimum > maximum) throw new RangeError("maximumFractionDigits value is out of range.");
      const free = minimum === undefined && maximum === undefined;
      minimum ??= maximum === undefined ? standard : Math.min(standard, maximum);
      maximum ??= Math.max(most, minimum);
      const significant = options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined;
      const grouping = options.useGrouping ?? (notation === "compact" ? "min2" : "auto");
      this.#o = {
        style, notation, compactDisplay, signDisplay, currencyDisplay, currencySign, unitDisplay, roundingMode, currency, unit: options.unit, free,
        minimumIntegerDigits: digits("minimumIntegerDigits", 1, 21, 1), minimum, maximum, grouping: grouping === "false" || grouping === false ? false : grouping === "min2" ? "min2" : "auto",
        ...(significant && { least: digits("minimumSignificantDigits", 1, 21, 1), most: digits("maximumSignificantDigits", 1, 21, 21) }),
        symbols: SYMBOLS[locale.tag] ?? SYMBOLS[locale.language] ?? SYMBOLS.en,
      };
      Object.defineProperty(this, "format", { value: (value) => this.formatToParts(value).map((part) => part.value).join(""), configurable: true });
    }
    #round(number) {
      const { least, most, maximum, minimum, notation, free, roundingMode } = this.#o;
      const places = (value) => (most !== undefined ? most - value.point + (isZero(value) ? 0 : /^0*/.exec(value.digits)[0].length) : maximum);
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
      if (this.#locale.region === "IN") return [...whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ",").split(","), whole.slice(-3)];
      return whole.replace(/\B(?=(\d{3})+$)/g, ",").split(",");
    }
    formatToParts(input) {
      const o = this.#o;
      const value = typeof input === "bigint" ? input : typeof input === "string" && /^-?\d{16,}$/.test(input) ? BigInt(input) : Number(input);
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
            const text = (this.#round({ ...number, point: number.point - (suffix?.[0] ?? 0) })).whole;
            if (magnitude >= power || (text.length > 3 && magnitude === power - 1)) suffix = [power, o.compactDisplay === "long" ? long : short];
          }
          number = { ...number, point: number.point - (suffix?.[0] ?? 0) };
        } else if (o.notation !== "standard") {
          const power = (digits) => (o.notation === "engineering" ? Math.floor(digits / 3) * 3 : digits);
          exponent = power(magnitude);
          // 9.999 may become 10 by rounding.
          const carried = this.#round({ ...number, point: number.point - exponent }).whole.length > number.point - exponent;
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
      const display = { auto: negative ? "-" : "", always: negative ? "-" : "+", never: "", exceptZero: zero || Number.isNaN(value) ? "" : negative ? "-" : "+", negative: negative && !zero ? "-" : "" }[o.signDisplay];
      const accounting = o.currencySign === "accounting" && display === "-";
      const dash = ["sv", "nb", "no", "fi"].includes(this.#locale.language) ? "\u2212" : "-";
      const sign = display === "" || accounting ? [] : [{ type: display === "-" ? "minusSign" : "plusSign", value: display === "-" ? dash : display }];
      let all = parts;
      if (o.style === "percent") all = [...parts, ...(percentGap ? [{ type: "literal", value: percentGap }] : []), { type: "percentSign", value: "%" }];
      if (o.style === "unit") all = this.#withUnit(parts, value);
      if (o.style === "currency") return this.#withCurrency(parts, sign, accounting, currencyGap);
      return [...sign, ...all];
    }
    #withUnit(parts, value) {
      const { unit, unitDisplay } = this.#o;
      const one = Math.abs(Number(value)) === 1;
      const [name, per] = unit.split("-per-");
      const known = (word) => {
        if (!Object.hasOwn(UNITS, word)) throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
        return UNITS[word];
      };
      known(name);
      const plural = { foot: "feet", inch: "inches", celsius: "degrees Celsius", fahrenheit: "degrees Fahrenheit" };
      const long = (word) => (one ? { celsius: "degree Celsius", fahrenheit: "degree Fahrenheit" }[word] ?? word : plural[word] ?? `${word}s`);
      const short = ["day", "week", "month", "year"].includes(name) && !one && unitDisplay === "short" ? `${UNITS[name]}s` : UNITS[name];
      let text = unitDisplay === "long" ? (name === "percent" ? " percent" : ` ${long(name)}`) : unitDisplay === "narrow" ? short.trim().replace("°C", "°C") : short;
      if (per) text = unitDisplay === "long" ? `${text} per ${per}` : unit === "mile-per-hour" ? " mph" : `${text}/${{ hour: "h", second: "s", minute: "min" }[per] ?? known(per).trim()}`;
      const gap = text.startsWith(" ") ? [{ type: "literal", value: " " }] : [];
      return [...parts, ...gap, { type: name === "percent" && !per && unitDisplay !== "long" ? "percentSign" : "unit", value: text.trim() }];
    }
    #withCurrency(parts, sign, accounting, gap) {
      const { currency, currencyDisplay } = this.#o;
      const home = HOME[this.#locale.tag];
      const dollars = { fr: "$US", es: "US$", nl: "US$", pt: "US$", it: "USD", sv: "US$", da: "$", pl: "USD", ru: "$", "en-CA": "US$", "en-GB": "US$", "en-AU": "USD", "zh-CN": "US$", zh: "US$", ko: "US$" };
      let symbol = currency === home?.[0] ? home[1] : SIGNS[currency] ?? currency;
      const yen = { es: "JPY", it: "JPY", pl: "JPY", fr: "JPY", sv: "JPY", pt: "JP¥", nl: "JP¥", zh: "JP¥", ko: "JP¥", "en-IN": "JP¥", "en-CA": "JP¥", "en-GB": "JP¥", "en-AU": "JPY" };
      if (currency === "JPY" && home?.[0] !== "JPY") symbol = yen[this.#locale.tag] ?? yen[this.#locale.language] ?? symbol;
      if (currency === "USD") symbol = dollars[this.#locale.tag] ?? dollars[this.#locale.language] ?? "$";
      if (currencyDisplay === "narrowSymbol") symbol = NARROW_SIGNS[currency] ?? SIGNS[currency] ?? currency;
      if (currencyDisplay === "code") symbol = currency;
      if (currencyDisplay === "name") {
        const one = parts.map((part) => part.value).join("") === "1.00";
        return [...sign, ...parts, { type: "literal", value: " " }, { type: "currency", value: NAMES[currency]?.[one ? 0 : 1] ?? currency }];
      }
      const shown = { type: "currency", value: symbol };
      const literal = (value) => ({ type: "literal", value });
      const spaced = ["pt", "nl"].includes(this.#locale.language) || ["de-CH", "de-AT"].includes(this.#locale.tag) || /[A-Za-z]$/.test(symbol);
      const body = gap === null ? [shown, ...(spaced ? [literal(NBSP)] : []), ...(this.#locale.language === "nl" || this.#locale.tag === "de-CH" ? [...sign, ...parts] : parts)] : [...parts, literal(gap), shown];
      if (accounting) return [literal("("), ...body, literal(")")];
      return body.includes(sign[0]) ? body : [...sign, ...body];
    }
    formatRange(from, to) {
      const [left, right] = [this.format(from), this.format(to)];
      return left === right ? `~${left}` : `${left}${this.#o.style === "currency" ? " – " : "–"}${right}`;
    }
    resolvedOptions() {
      const { style, notation, compactDisplay, signDisplay, currencyDisplay, currencySign, currency, unit, unitDisplay, minimum, maximum, least, most, minimumIntegerDigits, grouping, roundingMode } = this.#o;
      return {
        locale: this.#locale.tag, numberingSystem: "latn", style, ...(currency && { currency, currencyDisplay, currencySign }), ...(unit && { unit, unitDisplay }), minimumIntegerDigits,
        ...(most === undefined ? { minimumFractionDigits: minimum, maximumFractionDigits: maximum } : { minimumSignificantDigits: least, maximumSignificantDigits: most }),
        useGrouping: grouping, notation, ...(notation === "compact" && { compactDisplay }), signDisplay, roundingIncrement: 1, roundingMode, roundingPriority: "auto", trailingZeroDisplay: "auto",
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
}
