/**
 * Goes from page to page of the desk without leaving the document: what is asked for comes whole, and its parts take the places
 * of those that are there. Whatever is in doubt is left to the browser, which does it as if this were not here.
 */

/** The parts of a page; all that a page of the desk has. */
const PARTS = [".site-head", "main", ".site-foot"];
/** A page of the desk, whose parts need nothing to run. */
const PAGE = ":root:has([data-desk]):not(:has([data-island]))";
/** What is no page of the desk, or comes in pieces that are worth watching. */
const NO_PAGES = /^(?:\/p\/\d+)?\/(self-test|docs|export|e\/|sample\/)|\/files\/|\.(json|md)$/;

/** Where somebody was on a page that was left: how far down, and at which control. */
interface Spot {
  readonly y: number;
  readonly id: string | undefined;
}

/** What was answered: the root of the document, where it is a page of the desk. */
interface Answer {
  readonly page: HTMLElement | null | undefined;
  readonly url: string;
  readonly isElsewhere: boolean;
  /** The server could not say what became of it. */
  readonly isBroken: boolean;
}

const UNCERTAIN =
  "There is no answer, so it may have been done or not. Look before you send it again.";

let shown = pathOf(location);
let turn = 0;
/** The form that is sent as if this were not here. */
let plain: unknown;

/** A click that leads to another page of the desk. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const isModified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || !link.href || isModified) return;
  if (link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (event.button || event.defaultPrevented || !isPage(url)) return;
  if (url.hash && pathOf(url) === shown) return;
  event.preventDefault();
  show(url);
}

/** A form that is sent to the desk. What it decides is shown before it is answered. */
export function send(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const button = event.submitter as HTMLButtonElement | null;
  const url = new URL(form.action, location.href);
  const isOwn = !form.target && form.enctype[0] === "a" && isPage(url);
  if (event.defaultPrevented || plain === form || !isOwn) return;
  event.preventDefault();
  // Somebody presses twice.
  if (form.ariaBusy) return;
  const fields = new URLSearchParams(new FormData(form, button) as never);
  if (form.method === "get") {
    url.search = `${fields}`;
    show(url);
    return;
  }
  const isMarked = mark(form, button?.dataset.to ?? fields.get("state"));
  const mine = ++turn;
  form.ariaBusy = "true";
  // It may have been done, so it is not sent again; what was written stays where it is.
  const leaveOpen = () => {
    form.ariaBusy = null;
    if (mine !== turn) return;
    if (isMarked) location.reload();
    else say(UNCERTAIN, true);
  };
  load(url, fields).then((answer) => {
    form.ariaBusy = null;
    if (mine !== turn) return;
    if (answer.page) place(answer.page, answer.url, undefined, form);
    else if (answer.isElsewhere) location.assign(answer.url);
    else if (answer.isBroken) leaveOpen();
    else {
      plain = form;
      form.requestSubmit(button);
    }
  }, leaveOpen);
}

/** Back and forward. */
export function returnTo({ state }: PopStateEvent): void {
  if (pathOf(location) !== shown) show(location, state ?? { y: 0, id: "" });
}

/** Notes with the page where somebody is on it. */
export function remember(): void {
  history.replaceState({ y: scrollY, id: document.activeElement?.id } satisfies Spot, "");
}

/**
 * Asks for a page of the desk, whole; with `fields`, sends them. Rejects when there is no answer. The request itself gives a
 * document, in which nothing runs: nowhere is text made into elements, and Trusted Types allow it to nobody.
 */
export function load(url: URL | string, fields?: URLSearchParams): Promise<Answer> {
  return new Promise((answered, failed) => {
    const request = new XMLHttpRequest();
    request.open(fields ? "post" : "get", url);
    request.responseType = "document";
    request.setRequestHeader("Errata-Swap", "1");
    request.onerror = failed;
    request.onload = () => {
      const { responseXML, responseURL, status } = request;
      const isBroken = status > 499;
      const page = responseXML?.querySelector<HTMLElement>(PAGE);
      answered({
        page: isBroken ? null : page,
        url: responseURL,
        isElsewhere: responseURL !== `${url}`,
        isBroken,
      });
    };
    request.send(fields);
  });
}

function show(url: URL | Location, spot?: Spot): void {
  const mine = ++turn;
  const leave = () => (spot ? location.reload() : location.assign(url.href));
  document.querySelector("main")?.setAttribute("aria-busy", "true");
  load(url.href).then((answer) => {
    if (mine !== turn) return;
    if (answer.page) place(answer.page, answer.url + url.hash, spot);
    else leave();
  }, leave);
}

/**
 * Puts a page into the place of the one that is shown. Without a `spot` it is a new one, or the same one with other facts: then a comment
 * that is being written stays, unless it is what was `sent`.
 */
function place(page: HTMLElement, url: string, spot?: Spot, sent?: HTMLFormElement): void {
  const next = new URL(url);
  const isSame = pathOf(next) === shown;
  const id = spot?.id ?? document.activeElement?.id;
  if (!spot && !isSame) {
    remember();
    history.scrollRestoration = "manual";
    history.pushState(null, "", next);
  }
  shown = pathOf(next);
  const draft = commentField();
  for (const part of PARTS) {
    const fresh = page.querySelector(part);
    if (fresh) document.querySelector(part)?.replaceWith(fresh);
  }
  const comment = commentField();
  const isOfSame = draft?.form?.action === comment?.form?.action;
  if (draft && comment && isOfSame && draft.form !== sent) comment.value = draft.value;
  document.title = page.ownerDocument.title;
  const { theme } = page.dataset;
  document.documentElement.toggleAttribute("data-theme", theme !== undefined);
  if (theme) document.documentElement.dataset.theme = theme;
  if (!isSame || spot) scrollTo(0, spot?.y ?? 0);
  const main = document.querySelector("main");
  const focused = find(id) ?? main?.querySelector<HTMLElement>("[autofocus]") ?? main;
  focused?.focus({ preventScroll: true });
  find(next.hash.slice(1))?.scrollIntoView();
  say(document.title);
}

/** Told to those who listen; what everybody should see stands at the foot of the window. */
function say(text: string, isShown = false): void {
  const place = document.querySelector("[data-say]");
  if (place) place.textContent = text;
  place?.classList.toggle("unseen", !isShown);
}

/** Shows a decision on what it is about: the selected rows, else the issue of the page. False for what is no decision. */
function mark(form: HTMLFormElement, state: string | null): boolean {
  if (!state) return false;
  const picked = [...form.querySelectorAll("[name=digest]:checked")];
  const rows = picked.map((one) => one.closest("[data-state]"));
  for (const issue of picked.length ? rows : [document.querySelector("main [data-state]")]) {
    issue?.setAttribute("data-state", state);
    issue?.querySelector("[data-state]")?.setAttribute("data-state", state);
    issue?.querySelector(".state span")?.replaceChildren(state[0]?.toUpperCase() + state.slice(1));
  }
  return true;
}

function commentField(): HTMLTextAreaElement | null {
  return document.querySelector("#comment");
}

function find(id: string | undefined): HTMLElement | null {
  return id ? document.getElementById(id) : null;
}

/** False while the page itself is still coming: what comes would look for places that are gone. */
function isPage({ origin, pathname }: URL): boolean {
  const isOwn = origin === location.origin && !NO_PAGES.test(pathname);
  return isOwn && document.readyState !== "loading";
}

function pathOf({ pathname, search }: URL | Location): string {
  return pathname + search;
}
