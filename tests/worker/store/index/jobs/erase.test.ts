import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import type { Job } from "#src/store/index/jobs/job-table.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { decodeChunk } from "#src/store/kv/chunk.ts";
import { redactText } from "#src/store/redact-text.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { createFaultyKv } from "#support/store/faulty-kv.ts";
import {
  bindings,
  getIndex,
  getShard,
  listChunkKeys,
  log,
  projectStore,
  replaceKv,
  finishJobs as runJobs,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const PERSON = "Ada.Lovelace@example.org";

/** All keys, metadata and values of KV as text. */
async function dumpKv(): Promise<string> {
  const parts: string[] = [];
  const { keys } = await bindings.KV.list();
  for (const { name, metadata } of keys) {
    const value = await bindings.KV.get(name, "arrayBuffer");
    const isChunk = name.startsWith("chunk/");
    const text = isChunk
      ? (await decodeChunk(value ?? new ArrayBuffer())).join("\n")
      : new TextDecoder().decode(value ?? new ArrayBuffer());
    parts.push(`${name} ${JSON.stringify(metadata)} ${text}`);
  }
  return parts.join("\n");
}

/** Dumps KV once every snapshot is written. */
async function dumpSettledKv(): Promise<string> {
  await uploadChunk();
  await writeSnapshots();
  return dumpKv();
}

/** Runs a job and waits for the snapshots that it changed. */
async function runJob(job: Job): Promise<void> {
  await getIndex().enqueueJob(job);
  await finishJobs();
}

/** Runs jobs until none remains, and writes their snapshots. */
async function finishJobs(): Promise<void> {
  await runJobs();
  await getIndex().waitUntilIdle();
}

describe.each([
  ["while it is only in the log", false],
  ["after its upload", true],
])("one erased report, %s,", (_, isUploaded) => {
  it("is erased everywhere, and still counts", async () => {
    await log.append([
      createReport(1),
      createReport(2, { message: "gone with me", id: toReportId(2) }),
      createReport(3),
    ]);
    await projectStore.listNewestIssues();
    if (isUploaded) await uploadChunk();
    expect(await getIndex().eraseReport(toReportId(2))).toBe(true);
    const issue = await projectStore.getFreshIssue("7F3K-Q2M9");
    expect(issue).toMatchObject({ count: 3 });
    expect(issue?.latestReports.map(({ id }) => id)).not.toContain(toReportId(2));
    expect(await projectStore.locateReport(toReportId(2))).toMatchObject({ digest: "7F3K-Q2M9" });
    expect(await dumpSettledKv()).not.toContain("gone with me");
    expect(await projectStore.searchIssues("gone with me")).toEqual([]);
    const others = issue?.latestReports.map((summary) => projectStore.readReport(summary)) ?? [];
    expect((await Promise.all(others)).map((report) => report?.id)).toEqual([
      toReportId(3),
      toReportId(1),
    ]);
    expect(await getIndex().eraseReport(toReportId(99))).toBe(false);
  });
});

describe("an erased report is no longer listed", () => {
  const [SERVER, BROWSER, MERGED] = ["7F3K-Q2M9", "0000-3003", "0000-0000"];
  const traceId = "e44a7a5c16cd43dd8448eb211c80319c";
  const gone = { id: toReportId(9), message: "gone with me", side: "browser" } as const;
  const render = createReport(2, { digest: SERVER, format: "render", traceId });

  it.each([
    ["in the issue that its alias led to", [createReport(2, { aliases: ["2338823894"] })]],
    ["in the issue that its trace led to", [render]],
    [
      "in the issue that its trace led to, although its digest has an issue",
      [createReport(1, { digest: BROWSER, side: "browser" }), render],
    ],
  ])("%s", async (_, earlier) => {
    await log.append(earlier);
    await log.append([
      createReport(9, {
        ...gone,
        digest: BROWSER,
        format: "sentry",
        traceId,
        aliases: ["2338823894"],
      }),
    ]);
    const readListed = async () => (await projectStore.getFreshIssue(SERVER))?.latestReports ?? [];
    expect((await readListed()).map(({ id }) => id)).toContain(gone.id);
    expect(await getIndex().eraseReport(gone.id)).toBe(true);
    expect((await readListed()).map(({ id }) => id)).not.toContain(gone.id);
    expect(await dumpSettledKv()).not.toContain("gone with me");
  });

  it("in the issue that its own was merged into", async () => {
    await log.append([createReport(1), createReport(9, { ...gone, digest: MERGED })]);
    await projectStore.annotate(SERVER, { change: "merge", from: [MERGED] });
    expect(await getIndex().eraseReport(gone.id)).toBe(true);
    expect(JSON.stringify(await projectStore.getFreshIssue(SERVER))).not.toContain(gone.id);
  });
});

describe("an erased issue", () => {
  it("is removed with its reports, rollups, aliases and linked browser reports", async () => {
    const storm = Array.from({ length: 40 }, (_, n) =>
      createReport(n + 1, { message: "of the gone" }),
    );
    await log.append([
      ...storm,
      createReport(50, { aliases: ["2338823894"], message: "of the gone" }),
    ]);
    await uploadChunk();
    await log.append([
      createReport(60, {
        digest: "0000-3003",
        side: "browser",
        aliases: ["2338823894"],
        message: "of the gone, led",
      }),
      createReport(61, { digest: "0000-0000", message: "another fault" }),
    ]);
    await projectStore.decide("7F3K-Q2M9", { state: "archived" });
    await getIndex().waitUntilIdle();
    expect(await dumpKv()).toContain("of the gone");
    await runJob({ kind: "erase-issue", digest: "7F3K-Q2M9", aliases: ["2338823894"] });
    await uploadChunk();
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toBeNull();
    expect(await projectStore.findIssuesByAlias("2338823894")).toEqual([]);
    expect(await projectStore.searchIssues("of the gone")).toEqual([]);
    for (const n of [1, 39, 50, 60])
      expect(await projectStore.locateReport(toReportId(n)), `${n}`).toBeNull();
    const kv = await dumpSettledKv();
    expect(kv).not.toContain("of the gone");
    expect(kv).not.toContain("7F3K-Q2M9");
    expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 1 });
    await runJob({ kind: "rebuild" });
    expect((await projectStore.listNewestIssues()).issues.map(({ digest }) => digest)).toEqual([
      "0000-0000",
    ]);
  });

  it("that happens again is new and has no decision", async () => {
    await log.append([createReport(1)]);
    await projectStore.decide("7F3K-Q2M9", { state: "archived" });
    await runJob({ kind: "erase-issue", digest: "7F3K-Q2M9", aliases: [] });
    await log.append([createReport(2)]);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      state: "open",
    });
  });
});

