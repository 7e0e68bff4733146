/**
 * The inbox: an entry is read when it is opened, and after the first alert notifications are
 * offered. Loaded by pages with `[data-push-offer]`.
 */
/** `opened` after the first alert, `answered` when the person has answered the offer. */
const KEY = "errata-push-offer";

/** Starts once on the offer. */
export function startInbox(offer: HTMLElement): void {
  const page = offer.closest("main");
  page?.addEventListener("click", ({ target }) => {
    const link = (target as Element).closest<HTMLElement>("a[href*='/d/']");
    if (!link) return;
    if (read() === null) save("opened");
    const notice = link.dataset.noticeId;
    if (notice) markRead(link as HTMLAnchorElement, notice);
  });
  offer.addEventListener("click", ({ target }) => {
    if (!(target as Element).closest("a, button")) return;
    save("answered");
    offer.hidden = true;
  });
  const isPossible =
    "serviceWorker" in navigator &&
    "PushManager" in window &&
    Notification.permission === "default";
  offer.hidden = !isPossible || read() !== "opened";
}

/** The link may lead to another project. */
function markRead({ pathname }: HTMLAnchorElement, notice: string): void {
  const base = /^\/p\/\d+(?=\/d\/)/.exec(pathname)?.[0] ?? "";
  void fetch(`${base}/alerts/read`, {
    method: "post",
    body: new URLSearchParams({ notice }),
    headers: { accept: "application/json" },
    keepalive: true,
  }).catch(() => undefined);
}

/** Storage may be blocked. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return "answered";
  }
}

function save(state: string): void {
  try {
    localStorage.setItem(KEY, state);
  } catch {
    // The offer is then never shown.
  }
}
