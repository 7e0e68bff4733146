/**
 * `errata/browser`: reports the errors of a page, at most ten for each view. It never throws, and
 * makes no element, script or HTML.
 */

import { attempt, type BrowserReport, capture, startReporter } from "../client/reporter.ts";
import { listCauses } from "./browser/causes.ts";
import { selectDebugIds } from "./browser/debug-ids.ts";
import { watchFetches } from "./browser/failed-fetches.ts";
import { readServerTiming } from "./browser/server-timing.ts";
import { readMarkup, takeDigest } from "./browser/shown-digests.ts";

export type { BrowserReport, CaptureSource } from "../client/reporter.ts";

/** Configuration. */
export interface BrowserOptions {
  /** The address that gets the reports: `/monitoring`, the default, is on the page's own origin. */
  readonly to?: string | undefined;
  readonly release?: string | undefined;
  readonly environment?: string | undefined;
  /** The page token, unless the server sends it in `Server-Timing`. */
  readonly token?: string | undefined;
  /** The share of page views that report: 0.1 for a tenth. */
  readonly sample?: number | undefined;
  /** Errors that are not reported: texts and patterns of `TypeError: its message`. */
  readonly ignore?: readonly (string | RegExp)[] | undefined;
  /** Changes a report before it is sent; null drops it, as an error in the function does. */
  readonly beforeSend?: ((report: BrowserReport) => BrowserReport | null | undefined) | undefined;
  /** Reports failed requests of `fetch`, too. */
  readonly fetches?: boolean | undefined;
}

/** Starts to report. Further calls do nothing. Never throws. */
export function startErrata(options: BrowserOptions = {}): void {
  const { to = "/monitoring", release, environment, token, sample, fetches } = options;
  // The page may have replaced what browsers have.
  attempt(() => {
    // Without a number, each view reports.
    const isSilent = Math.random() >= (sample as number);
    startReporter(
      { to, find: takeDigest },
      () => ({
        release,
        environment,
        token: token || readServerTiming("token"),
        trace: readServerTiming("trace"),
      }),
      (report, thrown) => !isSilent && completeReport(report, thrown, options),
    );
    readMarkup();
    addEventListener("readystatechange", () => attempt(readMarkup), true);
    if (fetches) watchFetches(to);
  });
}

function completeReport(
  report: BrowserReport,
  thrown: unknown,
  { ignore, beforeSend = (complete) => complete }: BrowserOptions,
): BrowserReport | null | undefined {
  const { how, type, message, stack } = report;
  const title = `${type}: ${message}`;
  // Texts and patterns split it alike, whatever their flags and characters.
  if (ignore?.some((one) => title.split(one).length > 1)) return null;
  const details = attempt(() => ({
    digest: takeDigest(thrown, report.digest, how),
    debugIds: selectDebugIds(stack),
    ...listCauses(thrown),
  }));
  return beforeSend({ ...report, ...details });
}

/** Reports an error that the page handles. Returns the report's id; undefined if none is sent. */
export function captureException(error: unknown): string | undefined {
  return capture("caught", error);
}

/** What React says about an error besides the error. */
interface ErrorInfo {
  readonly componentStack?: string | null | undefined;
}

/** For `hydrateRoot` and `createRoot`: an error that a boundary caught. */
export function onCaughtError(error: unknown, { componentStack }: ErrorInfo): void {
  capture("caught", error, { componentStack });
  console.error(error);
}

/** For `hydrateRoot` and `createRoot`: an error that no boundary caught. */
export function onUncaughtError(error: unknown, info: ErrorInfo): void {
  capture("uncaught", error, info);
  reportError(error);
}

/** For `hydrateRoot`: React rendered again, so the visitor sees the page. Alerts nobody. */
export function onRecoverableError(error: unknown, info: ErrorInfo): void {
  capture("recovered", error, info);
  reportError(error);
}
