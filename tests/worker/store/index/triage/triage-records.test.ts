import { afterEach, expect, it } from "vitest";
import type { TriageRecord } from "#src/core/issue/triage-record.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, getIndex, NOW_MS } from "#support/store/store.ts";

afterEach(() => emptyStore());

const toDigest = (n: number) => `0000-${String(n).padStart(4, "0")}`;

/** Decisions and long annotations of many issues, and views, in the order of an export. */
function createRecords(count: number): readonly TriageRecord[] {
  const digests = Array.from({ length: count }, (_, n) => toDigest(n));
  const activity = [
    { atMs: NOW_MS, action: "commented", id: "1", text: "x".repeat(4_000) },
  ] as const;
  return [
    ...digests.map((digest): TriageRecord => {
      const decision = { v: 2, state: "archived", atMs: NOW_MS } as const;
      return { kind: "decision", decision: { digest, decision } };
    }),
    ...digests.map((digest): TriageRecord => {
      return { kind: "annotations", digest, annotations: { v: 2, activity } };
    }),
    ...["a", "b"].map((name): TriageRecord => {
      return { kind: "view", view: { name, query: "is:open", sort: "last" } };
    }),
  ];
}

it("triage of many issues is exported in parts that have each record once, in order", async () => {
  const records = createRecords(700);
  for (let n = 0; n < records.length; n += 100) await admin.importTriage(records.slice(n, n + 100));
  const exported: TriageRecord[] = [];
  const sizes: number[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const part = await getIndex().exportTriage(next);
    exported.push(...part.records);
    sizes.push(part.records.length);
    next = part.next;
  }
  expect(exported).toEqual(records);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  expect(sizes.length).toBeGreaterThan(2);
});
