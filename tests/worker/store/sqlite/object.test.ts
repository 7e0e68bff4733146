import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { StoredObject } from "#src/store/sqlite/object.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, getShard, log } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** An object, and its alarm for backfills. */
type Alarmed = StoredObject & { setAlarmBy(atMs: number): Promise<void> };

it.each([
  ["a log", getShard],
  ["an index", getIndex],
])("the parts of %s do not delay an earlier alarm for a backfill", async (_, getStub) => {
  const inObject = <T>(work: (object: Alarmed, storage: DurableObjectStorage) => Promise<T>) =>
    runInDurableObject(getStub() as DurableObjectStub, (object, { storage }) =>
      work(object as Alarmed, storage),
    );
  await log.append([createReport(1)]);
  await getShard().flush();
  // Before the next upload or copy, which are a second away.
  const turnMs = readNowMs() + 700;
  await inObject(async (object) => {
    await object.alarm();
    await object.setAlarmBy(turnMs);
  });
  await log.append([createReport(2)]);
  await getShard().flush();
  expect(await inObject((_object, storage) => storage.getAlarm())).toBe(turnMs);
});
