/** Where issues fail in the original source, as the index counts and resolves it. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Report } from "#src/core/report.ts";
import { PlaceResolver } from "#src/store/index/places/place-resolver.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { eventually } from "#support/eventually.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import {
  createThrowingFrame,
  listBundledFiles,
  makeArtifactBundle,
  makeBuild,
  runAlarm,
  sourceMaps,
  uploadBundle,
} from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  bindings,
  finishJobs,
  getIndex,
  getShard,
  log,
  projectStore,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const bundle = makeArtifactBundle(listBundledFiles([makeBuild("cart"), makeBuild("pay")]));
const inFunction = { file: "src/cart.ts", line: 2, function: "fail" };
const inModule = { file: "src/cart.ts", line: 4, function: "<module>" };

/** Fails in the function `fail` of `src/cart.ts`. */
function aFailure(n: number, over: Partial<Report> = {}): Report {
  const frames = [{ ...createThrowingFrame("cart"), inApp: true }];
  return createReport(n, { release: "1.4.0", side: "browser", frames, ...over });
}

/** Fails in the module of `src/cart.ts`, outside of any function. */
const aModuleFailure = (n: number, over: Partial<Report> = {}) =>
  aFailure(n, {
    frames: [{ ...createThrowingFrame("cart"), line: 2, column: 1, inApp: true }],
    ...over,
  });

async function upload(release = "1.4.0") {
  await uploadBundle(bundle, { release });
  await runAlarm();
}

const read = async () => {
  const issue = await projectStore.getFreshIssue(DIGEST);
  if (issue === null) throw new Error("no issue");
  return issue;
};

/** The stacks with their places, once these are known. */
const readPlaces = () =>
  eventually(async () => {
    const { stacks, place } = await read();
    expect(place).toBeDefined();
    return (stacks?.values ?? []).map((one) => ({ count: one.count, place: one.place }));
  });

describe("the place of an issue", () => {
  it("is known when its first report comes after the upload", async () => {
    await upload();
    await log.append([aFailure(1)]);
    expect(await readPlaces()).toEqual([{ count: 1, place: inFunction }]);
    const { issues } = await projectStore.listNewestIssues();
    expect(issues[0]?.place).toEqual(inFunction);
  });

  it("is known when an alert names the issue", async () => {
    await upload();
    await log.append([aFailure(1)]);
    await getShard().flush();
    const [issue] = await getIndex().readAlertedIssues([DIGEST]);
    expect(issue?.place).toEqual(inFunction);
  });

  it("is known when the upload comes after the reports, for all of them", async () => {
    await log.append([aFailure(1), aFailure(2)]);
    expect((await read()).place).toBeUndefined();
    await upload();
    expect(await readPlaces()).toEqual([{ count: 2, place: inFunction }]);
    await log.append([aFailure(3)]);
    expect((await read()).stacks?.values).toMatchObject([{ count: 3, place: inFunction }]);
  });

  it("is counted by stack: two places of one digest are two", async () => {
    await upload();
    await log.append([aFailure(1), aModuleFailure(2), aFailure(3)]);
    const places = [
      { count: 2, place: inFunction },
      { count: 1, place: inModule },
    ];
    await eventually(async () => expect(await readPlaces()).toEqual(places));
    expect((await read()).place).toEqual(inFunction);
  });

  it("counts reports of rollups too", async () => {
    await upload();
    const many = Array.from({ length: 60 }, (_, n) => aFailure(n + 1));
    await log.append(many);
    await eventually(async () => expect(await readPlaces()).toMatchObject([{ count: 60 }]));
  });

  it("is that of the newest release", async () => {
    await upload();
    await log.append([aFailure(1), aFailure(2)]);
    await readPlaces();
    await upload("1.5.0");
    await log.append([
      aModuleFailure(3, { release: "1.5.0", occurredAtMs: Date.UTC(2026, 11, 1) }),
    ]);
    await writeSnapshots();
    await eventually(async () => expect((await read()).place).toEqual(inModule));
  });

  it("does not come from reports below the level of the issue", async () => {
    await upload();
    await log.append([aFailure(1, { trust: "server" })]);
    await readPlaces();
    await log.append([aModuleFailure(2, { trust: "public" })]);
    expect((await read()).stacks?.values).toMatchObject([{ count: 1, place: inFunction }]);
  });

  it("stays when its upload is deleted, and goes with the issue", async () => {
    await upload();
    await log.append([aFailure(1)]);
    await readPlaces();
    const [only] = (await sourceMaps.summarize()).uploads;
    await sourceMaps.deleteUpload(only?.id ?? "");
    await runAlarm();
    expect((await read()).place).toEqual(inFunction);
    await admin.eraseIssue(DIGEST);
    await finishJobs();
    expect(await projectStore.searchIssues("cart.ts:2")).toEqual([]);
  });

  it("names no report that was erased", async () => {
    await upload();
    await log.append([aFailure(1), aFailure(2)]);
    const listIds = async () => (await read()).stacks?.values[0]?.reports?.map(([id]) => id);
    expect((await listIds())?.toSorted()).toEqual([toReportId(1), toReportId(2)].toSorted());
    await admin.eraseReport(toReportId(2));
    expect(await listIds()).toEqual([toReportId(1)]);
    await admin.eraseReport(toReportId(1));
    expect((await read()).stacks?.values[0]).not.toHaveProperty("reports");
  });

  it("has a text that is erased", async () => {
    await upload();
    await log.append([aFailure(1)]);
    await readPlaces();
    expect(await projectStore.searchIssues("fail")).toEqual([DIGEST]);
    await admin.eraseMatching("fail");
    await finishJobs();
    expect((await read()).place).toEqual({ ...inFunction, function: "[erased]" });
    expect(await projectStore.searchIssues("fail")).toEqual([]);
  });

  it("is in both parts of a merge", async () => {
    await upload();
    await log.append([aFailure(1), aModuleFailure(2, { digest: "0000-0000" })]);
    await readPlaces();
    await eventually(async () => {
      const other = await projectStore.getFreshIssue("0000-0000");
      expect(other?.place).toBeDefined();
    });
    await projectStore.annotate(DIGEST, { change: "merge", from: ["0000-0000"] });
    expect((await read()).stacks?.values.map(({ place }) => place)).toEqual(
      expect.arrayContaining([inFunction, inModule]),
    );
  });
});