describe("an erased text", () => {
  it("is removed from reports, titles, search texts and snapshots, and the reports still count", async () => {
    await log.append([
      createReport(1, {
        message: `no account of ${PERSON}`,
        request: { route: `/u/${PERSON.toLowerCase()}` },
      }),
      createReport(2, { digest: "0000-0000", detail: { user: { email: PERSON.toUpperCase() } } }),
      createReport(3, { digest: "0000-0000" }),
    ]);
    await uploadChunk();
    await log.append([createReport(4, { message: `and "${PERSON}" again` })]);
    await getIndex().waitUntilIdle();
    await runJob({ kind: "erase-text", text: PERSON });
    await uploadChunk();
    expect((await dumpSettledKv()).toLowerCase()).not.toContain(PERSON.toLowerCase());
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
    expect(
      JSON.stringify(await projectStore.getFreshIssue("7F3K-Q2M9")).toLowerCase(),
    ).not.toContain("lovelace");
    expect(await projectStore.searchIssues("lovelace")).toEqual([]);
    expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({
      count: 2,
      latestReports: [{ id: toReportId(3) }],
    });
    await runJob({ kind: "rebuild" });
    expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ count: 2 });
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
  });

  it.each([
    [
      "Sage",
      "the message of the server, of kind error, to Sage",
      "the message of the server, of kind error, to [erased]",
    ],
    ["ADA@example.org", "İİİİ of ada@example.org, and more", "İİİİ of [erased], and more"],
    ["a.b*c", "a.b*c and aXbbc", "[erased] and aXbbc"],
    [
      "ada@x.org",
      "/u/ada%40x.org?via=%2Fin%3Fm%3Dada%2540x.org",
      "/u/[erased]?via=%2Fin%3Fm%3D[erased]",
    ],
    [
      "José Ada",
      "?a=jos%C3%A9+ada&b=JOS%c3%89%20ADA&c=jos%C3%A9",
      "?a=[erased]&b=[erased]&c=jos%C3%A9",
    ],
  ])("(%s) is searched only in what senders wrote", async (text, message, redacted) => {
    await log.append([
      createReport(1, { message, aliases: ["2338823894"] }),
      createReport(2, { digest: "0000-0000", message: "the page has a server", format: "next" }),
      createReport(3, { digest: "0000-1001", message: "m", detail: { [`to ${text}`]: 1 } }),
    ]);
    await uploadChunk();
    await runJob({ kind: "erase-text", text });
    expect(redactText({ kind: "error", message }, text)).toEqual({
      kind: "error",
      message: redacted,
    });
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.latestReports).toEqual([]);
    expect((await projectStore.getFreshIssue("0000-0000"))?.latestReports).toHaveLength(1);
    expect((await projectStore.getFreshIssue("0000-1001"))?.latestReports).toEqual([]);
  });

  it("is removed from the paths of failed pages, in which it is encoded", async () => {
    const render = { format: "render", traceId: "e44a7a5c16cd43dd8448eb211c80319c" } as const;
    await log.append([
      createReport(1, { ...render, request: { url: "https://shop.example/of/Émile Zola" } }),
      createReport(2, {
        ...render,
        digest: "0000-0000",
        request: { url: "https://shop.example/of/all" },
      }),
    ]);
    await projectStore.listNewestIssues();
    const readPaths = () =>
      runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) =>
        storage.sql
          .exec("SELECT path FROM trace ORDER BY path")
          .toArray()
          .map(({ path }) => path),
      );
    expect(await readPaths()).toEqual(["/of/%C3%89mile%20Zola", "/of/all"]);
    await runJob({ kind: "erase-text", text: "émile zola" });
    expect(await readPaths()).toEqual([null, "/of/all"]);
  });

  it("is removed from names of releases, environments and counters, which still count", async () => {
    const release = `shop@${PERSON}`;
    const started = ["session", "server", release, PERSON, "started"];
    await log.append(
      [createReport(1, { release, environment: PERSON }), createReport(2, { release: "shop@2" })],
      [[started, 3]],
    );
    await projectStore.decide("7F3K-Q2M9", { state: "resolved", release: `fix-${PERSON}` });
    await uploadChunk();
    const readState = async () => ({
      issue: await projectStore.getFreshIssue("7F3K-Q2M9"),
      releases: await projectStore.listReleases(),
      counters: await projectStore.listCounters(30),
    });
    expect(JSON.stringify(await readState())).toContain(PERSON);
    await runJob({ kind: "erase-text", text: PERSON });
    for (const isRebuilt of [false, true]) {
      if (isRebuilt) await runJob({ kind: "rebuild" });
      expect(JSON.stringify(await readState()), `${isRebuilt}`).not.toContain(PERSON);
      const { issue, counters } = await readState();
      expect(issue).toMatchObject({ count: 2, decision: { release: "fix-[erased]" } });
      expect(counters.map(({ name, count }) => [name.join(), count])).toContainEqual([
        "session,server,shop@[erased],[erased],started",
        3,
      ]);
    }
    expect(await dumpSettledKv()).not.toContain(PERSON);
  });

  it("is removed even if KV refuses at first and serves a chunk from before the last erasure", async () => {
    await log.append([
      createReport(1, { message: `first of ${PERSON}` }),
      createReport(2, { message: "second, to go too" }),
    ]);
    await uploadChunk();
    const [key = ""] = await listChunkKeys();
    const old = await bindings.KV.get(key, "arrayBuffer");
    await getIndex().eraseReport(toReportId(2));
    const { kv } = createFaultyKv(bindings.KV, ["refuse"]);
    const stale = new Proxy(kv, {
      get: (target, name) => (name === "get" ? async () => old : Reflect.get(target, name)),
    });
    await replaceKv(stale);
    await runJob({ kind: "erase-text", text: PERSON });
    const [line] = await decodeChunk(
      (await bindings.KV.get(key, "arrayBuffer")) ?? new ArrayBuffer(),
    );
    expect(line).toContain('"rollup":1');
    expect(await dumpSettledKv()).not.toContain("to go too");
  });
});

