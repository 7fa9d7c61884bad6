// Intl.DateTimeFormat.
(native, require) => {
  const { localeOf } = require("intl_locale");
  const { TimeZone } = require("intl_zone");
  const list = (text) => text.split(" ");
  // Months and weekdays, short and long; days begin with Sunday.
  const NAMES = {
    en: [
      list("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
      list("January February March April May June July August September October November December"),
      list("Sun Mon Tue Wed Thu Fri Sat"),
      list("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
    ],
    de: [
      list("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
      list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
      list("So. Mo. Di. Mi. Do. Fr. Sa."),
      list("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
    ],
    fr: [
      list("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
      list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
      list("dim. lun. mar. mer. jeu. ven. sam."),
      list("dimanche lundi mardi mercredi jeudi vendredi samedi"),
    ],
    es: [
      list("ene feb mar abr may jun jul ago sept oct nov dic"),
      list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
      list("dom lun mar mié jue vie sáb"),
      list("domingo lunes martes miércoles jueves viernes sábado"),
    ],
    it: [
      list("gen feb mar apr mag giu lug ago set ott nov dic"),
      list("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
      list("dom lun mar mer gio ven sab"),
      list("domenica lunedì martedì mercoledì giovedì venerdì sabato"),
    ],
    pt: [
      list("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
      list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
      list("dom. seg. ter. qua. qui. sex. sáb."),
      list("domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado"),
    ],
    nl: [
      list("jan feb mrt apr mei jun jul aug sep okt nov dec"),
      list("januari februari maart april mei juni juli augustus september oktober november december"),
      list("zo ma di wo do vr za"),
      list("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"),
    ],
  };
  // Numeric dates: the order with its separators, `0` before what has two digits; then whether hours go to 24, and what
  // stands between date and time.
  const NUMERIC = {
    en: ["M/D/Y", false, ", "],
    "en-GB": ["0D/0M/Y", true, ", "],
    "en-AU": ["0D/0M/Y", false, ", "],
    "en-NZ": ["D/0M/Y", false, ", "],
    "en-IN": ["D/M/Y", false, ", "],
    "en-IE": ["D/M/Y", true, ", "],
    "en-CA": ["Y-0M-0D", false, ", "],
    "en-ZA": ["Y/0M/0D", true, ", "],
    de: ["D.M.Y", true, ", "],
    fr: ["0D/0M/Y", true, " "],
    "fr-CA": ["Y-0M-0D", true, " "],
    es: ["D/M/Y", true, ", "],
    it: ["0D/0M/Y", true, ", "],
    pt: ["0D/0M/Y", true, ", "],
    nl: ["D-M-Y", true, ", "],
    sv: ["Y-0M-0D", true, " "],
    nb: ["D.M.Y", true, ", "],
    no: ["D.M.Y", true, ", "],
    da: ["D.M.Y", true, ", "],
    fi: ["D.M.Y", true, " klo "],
    pl: ["D.0M.Y", true, ", "],
    ru: ["0D.0M.Y", true, ", "],
    uk: ["0D.0M.Y", true, ", "],
    cs: ["D. M. Y", true, " "],
    tr: ["0D.0M.Y", true, " "],
    ja: ["Y/M/D", true, " "],
    zh: ["Y/M/D", true, " "],
    ko: ["Y. M. D.", false, " "],
  };
  const WIDTHS = {
    weekday: ["narrow", "short", "long"],
    year: ["2-digit", "numeric"],
    month: ["2-digit", "numeric", "narrow", "short", "long"],
    day: ["2-digit", "numeric"],
    hour: ["2-digit", "numeric"],
    minute: ["2-digit", "numeric"],
    second: ["2-digit", "numeric"],
  };
  const DATE = ["weekday", "year", "month", "day"];
  const TIME = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
  const two = (value) => String(value).padStart(2, "0");

  class DateTimeFormat {
    #locale;
    #o;
    #zone;
    constructor(locales, options = {}, defaults = "date", required = "any") {
      const locale = (this.#locale = localeOf(locales));
      const given = { ...options };
      for (const [name, values] of Object.entries(WIDTHS)) {
        if (given[name] !== undefined && !values.includes(given[name]))
          throw new RangeError(`Value ${given[name]} out of range for Intl.DateTimeFormat options property ${name}`);
      }
      this.#zone = new TimeZone(given.timeZone === undefined ? "UTC" : String(given.timeZone));
      const styled = given.dateStyle !== undefined || given.timeStyle !== undefined;
      if (styled && [...DATE, ...TIME].some((name) => given[name] !== undefined))
        throw new TypeError(
          `Can't set option ${[...DATE, ...TIME].find((name) => given[name] !== undefined)} when ${given.dateStyle ? "dateStyle" : "timeStyle"} is used`,
        );
      const asked = (required === "date" ? DATE : required === "time" ? TIME : [...DATE, ...TIME]).some(
        (name) => given[name] !== undefined,
      );
      if (!styled && !asked) {
        if (defaults !== "time") for (const name of ["year", "month", "day"]) given[name] ??= "numeric";
        if (defaults !== "date") for (const name of ["hour", "minute", "second"]) given[name] ??= "numeric";
      }
      if (styled && required === "date" && given.timeStyle) throw new TypeError("Invalid option : timeStyle");
      if (styled && required === "time" && given.dateStyle) throw new TypeError("Invalid option : dateStyle");
      const [order, day24, joint] = NUMERIC[locale.tag] ?? NUMERIC[locale.language] ?? NUMERIC.en;
      const cycle = /-u(?:-..-\w+)*-hc-(h\d\d)/.exec(locale.given)?.[1];
      const hour12 =
        given.hour12 ?? ((given.hourCycle ?? cycle) ? ["h11", "h12"].includes(given.hourCycle ?? cycle) : !day24);
      this.#o = {
        ...given,
        order,
        joint,
        hour12,
        hourCycle: given.hour12 === undefined && given.hourCycle ? given.hourCycle : hour12 ? "h12" : "h23",
        names: NAMES[locale.language] ?? NAMES.en,
        textual: NAMES[locale.language] ? locale.language : "en",
      };
      Object.defineProperty(this, "format", {
        value: (date) =>
          this.formatToParts(date)
            .map((part) => part.value)
            .join(""),
        configurable: true,
      });
    }
    formatToParts(date) {
      const time = date === undefined ? Date.now() : Number(date);
      if (Number.isNaN(time) || Math.abs(time) > 8.64e15) throw new RangeError("Invalid time value");
      const offset = this.#zone.offset(time);
      const at = new Date(time + offset * 60_000);
      const { dateStyle, timeStyle } = this.#o;
      const o = { ...this.#o };
      if (dateStyle)
        Object.assign(
          o,
          {
            full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
            long: { year: "numeric", month: "long", day: "numeric" },
            medium: { year: "numeric", month: "short", day: "numeric" },
            short: { year: "2-digit", month: "numeric", day: "numeric" },
          }[dateStyle],
        );
      if (timeStyle)
        Object.assign(o, {
          hour: "numeric",
          minute: "2-digit",
          ...(timeStyle !== "short" && { second: "2-digit" }),
          ...{ full: { timeZoneName: "long" }, long: { timeZoneName: "short" } }[timeStyle],
        });
      const dates = this.#date(at, o);
      const times = this.#time(at, time, o);
      if (dates.length === 0 || times.length === 0) return [...dates, ...times];
      const long = ["full", "long"].includes(dateStyle);
      const between =
        long && o.textual === "en"
          ? " at "
          : long && o.textual === "de"
            ? " um "
            : long && o.textual === "fr"
              ? " à "
              : o.textual === "de" || o.textual === "en" || !["short", "long"].includes(o.month)
                ? o.joint
                : ", ";
      return [...dates, { type: "literal", value: between }, ...times];
    }
    #date(at, o) {
      const parts = [];
      const add = (type, value) => value !== "" && parts.push({ type: type ?? "literal", value });
      const [shortMonths, longMonths, shortDays, longDays] = o.names;
      const year = at.getUTCFullYear();
      const values = {
        Y: o.year && (o.year === "2-digit" ? two(((year % 100) + 100) % 100) : String(year > 0 ? year : 1 - year)),
        D: o.day && (o.day === "2-digit" ? two(at.getUTCDate()) : String(at.getUTCDate())),
        M:
          o.month &&
          {
            "2-digit": two(at.getUTCMonth() + 1),
            numeric: String(at.getUTCMonth() + 1),
            short: shortMonths[at.getUTCMonth()],
            long: longMonths[at.getUTCMonth()],
            narrow: longMonths[at.getUTCMonth()][0].toUpperCase(),
          }[o.month],
        W:
          o.weekday &&
          {
            short: shortDays[at.getUTCDay()],
            long: longDays[at.getUTCDay()],
            narrow: longDays[at.getUTCDay()][0].toUpperCase(),
          }[o.weekday],
      };
      const types = { Y: "year", M: "month", D: "day", W: "weekday" };
      const pattern = (text) => {
        for (const sign of text) add(types[sign], types[sign] ? (values[sign] ?? "") : sign);
      };
      const wordy = ["short", "long", "narrow"].includes(o.month);
      if (!wordy) {
        // Separators stand only between parts that are shown.
        if (o.weekday) add("weekday", values.W);
        const numeric = ["Y", "M", "D"].filter((sign) => values[sign]);
        if (o.weekday && numeric.length > 0) add(null, ", ");
        const pad = o.textual === "en" || numeric.length > 1;
        const pieces = [...o.order.matchAll(/(0?)([YMD])([^YMD0]*)/g)].filter(([, , sign]) => values[sign]);
        pieces.forEach(([, zero, sign, separator], place) => {
          add(types[sign], zero && pad && numeric.length > 1 ? two(values[sign]) : values[sign]);
          if (place < pieces.length - 1 || (separator && o.order.endsWith(separator) && pieces.length === 3))
            add(null, separator || "/");
        });
        return parts;
      }
      if (["ja", "zh"].includes(this.#locale.language)) {
        const days =
          this.#locale.language === "ja"
            ? [..."日月火水木金土"].map((day) => (o.weekday === "long" ? `${day}曜日` : `(${day})`))
            : [..."日一二三四五六"].map((day) => `${o.weekday === "long" ? "星期" : "周"}${day}`);
        const shown = [
          ["year", values.Y, "年"],
          ["month", String(at.getUTCMonth() + 1), "月"],
          ["day", values.D, "日"],
        ].filter(([, value]) => value);
        return [
          ...shown.flatMap(([type, value, sign]) => [
            { type, value },
            { type: "literal", value: sign },
          ]),
          ...(o.weekday ? [{ type: "weekday", value: days[at.getUTCDay()] }] : []),
        ];
      }
      const british =
        o.textual === "en" &&
        this.#locale.region !== undefined &&
        this.#locale.region !== "US" &&
        this.#locale.region !== "CA";
      const head = values.W
        ? { en: "W, ", de: "W, ", fr: "W ", es: "W, ", it: "W ", pt: "W, ", nl: "W " }[o.textual]
        : "";
      const tail = {
        en: british ? [values.D ? "D M" : "M", " Y"] : [values.D ? "M D" : "M", values.D ? ", Y" : " Y"],
        de: [values.D ? "D. M" : "M", " Y"],
        fr: [values.D ? "D M" : "M", " Y"],
        it: [values.D ? "D M" : "M", " Y"],
        nl: [values.D ? "D M" : "M", " Y"],
        es: o.month === "long" ? [values.D ? "D~M" : "M", "~Y"] : [values.D ? "D M" : "M", " Y"],
        pt: [values.D ? "D~M" : "M", "~Y"],
      }[o.textual];
      const shown = head + tail[0] + (values.Y ? tail[1] : "");
      for (const sign of shown) {
        if (sign === "~") add(null, " de ");
        else pattern(sign);
      }
      return parts.reduce((merged, part) => {
        const last = merged.at(-1);
        if (part.type === "literal" && last?.type === "literal") last.value += part.value;
        else merged.push({ ...part });
        return merged;
      }, []);
    }
    #time(at, time, o) {
      const parts = [];
      const add = (type, value) => parts.push({ type, value });
      const hours = at.getUTCHours();
      if (o.hour) {
        const shown = { h12: hours % 12 || 12, h11: hours % 12, h23: hours, h24: hours || 24 }[o.hourCycle];
        const wide =
          o.hour === "2-digit" ||
          (!o.hour12 &&
            !["es", "ja", "cs"].includes(this.#locale.language) &&
            (o.minute || o.textual !== "en" || o.hour12 === false));
        add("hour", wide ? two(shown) : String(shown));
      }
      if (o.minute) {
        if (parts.length > 0) add("literal", ":");
        add("minute", o.hour || o.second ? two(at.getUTCMinutes()) : String(at.getUTCMinutes()));
      }
      if (o.second) {
        if (parts.length > 0) add("literal", ":");
        add("second", o.minute ? two(at.getUTCSeconds()) : String(at.getUTCSeconds()));
      }
      if (o.fractionalSecondDigits) {
        if (parts.length > 0) add("literal", ".");
        add("fractionalSecond", String(at.getUTCMilliseconds()).padStart(3, "0").slice(0, o.fractionalSecondDigits));
      }
      if (o.hour && o.hour12) {
        const dotted = ["AU", "CA", "GB", "IE", "NZ", "IN"].includes(this.#locale.region) && o.textual === "en";
        const period = hours < 12 ? (dotted ? "am" : "AM") : dotted ? "pm" : "PM";
        add("literal", " ");
        add("dayPeriod", this.#locale.region === "CA" ? `${period[0]}.m.` : period);
      }
      if (o.timeZoneName) {
        if (parts.length > 0) add("literal", " ");
        add("timeZoneName", this.#zone.name(time, o.timeZoneName));
      }
      return parts;
    }
    formatRange(from, to) {
      const [left, right] = [this.format(from), this.format(to)];
      return left === right ? left : `${left} – ${right}`;
    }
    resolvedOptions() {
      const { hour, hour12, hourCycle, dateStyle, timeStyle } = this.#o;
      const shown = Object.fromEntries(
        [...DATE, "hour", "minute", "second", "fractionalSecondDigits", "timeZoneName"]
          .filter((name) => this.#o[name] !== undefined)
          .map((name) => [name, this.#o[name]]),
      );
      return {
        locale: this.#locale.tag,
        calendar: "gregory",
        numberingSystem: "latn",
        timeZone: this.#zone.id,
        ...((hour || timeStyle) && { hourCycle, hour12 }),
        ...shown,
        ...(dateStyle && { dateStyle }),
        ...(timeStyle && { timeStyle }),
      };
    }
  }
  const toLocale = (defaults, required) =>
    function (locales, options) {
      return Number.isNaN(this.getTime())
        ? "Invalid Date"
        : new DateTimeFormat(locales, options, defaults, required).format(this);
    };
  return {
    DateTimeFormat,
    dateToLocaleString: toLocale("all", "any"),
    dateToLocaleDateString: toLocale("date", "date"),
    dateToLocaleTimeString: toLocale("time", "time"),
  };
};
