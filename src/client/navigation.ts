/**
 * Goes from page to page of the desk without leaving the document: what is asked for comes whole, and its parts take the places
 * of those that are there. Whatever is in doubt is left to the browser, which does it as if this were not here.
 */

/** The parts of a page; all that a page of the desk has. */
const SWAPPED_SELECTORS = [".site-header", "main", ".site-footer"];
/** A page of the desk, whose parts need nothing to run. */
const PAGE_SELECTOR = ":root:has([data-desk]):not(:has([data-island]))";
/** What is no page of the desk, or comes in pieces that are worth watching. */
const NON_PAGE_PATHS =
  /^(?:\/p\/\d+)?\/(self-test|docs|export|e\/|sample\/)|\/files\/|\.(json|md)$/;

/** Where somebody was on a page that was left: how far down, and at which control. */
interface ScrollState {
  readonly scrollY: number;
  readonly focusedId: string | undefined;
}

/** What was answered: the root of the document, where it is a page of the desk. */
interface FetchedPage {
  readonly document: HTMLElement | null | undefined;
  readonly url: string;
  readonly isRedirected: boolean;
  /** The server could not say what became of it. */
  readonly isServerError: boolean;
}

const UNKNOWN_RESULT_TEXT =
  "There is no answer, so it may have been done or not. Look before you send it again.";

let currentPath = toPath(location);
let latestNavigation = 0;
/** The form that is sent as if this were not here. */
let nativeSubmission: unknown;

/** A click that leads to another page of the desk. */
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

/** A form that is sent to the desk. What it decides is shown before it is answered. */
export function handleSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const button = event.submitter as HTMLButtonElement | null;
  const url = new URL(form.action, location.href);
  const canSwap = !form.target && form.enctype[0] === "a" && isSwappable(url);
  if (event.defaultPrevented || nativeSubmission === form || !canSwap) return;
  event.preventDefault();
  // Somebody presses twice.
  if (form.ariaBusy) return;
  const fields = new URLSearchParams(new FormData(form, button) as never);
  if (form.method === "get") {
    url.search = `${fields}`;
    navigate(url);
    return;
  }
  const wasMarked = markState(form, button?.dataset.newState ?? fields.get("state"));
  const navigation = ++latestNavigation;
  form.ariaBusy = "true";
  // It may have been done, so it is not sent again; what was written stays where it is.
  const handleUnknownResult = () => {
    form.ariaBusy = null;
    if (navigation !== latestNavigation) return;
    if (wasMarked) location.reload();
    else announce(UNKNOWN_RESULT_TEXT, true);
  };
  fetchPage(url, fields).then((fetched) => {
    form.ariaBusy = null;
    if (navigation !== latestNavigation) return;
    if (fetched.document) renderDocument(fetched.document, fetched.url, undefined, form);
    else if (fetched.isRedirected) location.assign(fetched.url);
    else if (fetched.isServerError) handleUnknownResult();
    else {
      nativeSubmission = form;
      form.requestSubmit(button);
    }
  }, handleUnknownResult);
}

/** Back and forward. */
export function handlePopState({ state }: PopStateEvent): void {
  if (toPath(location) !== currentPath) navigate(location, state ?? { scrollY: 0, focusedId: "" });
}

/** Notes with the page where somebody is on it. */
export function saveScrollPosition(): void {
  history.replaceState(
    { scrollY, focusedId: document.activeElement?.id } satisfies ScrollState,
    "",
  );
}

/**
 * Asks for a page of the desk, whole; with `fields`, sends them. Rejects when there is no answer. The request itself gives a
 * document, in which nothing runs: nowhere is text made into elements, and Trusted Types allow it to nobody.
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
      const isBroken = status > 499;
      const page = responseXML?.querySelector<HTMLElement>(PAGE_SELECTOR);
      resolve({
        document: isBroken ? null : page,
        url: responseURL,
        isRedirected: responseURL !== `${url}`,
        isServerError: isBroken,
      });
    };
    request.send(fields);
  });
}

function navigate(url: URL | Location, scrollState?: ScrollState): void {
  const navigation = ++latestNavigation;
  const navigateNatively = () => (scrollState ? location.reload() : location.assign(url.href));
  document.querySelector("main")?.setAttribute("aria-busy", "true");
  fetchPage(url.href).then((fetched) => {
    if (navigation !== latestNavigation) return;
    if (fetched.document) renderDocument(fetched.document, fetched.url + url.hash, scrollState);
    else navigateNatively();
  }, navigateNatively);
}

/**
 * Puts a page into the place of the one that is shown. Without a `spot` it is a new one, or the same one with other facts: then a comment
 * that is being written stays, unless it is what was `sent`.
 */
function renderDocument(
  page: HTMLElement,
  url: string,
  scrollState?: ScrollState,
  sentForm?: HTMLFormElement,
): void {
  const next = new URL(url);
  const isSamePath = toPath(next) === currentPath;
  const id = scrollState?.focusedId ?? document.activeElement?.id;
  if (!scrollState && !isSamePath) {
    saveScrollPosition();
    history.scrollRestoration = "manual";
    history.pushState(null, "", next);
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
  document.title = page.ownerDocument.title;
  const { theme } = page.dataset;
  document.documentElement.toggleAttribute("data-theme", theme !== undefined);
  if (theme) document.documentElement.dataset.theme = theme;
  if (!isSamePath || scrollState) scrollTo(0, scrollState?.scrollY ?? 0);
  const main = document.querySelector("main");
  const focused = findById(id) ?? main?.querySelector<HTMLElement>("[autofocus]") ?? main;
  focused?.focus({ preventScroll: true });
  findById(next.hash.slice(1))?.scrollIntoView();
  announce(document.title);
}

/** Told to those who listen; what everybody should see stands at the foot of the window. */
function announce(text: string, isShown = false): void {
  const place = document.querySelector("[data-announcer]");
  if (place) place.textContent = text;
  place?.classList.toggle("visually-hidden", !isShown);
}

/** Shows a decision on what it is about: the selected rows, else the issue of the page. False for what is no decision. */
function markState(form: HTMLFormElement, state: string | null): boolean {
  if (!state) return false;
  const selected = [...form.querySelectorAll("[name=digest]:checked")];
  const rows = selected.map((one) => one.closest("[data-state]"));
  for (const issue of selected.length ? rows : [document.querySelector("main [data-state]")]) {
    issue?.setAttribute("data-state", state);
    issue?.querySelector("[data-state]")?.setAttribute("data-state", state);
    issue?.querySelector(".state span")?.replaceChildren(state[0]?.toUpperCase() + state.slice(1));
  }
  return true;
}

function findCommentField(): HTMLTextAreaElement | null {
  return document.querySelector("#comment");
}

function findById(id: string | undefined): HTMLElement | null {
  return id ? document.getElementById(id) : null;
}

/** False while the page itself is still coming: what comes would look for places that are gone. */
function isSwappable({ origin, pathname }: URL): boolean {
  const canSwap = origin === location.origin && !NON_PAGE_PATHS.test(pathname);
  return canSwap && document.readyState !== "loading";
}

function toPath({ pathname, search }: URL | Location): string {
  return pathname + search;
}
