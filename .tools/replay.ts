// `npm run replay`: sends every capture in tests/fixtures to Errata like its client, and looks up
// each error by its digest, its event id and its Next.js digest. ERRATA_URL names a running Errata;
// without it the command builds and serves a temporary one. Exits with 1 when a lookup finds no
// error.

import { buildOrQuit } from "./build/build.ts";
import { parseOptions, showProgress } from "./command/command-line.ts";
import { formatTable } from "./command/figures.ts";
import { serve } from "./local/serve.ts";
import {
  type Capture,
  listCaptures,
  parseOutcomes,
  readCapture,
  readJson,
  toRequest,
} from "./reports/captures.ts";

parseOptions({});
const { url, stop } = await openErrata();
const rows: Row[] = [];
for (const name of listCaptures()) {
  showProgress(name);
  rows.push(await replay(name, readCapture(name)));
}
showProgress("");
await stop();

const cells = rows.map(({ name, status, became, lost, foundBy, title }) => [
  ...[name, String(status), became, lost > 0 ? "NOT FOUND" : foundBy, title.slice(0, 60)],
]);
const lines = formatTable(["capture", "status", "became", "found by", "as"], cells);
console.log(lines.join("\n"));
const lost = rows.filter(({ lost }) => lost > 0).length;
const refused = rows.filter(({ status }) => status >= 300).length;
console.log(
  `${rows.length} captures: ${refused} refused, ${lost} with an error that was not found.`,
);
process.exitCode = refused + lost > 0 ? 1 : 0;

interface Row {
  name: string;
  status: number;
  became: string;
  foundBy: string;
  title: string;
  /** Codes that the lookup does not find. */
  lost: number;
}

/** Sends a capture and looks up what it reported. */
async function replay(name: string, capture: Capture): Promise<Row> {
  const response = await fetch(`${url}/monitoring`, toRequest(capture));
  await response.arrayBuffer();
  const outcomes = parseOutcomes(response.headers.get("errata-outcome") ?? "");
  const accepted = outcomes.filter(({ outcome }) => outcome === "accepted");
  const codes = accepted.flatMap(({ id, digest }) => [id, digest]);
  const nextDigest = capture.digestInHtmlSource ?? capture.onRequestError?.error.digest;
  if (nextDigest) codes.push(nextDigest);
  const found = await Promise.all(codes.map(async (code) => ({ code, hit: await lookUp(code) })));
  const [first] = found.filter(({ hit }) => hit !== undefined);
  return {
    name,
    status: response.status,
    became: summarize(outcomes.map(({ outcome, item }) => `${outcome} ${item}`)),
    foundBy:
      accepted.length === 0
        ? ""
        : [...new Set(found.map(({ code }) => describeForm(code)))].join(", "),
    title: first?.hit?.title ?? "",
    lost: found.filter(({ hit }) => hit === undefined).length,
  };
}

/** The first hit of a code. */
async function lookUp(code: string): Promise<{ title: string } | undefined> {
  return (await readJson(`${url}/lookup?q=${encodeURIComponent(code)}`)).hits[0];
}

/** The running Errata of ERRATA_URL, or a new one with an empty store. */
async function openErrata() {
  const given = process.env.ERRATA_URL;
  if (given) return { url: given.replace(/\/$/, ""), stop: async () => {} };
  console.log("Building …");
  await buildOrQuit();
  return serve({ isLocalOpen: true, log: ({ message }) => console.error(message) });
}

function describeForm(code: string) {
  if (/^[0-9a-f]{32}$/.test(code)) return "report id";
  return /^\d+$/.test(code) ? "Next.js digest" : "digest";
}

/** `accepted event ×2`. */
function summarize(words: string[]) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => (count > 1 ? `${word} ×${count}` : word)).join(", ");
}
