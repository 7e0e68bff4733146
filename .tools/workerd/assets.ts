// The files of the build as Cloudflare serves them with the settings of wrangler.toml
// (html_handling = "drop-trailing-slash"): the path of each file, the redirects to it, those of
// `_redirects`, and the rules of `_headers`.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { listFiles } from "../command/list-files.ts";
import type { Route, Rule } from "./front.mjs";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};
/** Settings of the upload, which are not served. */
const SETTINGS = ["/_headers", "/_redirects", "/.assetsignore"];

/** The paths and the rules of a folder. */
export function readFiles(folder: string): { routes: Record<string, Route>; rules: Rule[] } {
  const routes: Record<string, Route> = {};
  const files = listServedFiles(folder);
  for (const file of files) {
    const page = /^(.*?)(?:\/index)?\.html$/.exec(file)?.[1];
    const path = page === undefined ? file : page || "/";
    const hash = createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    routes[path] = { file: encodeURI(file), type, etag: `"${hash.slice(0, 32)}"` };
    if (page === undefined) continue;
    for (const end of [".html", "/", "/index", "/index.html"]) {
      const other = page + end;
      if (other === path || (other !== file && files.includes(other))) continue;
      routes[other] = { redirect: path };
    }
  }
  return {
    routes: { ...routes, ...readRedirects(join(folder, "_redirects")) },
    rules: readRules(join(folder, "_headers")),
  };
}

/** Reads a `_redirects` file: lines of a path, another one, and a status. */
function readRedirects(file: string): Record<string, Route> {
  const lines = read(file).split("\n").filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [from = "", redirect = "", status] = line.split(" ");
      return [from, { redirect, status: Number(status) }];
    }),
  );
}

/** Every file that is served, as a path. */
function listServedFiles(folder: string): string[] {
  const ignored = read(join(folder, ".assetsignore")).split("\n").filter(Boolean);
  return listFiles(folder)
    .map((file) => `/${file}`)
    .filter((file) => !SETTINGS.includes(file))
    .filter((file) => !ignored.some((name) => file.startsWith(`/${name}/`)));
}

/** Reads a `_headers` file: a path with `*`, and below it indented headers. */
function readRules(file: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of read(file).split("\n")) {
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const rule = rules.at(-1);
    if (name !== undefined && value !== undefined && rule) rule.headers[name] = value;
    else if (line.startsWith("/")) {
      const escaped = line.trim().replace(/[\\^$+?.()|[\]{}]/g, "\\$&");
      rules.push({ pattern: `^${escaped.replaceAll("*", ".*")}$`, headers: {} });
    }
  }
  return rules;
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
