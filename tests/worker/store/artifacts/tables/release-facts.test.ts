import { afterEach, expect, it } from "vitest";
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