describe("an index that is rebuilt from KV", () => {
  it("has the places of snapshots, and resolves the others again", async () => {
    await upload();
    await log.append([aFailure(1), aFailure(2)]);
    await readPlaces();
    await writeSnapshots();
    await log.append([aModuleFailure(3)]);
    await uploadChunk();
    for (const object of [getIndex(), getShard()])
      await runInDurableObject(object, (_, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    await projectStore.listNewestIssues().catch(() => undefined);
    await finishJobs();
    await eventually(async () => {
      expect(await readPlaces()).toEqual([
        { count: 2, place: inFunction },
        { count: 1, place: inModule },
      ]);
    });
  });
});

describe("a lookup", () => {
  it("finds the issue by a line of source and by the original name of a function", async () => {
    await upload();
    await log.append([
      aFailure(1),
      createReport(2, { digest: "0000-0000", message: "cart ts fail 2" }),
    ]);
    await readPlaces();
    for (const text of ["cart.ts:2", "src/cart.ts:2:9", "at fail (src/cart.ts:2:9)"])
      expect(await projectStore.searchIssues(text), text).toEqual([DIGEST]);
    expect(await projectStore.searchIssues("fail")).toContain(DIGEST);
  });
});

describe("the calls for places", () => {
  const stacks = vi.fn();

  it("are none per report, and none in a project without uploads", async () => {
    await log.append([aFailure(1)]);
    await read();
    await runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
      const resolver = (newest: number | null) => {
        const created = new PlaceResolver({
          tables: new IndexTables(storage),
          storage,
          alarm: { setBy: async () => undefined },
          sourceMaps: {
            resolveStacks: async (request) => {
              stacks(request);
              return request.stacks.map((frames) => frames.map(() => unmapped));
            },
          },
          nowMs: readNowMs,
          listNewest: () => [],
          isPaused: () => false,
        });
        created.setNewestUpload(newest);
        return created;
      };
      const unmapped = { kind: "unmapped", reason: "nothing-uploaded" } as const;
      await resolver(null).resolve([DIGEST]);
      expect(stacks).not.toHaveBeenCalled();
      for (let time = 0; time < 3; time++) await resolver(1).resolve([DIGEST]);
      expect(stacks).toHaveBeenCalledTimes(1);
      await resolver(2).resolve([DIGEST]);
      expect(stacks).toHaveBeenCalledTimes(2);
    });
  });

  it("that fail are repeated after 30 s, and not for each issue", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await log.append([aFailure(1)]);
    const issue = await read();
    await runInDurableObject(getIndex(), async (_: ProjectIndex, { storage }) => {
      let [nowMs, alarmMs, calls] = [0, 0, 0];
      let isFailing = true;
      const tables = new IndexTables(storage);
      const resolver = new PlaceResolver({
        ...{ tables, storage, nowMs: () => nowMs, isPaused: () => false },
        alarm: {
          setBy: async (atMs) => {
            alarmMs = atMs;
          },
        },
        sourceMaps: {
          resolveStacks: async (request) => {
            calls += 1;
            if (isFailing) throw new Error("no object");
            const found = { kind: "resolved", column: 1, inApp: true, matchedBy: "name" } as const;
            return request.stacks.map((frames) => frames.map(() => ({ ...found, ...inFunction })));
          },
        },
        listNewest: () => [issue],
      });
      resolver.setNewestUpload(7);
      await resolver.resume();
      expect(await resolver.resolve([DIGEST])).toBe(false);
      expect([calls, alarmMs]).toEqual([1, 30_000]);
      isFailing = false;
      nowMs = alarmMs;
      await resolver.resume();
      expect([calls, tables.issues.get(DIGEST)?.place]).toEqual([2, inFunction]);
    });
  });
});

it("an issue of another project has no place", async () => {
  await upload();
  const other = bindings.PROJECT_INDEX.getByName("2");
  expect(await other.getIssue(DIGEST)).toBeNull();
  await log.append([aFailure(1)]);
  await readPlaces();
  expect(await other.searchIssues("cart.ts:2", 5)).toEqual([]);
});
