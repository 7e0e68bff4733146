import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { ProjectIndex } from "../../../src/store/index/project-index.ts";
import { SnapshotWriter } from "../../../src/store/index/snapshots/snapshot-writer.ts";
import { WriteBudget } from "../../../src/store/kv/write-budget.ts";
import { fresh } from "../../support/fresh.ts";
import { index } from "../../support/store.ts";

afterEach(() => fresh());

const MIDNIGHT_MS = Date.UTC(2026, 10, 21);

it("300 keys of public issues leave half of the writes to trusted ones, which come first", async () => {
  const written = await runInDurableObject(index(), async (_: ProjectIndex, { storage }) => {
    storage.sql.exec("DELETE FROM write_budget");
    const keys: string[] = [];
    const put = async (key: string) => void keys.push(key);
    const budget = new WriteBudget(storage, 60);
    const writer = new SnapshotWriter(
      { put, delete: put },
      () => MIDNIGHT_MS,
      budget,
      () => false,
    );
    const mark = (key: string, isPublic: boolean) =>
      writer.markDirty({ key, isPublic, createValue: () => ({ value: 1 }), onWritten: () => {} });
    for (let n = 0; n < 300; n++) mark(`public ${n}`, true);
    mark("trusted", false);
    await writer.writeDue();
    for (let n = 0; n < 9; n++) mark(`trusted ${n}`, false);
    await writer.writeDue();
    return keys;
  });
  expect(written[0]).toBe("trusted");
  // A third of 60 writes is available at midnight.
  expect(written.filter((key) => key.startsWith("public"))).toHaveLength(9);
  expect(written.filter((key) => key.startsWith("trusted"))).toHaveLength(10);
});
