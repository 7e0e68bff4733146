/**
 * `errata/vitals`: measures the speed of a page as its visitor sees it, and sends the values once,
 * when the page is hidden for the first time. Values that the browser does not measure are absent.
 * It never throws.
 *
 * - `ttfb`: the first byte of the page; `fcp`: the first text or image; `lcp`: the largest one
 *   before the first input, ms.
 * - `cls`: the greatest sum of layout shifts in 5 s, each at most 1 s after the one before.
 * - `inp`: the slowest reaction to an input, without one in each 50 inputs, ms.
 *
 * Source: w3c.github.io/largest-contentful-paint, wicg.github.io/layout-instability,
 * w3c.github.io/event-timing, web.dev/articles/vitals.
 */

import { attempt } from "../client/reporter.ts";
import { readServerTiming } from "./browser/server-timing.ts";

/** Configuration, as that of `errata/browser`. */
export interface VitalsOptions {
  /** The address that gets the values: `/monitoring` by default. */
  readonly to?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  readonly token?: string | undefined;
  /** The share of page views that are measured. */
  readonly sample?: number | undefined;
}

/** The values of one page view. */
interface Vitals {
  ttfb?: number;
  fcp?: number;
  lcp?: number;
  cls?: number;
  inp?: number;
}

const MAX_SHIFT_GAP_MS = 1_000;
const MAX_SHIFT_WINDOW_MS = 5_000;
/** The shortest event that browsers report by default is longer. */
const MIN_EVENT_MS = 40;
const INPUTS_PER_OUTLIER = 50;
const MAX_OUTLIERS = 10;

/** Starts to measure. Never throws. */
export function startVitals(options: VitalsOptions = {}): void {
  attempt(() => {
    if (Math.random() >= Number(options.sample)) return;
    const vitals: Vitals = {};
    measurePaint(vitals);
    measureShifts(vitals);
    measureInputs(vitals);
    let isSent = false;
    const send = () => {
      if (isSent || !document.hidden) return;
      isSent = true;
      attempt(() => sendVitals(vitals, options));
    };
    addEventListener("visibilitychange", send);
  });
}

function sendVitals(vitals: Vitals, options: VitalsOptions): void {
  const { to = "/monitoring", release, environment, token } = options;
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const report = {
    how: "vitals",
    url: location.href.replace(/#.*/, ""),
    at: Date.now(),
    vitals: { ttfb: page && toPageTime(page.responseStart), ...vitals },
  };
  const shared = { release, environment, token: token || readServerTiming("token") };
  navigator.sendBeacon(to, JSON.stringify({ errata: 1, ...shared, reports: [report] }));
}

/** Calls `handle` with the entries of a type, also with those from before; unknown types have none. */
function observe(
  type: string,
  handle: (entry: TimedEntry) => void,
  options: PerformanceObserverInit = {},
): PerformanceObserver | undefined {
  return attempt(() => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return undefined;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) attempt(() => handle(entry));
    });
    observer.observe({ type, buffered: true, ...options });
    return observer;
  });
}

/** An entry with the members of the types that this module observes. */
interface TimedEntry extends PerformanceEntry {
  readonly value?: number;
  readonly hadRecentInput?: boolean;
  readonly interactionId?: number;
}

/** A page that was rendered in advance starts when it is shown. */
function toPageTime(ms: number): number {
  const [page] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
    readonly activationStart?: number;
  })[];
  return Math.max(0, Math.round(ms - (page?.activationStart ?? 0)));
}

function measurePaint(vitals: Vitals): void {
  // A page that began in the background is painted when its visitor opens it.
  if (document.hidden) return;
  observe("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") vitals.fcp = toPageTime(startTime);
  });
  const observer = observe("largest-contentful-paint", ({ startTime }) => {
    vitals.lcp = toPageTime(startTime);
  });
  for (const type of ["keydown", "click"])
    addEventListener(type, () => observer?.disconnect(), { once: true, capture: true });
}

function measureShifts(vitals: Vitals): void {
  let [sum, firstMs, lastMs] = [0, 0, 0];
  const observer = observe("layout-shift", ({ value = 0, hadRecentInput, startTime }) => {
    if (hadRecentInput) return;
    const isInWindow =
      startTime - lastMs < MAX_SHIFT_GAP_MS && startTime - firstMs < MAX_SHIFT_WINDOW_MS;
    if (!isInWindow) [sum, firstMs] = [0, startTime];
    lastMs = startTime;
    sum += value;
    vitals.cls = Math.max(vitals.cls ?? 0, Math.round(sum * 10_000) / 10_000);
  });
  // Most pages have no shifts.
  if (observer) vitals.cls ??= 0;
}

function measureInputs(vitals: Vitals): void {
  /** The slowest inputs: the longest event of each. */
  const durations = new Map<number, number>();
  const firstCount = getInputCount();
  observe(
    "event",
    ({ interactionId, duration }) => {
      if (!interactionId) return;
      durations.set(interactionId, Math.max(durations.get(interactionId) ?? 0, duration));
      const slowest = [...durations].sort(([, a], [, b]) => b - a);
      for (const [id] of slowest.slice(MAX_OUTLIERS)) durations.delete(id);
      const outliers = Math.floor((getInputCount() - firstCount) / INPUTS_PER_OUTLIER);
      vitals.inp = slowest[Math.min(outliers, slowest.length - 1)]?.[1];
    },
    { durationThreshold: MIN_EVENT_MS } as PerformanceObserverInit,
  );
}

/** The inputs of this page, fast ones too; 0 where browsers do not count them. */
function getInputCount(): number {
  return (performance as { interactionCount?: number }).interactionCount ?? 0;
}
