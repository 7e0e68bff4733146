// `npm run replay`: sends every capture in tests/fixtures to Errata, as its client did, and looks on the desk for each
// error among them: by its digest, its event id or its Next.js digest. ERRATA_URL names a running Errata; without it the
// product is built and served for as long as this takes. Ends with 1 when an error is not found.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.mjs";
import { outcomesOf } from "./outcomes.mjs";
import { readHeaders } from "./read-headers.mjs";
import { root, toolEnv } from "./run.mjs";

/** What of a capture's headers is sent again; the rest is the connection's own. */
const sentHeaders =
  /^(content-type|content-encoding|user-agent|origin|access-control-request-.*)$/i;
const fixtures = join(root, "tests", "fixtures");
const { url, stop } = await errata();
const rows = [];
const names = readdirSync(fixtures).filter((name) => name.endsWith(".json"));
for (const [i, name] of names.entries()) {
  progress(`${i + 1}/${names.length} ${name}`);
  rows.push(
    await replay(
      name.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(fixtures, name), "utf8")),
    ),
  );
}
progress("");
await stop();

console.log(table(rows));
const lost = rows.filter(({ lost }) => lost > 0).length;
const refused = rows.filter(({ status }) => status >= 300).length;
console.log(
  `\n${rows.length} captures: ${refused} refused, ${lost} with an error that is not on the desk.`,
);
process.exitCode = refused + lost > 0 ? 1 : 0;

/**
 * Sends one capture and looks for what it reported.
 *
 * @param {string} name
 * @param {Capture} capture
 */
async function replay(name, capture) {
  const response = await fetch(`${url}/monitoring`, requestOf(capture));
  await response.arrayBuffer();
  const outcomes = outcomesOf(response.headers.get("errata-outcome") ?? "");
  const accepted = outcomes.filter(({ outcome }) => outcome === "accepted");
  const codes = accepted.flatMap(({ id, digest }) => [id, digest]);
  const nextDigest = capture.digestInHtmlSource ?? capture.onRequestError?.error.digest;
  if (nextDigest) codes.push(nextDigest);
  const found = await Promise.all(codes.map(async (code) => ({ code, hit: await lookUp(code) })));
  const [first] = found.filter(({ hit }) => hit !== undefined);
  return {
    name,
    status: response.status,
    became: summaryOf(outcomes.map(({ outcome, item }) => `${outcome} ${item}`)),
    foundBy:
      accepted.length === 0 ? "" : [...new Set(found.map(({ code }) => formOf(code)))].join(", "),
    title: first?.hit?.title ?? "",
    lost: found.filter(({ hit }) => hit === undefined).length,
  };
}

/** @param {Capture} capture @returns {RequestInit} */
function requestOf({ request, body, bodyBase64, onRequestError }) {
  if (onRequestError) return { method: "POST", body: JSON.stringify(onRequestError) };
  const headers = (request?.headers ?? []).filter(([name]) => sentHeaders.test(name));
  const method = request?.method ?? "POST";
  if (method === "OPTIONS") return { method, headers };
  return { method, headers, body: bodyBase64 ? Buffer.from(bodyBase64, "base64") : (body ?? "") };
}

/** The desk's first answer to a code. @param {string} code */
async function lookUp(code) {
  const response = await fetch(`${url}/lookup?q=${encodeURIComponent(code)}`, {
    headers: readHeaders(),
  });
  /** @type {{ hits: { title: string }[] }} */
  const { hits } = await response.json();
  return hits[0];
}

/** A running Errata, or one of our own with an empty store. */
async function errata() {
  const given = process.env.ERRATA_URL;
  if (given) return { url: given.replace(/\/$/, ""), stop: async () => {} };
  console.log("Building …");
  const built = await build();
  if (!built.ok) throw new Error(built.message);
  Object.assign(process.env, toolEnv);
  const { serve } = await import("./serve.mjs");
  const statePath = mkdtempSync(join(tmpdir(), "errata-replay-"));
  const served = await serve({
    statePath,
    isLocalOpen: true,
    log: ({ message }) => console.error(message),
  });
  const stopServing = async () => {
    await served.stop();
    rmSync(statePath, { recursive: true, force: true });
  };
  return { url: served.url, stop: stopServing };
}

/** @param {string} code */
function formOf(code) {
  if (/^[0-9a-f]{32}$/.test(code)) return "report id";
  return /^\d+$/.test(code) ? "Next.js digest" : "digest";
}

/** `accepted event ×2`. @param {string[]} words */
function summaryOf(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => (count > 1 ? `${word} ×${count}` : word)).join(", ");
}

/** @param {typeof rows} rows */
function table(rows) {
  const cells = rows.map((row) => [
    row.name,
    String(row.status),
    row.became,
    row.lost > 0 ? "NOT FOUND" : row.foundBy,
    row.title,
  ]);
  const lines = [["capture", "status", "became", "found by", "as"], ...cells];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.slice(0, 60).padEnd(Math.min(widths[i] ?? 0, 60)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

/**
 * @typedef {object} Capture
 * @property {{ method: string, headers: [string, string][] }} [request]
 * @property {string} [body]
 * @property {string} [bodyBase64]
 * @property {string} [digestInHtmlSource]
 * @property {{ error: { digest?: string } }} [onRequestError]
 */
