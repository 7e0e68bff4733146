/**
 * The browser's reporter: says once what went wrong, and never makes it worse. It sends at most ten reports for a page view,
 * each fault once, by a beacon (which survives the page's end) or by fetch; it never throws, and never reports itself.
 * The format is Errata's own: `formats/reporter.ts`.
 */

/** How it came to light. */
export type CaptureSource =
  | "uncaught"
  | "rejection"
  | "chunk"
  | "caught"
  | "recovered"
  | "mismatch"
  | "notice";

/** What is known besides the thrown value. */
export interface CaptureDetails {
  readonly componentStack?: string | undefined;
  /** The digest that the visitor was shown, and the server's report that it stood for. */
  readonly digest?: string | undefined;
  readonly reportId?: string | undefined;
}

const MAX_REPORTS = 10;
const MAX_MESSAGE_CHARS = 4_000;
const MAX_STACK_CHARS = 16_000;
const CHUNK_ERROR =
  /dynamically imported module|importing a module script failed|loading (css )?chunk/i;

const capturedErrors = new Set<unknown>();
let sentCount = 0;
let onCaptured: (source: CaptureSource, id: string, message: string) => void = () => undefined;

/** Reports what was thrown. Gives the report's id, null when it is not sent: said before, or too many. Never throws. */
export function captureException(
  source: CaptureSource,
  thrown: unknown,
  details: CaptureDetails = {},
): string | null {
  try {
    return sendReport(source, thrown, details);
  } catch {
    // A value that cannot be read, or a browser without beacons and fetch: a reporter that fails has nobody to tell.
    return null;
  }
}

/** Listens for errors and rejections that nobody caught. `onSent` is told of every report that is sent. */
export function startReporter(onReport: typeof onCaptured): void {
  onCaptured = onReport;
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) captureException("uncaught", event.error ?? event.message);
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    captureException("rejection", reason);
  });
}

function sendReport(
  initialSource: CaptureSource,
  thrown: unknown,
  details: CaptureDetails,
): string | null {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Partial<Error>;
  const type = readText(() => error.name) ?? (thrown === null ? "null" : typeof thrown);
  const rawMessage = readText(() => error.message) ?? readText(() => thrown) ?? "";
  const message = rawMessage.slice(0, MAX_MESSAGE_CHARS);
  const stack = readText(() => error.stack)?.slice(0, MAX_STACK_CHARS);
  const source = CHUNK_ERROR.test(message) ? "chunk" : initialSource;
  const fingerprint = `${type}|${message}|${stack ?? ""}|${details.digest ?? ""}|${details.reportId ?? ""}|${source}`;
  if (sentCount >= MAX_REPORTS || capturedErrors.has(fingerprint) || capturedErrors.has(thrown))
    return null;
  capturedErrors.add(fingerprint);
  if (typeof thrown === "object" && thrown !== null) capturedErrors.add(thrown);
  sentCount++;
  const meta = document.querySelector<HTMLMetaElement>("meta[name=errata]");
  const id = createReportId();
  const body = JSON.stringify({
    errata: 1,
    id,
    how: source,
    type,
    message,
    stack,
    ...details,
    url: location.href.split("#")[0],
    at: Date.now(),
    release: meta?.dataset.release,
    environment: meta?.dataset.environment,
    language: navigator.language,
    viewport: `${innerWidth}x${innerHeight}`,
    // Chromium's and Google's mark; Microsoft's browser marks the title.
    translated: document.querySelector("html[class*=translated-],title[_msttexthash]") !== null,
  });
  postReport(meta?.content ?? "/monitoring", body);
  onCaptured(source, id, message);
  return id;
}

function postReport(url: string, body: string): void {
  try {
    if (navigator.sendBeacon(url, body)) return;
  } catch {
    // There are no beacons here, or somebody forbids them: fetch it is.
  }
  // A refused beacon has used up the quota (64 KiB in flight) that `keepalive` shares; without one it may be tried.
  const keepalive = navigator.sendBeacon === undefined;
  fetch(url, { method: "POST", body, keepalive }).catch(() => undefined);
}

/** What can be read as text; undefined for what is absent, and for what throws when it is looked at. */
function readText(read: () => unknown): string | undefined {
  try {
    const value = read();
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}

function createReportId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
