// What was called on sessions of the component and what it answered, so that another host can repeat it and compare.
//
// A transcript is a list of lines, each a JSON object: `{case}` names what follows, `{opens: n}` makes session n,
// `{on: n, call, values, gives | refuses}` calls it, `{drops: n}` ends it. Values are those of the interface, records as
// objects; bytes are written `{"bytes": base64}`.

/** The lines so far, if they are wanted. */
let lines;
let opened = 0;

/** From now on, sessions are recorded. */
export function begin() {
  lines = [];
}

/** Names what is recorded from here on. */
export function entitle(name) {
  lines?.push(JSON.stringify({ case: name }));
}

/** The transcript: a text with one line for each thing that happened. */
export const text = () => `${lines.join("\n")}\n`;

/** A session of the component, called by the names of its methods. */
export function record(session) {
  const on = (opened += 1);
  lines?.push(JSON.stringify({ opens: on }));
  const write = (line) => lines?.push(JSON.stringify(line, plain));
  return {
    call(name, values) {
      const call = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
      try {
        const gives = session[name](...values);
        write({ on, call, values, gives: gives ?? null });
        return gives;
      } catch (thrown) {
        // A trap is an Error; what the interface calls an error is thrown by jco as it is.
        if (!(thrown instanceof Error)) write({ on, call, values, refuses: thrown });
        throw thrown;
      }
    },
    drop() {
      write({ drops: on });
      session[Symbol.dispose || Symbol.for("dispose")]();
    },
  };
}

/** A value of the interface as JSON has it; for JSON.stringify. */
export function plain(key, value) {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
}
