// The dumps of earlier releases under the build of this checkout: all that they store is read as the
// release that wrote it has read it, and can be changed. `tests/README.md` says how to add a dump.

import { watch } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listDumps, type OpenedDump, openDump, readExpected } from "#support/upgrade/dump.ts";
import { type Reading, readStore } from "#support/upgrade/read-store.ts";
import { createEvent, send, toEnvelope } from "#support/upgrade/reports-of-all-kinds.ts";
import { findClockProblem, type StartedStore, startStore } from "#support/upgrade/start-store.ts";
import { createVisitor, type Visitor } from "#support/upgrade/visitor.ts";

const POLL = { timeout: 20_000, interval: 50 };

/** The owner of a running dump, and what a server of its first project does. */
function openDesk(started: StartedStore, { filled }: OpenedDump) {
  const owner = createVisitor(started.url, filled.visitors.owner);
  const query = { sentry_key: String(filled.vars.ERRATA_SERVER_KEY) };
  return {
    owner,
    /** Reports an error; resolves when it is acknowledged, to the id of the report. */
    async report(name: string, n: number): Promise<string> {
      const event = createEvent(name, { n, atMs: started.nowMs() });
      await send(createVisitor(started.url), toEnvelope([event]), { query });
      return event.event_id;
    },
    /** The digest that a code leads to. */
    async find(code: string): Promise<string | undefined> {
      const { hits } = await owner.get(`/lookup.json?q=${code}`);
      return hits[0]?.digest;
    },
  };
}

/** Sentences for people that later releases word differently. */
const REWORDED: readonly (readonly [before: RegExp, now: string])[] = [
  [/^(\d+) users affected; the limit is (\d+)\.$/, "It affects $1 people; the limit is $2."],
  [/(\d+) users affected$/, "$1 people affected"],
];

/**
 * Compares all that programs can read with what the release that wrote the dump has read. Later
 * releases may add members and word sentences differently; they drop or change nothing else.
 */
function expectEqual(reading: Reading, read: Reading): void {
  const expected: Reading = JSON.parse(JSON.stringify(read), (member, value: unknown) => {
    // Later releases know further misreadings of a digest.
    if (member === "likely") return undefined;
    if (typeof value !== "string") return value;
    const [before, now] = REWORDED.find(([one]) => one.test(value)) ?? [];
    return before === undefined || now === undefined ? value : value.replace(before, now);
  });
  expect(Object.keys(reading)).toEqual(Object.keys(expected));
  const changed = Object.keys(expected).filter((path) => {
    return !isDeepStrictEqual(keepMembers(reading[path], expected[path]), expected[path]);
  });
  const pick = (from: Reading) => changed.slice(0, 3).map((path) => [path, from[path]]);
  expect(pick(reading)).toEqual(pick(expected));
  expect(changed).toEqual([]);
}

