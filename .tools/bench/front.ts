// The CPU time of a page of 45 kB behind the Worker in front of a site, and what the front adds to a
// Worker that passes the page on.

import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { frontFile } from "../build/front.ts";
import { createTemporaryFolder, showProgress } from "../command/command-line.ts";
import { computeMedian, formatTable, formatWhole } from "../command/figures.ts";
import { listen } from "../local/port.ts";
import { createClient } from "../rig/client.ts";
import { startFront } from "../rig/front.ts";
import { sendLoad } from "../rig/load.ts";
import { SERVER_KEY } from "../rig/plain-workerd.ts";
import { watchProcess } from "../rig/processes.ts";

const ROWS = 118;
const CHUNK_BYTES = 4_096;
const CONNECTIONS = 8;
const ROUNDS = 5;
const WARM_UP_MS = 2_000;

const PASS = "export default { fetch: (request) => fetch(request) };";

/** The kinds of pages, by their path. */
const PAGES = {
  "/page": "45 kB",
  "/policy": "45 kB with a policy and a nonce",
  "/chunks": "45 kB in chunks of 4 kB",
  "/gzip": "45 kB, compressed by the site",
} as const;

const NAVIGATION = {
  accept: "text/html,*/*",
  "accept-encoding": "gzip",
  "sec-fetch-dest": "document",
};

/** Measures each page behind the front and behind a Worker that passes it on, in turn. */
export async function measureFront(seconds: number): Promise<string[]> {
  const passFile = join(createTemporaryFolder(), "pass.js");
  writeFileSync(passFile, PASS);
  const site = createServer(({ url = "" }, response) => sendPage(url, response));
  const sitePort = await listen(site, 0, "127.0.0.1");
  const vars = { ERRATA_DSN: `https://${SERVER_KEY}@errata.example/1` };
  const sides = await Promise.all(
    [passFile, frontFile].map(async (workerFile) => {
      const front = await startFront({ workerFile, sitePort, vars });
      return { front, client: createClient(() => front.port), watch: watchProcess(front.pid) };
    }),
  );
  try {
    const rows: string[][] = [];
    for (const [path, title] of Object.entries(PAGES)) {
      const figures: number[][] = [[], []];
      const requests = { method: "GET" as const, path, headers: NAVIGATION, status: 200 };
      for (const { client } of sides) {
        showProgress(`front: warm-up of ${path}`);
        await sendLoad(client, requests, { connections: CONNECTIONS, ms: WARM_UP_MS });
      }
      for (let round = 0; round < ROUNDS; round++) {
        showProgress(`front: ${path}, round ${round + 1} of ${ROUNDS}`);
        // Every second round in reverse order.
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        for (const nth of order) {
          const side = sides[nth];
          if (side === undefined) continue;
          side.watch.takeCpuMs();
          const run = { connections: CONNECTIONS, ms: seconds * 1000 };
          const { answered } = await sendLoad(side.client, requests, run);
          figures[nth]?.push((side.watch.takeCpuMs() * 1000) / answered);
        }
      }
      const [passed = [], dressed = []] = figures;
      const added = dressed.map((us, round) => us - (passed[round] ?? Number.NaN));
      rows.push([
        title,
        formatWhole(computeMedian(passed)),
        formatWhole(computeMedian(dressed)),
        `${formatWhole(computeMedian(added))} ± ${formatWhole((Math.max(...added) - Math.min(...added)) / 2)}`,
      ]);
    }
    const heads = ["a page through a Worker", "passed on, CPU µs", "with the front", "added"];
    return formatTable(heads, rows);
  } finally {
    for (const { front, client } of sides) {
      client.close();
      await front.stop();
    }
    site.close();
    site.closeAllConnections();
  }
}

const row = (n: number) =>
  `<tr id="row-${n}"><td><a href="/orders/${n}">Order ${n}</a></td><td class="amount">${n * 7} EUR</td>${"<td>A line of a table, as shops have them, with some words in it</td>".repeat(3)}<td><button type="button" data-n="${n}">Open</button></td></tr>\n`;
const HTML = Buffer.from(
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Orders</title><link rel="stylesheet" href="/style.css"></head><body><table>${Array.from({ length: ROWS }, (_, n) => row(n)).join("")}</table><script src="/app.js"></script></body></html>\n`,
);
const COMPRESSED = gzipSync(HTML);
const POLICY =
  "default-src 'self'; script-src 'nonce-r4nd0m' 'strict-dynamic'; object-src 'none'; report-uri /csp";

function sendPage(path: string, response: ServerResponse): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (path === "/policy") response.setHeader("content-security-policy", POLICY);
  if (path === "/gzip") {
    response.setHeader("content-encoding", "gzip");
    response.end(COMPRESSED);
    return;
  }
  if (path === "/chunks") {
    for (let at = 0; at < HTML.length; at += CHUNK_BYTES) {
      response.write(HTML.subarray(at, at + CHUNK_BYTES));
    }
    response.end();
    return;
  }
  response.end(HTML);
}
