/**
 * The core of the browser reporter, for Errata's own pages and for `errata/browser`. It sends at
 * most ten reports for each page view, each error once, in batches: one body for the reports of a
 * second, and what is left when the page is hidden. Reports that cannot be sent wait until the
 * browser is online again, at most ten. It never throws and never reports itself.
 */

/** How the error was captured, as in the member `how` of the report. */
export type CaptureSource =
  | "uncaught"
  | "rejection"
  | "caught"
  | "recovered"
  | "mismatch"
  | "notice"
  | "resource"
  | "fetch";

/** Details besides the thrown value. */
export interface CaptureDetails {
  /** In place of the thrown value's own message. */
  readonly message?: string;
  readonly componentStack?: string | null | undefined;
  /** The digest shown to the visitor, and the server's report behind it. */
  readonly digest?: string | undefined;
  readonly reportId?: string | undefined;
  /** The status of a response. */
  readonly status?: number;
}

/** An error in the form of a report. */
export interface DescribedError {
  /** Absent if nothing of the thrown value can be read. */
  readonly type?: string | undefined;
  readonly message: string;
  readonly stack?: string | undefined;
  /** The thrown value's own digest. */
  readonly digest?: string | undefined;
}

/** A report as it is sent. Members that the server does not know are ignored. */
export interface BrowserReport extends DescribedError, Omit<CaptureDetails, "message"> {
  readonly id: string;
  readonly how: CaptureSource;
  /** The page's URL, without fragment. */
  readonly url: string;
  /** The time of the error, ms. */
  readonly at: number;
  readonly language: string;
  /** `390x844`. */
  readonly viewport: string;
  /** The browser translated the page. */
  readonly translated: boolean;
  readonly [member: string]: unknown;
}

const MAX_REPORTS = 10;
/** A page with many missing images still has reports left for its errors. */
const MAX_LOADS = 5;
const BATCH_MS = 1_000;
const MAX_TEXT_CHARS = 8_000;
/** Browsers limit the bodies of all `keepalive` requests together to 64 KiB. */
const MAX_KEEPALIVE_CHARS = 60_000;

/** The report to send of a thrown value; null or false to send none. */
type CompleteReport = (
  report: BrowserReport,
  thrown: unknown,
) => BrowserReport | false | null | undefined;

interface ReportingWindow extends Window {
  /** The first reporter that started: a page may have copies of this module. */
  __errata?: typeof addReport & ReporterFacts;
}

/** What notices on the page read of the reporter. */
export interface ReporterFacts {
  /** The address that gets the reports. */
  readonly to: string;
  /** The digest of the page that an error has. */
  readonly find?: (thrown: unknown) => string | undefined;
}

let url: string;
let getSharedMembers: () => object;
let completeReport: CompleteReport;
/** The reports that wait, as JSON: one that cannot be written must not stop the others. */
let queue: string[] = [];
let timer: ReturnType<typeof setTimeout> | 0 = 0;
let reportCount = 0;
let droppedCount = 0;
/** Thrown values that were reported, and what was reported of them. */
const seen = new Set<unknown>();

/**
 * Listens for uncaught errors, rejections and failed resources. The first call on a page decides.
 * Reports go to `facts.to`; `getShared` returns the members that all reports of a body share.
 */
export function startReporter(
  facts: ReporterFacts,
  getShared: () => object,
  complete: CompleteReport,
): void {
  if ((window as ReportingWindow).__errata) return;
  (window as ReportingWindow).__errata = Object.assign(addReport, facts);
  url = facts.to;
  getSharedMembers = getShared;
  completeReport = complete;
  // The events of elements that fail to load do not bubble, and have no message.
  addEventListener("error", (event) => attempt(() => handleError(event)), true);
  addEventListener("unhandledrejection", ({ reason }) => capture("rejection", reason));
  for (const type of ["visibilitychange", "pagehide", "online"])
    addEventListener(type, () => flush(type !== "online"));
  addEventListener("pageshow", ({ persisted }) => {
    // The page comes from the back-forward cache: a new view.
    if (!persisted) return;
    seen.clear();
    reportCount = 0;
  });
}

