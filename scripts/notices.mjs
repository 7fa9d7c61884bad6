// Writes pkg/THIRD-PARTY.md: whose code is in the modules, and under which licences, as those licences ask.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { moduleCrates, shipped } from "./crates.mjs";

/** The texts of a crate's licence; where there is a choice, MIT. */
function licenceText({ name, license, manifest_path }) {
  const folder = dirname(manifest_path);
  let files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file)).sort();
  if (!license.includes(" AND ")) files = [files.find((file) => /mit/i.test(file)) ?? files[0] ?? []].flat();
  if (files.length === 0) return `The package of ${name} carries no text of its licence.`;
  return files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
}

const modules = Object.keys(shipped);
const crates = new Map();
for (const module of modules) {
  for (const crate of moduleCrates(module)) {
    const { carriers } = crates.get(crate.id) ?? { carriers: [] };
    crates.set(crate.id, { crate, carriers: [...carriers, module] });
  }
}
const users = new Map();
for (const { crate, carriers } of crates.values()) {
  const text = licenceText(crate);
  const where = carriers.length === modules.length ? "" : `, in ${carriers.join(" and ")}`;
  users.set(text, [...(users.get(text) ?? []), `${crate.name} ${crate.version} (${crate.license}${where})`]);
}
const parts = [...users].map(([text, crates]) => `## ${crates.join(", ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`);
const head = `# Third-party code in the modules

${modules.join(" and ")} are compiled from the crates below and from Rust's standard library (MIT or Apache-2.0, the Rust project's developers).
`;
writeFileSync(new URL("../pkg/THIRD-PARTY.md", import.meta.url), `${head}\n${parts.join("\n")}`);
