/** Fills an index with issues of one report each, as `@sentry/browser` reports them. */
import { runInDurableObject } from "cloudflare:test";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import { toSearchText } from "#src/core/report/search-text.ts";
import type { Digest, Frame, Report } from "#src/core/report.ts";
import { SeededRandom } from "#src/core/sample/seeded-random.ts";
import { applyLog } from "#src/store/index/apply/apply-log.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { createReport } from "#support/reports/reports.ts";
import { getIndex, NOW_MS } from "./store.ts";

/** Rows of one transaction, about as many as a shard sends under load. */
const BATCH_ROWS = 100;
const DAY_MS = 86_400_000;
const ORIGIN = "https://shop.example";
const WORDS = (
  "cart price order basket user session token route widget table chart modal dialog button " +
  "payment invoice address country currency discount coupon shipping tax total gateway profile " +
  "avatar image upload stream buffer socket channel event handler promise worker module loader"
).split(" ");

/** The digest of `createBrowserError(n)`. */
export function toErrorDigest(n: number): Digest {
  const random = new SeededRandom(`digest ${n}`);
  return digestFromHash(Uint8Array.from({ length: 5 }, () => random.nextInt(256)));
}

/** Browser error number `n`, with an issue of its own: ten frames, five tags, 40 releases. */
export function createBrowserError(n: number): Report {
  const random = new SeededRandom(`error ${n}`);
  const name = () => `${random.pick(WORDS)}${random.nextInt(900)}`;
  const frame = (inApp: boolean): Frame => {
    const path = inApp ? `assets/${name()}/${name()}.tsx` : "node_modules/react-dom/client.js";
    return { function: inApp ? name() : "performWork", file: `${ORIGIN}/${path}`, line: 9, inApp };
  };
  const version = 140 + random.nextInt(8);
  return createReport(n, {
    id: random.nextHexId(),
    digest: toErrorDigest(n),
    side: "browser",
    format: "sentry",
    grouping: {
      version: 1,
      parts: [
        { role: "type", value: "TypeError" },
        { role: "message", value: `property: ${n.toString(36)} of undefined` },
        { role: "file", value: `src/${n % 900}/cart.tsx` },
      ],
    },
    type: random.pick(["TypeError", "RangeError", "ReferenceError", "NetworkError"]),
    message: `Cannot read properties of undefined (reading '${name()}') of ${name()} ${n}`,
    frames: Array.from({ length: 10 }, (_, at) => frame(at % 2 === 0)),
    release: `shop@1.${random.nextInt(20)}.${random.nextInt(2)}`,
    environment: random.pick(["production", "staging", "preview"]),
    request: {
      url: `${ORIGIN}/${random.pick(WORDS)}/${random.nextInt(500)}?step=2`,
      route: `/${random.pick(WORDS)}/:id`,
      userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
    },
    tags: [
      ["tenant", `t${random.nextInt(50)}`],
      ["plan", random.pick(["free", "pro"])],
      ["region", random.pick(["eu", "us", "ap"])],
      ["flag", random.pick(["a", "b"])],
      ["build", `b${random.nextInt(30)}`],
    ],
    userSketch: "0a1",
    occurredAtMs: NOW_MS - random.nextInt(20 * DAY_MS),
  });
}

/** Applies errors number `from` to `to` - 1 to an index. Returns its size in bytes. */
export function addIssues(from: number, to: number, stub = getIndex()): Promise<number> {
  return runInDurableObject(stub, (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    for (let first = from; first < to; first += BATCH_ROWS) {
      const length = Math.min(BATCH_ROWS, to - first);
      const rows = Array.from({ length }, (_, at) => {
        const report = createBrowserError(first + at);
        const summary = summarizeReport(report, `2026112117/many.00000009:${first + at}`);
        return { seq: 0, summary, searchText: toSearchText(report) };
      });
      tables.transaction(() => applyLog(tables, rows, NOW_MS));
    }
    return storage.sql.databaseSize;
  });
}
