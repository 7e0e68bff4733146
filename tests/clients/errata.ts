/**
 * The built product as a client meets it: an address, a DSN, and the desk, where what was sent must be found. Nothing of the
 * product is replaced; what the clients sent is read from the wire.
 */
import { type APIRequestContext, request } from "playwright-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { serve } from "../../.tools/serve.ts";
import type { Report } from "../../src/core/report.ts";

const key = "0123456789abcdef0123456789abcdef";
/** Chromium holds reports back for a while, and what else runs on the machine is not known. */
const soonMs = 20_000;

/** What `look` returns, as soon as it no longer throws. Rejects with what it threw last. */
export function soon<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: soonMs, interval: 50 });
}

/** One report as the desk gives it, with the title of its issue. */
export interface Found {
  readonly title: string;
  readonly url: string;
  readonly report: Report;
}

/** What a test works with, while it runs. */
export interface Errata {
  readonly url: string;
  readonly dsn: string;
  /** What a real browser must be told to accept the certificate; empty over http. */
  readonly spki: string;
  /** The one report that `pasted` leads to, as soon as the desk has it. */
  readonly find: (pasted: string) => Promise<Found>;
  /** A report of this kind and type about the address `from`, as soon as the desk has it. */
  readonly findReport: (of: Kind, from: string) => Promise<Report>;
  /** What the desk answers at this path, as JSON. */
  readonly json: (path: string) => Promise<unknown>;
}

/** What is known of a report that has no id of its own. */
export interface Kind {
  readonly kind: Report["kind"];
  readonly type: string;
}

/** Serves the product with an empty store, for all tests of a file. */
export function openErrata({ https = false } = {}): Errata {
  let served: Awaited<ReturnType<typeof serve>>;
  let desk: APIRequestContext;
  beforeAll(async () => {
    served = await serve({ key, https, vars: { ERRATA_RELEASE: "errata@1" }, isLocalOpen: true });
    const extraHTTPHeaders = { accept: "application/json" };
    desk = await request.newContext({
      baseURL: served.url,
      ignoreHTTPSErrors: true,
      extraHTTPHeaders,
    });
  });
  afterAll(async () => {
    await desk?.dispose();
    await served?.stop();
  });

  const json = async (path: string) => (await desk.get(path)).json();

  return {
    get url() {
      return served.url;
    },
    get dsn() {
      const { protocol, host } = new URL(served.url);
      return `${protocol}//${key}@${host}/1`;
    },
    get spki() {
      return served.spki ?? "";
    },
    async find(pasted) {
      const hit = await soon(async () => {
        const { hits } = await json(`/lookup?q=${encodeURIComponent(pasted)}`);
        expect(hits, `what ${JSON.stringify(pasted)} leads to`).toHaveLength(1);
        return hits[0] as { title: string; url: string };
      });
      const answer = await json(hit.url);
      return { ...hit, report: hit.url.includes("report=") ? answer : answer.reports[0] };
    },
    json,
    findReport({ kind, type }, from) {
      return soon(async () => {
        const { issues } = (await json("/")) as { issues: (Kind & { digest: string })[] };
        const digests = issues.filter((issue) => issue.kind === kind && issue.type === type);
        const known = await Promise.all(digests.map(({ digest }) => json(`/d/${digest}`)));
        const reports: Report[] = known.flatMap(({ reports }) => reports);
        const arrived = issues.map((issue) => `${issue.kind} ${issue.type}`).join(", ");
        const found = reports.filter(({ request }) => request?.url === from);
        expect(found, `${kind} ${type} from ${from} among ${arrived}`).not.toHaveLength(0);
        return found[0] as Report;
      });
    },
  };
}
