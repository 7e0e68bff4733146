// Reads everything that a running store shows to programs, without changing it.

import { runInLanes } from "../../../.tools/command/tasks.ts";
import { type FilledStore, settleJobs } from "./fill-store.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

const LANES = 6;
/** The queries of lists; each of them in every order. */
const QUERIES = [
  ...["", "is:open", "is:resolved", "is:ignored", "is:muted", "is:noise", "is:regressed"],
  ...["env:staging", "release:shop@5.0.0", 'assigned:"Grace Hopper"', "trust:public", "trust:page"],
  ...[
    "tag.region:eu",
    "-env:production",
    "is:open voucher",
    "url:/cart",
    "kind:csp",
    "browser:chrome",
  ],
];
const SORTS = ["last", "first", "count", "users"];
/** Members whose values depend on the moment of the reading, not on what is stored. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  ...["asOfMs", "oldestWaitingMs", "ageMs", "waitMs", "usedMs", "lastUsedMs"],
]);

/** What each visitor reads, by visitor and path. */
export type Reading = Readonly<Record<string, unknown>>;

/** Reads the store with the jobs that it has finished. The exports come last: they drain spools. */
export async function readStore(
  url: string,
  { visitors, projects, lookups, paths, atMs }: FilledStore,
): Promise<Reading> {
  const reading: Record<string, unknown> = {};
  const people = Object.entries(visitors).map(
    ([name, credentials]) => [name, createVisitor(url, credentials)] as const,
  );
  const owner = createVisitor(url, visitors.owner);
  // Wakes the object of alerts, which may have something for the index.
  await owner.get("/alerts.json");
  await settleJobs(owner);
  /** A line of an export without what depends on its time, or on that of the drained spool. */
  const toStableLine = (line: string) => {
    if (!/^\{"(?:errata|daily)"/.test(line)) return line;
    const { exportedAt: _, ids, ...rest } = JSON.parse(line);
    return JSON.stringify(rest.atMs > atMs ? { ...rest, atMs: "later" } : { ...rest, ids });
  };
  const read = async (name: string, visitor: Visitor, path: string) => {
    const response = await visitor.request(path);
    const text = (await response.text()).replaceAll(new URL(url).host, "errata.example");
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const value = isJson ? JSON.parse(text, dropOfTheMoment) : text.split("\n").map(toStableLine);
    reading[`${name} ${path}`] = value;
    return value;
  };
  const readAll = (name: string, visitor: Visitor, all: readonly string[]) =>
    runInLanes(all, LANES, async (path) => {
      await read(name, visitor, path);
    });

  // Previews of erasures have expired in a dump: the first sweep deletes them.
  const kept = paths.filter((path) => !path.includes("/erase/"));
  await readAll("owner", owner, kept);
  for (const [name, visitor] of people.filter(([name]) => name !== "uploader")) {
    const pages = ["/alerts.json", "/settings/alerts.json", "/status.json", "/source-maps.json"];
    await readAll(name, visitor, ["/connect.json", "/live.json", ...pages]);
  }
  await readAll("owner", owner, ["/profile.json", "/projects.json"]);
  for (const [name, visitor] of people.filter(([name]) => /owner|member/.test(name)))
    await readAll(name, visitor, ["/alerts/preferences.json"]);
  for (const base of projects) {
    const digests = new Set<string>();
    const lists = QUERIES.flatMap((q) =>
      SORTS.map((sort) => `${base}/issues.json?${new URLSearchParams({ q, sort })}`),
    );
    await runInLanes(lists, LANES, async (list) => {
      for (let path: string | undefined = list; path !== undefined; ) {
        const { issues, next, ...page }: IssuePage = await read("owner", owner, path);
        const listed = issues.map(({ digest }) => digest);
        for (const digest of listed) digests.add(digest);
        // The list without a query has the issues in full.
        if (!path.includes("q=&")) reading[`owner ${path}`] = { ...page, issues: listed };
        path = next;
      }
    });
    const issues = [...digests].sort();
    await readAll(
      "owner",
      owner,
      issues.map((digest) => `${base}/d/${digest}.json`),
    );
    await readAll(
      "stranger",
      createVisitor(url),
      issues.map((one) => `${base}/e/${one}.json`),
    );
    const { releases } = await read("owner", owner, `${base}/releases.json`);
    await readAll(
      "owner",
      owner,
      releases.map(
        ({ name }: { name: string }) => `${base}/releases/${encodeURIComponent(name)}.json`,
      ),
    );
    const { uploads } = await read("owner", owner, `${base}/source-maps.json`);
    await readAll(
      "owner",
      owner,
      uploads.map(({ id }: { id: string }) => `${base}/source-maps/${id}.json`),
    );
    const pages = ["", "issues", "csp", "live", "status", "connect", "alerts", "settings"];
    await readAll("owner", owner, [
      ...pages.map((page) => `${base}/${page && `${page}.json`}`),
      `${base}/settings/alerts.json`,
      ...lookups.map((q) => `${base}/lookup.json?${new URLSearchParams({ q })}`),
    ]);
  }
  await readFiles(reading, (path) => read("owner", owner, path));
  await read("uploader", createVisitor(url, visitors.uploader), "/api/0/");
  for (const base of projects) {
    for (let before = ""; ; ) {
      const { entries } = await read("owner", owner, `${base}/settings/audit.json${before}`);
      const last = entries.at(-1);
      if (last === undefined) break;
      before = `?before=${last.sequence}`;
    }
  }
  for (const base of projects) await read("owner", owner, `${base}/export`);
  return Object.fromEntries(Object.entries(reading).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reads the attachments of the reports that were read. */
async function readFiles(reading: Reading, read: (path: string) => Promise<unknown>) {
  for (const [path, issue] of Object.entries(reading)) {
    const { digest, reports = [] } = issue as { digest?: string; reports?: StoredReport[] };
    if (digest === undefined) continue;
    const base = path.slice("owner ".length, path.indexOf("/d/"));
    for (const { id, attachments = [] } of reports)
      for (const n of attachments.keys())
        await read(`${base}/d/${digest}/files/${n}?report=${id}`).catch(() => undefined);
  }
}

interface IssuePage {
  readonly issues: readonly { readonly digest: string }[];
  readonly next?: string;
}

interface StoredReport {
  readonly id: string;
  readonly attachments?: readonly object[];
}

/** A reviver of JSON. It also drops the size of databases, which depends on their tables. */
function dropOfTheMoment(this: object, name: string, value: unknown): unknown {
  const isDatabaseSize = name === "storedBytes" && "perDay" in this;
  // The versions of `/status`, which differ by design.
  if (name === "data" && "health" in this) return undefined;
  return isDatabaseSize || OF_THE_MOMENT.has(name) ? undefined : value;
}
