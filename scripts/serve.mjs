// A server of static files for pages of this repository: node scripts/serve.mjs serves the playground.
// It gives out what is below the named folders and nothing else, to this machine only, under a strict policy.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const repository = new URL("../", import.meta.url);

/** What pages need: no inline script, no eval, nothing from elsewhere. */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

const types = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  jsonl: "application/jsonl; charset=utf-8",
  map: "application/json",
  mjs: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
};

/** What the playground is made of. */
export const playground = ["www", "pkg/demo", "pkg/dist", "pkg/wasm", "pkg/programs"];

/**
 * Serves folders below a root, which is the repository. Without a port, any free one. Gives the origin and how to stop.
 */
export async function serve({ root = repository, folders = playground, port = 0, policy = POLICY } = {}) {
  const site = { root, folders, policy };
  const server = createServer((request, response) => void answer(site, request, response));
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer({ root, folders, policy }, { method, url }, response) {
  if (method !== "GET" && method !== "HEAD") return refuse(response, 405);
  const path = asked(url);
  // Browsers ask for it unasked.
  if (path === "favicon.ico") return response.writeHead(204).end();
  if (path === "") return response.writeHead(302, { location: "/www/" }).end();
  if (!folders.some((folder) => path?.startsWith(`${folder}/`))) return refuse(response, 404);
  const file = new URL(path.endsWith("/") ? `${path}index.html` : path, root);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return refuse(response, 404);
  response.writeHead(200, {
    "content-type": types[file.pathname.slice(file.pathname.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    "content-length": found.size,
    "content-security-policy": policy,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (method === "HEAD") return response.end();
  createReadStream(file).on("error", () => response.destroy()).pipe(response);
}

/** The path that an address names, from the root, or nothing if it leads elsewhere. */
function asked(url) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname).slice(1);
    const strange = path.includes("\\") || path.includes("\0") || path.split("/").some((part) => part.startsWith("."));
    return strange ? undefined : path;
  } catch {
    return undefined;
  }
}

function refuse(response, status) {
  response.writeHead(status, { "content-type": "text/plain", "content-security-policy": POLICY }).end(`${status}\n`);
}

/** The playground on the port that PORT names, else on 8080 or the next free one. */
async function main() {
  const wanted = Number(process.env.PORT || 8080);
  for (let port = wanted; ; port += 1) {
    try {
      const { origin } = await serve({ port });
      return console.log(`The playground is at ${origin}/ (Ctrl+C ends it).`);
    } catch (error) {
      const taken = error.code === "EADDRINUSE" && !process.env.PORT && port < wanted + 100;
      if (!taken) throw new Error(`Port ${port} cannot be used (${error.code ?? error.message}): name another with PORT=….`);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
