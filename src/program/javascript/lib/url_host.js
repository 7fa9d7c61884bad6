// Hosts of URLs: names, IPv4 and IPv6 addresses, Punycode.
(native, require) => {
  const { special, encodeOpaque } = require("url_text");
  const punycode = (label) => {
    const points = Array.from(label, (letter) => letter.codePointAt(0));
    const plain = points.filter((point) => point < 128);
    let [output, n, delta, bias, done] = [
      String.fromCodePoint(...plain) + (plain.length > 0 ? "-" : ""),
      128,
      0,
      72,
      plain.length,
    ];
    const first = done;
    const digit = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22);
    while (done < points.length) {
      const next = Math.min(...points.filter((point) => point >= n));
      delta += (next - n) * (done + 1);
      n = next;
      for (const point of points) {
        if (point < n) delta += 1;
        if (point !== n) continue;
        let q = delta;
        for (let k = 36; ; k += 36) {
          const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
          if (q < t) break;
          output += digit(t + ((q - t) % (36 - t)));
          q = Math.floor((q - t) / (36 - t));
        }
        output += digit(q);
        let scaled = done === first ? Math.floor(delta / 700) : delta >> 1;
        scaled += Math.floor(scaled / (done + 1));
        let k = 0;
        for (; scaled > 455; k += 36) scaled = Math.floor(scaled / 35);
        bias = k + Math.floor((36 * scaled) / (scaled + 38));
        delta = 0;
        done += 1;
      }
      delta += 1;
      n += 1;
    }
    return output;
  };
  const number = (part) => {
    if (/^0[xX][0-9a-fA-F]*$/.test(part)) return part.length === 2 ? 0 : parseInt(part.slice(2), 16);
    if (/^0[0-7]+$/.test(part)) return parseInt(part, 8);
    return /^\d+$/.test(part) ? Number(part) : NaN;
  };
  const ipv4 = (host) => {
    const parts = host.split(".");
    if (parts.at(-1) === "" && parts.length > 1) parts.pop();
    if (Number.isNaN(number(parts.at(-1))) && !/^\d+$/.test(parts.at(-1))) return host;
    const values = parts.map(number);
    if (
      parts.length > 4 ||
      values.some(Number.isNaN) ||
      values.slice(0, -1).some((value) => value > 255) ||
      values.at(-1) >= 256 ** (5 - parts.length)
    )
      return undefined;
    let whole = values.at(-1);
    values.slice(0, -1).forEach((value, at) => (whole += value * 256 ** (3 - at)));
    return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256).join(".");
  };
  const ipv6 = (text) => {
    const [head, tail, ...more] = text.split("::");
    const groups = (side) =>
      (side ? side.split(":") : []).flatMap((group) => {
        if (!group.includes(".")) return [/^[0-9a-fA-F]{1,4}$/.test(group) ? parseInt(group, 16) : NaN];
        const bytes = group.split(".").map(Number);
        return bytes.length === 4 && bytes.every((byte) => byte >= 0 && byte < 256)
          ? [bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]]
          : [NaN];
      });
    const [left, right] = [groups(head), groups(tail)];
    const gap = 8 - left.length - right.length;
    if (more.length > 0 || (tail === undefined ? gap !== 0 : gap < 1)) return undefined;
    const all = [...left, ...Array(gap).fill(0), ...right];
    if (all.some(Number.isNaN)) return undefined;
    let best = { at: -1, length: 1 };
    for (let at = 0; at < 8; at += 1) {
      let length = 0;
      while (all[at + length] === 0) length += 1;
      if (length > best.length) best = { at, length };
    }
    const hex = (part) => part.map((group) => group.toString(16)).join(":");
    return best.at === -1 ? hex(all) : `${hex(all.slice(0, best.at))}::${hex(all.slice(best.at + best.length))}`;
  };
  const hostOf = (text, protocol) => {
    if (text.startsWith("[")) {
      const inner = text.endsWith("]") ? ipv6(text.slice(1, -1)) : undefined;
      return inner && `[${inner}]`;
    }
    if (!special(protocol)) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? undefined : encodeOpaque(text);
    let decoded;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      return undefined;
    }
    const labels = decoded
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[\u3002\uff0e\uff61]/g, ".")
      .split(".");
    const host = labels.map((label) => (/[^\0-\x7f]/.test(label) ? `xn--${punycode(label)}` : label)).join(".");
    if (host === "" || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) return undefined;
    return ipv4(host);
  };
  return { hostOf };
};
