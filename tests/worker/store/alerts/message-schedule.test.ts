import { expect, it } from "vitest";
import { scheduleMessages } from "#src/store/alerts/message-sender.ts";
import type { Delivery } from "#src/store/alerts/tables/delivery-table.ts";

const NOW_MS = 1_000_000;

const createDelivery = (id: number, over: Partial<Delivery>): Delivery => ({
  ...{ id, destination: "d1", kind: "alert", message: `m${id}`, dueMs: NOW_MS, attempts: 0 },
  contents: { alerts: [], more: 0 },
  ...over,
});

it("a summary of a day waits for every alert that is due", () => {
  const alert = {
    id: "m2",
    alert: {
      ...{ atMs: NOW_MS, digest: "7F3K-Q2M9", trust: "public" as const },
      triggers: [{ kind: "new-issue" as const, rules: [] }],
    },
  };
  const waiting = [
    createDelivery(1, { kind: "period" }),
    createDelivery(2, { contents: { alerts: [alert], more: 0 } }),
  ];
  const schedule = (all: readonly Delivery[]) =>
    scheduleMessages({
      waiting: all,
      isCalled: () => false,
      getState: () => ({}),
      nowMs: NOW_MS,
    }).map(({ delivery }) => delivery.id);
  expect(schedule(waiting)).toEqual([2]);
  expect(schedule(waiting.slice(0, 1))).toEqual([1]);
});
