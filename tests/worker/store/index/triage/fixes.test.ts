import { afterEach, describe, expect, it } from "vitest";
import type { SentFixEvent } from "#src/core/issue/fix-event.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { finishJobs, log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const A = "7F3K-Q2M9";
const B = "0000-0000";
const PULL = "https://github.com/acme/shop/pull/5";
const COMMIT = "3f2a9c1b04d5e6f708192a3b4c5d6e7f80910a2b";

const event = (over: Partial<SentFixEvent> = {}): SentFixEvent => ({
  digests: [A],
  kind: "proposed",
  url: PULL,
  author: "ada",
  atMs: 1_000,
  ...over,
});

const readFix = async (digest = A) => (await projectStore.getAnnotations(digest)).fix;

describe("events of fixes", () => {
  it("are stored with the annotations of the issues that exist, each once", async () => {
    await log.append([createReport(1)]);
    const sent = [event({ digests: [A, B] }), event(), event({ kind: "merged", atMs: 2_000 })];
    expect(await projectStore.recordFixEvents(sent)).toEqual([A]);
    expect(await projectStore.recordFixEvents(sent)).toEqual([A]);
    expect(await readFix()).toEqual({
      events: [
        { kind: "proposed", url: PULL, author: "ada", atMs: 1_000 },
        { kind: "merged", url: PULL, author: "ada", atMs: 2_000 },
      ],
    });
    expect(await readFix(B)).toBeUndefined();
  });

  it("decide nothing", async () => {
    await log.append([createReport(1)]);
    await projectStore.recordFixEvents([event({ kind: "merged" })]);
    expect((await projectStore.getFreshIssue(A))?.decision).toBeUndefined();
  });

  it("count in the issue that theirs was merged into, with those from before", async () => {
    await log.append([createReport(1), createReport(2, { digest: B })]);
    await projectStore.recordFixEvents([event({ digests: [B] })]);
    await projectStore.annotate(A, { change: "merge", from: [B] });
    expect(await projectStore.recordFixEvents([event({ digests: [B], kind: "merged" })])).toEqual([
      A,
    ]);
    expect((await readFix())?.events?.map(({ kind }) => kind)).toEqual(["proposed", "merged"]);
  });
});

describe("a release that has a merged commit", () => {
  it("resolves the issue in it, once, and an undo restores the decision", async () => {
    await log.append([createReport(1)]);
    await projectStore.decide(A, { state: "resolved", inNextRelease: true });
    await projectStore.recordFixEvents([event({ kind: "merged", commit: COMMIT.toUpperCase() })]);
    const undoId = "a".repeat(32);
    expect(await projectStore.recordReleasedCommits("1.4.2", ["1234567", COMMIT], undoId)).toEqual([
      A,
    ]);
    expect((await projectStore.getFreshIssue(A))?.decision).toMatchObject({
      state: "resolved",
      release: "1.4.2",
    });
    expect((await readFix())?.deployed).toMatchObject({ release: "1.4.2" });
    expect(await projectStore.recordReleasedCommits("1.4.3", [COMMIT])).toEqual([]);
    await projectStore.undo(undoId);
    expect((await projectStore.getFreshIssue(A))?.decision).toMatchObject({ inNextRelease: true });
  });

  it("keeps the release in which a member resolved the issue", async () => {
    await log.append([createReport(1)]);
    await projectStore.decide(A, { state: "resolved", release: "1.4.0" });
    await projectStore.recordFixEvents([event({ kind: "merged", commit: COMMIT })]);
    expect(await projectStore.recordReleasedCommits("1.4.2", [COMMIT])).toEqual([]);
    expect((await projectStore.getFreshIssue(A))?.decision?.release).toBe("1.4.0");
  });

  it("says nothing about an erased issue", async () => {
    await log.append([createReport(1)]);
    await projectStore.recordFixEvents([event({ kind: "merged", commit: COMMIT })]);
    await projectStore.eraseIssue(A);
    await finishJobs();
    await log.append([createReport(2)]);
    expect(await projectStore.recordReleasedCommits("1.4.2", [COMMIT])).toEqual([]);
  });
});

it("a regression begins another fix: what was before belongs to the last one", async () => {
  await log.append([createReport(1)]);
  await projectStore.recordFixEvents([event({ kind: "merged", commit: COMMIT })]);
  await projectStore.recordReleasedCommits("1.4.2", [COMMIT]);
  const { decision } = (await projectStore.getFreshIssue(A)) ?? {};
  const atMs = (decision?.atMs ?? 0) + 1_000;
  await log.append([createReport(2, { receivedAtMs: atMs, occurredAtMs: atMs, release: "1.4.3" })]);
  expect((await projectStore.getFreshIssue(A))?.state).toBe("open");
  expect(await readFix()).toMatchObject({ cameBackMs: atMs, events: [{ kind: "merged" }] });
  expect((await readFix())?.deployed).toBeUndefined();
});

describe("an issue that a member opens again", () => {
  const MERGED = event({ kind: "merged", commit: COMMIT });
  const readMark = async () => (await projectStore.getFreshIssue(A))?.fixMark;

  async function resolveByRelease() {
    await log.append([createReport(1)]);
    await projectStore.recordFixEvents([MERGED]);
    expect(await readMark()).toBe("merged");
    await projectStore.recordReleasedCommits("1.4.2", [COMMIT]);
  }

  it.each(["open", "archived"] as const)("as %s has no fix until another change", async (state) => {
    await resolveByRelease();
    await projectStore.decide(A, { state });
    const { atMs = 0 } = (await projectStore.getFreshIssue(A))?.decision ?? {};
    expect(await readFix()).toMatchObject({ reopenedMs: atMs });
    expect(await readMark()).toBeUndefined();
    await projectStore.recordFixEvents([{ ...MERGED, atMs: 2_000 }]);
    expect(await readMark()).toBeUndefined();
    expect(await projectStore.recordReleasedCommits("1.4.3", [COMMIT])).toEqual([]);
    await projectStore.recordFixEvents([event({ url: `${PULL}6`, atMs: atMs + 1 })]);
    expect(await readMark()).toBe("proposed");
  });

  it("has its fix again after an undo, also after a second one", async () => {
    await resolveByRelease();
    const before = await readFix();
    for (const undoId of ["a".repeat(32), "b".repeat(32)]) {
      await projectStore.decide(A, { state: "open" }, undoId);
      expect(await readMark()).toBeUndefined();
      await projectStore.undo(undoId);
      expect(await readMark()).toBe("merged");
      expect(await readFix()).toEqual(before);
    }
  });

  it("keeps its proposed change if it was not resolved", async () => {
    await log.append([createReport(1)]);
    await projectStore.recordFixEvents([event()]);
    await projectStore.decide(A, { state: "archived" });
    await projectStore.decide(A, { state: "open" });
    expect(await readMark()).toBe("proposed");
  });

  it("has no fix either if the first report of a server opens it", async () => {
    await log.append([createReport(1, { trust: "public" })]);
    await projectStore.recordFixEvents([MERGED]);
    await projectStore.recordReleasedCommits("1.4.2", [COMMIT]);
    await log.append([createReport(2, { trust: "server", release: "1.4.0" })]);
    expect((await projectStore.getFreshIssue(A))?.state).toBe("open");
    expect(await readMark()).toBeUndefined();
    expect((await readFix())?.reopenedMs).toBeGreaterThan(0);
  });
});
