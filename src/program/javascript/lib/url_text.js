// The parts that all code about URLs shares: schemes with their ports, and what is percent-encoded where.
(native) => {
  const PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
  const special = (protocol) => Object.hasOwn(PORTS, protocol);
  const encodeBytes = (text) =>
    [...native.encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  // Characters outside ASCII and controls are always encoded; the set names the others.
  const encoder = (set) => {
    const pattern = new RegExp(`[\\0-\\x1f\\x7f-\\u{10ffff}${set}]`, "gu");
    return (text) => text.toWellFormed().replace(pattern, encodeBytes);
  };
  const encodeFragment = encoder(' "<>`');
  const encodeQuery = encoder(' "#<>');
  const encodeSpecialQuery = encoder(" \"#<>'");
  const encodePath = encoder(' "#<>?`{}');
  const encodeUser = encoder(' "#<>?`{}/:;=@\\[\\\\\\]^|');
  const encodeOpaque = encoder("");
  return {
    PORTS,
    special,
    encodeBytes,
    encodeFragment,
    encodeQuery,
    encodeSpecialQuery,
    encodePath,
    encodeUser,
    encodeOpaque,
  };
};
