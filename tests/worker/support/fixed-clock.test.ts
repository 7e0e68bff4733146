// The clock of the tests in workerd, where alarms and KV keep the machine's.

import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import { readNowMs, START_MS } from "#support/clock/clock.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, getShard } from "#support/store/store.ts";

const HOUR_MS = 3_600_000;

afterEach(() => emptyStore());

it("is at the time of the store, also for libraries that create a Date", () => {
  const now = Reflect.construct(Date, []);
  expect(now).toBeInstanceOf(Date);
  for (const ms of [readNowMs(), Number(now), Date.parse(Reflect.apply(Date, undefined, []))]) {
    expect(ms).toBeGreaterThanOrEqual(START_MS);
    expect(ms).toBeLessThan(START_MS + HOUR_MS);
  }
  expect(Number(new Date(2_000))).toBe(2_000);
});

it("is that of alarms", async () => {
  const nowMs = readNowMs();
  const readAlarm = () => runInDurableObject(getShard(), (_, { storage }) => storage.getAlarm());
  const setAlarm = (at: number | Date) =>
    runInDurableObject(getShard(), (_, { storage }) => storage.setAlarm(at));
  for (const at of [nowMs + HOUR_MS, new Date(nowMs + 2 * HOUR_MS)]) {
    await setAlarm(at);
    expect(await readAlarm()).toBe(Number(at));
  }
  await setAlarm(nowMs);
  await expect.poll(readAlarm, { timeout: 20_000 }).toBeNull();
});

it("is that of KV", async () => {
  const second = Math.floor(readNowMs() / 1000) + 100;
  await bindings.KV.put("a", "1", { expiration: second });
  await bindings.KV.put("b", "2", { expirationTtl: 100 });
  await bindings.KV.put("c", "3");
  const [a, b, c] = (await bindings.KV.list()).keys;
  expect(a?.expiration).toBe(second);
  expect((b?.expiration ?? 0) - second).toBeLessThan(60);
  expect(c).not.toHaveProperty("expiration");
  const past = bindings.KV.put("d", "4", { expiration: second - 200 });
  await expect(past).rejects.toThrow("expiration");
});
