// structuredClone.
(native) => {
  const refuse = (value) => {
    const shown =
      typeof value === "symbol"
        ? String(value)
        : typeof value === "function"
          ? String(value)
          : `#<${value.constructor?.name ?? "Object"}>`;
    throw new globalThis.DOMException(`${shown} could not be cloned.`, "DataCloneError");
  };
  const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

  const structuredClone = (...parameters) => {
    if (parameters.length === 0) throw new TypeError('The "value" argument must be specified');
    const [root, options] = parameters;
    const moved = new Set(options?.transfer ?? []);
    const copies = new Map();
    const copy = (value) => {
      if (typeof value === "symbol" || typeof value === "function") refuse(value);
      if (typeof value !== "object" || value === null) return value;
      if (copies.has(value)) return copies.get(value);
      const keep = (made) => (copies.set(value, made), made);
      const fill = (made) => {
        for (const key of Object.keys(value)) made[key] = copy(value[key]);
        return made;
      };
      switch (native.kind(value)) {
        case "":
        case "Module":
          return fill(keep({}));
        case "Array": {
          const made = keep(new Array(value.length));
          return fill(made);
        }
        case "Date":
          return keep(new Date(value.getTime()));
        case "RegExp":
          return keep(new RegExp(value.source, value.flags));
        case "Map": {
          const made = keep(new Map());
          for (const [key, entry] of [...value]) made.set(copy(key), copy(entry));
          return made;
        }
        case "Set": {
          const made = keep(new Set());
          for (const entry of [...value]) made.add(copy(entry));
          return made;
        }
        case "Error": {
          const made = keep(Object.create((ERRORS[value.name] ?? Error).prototype));
          const error = new (ERRORS[value.name] ?? Error)(
            value.message,
            Object.hasOwn(value, "cause") ? { cause: copy(value.cause) } : undefined,
          );
          copies.set(value, error);
          Object.defineProperty(error, "stack", { value: value.stack, writable: true, configurable: true });
          return made && error;
        }
        case "ArrayBuffer":
          return keep(value.slice(0));
        case "SharedArrayBuffer":
          return keep(value);
        case "TypedArray": {
          const Class =
            globalThis[
              Object.getPrototypeOf(Uint8Array.prototype)[Symbol.toStringTag] ??
                Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, value)
            ];
          return keep(new Class(copy(value.buffer), value.byteOffset, value.length));
        }
        case "DataView":
          return keep(new DataView(copy(value.buffer), value.byteOffset, value.byteLength));
        case "Number":
        case "String":
        case "Boolean":
        case "BigInt":
          return keep(Object(value.valueOf()));
        default:
          return refuse(value);
      }
    };
    const result = copy(root);
    for (const buffer of moved) if (typeof buffer.transfer === "function") buffer.transfer();
    return result;
  };
  return { structuredClone };
};
