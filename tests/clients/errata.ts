/**
 * The built product as clients and members use it: an address, a DSN, and the pages where the
 * reports must appear. Nothing in the product is replaced; the tests read the clients' requests on
 * the wire.
 */
import { type APIRequestContext, request } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { serve } from "../../.tools/local/serve.ts";
import type { Report } from "../../src/core/report.ts";
import { readNowMs } from "../support/clock/clock.ts";
import { eventually } from "../support/eventually.ts";
import { createCertificate } from "../support/http/certificate.ts";

const key = "0123456789abcdef0123456789abcdef";
const serverKey = `errata_server_${"fedcba9876543210".repeat(2)}`;

/** One report as JSON, with the title of its issue. */
interface FoundReport {
  readonly title: string;
  readonly url: string;
  readonly report: Report;
}

/** The running product. */
export interface Errata {
  readonly url: string;
  /** The DSN with the public key, for pages. */
  readonly dsn: string;
  /** The DSN with the server key. */
  readonly serverDsn: string;
  /** The certificate's SPKI hash, for a browser that must accept it; empty over http. */
  readonly spki: string;
  /** Resolves to the one report that a lookup of `pasted` finds, as soon as it is stored. */
  readonly find: (pasted: string) => Promise<FoundReport>;
  /**
   * Resolves to a report of this kind and type about the address `from`, as soon as it is stored:
   * of an open issue, or of those that match a query.
   */
  readonly findReport: (of: ReportType, from: string, query?: string) => Promise<Report>;
  /** The JSON response at this path. */
  readonly json: (path: string) => Promise<unknown>;
}

/** Identifies a report that has no id of its own. */
interface ReportType {
  readonly kind: Report["kind"];
  readonly type: string;
}

/** Serves the product with an empty store, for all tests of a file. */
export function openErrata({ https = false } = {}): Errata {
  const tls = https
    ? createCertificate(["localhost", "127.0.0.1"], new Date(readNowMs()))
    : undefined;
  let served: Awaited<ReturnType<typeof serve>>;
  let desk: APIRequestContext;
  beforeAll(async () => {
    const vars = { ERRATA_RELEASE: "errata@1" };
    served = await serve({ key, serverKey, tls, vars, isLocalOpen: true });
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

  const formatDsn = (username: string) => {
    const { protocol, host } = new URL(served.url);
    return `${protocol}//${username}@${host}/1`;
  };
  const json = async (path: string) => (await desk.get(path)).json();

  return {
    get url() {
      return served.url;
    },
    get dsn() {
      return formatDsn(key);
    },
    get serverDsn() {
      return formatDsn(serverKey);
    },
    get spki() {
      return tls?.spki ?? "";
    },
    async find(pasted) {
      const hit = await eventually(async () => {
        const { hits } = await json(`/lookup?q=${encodeURIComponent(pasted)}`);
        expect(hits, `what ${JSON.stringify(pasted)} leads to`).toHaveLength(1);
        return hits[0] as { title: string; url: string };
      });
      const response = await json(hit.url);
      return { ...hit, report: hit.url.includes("report=") ? response : response.reports[0] };
    },
    json,
    findReport({ kind, type }, from, query = "is:open") {
      return eventually(async () => {
        const list = await json(`/issues?q=${encodeURIComponent(query)}`);
        const { issues } = list as { issues: (ReportType & { digest: string })[] };
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
