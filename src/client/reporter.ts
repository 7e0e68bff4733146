/**
 * The browser reporter. It sends at most ten reports for each page view, each error once, with
 * sendBeacon (which outlives the page) or fetch. It never throws and never reports itself.
 */

/** How the error was captured, as in the member `how` of the report. */
export type CaptureSource =
  | "uncaught"
  | "rejection"
  | "chunk"
  | "caught"
  | "recovered"
  | "mismatch"
  | "notice";

/** Details besides the thrown value. */
interface CaptureDetails {
  readonly componentStack?: string | undefined;
  /** The digest shown to the visitor, and the server's report behind it. */
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

/**
 * Reports a thrown value. Returns the report's id; null for duplicates and above the limit. Never
 * throws.
 */
export function captureException(
  source: CaptureSource,
  thrown: unknown,
  details: CaptureDetails = {},
): string | null {
  try {
    return sendReport(source, thrown, details);
  } catch {
    // An unreadable value, or a browser without sendBeacon and fetch.
    return null;
  }
}

/** Listens for uncaught errors and rejections. `onReport` is called for every sent report. */
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
    // Chromium marks the root element, Edge the title.
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
    // sendBeacon is missing or blocked.
  }
  // A refused beacon means that the quota of 64 KiB is used up. `keepalive` shares this quota, so
  // it is set only without sendBeacon.
  const keepalive = navigator.sendBeacon === undefined;
  fetch(url, { method: "POST", body, keepalive }).catch(() => undefined);
}

/** The value as text; undefined if it is absent or cannot be read. */
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