/** The value without the members that the expected one does not have. */
function keepMembers(value: unknown, expected: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(expected))
    return value.map((item, n) => keepMembers(item, expected[n]));
  if (!isObject(value) || !isObject(expected)) return value;
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(expected, name));
  return Object.fromEntries(known.map(([name, one]) => [name, keepMembers(one, expected[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A reading without what kills may change: repeated writes to KV. */
function dropStarts(reading: Reading): Reading {
  const text = JSON.stringify(reading);
  return JSON.parse(text, (name, value) => (name === "usedToday" ? undefined : value));
}

/** Resolves when files of Durable Objects have changed so often, without the local cron. */
function waitForChanges({ folder }: OpenedDump, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const watcher = watch(join(folder, "objects"), { recursive: true }, (_, file) => {
      if (!file?.includes("LocalCron") && --left === 0) resolve();
    });
    onTestFinished(() => watcher.close());
  });
}

async function listComments(owner: Visitor, digest: string): Promise<readonly string[]> {
  const { annotations } = await owner.get(`/d/${digest}.json`);
  const entries: readonly { text?: string }[] = annotations?.activity ?? [];
  return entries.flatMap(({ text }) => text ?? []);
}

// The dumps are opened at the time of their last write, or their data would expire.
describe.skipIf(findClockProblem() !== null)("a store of an earlier release", () => {
  it("has a dump of each release", () => {
    expect(listDumps()).toContain("0.1.0");
  });

  describe.each(listDumps())("%s", (name) => {
    let dump: OpenedDump;
    let started: StartedStore;
    beforeAll(async () => {
      dump = openDump(name);
      started = await startStore(dump);
    }, 60_000);
    afterAll(async () => {
      await started?.stop();
      dump?.remove();
    });

    it("shows every issue, list, release, setting and alert, and exports all, as it did", async () => {
      expectEqual(await readStore(started.url, dump.filled), readExpected(name));
    });

    it("can be triaged: the last change is undone, and others are made", async () => {
      const { owner } = openDesk(started, dump);
      const { digests } = await owner.change("/undo", { undo: dump.filled.undo });
      expect(digests).toHaveLength(1);
      const { issues } = await owner.get("/issues.json?q=is:open&sort=count");
      const [{ digest }] = issues;
      await owner.change(`/d/${digest}/annotations`, { comment: "after the update" });
      await owner.change(`/d/${digest}/state`, { state: "muted" });
      expect(await listComments(owner, digest)).toContain("after the update");
      expect((await owner.get(`/d/${digest}.json`)).decision).toMatchObject({ state: "archived" });
      const { total } = await owner.get("/issues.json?q=is:open&sort=count");
      expect(total).toBe((await owner.get("/issues.json")).total);
      const views = { name: "New", query: "is:muted", sort: "last" };
      const saved = await owner.change("/saved-views", views);
      expect(saved.views).toContainEqual(expect.objectContaining({ name: "New" }));
    });

    it("counts new reports of its issues, and reopens a resolved one", async () => {
      const { owner, report, find } = openDesk(started, dump);
      const digest = String(await find(await report("busy", 900)));
      const { count } = await owner.get(`/d/${digest}.json`);
      await owner.change(`/d/${digest}/state`, { state: "resolved" });
      await report("busy", 901);
      await vi.waitFor(async () => {
        const issue = await owner.get(`/d/${digest}.json`);
        expect(issue).toMatchObject({ count: count + 1, decision: { state: "open" } });
      }, POLL);
    });

    it("erases an issue, and rebuilds its index from the archive without it", async () => {
      const { owner } = openDesk(started, dump);
      const list = async () => {
        const { issues, total } = await owner.get("/issues.json?q=&sort=count");
        return { total, digests: issues.map((one: { digest: string }) => one.digest) };
      };
      const { digests } = await list();
      const confirm = digests[40];
      await owner.change(`/d/${confirm}/erase`, { confirm });
      await vi.waitFor(async () => {
        expect((await owner.get("/status.json")).health.work).toBeUndefined();
        expect((await list()).digests).not.toContain(confirm);
      }, POLL);
      const erased = await list();
      await owner.change("/rebuild", {});
      await vi.waitFor(async () => {
        expect((await owner.get("/status.json")).health.work).toBeUndefined();
        expect(await list()).toEqual(erased);
      }, POLL);
      expect(erased.digests).not.toContain(confirm);
    });
  });

  it("opens first under kills: at each change of a database, later and later", async () => {
    const dump = openDump("0.1.0");
    onTestFinished(dump.remove);
    let kills = 0;
    for (let isKilled = true; isKilled; kills++) {
      const changed = waitForChanges(dump, 2 ** kills);
      const started = await startStore(dump);
      onTestFinished(started.kill);
      const { owner } = openDesk(started, dump);
      const pages = ["status", "issues", "source-maps", "alerts"].flatMap((page) =>
        dump.filled.projects.map((base) => owner.get(`${base}/${page}.json`)),
      );
      const answered = Promise.allSettled(pages);
      const isAnswered = await Promise.race([changed.then(() => false), answered.then(() => true)]);
      await started.kill();
      await answered;
      isKilled = !isAnswered;
    }
    // From the first change, which is a part of the first opening.
    expect(kills).toBeGreaterThan(4);
    const started = await startStore(dump);
    onTestFinished(started.kill);
    const reading = await readStore(started.url, dump.filled);
    expectEqual(dropStarts(reading), dropStarts(readExpected("0.1.0")));
  });

  it("loses nothing that it acknowledged, however often it is stopped and killed", async () => {
    const dump = openDump("0.1.0");
    onTestFinished(dump.remove);
    const reports: string[] = [];
    const comments: string[] = [];
    let digest: string | undefined;
    for (let n = 0; n <= 6; n++) {
      const started = await startStore(dump);
      onTestFinished(started.kill);
      const { owner, report, find } = openDesk(started, dump);
      digest ??= await find(String(dump.filled.lookups[0]));
      const found = await Promise.all(reports.map(find));
      expect(found.filter((one) => one === undefined)).toEqual([]);
      expect(await listComments(owner, String(digest))).toEqual(expect.arrayContaining(comments));
      const comment = `before end ${n}`;
      await owner.change(`/d/${digest}/annotations`, { comment });
      comments.push(comment);
      const writes = Array.from({ length: 8 }, (_, i) =>
        report(`end${n}`, i).then(
          (id) => reports.push(id),
          // It was not acknowledged.
          () => 0,
        ),
      );
      await Promise.race(writes);
      await (n % 2 === 0 ? started.kill() : started.stop());
      await Promise.all(writes);
    }
    expect(comments).toHaveLength(7);
    expect(reports.length).toBeGreaterThanOrEqual(7);
  });
});
