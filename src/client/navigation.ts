/**
 * Navigates between pages of the desk without a reload: fetches the page and replaces the header,
 * main and footer. In all other cases the browser navigates as usual.
 */

import { findRow, listNextRows } from "./keyboard/row-selection.ts";
import { replayWaitingKeys } from "./keyboard/shortcuts.ts";
import { getBasePath } from "./live-socket.ts";
import { markState } from "./mark-state.ts";
import { announce, OFFLINE_TEXT } from "./status/connection.ts";
import { setTitle } from "./status/tab-title.ts";

/** The parts to replace. */
const SWAPPED_SELECTORS = [".site-header", "main", ".site-footer"];
/**
 * A page of the same project's desk without islands, which would need hydration. Another project
 * has its own live socket.
 */
const PAGE_SELECTOR = `:root:has([data-desk="${getBasePath()}"]):not(:has([data-island]))`;
/** Paths that are not pages of the desk, and pages whose streaming should be visible. */
const NON_PAGE_PATHS =
  /^(?:\/p\/\d+)?\/(self-test|docs|export|e\/|sample\/)|\/files\/|\.(json|md)$/;

/** The scroll position and the focused element of a page in the history. */
interface ScrollState {
  readonly scrollY: number;
  readonly focusedId: string | undefined;
}

/** A response; `document` is its root element if it is a page of the desk. */
interface FetchedPage {
  readonly document: HTMLElement | null | undefined;
  readonly url: string;
  readonly isRedirected: boolean;
  readonly status: number;
}

const UNKNOWN_RESULT_TEXT =
  "No response from the server. The change may have been saved: check before you try again.";
const SIGNED_OUT_TEXT = "You are signed out. Sign in in another tab, then try again.";

let currentPath = toPath(location);
let latestNavigation = 0;
/** The form that the browser submits natively. */
let nativeSubmission: unknown;

/** Navigates when a link to another page of the desk is clicked. */
export function handleLinkClick(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || !link.href || isModified) return;
  if (link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (event.button || event.defaultPrevented || !isSwappable(url)) return;
  if (url.hash && toPath(url) === currentPath) return;
  event.preventDefault();
  navigate(url);
}

/** Submits a form of the desk. The page shows a changed state before the response. */
export function handleSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const button = event.submitter as HTMLButtonElement | null;
  const url = new URL(form.action, location.href);
  const canSwap = !form.target && form.enctype[0] === "a" && isSwappable(url);
  if (event.defaultPrevented || nativeSubmission === form || !canSwap) return;
  event.preventDefault();
  // The button was pressed again before the response.
  if (form.ariaBusy) return;
  const fields = new URLSearchParams(new FormData(form, button) as never);
  if (form.method === "get") {
    url.search = `${fields}`;
    // A field would keep the focus: its popup would cover the results, and their keys be text.
    (findById("list") ?? document.querySelector("main"))?.focus({ preventScroll: true });
    navigate(url);
    return;
  }
  const unmark = markState(form, button, button?.dataset.newState ?? fields.get("state"));
  const navigation = ++latestNavigation;
  form.ariaBusy = "true";
  setBusy(true);
  // The fields keep their values. A change that may be saved is not sent again.
  const handleFailure = (reason: unknown) => {
    const isSignedOut = reason === 401;
    form.ariaBusy = null;
    if (navigation !== latestNavigation) return;
    setBusy(false);
    if (isSignedOut || !navigator.onLine) {
      unmark?.();
      announce(isSignedOut ? SIGNED_OUT_TEXT : OFFLINE_TEXT, true);
    } else if (unmark) location.reload();
    else announce(UNKNOWN_RESULT_TEXT, true);
  };
  fetchPage(url, fields).then((fetched) => {
    form.ariaBusy = null;
    if (navigation !== latestNavigation) return;
    if (fetched.document) renderDocument(fetched.document, fetched.url, undefined, form);
    else if (fetched.isRedirected) location.assign(fetched.url);
    else if (fetched.status === 401 || fetched.status > 499) handleFailure(fetched.status);
    else {
      setBusy(false);
      nativeSubmission = form;
      form.requestSubmit(button);
    }
  }, handleFailure);
}

/** Navigates back and forward. */
export function handlePopState({ state }: PopStateEvent): void {
  if (toPath(location) !== currentPath) navigate(location, state ?? { scrollY: 0, focusedId: "" });
}

/** Saves the scroll position in the history entry. */
export function saveScrollPosition(): void {
  history.replaceState(
    { scrollY, focusedId: document.activeElement?.id } satisfies ScrollState,
    "",
  );
}

/**
 * Fetches a complete page, without streaming; with `fields`, posts them. Rejects if there is no
 * response. XMLHttpRequest returns a document without running its scripts, which Trusted Types
 * permit.
 */
