/**
 * Waits on the page of an unknown code (`ui/lookup/wait-for-report.tsx`) as long as it is open:
 * looks the code up again when reports arrive, when the live socket opens, and now and then in any
 * case. Opens the issue when its report has arrived, unless the visitor is writing or presses
 * Escape.
 */
import type { AwaitState } from "../ui/lookup/wait-for-report.tsx";
import { toLookupUrl } from "../ui/urls/lookup-urls.ts";
import { getBasePath, subscribe } from "./live-socket.ts";
import { navigate } from "./navigation.ts";
import { setTitle } from "./status/tab-title.ts";

const TICK_MS = 1_000;
/** From then on the page says that it is late. */
const LATE_MS = 60_000;
/** The title of the issue is shown this long before it opens: it can be read, or Escape pressed. */
const OPEN_DELAY_MS = 1_500;
/**
 * Other reports lead to a lookup at most after this share of the time that the page has waited: a
 * page that waits for hours in a busy project must not cost a request a second.
 */
const GAP_SHARE = 0.1;
const MAX_GAP_MS = 60_000;
/** Without any report: the code may be in another project, or the socket may be closed. */
const IDLE_GAP_MS = 5_000;

/** The part of the lookup's JSON that is read. */
interface Found {
  readonly hits: readonly { readonly title: string }[];
  readonly otherProjects?: readonly { readonly hits: readonly { readonly title: string }[] }[];
}

/**
 * Starts once on the panel with `data-awaits`, the text to look up, and `data-code`, the code in it
 * as events spell it.
 */
export function startAwaiting(panel: HTMLElement): void {
  const { awaits: query = "", code: awaitedCode } = panel.dataset;
  const startedMs = Date.now();
  let state: AwaitState = "listening";
  let lastMs = startedMs;
  let hasNews = false;
  let wasOpen = false;
  let isAsking = false;
  /** A lookup was asked for while another one was on its way, which may have missed the report. */
  let isDue = false;
  let opening = 0;

  const setState = (next: AwaitState) => {
    state = next;
    for (const part of panel.querySelectorAll<HTMLElement>("[data-when]"))
      part.hidden = part.dataset.when !== next;
  };
  const isWaiting = () => panel.isConnected && (state === "listening" || state === "late");

  /** Looks the code up. One lookup at a time; news during it lead to another. */
  const ask = async (scope: "here" | "all") => {
    if (isAsking || !isWaiting()) {
      isDue ||= scope === "here";
      return;
    }
    isAsking = true;
    isDue = false;
    hasNews = false;
    lastMs = Date.now();
    const found = await lookUp(query, scope).catch(() => null);
    isAsking = false;
    if (!isWaiting()) return;
    if (found?.isSignedOut) setState("signed-out");
    else if (found) arrive(found.title);
    else if (isDue) void ask("here");
  };

  /** Looks the code up after a report arrived, now or at a later tick. */
  const askSoon = () => {
    hasNews = true;
    const gapMs = Math.min((Date.now() - startedMs) * GAP_SHARE, MAX_GAP_MS);
    if (Date.now() - lastMs >= Math.max(gapMs, TICK_MS)) void ask("here");
  };

  const arrive = (title: string) => {
    for (const place of panel.querySelectorAll("[data-arrived-title]")) place.textContent = title;
    const heading = document.querySelector("[data-awaited-heading]");
    const code = heading?.querySelector("bdi");
    if (code) heading?.replaceChildren(code, " has arrived");
    setTitle(`${code?.textContent} has arrived · Errata`);
    setState(isWriting() ? "stayed" : "arrived");
    if (state === "stayed") return;
    opening = window.setTimeout(() => {
      if (!panel.isConnected || state !== "arrived") return;
      if (isWriting()) setState("stayed");
      // Parts that are still streamed would miss their places in another page.
      else if (document.readyState === "loading") location.reload();
      else navigate(location, { scrollY: 0, focusedId: "" });
    }, OPEN_DELAY_MS);
  };

  const tick = () => {
    if (!isWaiting()) return clearInterval(timer);
    const waitedMs = Date.now() - startedMs;
    const waited = panel.querySelector("[data-waited]");
    if (waited) waited.textContent = `${Math.floor(waitedMs / TICK_MS)} s`;
    if (waitedMs >= LATE_MS && state === "listening") setState("late");
    // A report may have arrived before the socket was open.
    const isOpen = document.documentElement.dataset.socket === "open";
    if (isOpen && !wasOpen) void ask("here");
    wasOpen = isOpen;
    if (hasNews) askSoon();
    const gapMs = Math.max(IDLE_GAP_MS, Math.min(waitedMs * GAP_SHARE, MAX_GAP_MS));
    if (!document.hidden && Date.now() - lastMs >= gapMs) void ask("all");
  };
  const timer = setInterval(tick, TICK_MS);

  document.addEventListener("keydown", function handleKey({ key }) {
    if (!panel.isConnected) document.removeEventListener("keydown", handleKey);
    else if (key === "Escape" && state === "arrived") {
      clearTimeout(opening);
      setState("stayed");
    }
  });
  subscribe("await-report", {
    isActive: isWaiting,
    onEvents(events) {
      // An event that names the code is never one of many.
      if (events.some(({ digest, id }) => [digest, id].includes(awaitedCode ?? "")))
        void ask("here");
      else askSoon();
    },
  });
}

/** The title of the issue; null if the report has not arrived. */
async function lookUp(query: string, scope: string) {
  const url = toLookupUrl(query).replace("?", `.json?codes=${scope}&`);
  const response = await fetch(getBasePath() + url);
  if (response.status === 401) return { isSignedOut: true, title: "" };
  if (!response.ok) return null;
  const { hits, otherProjects = [] }: Found = await response.json();
  const [first] = [...hits, ...otherProjects.flatMap((project) => project.hits)];
  return first ? { isSignedOut: false, title: first.title } : null;
}

/** True if a text field with the focus was changed: opening the issue would take the text away. */
function isWriting(): boolean {
  const field = document.activeElement;
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    field.value !== field.defaultValue
  );
}