function handleError({ target, error, message }: ErrorEvent): void {
  const { localName, src, href } = Object(target) as Record<string, unknown>;
  const resource = `${localName} ${src || href}`;
  if (/^(script|link|img) http/.test(resource)) capture("resource", resource);
  else if (!localName) capture("uncaught", error ?? message);
}

/**
 * Reports a thrown value. Returns the report's id; undefined for duplicates, above the limit, and
 * before the start. Never throws.
 */
export function capture(
  how: CaptureSource,
  thrown: unknown,
  details?: CaptureDetails,
): string | undefined {
  // The value may be unreadable, and the page may have replaced what browsers have.
  return attempt(() => (window as ReportingWindow).__errata?.(how, thrown, details));
}

function addReport(
  how: CaptureSource,
  thrown: unknown,
  details: CaptureDetails | undefined,
): string | undefined {
  if (seen.has(thrown)) return undefined;
  if (reportCount >= (/resource|fetch/.test(how) ? MAX_LOADS : MAX_REPORTS)) {
    droppedCount++;
    return undefined;
  }
  const error = { ...describeThrown(thrown), ...details };
  // The same failure in another component.
  const fingerprint = JSON.stringify({ ...error, componentStack: 0 });
  // The page itself ended the request.
  if (seen.has(fingerprint) || error.type === "AbortError") return undefined;
  const report = completeReport(
    {
      id: createReportId(),
      how,
      ...error,
      url: location.href.replace(/#.*/, ""),
      at: Date.now(),
      language: navigator.language,
      viewport: `${innerWidth}x${innerHeight}`,
      // Chromium marks the root element, Edge the title.
      translated: !!document.querySelector("html[class*=translated-],title[_msttexthash]"),
    },
    thrown,
  );
  if (!report) return undefined;
  queue.push(JSON.stringify(report));
  seen.add(fingerprint).add(thrown);
  reportCount++;
  // A hidden page may end before the second is over.
  if (document.hidden) void flush(true);
  else if (!timer) timer = setTimeout(flush, BATCH_MS);
  return report.id;
}

/** Sends the reports that wait. Never rejects. */
async function flush(isLeaving?: boolean): Promise<void> {
  const reports = queue;
  timer = 0;
  if (!reports[0]) return;
  queue = [];
  try {
    const shared = { errata: 1, dropped: droppedCount, ...getSharedMembers() };
    const body = `${JSON.stringify(shared).slice(0, -1)},"reports":[${reports}]}`;
    droppedCount = 0;
    // A beacon outlives the page, but does not say whether it was sent.
    if (isLeaving && navigator.onLine && navigator.sendBeacon?.(url, body)) return;
    await fetch(url, { method: "POST", body, keepalive: body.length < MAX_KEEPALIVE_CHARS });
  } catch {
    queue = [...reports, ...queue].slice(-MAX_REPORTS);
  }
}

/**
 * A thrown value of any kind as type, message and stack, like `describeErrorText` of the servers.
 * Reading the value may throw, which this function does not.
 */
export function describeThrown(thrown: unknown): DescribedError {
  const error = Object(thrown) as Partial<Error>;
  const stack = readText(() => error.stack);
  const message = readText(() => error.message);
  return {
    // The name of another object may be a person's.
    type:
      ((stack || message) && readText(() => error.name)) ||
      readText(() => ({}).toString.call(thrown).slice(8, -1)),
    message: message ?? readText(() => (error === thrown ? JSON.stringify(error) : thrown)) ?? "",
    stack,
    digest: readText(() => (error as { digest?: unknown }).digest),
  };
}

/** The value as text; undefined if it is absent or cannot be read. */
function readText(read: () => unknown): string | undefined {
  return attempt(() => read()?.toString().slice(0, MAX_TEXT_CHARS));
}

/** What the function returns; undefined if it throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    // The caller has another value, or does without one.
  }
}

function createReportId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return bytes.reduce((id, byte) => id + (byte + 256).toString(16).slice(1), "");
}
