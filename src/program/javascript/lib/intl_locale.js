// Language tags.
() => {
  const canonical = (tag) => {
    if (typeof tag !== "string" || !/^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(tag))
      throw new RangeError(`Incorrect locale information provided`);
    let extended = false;
    return tag
      .split("-")
      .map((part, at) => {
        if (part.length === 1) extended = true;
        if (at === 0 || extended) return part.toLowerCase();
        if (part.length === 4 && /^[a-zA-Z]/.test(part)) return part[0].toUpperCase() + part.slice(1).toLowerCase();
        return part.length <= 3 ? part.toUpperCase() : part.toLowerCase();
      })
      .join("-");
  };
  const getCanonicalLocales = (locales) => {
    if (locales === undefined) return [];
    const list = typeof locales === "string" ? [locales] : Array.from(locales?.baseName ? [locales] : locales);
    return [...new Set(list.map((tag) => canonical(typeof tag === "string" ? tag : String(tag))))];
  };
  const localeOf = (locales) => {
    const given = getCanonicalLocales(locales)[0] ?? "en-US";
    const tag = given.replace(/-u-.*$/, "");
    const [language, ...rest] = tag.split("-");
    return { given, tag, language, region: rest.find((part) => /^[A-Z]{2}$|^\d{3}$/.test(part)) };
  };
  const hidden = (object) => {
    for (const key of Reflect.ownKeys(object)) Object.defineProperty(object, key, { enumerable: false });
    return object;
  };
  return { getCanonicalLocales, localeOf, hidden };
};
