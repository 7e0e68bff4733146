// The time in which a Durable Object cannot sleep, because a promise or a timer is pending.

import { AsyncLocalStorage } from "node:async_hooks";
import { counters } from "./counters.ts";

/** The pending work of an object. */
export interface Activity {
  begin(): void;
  end(): void;
}

const current = new AsyncLocalStorage<Activity>();

/** Creates the activity of an object, which adds to `activeMs`. */
export function createActivity(): Activity {
  let pending = 0;
  let sinceMs = 0;
  return {
    begin() {
      if (pending === 0) sinceMs = Date.now();
      pending += 1;
    },
    end() {
      pending -= 1;
      if (pending === 0) counters.activeMs += Date.now() - sinceMs;
    },
  };
}

/** The activity of the object whose code runs; undefined in the Worker. */
export function getActivity(): Activity | undefined {
  return current.getStore();
}

/** Runs a function of an object, and counts until its promise is settled. */
export function trackActivity(activity: Activity, run: () => unknown): unknown {
  activity.begin();
  let result: unknown;
  try {
    result = current.run(activity, run);
  } catch (error) {
    activity.end();
    throw error;
  }
  // The promise of a call to another object is no `Promise`.
  const { then } = (result ?? {}) as { then?: unknown };
  if (typeof then === "function") return Promise.resolve(result).finally(() => activity.end());
  activity.end();
  return result;
}
