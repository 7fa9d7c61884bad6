// Numbers as decimal digits, and rounding of those.
() => {
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
    const up =
      {
        ceil: rest && !negative,
        floor: rest && negative,
        expand: rest,
        trunc: false,
        halfEven: half && (!exact || odd),
        halfTrunc: half && !exact,
        halfCeil: half && (!exact || !negative),
        halfFloor: half && (!exact || negative),
      }[mode] ?? half;
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
  return { decimal, rounded, split, isZero };
};
