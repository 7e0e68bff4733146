/** The steps of tests with trackers, in the real objects. */
import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, beforeEach, vi } from "vitest";
import type { TrackerInput } from "#src/core/trackers/trackers.ts";
import { handOver, sendDue } from "#support/alerts/alert-steps.ts";
import { ALERT_ORIGIN } from "#support/alerts/messages.ts";
import { TestClock } from "#support/clock/test-clock.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getAlertSender } from "#support/store/store.ts";
import { createTracker, FakeTrackers, type KindName } from "./fake-trackers.ts";

const ORIGIN = "https://trackers.example.com";

/** Gives each test of a file the services, and a clock; resets all after it. */
export function setUpTrackers() {
  const setUp = { trackers: new FakeTrackers(), clock: new TestClock() };
  beforeEach(() => {
    setUp.trackers = new FakeTrackers();
    setUp.clock.start();
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      const url = request.url.replace("https://api.linear.app/", `${ORIGIN}/linear/`);
      const response = await setUp.trackers.respond(new Request(url, request));
      if (response.type === "error") throw new TypeError("connection lost");
      return response;
    });
  });
  afterEach(async () => {
    await getAlertSender().waitUntilIdle();
    setUp.clock.restore();
    vi.restoreAllMocks();
    await emptyStore();
  });
  return setUp;
}

/** Connects a service; the id of the connection and the secret of its webhook. */
export async function connect(kind: KindName): Promise<{ id: string; secret: string }> {
  const { id: _, createdMs: __, secret, ...input } = createTracker(kind, ORIGIN);
  const ofKind: TrackerInput = kind === "linear" ? { ...input, baseUrl: undefined, secret } : input;
  const saved = await getAlertSender().saveTracker(undefined, ofKind, ALERT_ORIGIN);
  if (!saved.ok) throw new Error(JSON.stringify(saved));
  return { id: saved.value.tracker.id, secret: saved.value.secret ?? secret ?? "" };
}

/** Waits until the index has handed over its news, and sends what is due. */
export async function tell(): Promise<void> {
  await handOver();
  await sendDue();
  await sendDue();
}

/** Stops all objects, as an update of the Worker does. */
export const restart = () => abortAllDurableObjects();