describe("erased data is not restored", () => {
  it("by a rebuild queued after the erasure, although its snapshot in KV is outdated", async () => {
    await log.append([
      createReport(1),
      createReport(2, { digest: "0000-0000", message: `of ${PERSON}` }),
    ]);
    await uploadChunk();
    await getIndex().waitUntilIdle();
    await getIndex().enqueueJob({ kind: "erase-issue", digest: "7F3K-Q2M9", aliases: [] });
    await getIndex().enqueueJob({ kind: "erase-text", text: PERSON });
    await runJob({ kind: "rebuild" });
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toBeNull();
    const other = await projectStore.getFreshIssue("0000-0000");
    expect(other).toMatchObject({ count: 1 });
    expect(JSON.stringify(other)).not.toContain(PERSON);
    expect(await dumpSettledKv()).not.toContain(PERSON);
  });

  it("when two reports of one chunk are erased concurrently", async () => {
    await log.append([
      createReport(1, { message: "the first text" }),
      createReport(2, { message: "the second text" }),
      createReport(3),
    ]);
    await uploadChunk();
    await Promise.all([
      getIndex().eraseReport(toReportId(1)),
      getIndex().eraseReport(toReportId(2)),
    ]);
    expect(await dumpSettledKv()).not.toMatch(/the (first|second) text/);
  });

  it.each([
    ["while it is only in the log", false],
    ["after its upload", true],
  ])("by a retry after a restart, %s", async (_, isUploaded) => {
    await log.append([createReport(1), createReport(2)]);
    if (isUploaded) await uploadChunk();
    await getIndex().eraseReport(toReportId(1));
    await abortAllDurableObjects();
    const [result] = await log.append([createReport(1)]);
    expect(result?.isDuplicate).toBe(true);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({ count: 2 });
  });

  it("in an issue, when KV wrote the chunk but its response was lost", async () => {
    await log.append([createReport(1, { message: "shown no more" }), createReport(2)]);
    await uploadChunk();
    await replaceKv(createFaultyKv(bindings.KV, ["lose-reply"]).kv);
    // An async function: the RPC promise itself would be an unhandled second rejection.
    const erase = async () => getIndex().eraseReport(toReportId(1));
    await expect(erase()).rejects.toThrow();
    expect(await erase()).toBe(true);
    expect(JSON.stringify(await projectStore.getFreshIssue("7F3K-Q2M9"))).not.toContain(
      "shown no more",
    );
  });

  it("in an issue, when a text is erased and the log's response was lost", async () => {
    await log.append([createReport(1, { detail: { user: { email: PERSON } } }), createReport(2)]);
    await uploadChunk();
    await replaceKv(createFaultyKv(bindings.KV, ["lose-reply"]).kv);
    await runJob({ kind: "erase-text", text: PERSON });
    expect(await dumpSettledKv()).not.toContain(PERSON);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 2,
      latestReports: [{ id: toReportId(2) }],
    });
  });

  it("as the title of an issue with newer reports", async () => {
    await log.append([createReport(1, { message: "the very first" })]);
    await log.append(
      Array.from({ length: 30 }, (_, n) => createReport(10 + n, { message: `later ${n}` })),
    );
    await projectStore.listNewestIssues();
    await getIndex().eraseReport(toReportId(1));
    expect((await projectStore.getFreshIssue("7F3K-Q2M9"))?.message).toMatch(/^later/);
    expect(await projectStore.searchIssues("very first")).toEqual([]);
  });

  it("and an alias shared with another issue does not erase that issue's reports", async () => {
    const aliases = ["2338823894"];
    await log.append([createReport(1, { digest: "0000-0000", aliases })]);
    await log.append([createReport(2, { aliases, trust: "public" })]);
    await log.append([createReport(3, { digest: "0000-1001", side: "browser", aliases })]);
    expect(await projectStore.getFreshIssue("0000-0000")).toMatchObject({ linkedCount: 1 });
    expect(await getIndex().eraseIssue("7F3K-Q2M9")).toBe(true);
    await finishJobs();
    expect(await projectStore.locateReport(toReportId(3))).toMatchObject({ digest: "0000-0000" });
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toBeNull();
  });
});

describe("an erased project", () => {
  it("has no data left and can receive reports again", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })], [[["counted", "session"], 3]]);
    await projectStore.decide("7F3K-Q2M9", { state: "archived" });
    await uploadChunk();
    await log.append([createReport(2)]);
    await getIndex().waitUntilIdle();
    await runJob({ kind: "erase-project" });
    expect(
      (await bindings.KV.list()).keys.filter(({ name }) => !name.startsWith("issue-list/")),
    ).toEqual([]);
    expect(await projectStore.listNewestIssues()).toMatchObject({ total: 0, issues: [] });
    expect(await projectStore.listCounters(7)).toEqual([]);
    expect(await projectStore.locateReport(toReportId(1))).toBeNull();
    expect(await getShard().getHealth()).toMatchObject({ rows: 0 });
    const [again] = await log.append([createReport(1)]);
    expect(again?.isDuplicate).toBe(false);
    expect(await projectStore.getFreshIssue("7F3K-Q2M9")).toMatchObject({
      count: 1,
      state: "open",
    });
  });
});
