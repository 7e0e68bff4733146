import { afterEach, expect, it } from "vitest";
import { releaseLimits } from "#src/core/artifacts/release-limits.ts";
import { sourceMaps } from "#support/source-maps/uploads.ts";
import { emptyStore } from "#support/store/empty-store.ts";

afterEach(() => emptyStore());

it("a release is created by its first change, and later changes add to it", async () => {
  const version = "shop@1.4.0";
  const created = await sourceMaps.changeRelease({ version });
  expect(created).toMatchObject({ version, deploys: [], commits: [] });
  await sourceMaps.changeRelease({ version, releasedMs: 5 });
  const deploy = { environment: "production", finishedMs: 7 };
  await sourceMaps.changeRelease({ version, deploy });
  await sourceMaps.changeRelease({ version, deploy });
  const commits = [
    { id: "a1", message: "Fix the cart" },
    { id: "b2", message: "x".repeat(1_000) },
  ];
  expect(await sourceMaps.changeRelease({ version, commits })).toEqual({
    ...created,
    releasedMs: 5,
    deploys: [deploy],
    commits: [
      { id: "a1", message: "Fix the cart" },
      { id: "b2", message: "x".repeat(300) },
    ],
  });
});

it("releases are listed newest first, or by their names", async () => {
  for (const version of ["a", "b", "c"]) await sourceMaps.changeRelease({ version });
  const listed = await sourceMaps.listReleaseFacts(["c", "unknown", "a"]);
  expect(listed.map(({ version }) => version)).toEqual(["c", "a"]);
  expect(await sourceMaps.listReleaseFacts()).toHaveLength(3);
});

it("of a release the newest 20 deploys and 100 commits are kept", async () => {
  const version = "a";
  for (let n = 0; n < 25; n++) {
    const deploy = { environment: "production", finishedMs: n };
    await sourceMaps.changeRelease({ version, deploy });
  }
  const commits = Array.from({ length: 150 }, (_, n) => ({ id: String(n) }));
  const facts = await sourceMaps.changeRelease({ version, commits });
  expect(facts.deploys.map(({ finishedMs }) => finishedMs)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 5),
  );
  expect(facts.commits).toEqual(commits.slice(50));
});

it("of commits with times the newest are kept, with their files, in whichever order they arrive", async () => {
  // As git lists them: the newest first.
  const commits = Array.from({ length: 150 }, (_, n) => ({
    id: String(n),
    atMs: 1_000 - n,
    files: Array.from({ length: 40 }, (_, file) => `src/${n}/${file}.ts`),
  }));
  const facts = await sourceMaps.changeRelease({ version: "a", commits });
  expect(facts.commits.map(({ id }) => id)).toEqual(commits.slice(0, 100).map(({ id }) => id));
  expect(facts.commits[0]?.files).toHaveLength(40);
  expect(facts.commits[99]?.files).toEqual([]);
});

it("a release fits into its row, and all fit into one value of KV, whatever builds send", async () => {
  // Each character is six bytes of JSON.
  const wide = "\u0001".repeat(1_000);
  const path = (n: number) => "\u0001".repeat(290) + n;
  const commits = Array.from({ length: 100 }, (_, n) => ({
    ...{ id: `${n}${wide}`, repository: wide, author: wide, url: wide, message: wide },
    files: Array.from({ length: 100 }, (_, file) => path(file)),
  }));
  const deploy = { environment: wide, name: wide, url: wide };
  for (let finishedMs = 0; finishedMs < 20; finishedMs++)
    await sourceMaps.changeRelease({ version: "a", deploy: { ...deploy, finishedMs } });
  const facts = await sourceMaps.changeRelease({ version: "a", commits });
  const bytes = new TextEncoder().encode(JSON.stringify(facts)).length;
  expect(bytes).toBeLessThan(1_500_000);
  for (let n = 0; n < 60; n++) await sourceMaps.changeRelease({ version: `b${n}`, commits });
  const all = await sourceMaps.listReleaseFacts();
  const size = new TextEncoder().encode(JSON.stringify(all)).length;
  expect(size).toBeLessThanOrEqual(releaseLimits.maxReleaseFactsBytes);
  expect(all[0]?.version).toMatch(/^b/);
});
