/**
 * The browser's reporter: says once what went wrong, and never makes it worse. It sends at most ten reports for a page view,
 * each fault once, by a beacon (which survives the page's end) or by fetch; it never throws, and never reports itself.
 * The format is Errata's own: `formats/reporter.ts`.
 */

/** How it came to light. */
export type How =
  | "uncaught"
  | "rejection"
  | "chunk"
  | "caught"
  | "recovered"
  | "mismatch"
  | "notice";

/** What is known besides the thrown value. */
export interface Details {
  readonly componentStack?: string | undefined;
  /** The digest that the visitor was shown, and the server's report that it stood for. */
  readonly digest?: string | undefined;
  readonly report?: string | undefined;
}

const MAX_REPORTS = 10;
const MAX_MESSAGE_CHARS = 4_000;
const MAX_STACK_CHARS = 16_000;
const CHUNK_FAILED =
  /dynamically imported module|importing a module script failed|loading (css )?chunk/i;

const seen = new Set<unknown>();
let sent = 0;
let listener: (how: How, id: string, message: string) => void = () => undefined;

/** Reports what was thrown. Gives the report's id, null when it is not sent: said before, or too many. Never throws. */
export function report(how: How, thrown: unknown, details: Details = {}): string | null {
  try {
    return send(how, thrown, details);
  } catch {
    // A value that cannot be read, or a browser without beacons and fetch: a reporter that fails has nobody to tell.
    return null;
  }
}

/** Listens for errors and rejections that nobody caught. `onSent` is told of every report that is sent. */
export function listen(onSent: typeof listener): void {
  listener = onSent;
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) report("uncaught", event.error ?? event.message);
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    report("rejection", reason);
  });
}

function send(light: How, thrown: unknown, details: Details): string | null {
  const error = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Partial<Error>;
  const type = text(() => error.name) ?? (thrown === null ? "null" : typeof thrown);
  const words = text(() => error.message) ?? text(() => thrown) ?? "";
  const message = words.slice(0, MAX_MESSAGE_CHARS);
  const stack = text(() => error.stack)?.slice(0, MAX_STACK_CHARS);
  const how = CHUNK_FAILED.test(message) ? "chunk" : light;
  const fault = `${type}|${message}|${stack ?? ""}|${details.digest ?? ""}|${details.report ?? ""}|${how}`;
  if (sent >= MAX_REPORTS || seen.has(fault) || seen.has(thrown)) return null;
  seen.add(fault);
  if (typeof thrown === "object" && thrown !== null) seen.add(thrown);
  sent++;
  const settings = document.querySelector<HTMLMetaElement>("meta[name=errata]");
  const id = newId();
  const body = JSON.stringify({
    errata: 1,
    id,
    how,
    type,
    message,
    stack,
    ...details,
    url: location.href.split("#")[0],
    at: Date.now(),
    release: settings?.dataset.release,
    environment: settings?.dataset.environment,
    language: navigator.language,
    viewport: `${innerWidth}x${innerHeight}`,
    // Chromium's and Google's mark; Microsoft's browser marks the title.
    translated: document.querySelector("html[class*=translated-],title[_msttexthash]") !== null,
  });
  deliver(settings?.content ?? "/monitoring", body);
  listener(how, id, message);
  return id;
}

function deliver(url: string, body: string): void {
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
function text(read: () => unknown): string | undefined {
  try {
    const value = read();
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