export function fetchPage(url: URL | string, fields?: URLSearchParams): Promise<FetchedPage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(fields ? "post" : "get", url);
    request.responseType = "document";
    request.setRequestHeader("Errata-Navigation", "1");
    request.onerror = reject;
    request.onload = () => {
      const { responseXML, responseURL, status } = request;
      const page = responseXML?.querySelector<HTMLElement>(PAGE_SELECTOR);
      resolve({
        document: status > 499 ? null : page,
        url: responseURL,
        isRedirected: responseURL !== `${url}`,
        status,
      });
    };
    request.send(fields);
  });
}

/** Opens a page; with `scrollState`, in place of the current one. */
export function navigate(url: URL | Location, scrollState?: ScrollState): void {
  const navigation = ++latestNavigation;
  const navigateNatively = () => {
    if (navigation !== latestNavigation) return;
    setBusy(false);
    if (!navigator.onLine) announce(OFFLINE_TEXT, true);
    else if (scrollState) location.reload();
    else location.assign(url.href);
  };
  setBusy(true);
  fetchPage(url.href).then((fetched) => {
    if (navigation !== latestNavigation) return;
    if (fetched.document) renderDocument(fetched.document, fetched.url + url.hash, scrollState);
    else navigateNatively();
  }, navigateNatively);
}

/**
 * Replaces the current page. Without `scrollState`, it is a new page or a refresh. Keeps a draft
 * comment, unless `sentForm` is its form.
 */
function renderDocument(
  page: HTMLElement,
  url: string,
  scrollState?: ScrollState,
  sentForm?: HTMLFormElement,
): void {
  const next = new URL(url);
  // The response to a form may have another spelling of its page's query.
  const isResponse = sentForm !== undefined && next.pathname === location.pathname;
  const isSamePath = toPath(next) === currentPath || isResponse;
  const ids = [
    ...(isSamePath && !scrollState ? [page.querySelector<HTMLElement>("[data-focus]")] : []).map(
      (message) => message?.dataset.focus,
    ),
    scrollState?.focusedId ?? document.activeElement?.id,
    ...(isSamePath ? [...listNextRows(), sentForm?.closest("section")?.id] : []),
  ];
  if (!scrollState && !isSamePath) {
    saveScrollPosition();
    history.scrollRestoration = "manual";
    history.pushState(null, "", next);
  } else if (isResponse || scrollState) {
    // A page of the history may lead to another one by now.
    history.replaceState(history.state, "", next);
  }
  currentPath = toPath(next);
  const previousComment = findCommentField();
  for (const part of SWAPPED_SELECTORS) {
    const replacement = page.querySelector(part);
    if (replacement) document.querySelector(part)?.replaceWith(replacement);
  }
  const comment = findCommentField();
  const isSameForm = previousComment?.form?.action === comment?.form?.action;
  if (previousComment && comment && isSameForm && previousComment.form !== sentForm)
    comment.value = previousComment.value;
  setTitle(page.ownerDocument.title);
  const { theme } = page.dataset;
  document.documentElement.toggleAttribute("data-theme", theme !== undefined);
  if (theme) document.documentElement.dataset.theme = theme;
  if (!isSamePath || scrollState) scrollTo(0, scrollState?.scrollY ?? 0);
  const main = document.querySelector("main");
  const target = findById(next.hash.slice(1));
  const focused =
    (findRow(target) || target?.matches("input") ? target : undefined) ??
    ids.map(findById).find((one) => one) ??
    target ??
    main?.querySelector<HTMLElement>("[autofocus]:not([popover] *)") ??
    main;
  // A section can only be focused with the attribute.
  if (focused && focused.tabIndex < 0) focused.tabIndex = -1;
  focused?.focus({ preventScroll: true });
  target?.scrollIntoView();
  announce(document.title);
  if (sentForm) replayWaitingKeys();
}

/** The style sheet shows it after a delay. */
function setBusy(isBusy: boolean): void {
  const main = document.querySelector("main");
  if (main) main.ariaBusy = isBusy ? "true" : null;
}

function findCommentField(): HTMLTextAreaElement | null {
  return document.querySelector("#comment");
}

function findById(id: string | undefined): HTMLElement | null {
  return id ? document.getElementById(id) : null;
}

/** False while the page is still streaming, because late parts would miss their boundaries. */
function isSwappable({ origin, pathname }: URL): boolean {
  const canSwap = origin === location.origin && !NON_PAGE_PATHS.test(pathname);
  return canSwap && document.readyState !== "loading";
}

/** The path and query in a form that is equal for all spellings of the query. */
function toPath({ pathname, search }: URL | Location): string {
  return `${pathname}?${new URLSearchParams(search)}`;
}
