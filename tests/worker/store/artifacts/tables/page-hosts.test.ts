/** The hosts of pages that reported, in the object of the source maps. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { SourceMaps } from "#src/store/artifacts/source-maps.ts";
import { ArtifactTables } from "#src/store/artifacts/tables/artifact-tables.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getSourceMaps } from "#support/store/store.ts";

afterEach(() => emptyStore());

function inTables<T>(check: (tables: ArtifactTables) => T): Promise<T> {
  return runInDurableObject(getSourceMaps(), (_: SourceMaps, { storage }) =>
    check(new ArtifactTables(storage, "1")),
  );
}

it("the hosts that reported last are kept", async () => {
  const kept = await inTables(({ pageHosts }) => {
    for (let n = 0; n < 600; n++) pageHosts.add(`${n}.example`, n);
    return [pageHosts.has("0.example"), pageHosts.has("99.example"), pageHosts.has("599.example")];
  });
  expect(kept).toEqual([false, false, true]);
});

it("a host is stored once a day, and one of any length is refused", async () => {
  const changes = await inTables(({ pageHosts, countChanges }) => {
    pageHosts.add("shop.example", 1_000_000_000);
    const before = countChanges();
    pageHosts.add("shop.example", 1_000_000_001);
    pageHosts.add("x".repeat(256), 1_000_000_001);
    return countChanges() - before;
  });
  expect(changes).toBe(0);
});

it("hosts are erased with the data of a person, and with the project", async () => {
  const known = await inTables((tables) => {
    const { pageHosts } = tables;
    pageHosts.add("alice.example", 1);
    pageHosts.add("shop.example", 1);
    pageHosts.eraseText((host) => host.includes("alice"));
    const rest = [pageHosts.has("alice.example"), pageHosts.has("shop.example")];
    tables.wipe();
    return [...rest, pageHosts.isEmpty()];
  });
  expect(known).toEqual([false, true, true]);
});
