// Writes the types of what crosses the border, from the JSON Schemas that scripts/types.rs prints:
//
//   cargo run --features testing --example types | node scripts/types.mjs [--check]
//
// With --check it writes nothing and fails if the file is not what it would write. It knows the few shapes that our
// types give and refuses any other, so that nothing becomes `unknown` by accident.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../pkg/src/generated.ts", import.meta.url);
const WIDTH = 120;
const HEAD = `// Made by scripts/types.mjs from src/protocol of the crate. Change it there, then run ./dev types.
`;

/** Says nothing about the shape of a value. */
const SILENT = ["description", "default", "format", "minimum"];

const quoted = (texts) => texts.map((text) => JSON.stringify(text));

/** A comment, without the numbers of rules, which are for those who change the crate. */
function comment({ description }, indent) {
  if (!description) return "";
  const text = description.replace(/\s*\(((([A-Z]{2}-\d+)(, )?)+)\)/g, "").replace(/\[(`[^`]+`)\]/g, "$1").replace(/\s+/g, " ");
  const rows = [""];
  for (const word of text.split(" ")) {
    const row = rows.at(-1);
    if (row && `${indent} * ${row} ${word}`.length > WIDTH) rows.push(word);
    else rows.push([rows.pop(), word].filter(Boolean).join(" "));
  }
  if (rows.length === 1 && `${indent}/** ${text} */`.length <= WIDTH) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${rows.map((row) => `${indent} * ${row}\n`).join("")}${indent} */\n`;
}

/** The same without null: a member that may be left out is not written as null. */
function withoutNull(schema) {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.filter(({ type }) => type !== "null") } : schema;
}

/** The types of one direction: what the core reads, or what it writes and nobody changes. */
function direction(read) {
  const readonly = read ? "" : "readonly ";

  function type(schema, indent = "") {
    if (schema === true) return "unknown";
    const { $ref, const: constant, enum: texts, type: named, anyOf, oneOf, items, properties, required, additionalProperties, ...rest } = schema;
    const strange = Object.keys(rest).filter((keyword) => !SILENT.includes(keyword));
    if (strange.length > 0) throw new Error(`scripts/types.mjs knows no ${strange.join(", ")}: ${JSON.stringify(schema)}`);
    if ($ref) return $ref.replace("#/$defs/", "");
    if (constant !== undefined) return JSON.stringify(constant);
    if (texts) return quoted(texts).join(" | ");
    if (anyOf) return anyOf.map((one) => type(one, indent)).join(" | ");
    if (oneOf) return union(schema, indent);
    if (Array.isArray(named)) return named.map((one) => type({ ...schema, type: one }, indent)).join(" | ");
    if (named === "array") {
      const item = type(items, indent);
      return `${readonly}${/^[\w"]+$/.test(item) ? item : `(${item})`}[]`;
    }
    if (named === "object" && properties) return object(schema, indent);
    if (named === "object") return map(additionalProperties);
    const simple = { null: "null", string: "string", boolean: "boolean", integer: "number", number: "number", undefined: "unknown" }[named];
    if (!simple) throw new Error(`scripts/types.mjs knows no type ${named}`);
    return simple;
  }

  /** An object whose members have any names. What comes out and has no type is `any`: it is looked at, not trusted. */
  function map(values) {
    if (values === undefined) return "{}";
    return `{ ${readonly}[member: string]: ${values !== true ? type(values) : read ? "unknown" : "any"} }`;
  }

  function object({ properties, required = [] }, indent) {
    const members = Object.entries(properties).map(([name, schema]) => {
      const needed = required.includes(name);
      const value = type(needed ? schema : withoutNull(schema), `${indent}  `);
      const absent = needed || !read || value === "unknown" ? "" : " | undefined";
      return `${comment(schema, `${indent}  `)}${indent}  ${readonly}${name}${needed ? "" : "?"}: ${value}${absent};\n`;
    });
    return `{\n${members.join("")}${indent}}`;
  }

  /** One of several shapes, each with its comment; beside members that all have, if there are such. */
  function union({ oneOf, ...shared }, indent) {
    const inner = `${indent}${shared.properties ? "      " : "  "}`;
    const shapes = oneOf.map((one) => `\n${comment(one, inner)}${inner}| ${type(one, inner)}`).join("");
    return shared.properties ? `${object(shared, indent)} & (${shapes}\n${indent}  )` : shapes;
  }

  /** A declaration with its comment. */
  return function declare(name, schema) {
    const { properties, oneOf, enum: texts } = schema;
    if (properties && !oneOf) return `${comment(schema, "")}export interface ${name} ${type(schema)}\n`;
    const short = type(schema);
    const value = texts && short.length > 80 ? `\n  | ${quoted(texts).join("\n  | ")}` : short;
    return `${comment(schema, "")}export type ${name} =${value.startsWith("\n") ? "" : " "}${value};\n`;
  };
}

/** The whole file. */
function written({ input, output, limits }) {
  for (const name of Object.keys(input)) if (name in output) throw new Error(`${name} goes in and comes out: give it two names.`);
  const declared = (defs, read) => Object.entries(defs).map(([name, schema]) => direction(read)(name, schema));
  const bounds = Object.entries(limits).map(([name, { description, value }]) => `${comment({ description }, "")}export const ${name} = ${value};\n`);
  return [HEAD, ...bounds, ...declared(input, true), ...declared(output, false)].join("\n");
}

const text = written(JSON.parse(readFileSync(0, "utf8")));
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.log("pkg/src/generated.ts does not say what src/protocol says: run ./dev types and commit what it changes.");
  process.exitCode = 1;
}
